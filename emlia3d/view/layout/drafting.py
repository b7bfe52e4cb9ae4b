"""Builder of a layout of panels: boxes and lines of text, in pixels of the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from emlia3d.view.colours import Colour, colour_of
from emlia3d.view.layout.panel import (
    DIM,
    GLASS,
    INK,
    PALE,
    Align,
    Layout,
    Measure,
    PanelPicture,
    PanelShape,
    Rect,
    ScrollArea,
    Text,
    shortened,
)

LEAST_UNIT = 0.62
LEAST_DESIGN = (720, 405)
"""Minimum size of a window, design pixels."""

WHITE: Colour = (1.0, 1.0, 1.0, 1.0)
BRIGHTER: dict[Colour, Colour] = {INK: WHITE, PALE: WHITE, DIM: (0.86, 0.86, 0.86, 1.0)}
"""Text colours with high contrast; colours with a meaning do not change."""


@dataclass(slots=True)
class Draft:
    """Builder of a layout; u is the size of a design pixel (of 720 lines).

    stark : opaque panels and bright text
    scrolled : the first row shown of panels that were scrolled, by their names
    """

    width: float
    height: float
    u: float
    measure: Measure
    stark: bool = False
    shapes: list[PanelShape] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    panels: list[Rect] = field(default_factory=list)
    buttons: list[tuple[str, Rect]] = field(default_factory=list)
    scrolls: list[ScrollArea] = field(default_factory=list)
    pictures: list[PanelPicture] = field(default_factory=list)
    scrolled: Mapping[str, int] = field(default_factory=dict)

    def px(self, design: float) -> int:
        """Return a design length in whole pixels, so that glyphs stay sharp."""
        return max(round(design * self.u), 1)

    def box(self, rect: Rect, colour: Colour) -> None:
        """Draw a filled rectangle."""
        x, y, right, bottom = rect.x, rect.y, rect.x + rect.w, rect.y + rect.h
        self.shapes.append(PanelShape(((x, y), (x, bottom), (right, bottom), (right, y)), colour))

    def chip(self, rect: Rect, colour: str) -> None:
        """Draw a small field of a colour "#rrggbb" with a bright edge."""
        self.box(rect, INK)
        self.box(rect.inset(1), colour_of(colour))

    def panel(self, rect: Rect, colour: Colour = GLASS) -> None:
        """Draw a rectangle that blocks clicks on the field."""
        self.panels.append(rect)
        if self.stark:
            colour = *colour[:3], 1.0
        self.box(rect, colour)

    def write(  # noqa: PLR0913  what a line of text has, each by its name
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 13,
        colour: Colour = INK,
        align: Align = "left",
        bold: bool = False,
        within: float | None = None,
    ) -> float:
        """Draw a line of text; return its width."""
        points = self.px(size)
        if self.stark:
            colour = BRIGHTER.get(colour, colour)
        if within is not None:
            text = shortened(text, within, points, bold, self.measure)
        self.texts.append(Text(round(x), round(y), text, points, colour, align, bold))
        return self.measure(text, points, bold)

    def slug_lines(
        self, slugs: Sequence[str], width: float, size: float, most: int
    ) -> list[list[str]]:
        """Return names of rules in lines of at most *width*; the last ends in "..." if cut."""
        points = self.px(size)
        lines: list[list[str]] = []
        for slug in slugs:
            longer = [*lines[-1], slug] if lines else [slug]
            if lines and self.measure(", ".join(longer) + ", ...", points, False) <= width:
                lines[-1] = longer
            elif len(lines) < most:
                lines.append([slug])
            else:
                lines[-1].append("...")
                break
        return lines

    def write_slugs(
        self,
        x: float,
        y: float,
        slugs: Sequence[str],
        size: float,
        colour: Colour,
        room: Rect | None = None,
    ) -> None:
        """Write names of rules in a line; each is a button that opens the rule.

        room : width of the line; a wider name is shortened
        """
        points = self.px(size)
        for number, slug in enumerate(slugs):
            text = slug if number == len(slugs) - 1 else f"{slug}, "
            left = None if room is None else max(room.x + room.w - x, 1.0)
            wide = self.write(x, y, text, size=size, colour=colour, within=left)
            if slug != "...":
                top, deep = (y - points, round(1.4 * points)) if room is None else (room.y, room.h)
                self.buttons.append((f"rule:{slug}", Rect(x, top, wide, deep)))
            x += wide

    def layout(self, timeline: Rect, small_map: Rect | None = None) -> Layout:
        """Return all that was drawn."""
        return Layout(
            shapes=tuple(self.shapes),
            texts=tuple(self.texts),
            panels=tuple(self.panels),
            buttons=tuple(self.buttons),
            timeline=timeline,
            small_map=small_map,
            scrolls=tuple(self.scrolls),
            pictures=tuple(self.pictures),
        )


def draft_of(
    size: tuple[int, int], measure: Measure, text_size: float = 1.0, *, stark: bool = False
) -> Draft:
    """Return an empty draft for a window of *size* pixels, scaled by *text_size*.

    The scale is limited so that text is readable and panels do not overlap.
    """
    width, height = size
    usual = min(max(min(width / 1180, height / 664), LEAST_UNIT), 3.0)
    most = min(width / LEAST_DESIGN[0], height / LEAST_DESIGN[1])
    unit = max(min(usual * text_size, most), LEAST_UNIT)
    return Draft(float(width), float(height), unit, measure, stark)
