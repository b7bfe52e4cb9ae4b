"""Map furniture: text, a legend, a scale bar, a north arrow and the rings of observers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PIL import ImageDraw, ImageFont

from emlia3d.view.plans.paper import INK, PAPER

PALE, RING = "#5c5a52", "#ffd23f"
"""Colours of secondary text, and of the ring around an observer."""

OBSERVER_PX = 8
"""Radius of an observer's ring, pixels."""

_KEY_PX, _SWATCH_PX, _GAP_PX = 16, 22, 26

Place = tuple[float, float]
Colour = str | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MapPen:
    """A pen for a map that is drawn *fine* times as large as its pixels are counted."""

    pen: ImageDraw.ImageDraw
    fine: int = 1

    def wide(self, text: str, size: int) -> float:
        """Return the width of a line of text, pixels."""
        return float(self.pen.textlength(text, ImageFont.load_default(size)))

    def write(
        self,
        place: Place,
        text: str,
        size: int,
        *,
        colour: str = INK,
        anchor: str = "la",
        halo: int = 0,
    ) -> None:
        """Write a line of text at a point, with a halo of this width in pixels."""
        self.pen.text(
            (place[0] * self.fine, place[1] * self.fine), text, fill=colour,
            font=ImageFont.load_default(size * self.fine), anchor=anchor,
            stroke_width=halo * self.fine // 2, stroke_fill=PAPER,
        )  # fmt: skip

    def box(self, edges: tuple[float, float, float, float], colour: Colour | None) -> None:
        """Draw a box with an outline; *colour* None leaves it empty."""
        scaled = tuple(edge * self.fine for edge in edges)
        self.pen.rectangle(scaled, fill=colour, outline=INK, width=self.fine)

    def observer(self, place: Place, radius: float = OBSERVER_PX) -> None:
        """Draw the ring that marks an observer."""
        x, y = place
        for size, colour in ((radius, INK), (radius - 1, RING), (radius / 2, INK)):
            edges = (x - size, y - size, x + size, y + size)
            self.pen.ellipse(tuple(edge * self.fine for edge in edges), fill=colour)

    def legend(
        self, corner: Place, entries: Iterable[tuple[Colour, str]], observer: str = ""
    ) -> float:
        """Draw colours with their meanings in a line; return its end, pixels.

        observer : words for the ring of an observer, the last entry; "" leaves it out
        """
        x, y = corner
        for colour, words in entries:
            self.box((x, y, x + _SWATCH_PX, y + _SWATCH_PX), colour)
            x = self._key((x, y), words)
        if observer:
            self.observer((x + _SWATCH_PX / 2, y + _SWATCH_PX / 2))
            x = self._key((x, y), observer)
        return x

    def _key(self, corner: Place, words: str) -> float:
        x = corner[0] + _SWATCH_PX + 8
        self.write((x, corner[1] + 17), words, _KEY_PX, anchor="ls")
        return x + self.wide(words, _KEY_PX) + _GAP_PX

    def scale_bar(self, corner: Place, length_px: float, told: str) -> None:
        """Draw a scale bar whose right upper corner is *corner*, with its length above it."""
        right, y = corner
        half = length_px / 2
        for begin, colour in ((right - length_px, INK), (right - half, PAPER)):
            self.box((begin, y, begin + half, y + 7), colour)
        self.write((right - half, y - 7), told, 14, anchor="ms")

    def north(self, tip: Place) -> None:
        """Draw a north arrow with its tip at a point, and an N below it."""
        x, top = tip
        arrow = ((x, top), (x + 7, top + 20), (x, top + 15), (x - 7, top + 20))
        self.pen.polygon([(a * self.fine, b * self.fine) for a, b in arrow], fill=INK)
        self.write((x, top + 36), "N", 14, anchor="ms")
