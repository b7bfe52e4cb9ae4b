"""A drawing on paper: conversion of points to pixels, and names without overlap."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from PIL import ImageColor, ImageDraw, ImageFont
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.view.sight.corridor import Places

PAPER, INK = "#fbfaf6", "#222222"
FINE = 2
"""Factor of supersampling."""

NAME_PX, SMALL_PX = 23, 18
MARGINS_PX = (96, 1560)
"""Margins between which names are placed."""

_DARK = 140
_RIM_PX = 3
_GAP_PX, _STEP_PX, _FAR_PX = 6, 4, 14

Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge, pixels."""


@dataclass(frozen=True, slots=True)
class PaperFrame:
    """A part of the picture: the pixels of its lower left point, and pixels per unit."""

    left: float
    bottom: float
    low: tuple[float, float]
    across: float
    up: float

    def put(self, places: Places) -> list[tuple[float, float]]:
        """Return the pixels of points (n, 2)."""
        x = self.left + (places[:, 0] - self.low[0]) * self.across
        y = self.bottom - (places[:, 1] - self.low[1]) * self.up
        return [(a * FINE, b * FINE) for a, b in zip(x.tolist(), y.tolist(), strict=True)]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of a position, before the factor `FINE`."""
        return (self.left + (x - self.low[0]) * self.across,
                self.bottom - (y - self.low[1]) * self.up)  # fmt: skip


@dataclass(slots=True)
class Sheet:
    """The paper, and the boxes of the names on it."""

    pen: ImageDraw.ImageDraw
    taken: list[Box] = field(default_factory=list)

    def fill(
        self,
        frame: PaperFrame,
        shape: BaseGeometry,
        colour: str | None,
        outline: str | None = None,
        *,
        rim: bool = False,
    ) -> None:
        """Fill a shape, or its parts, with a colour; None draws only the outline.

        Holes are filled too.
        rim : whether the outline is broad
        """
        width = _RIM_PX * FINE if rim else FINE
        for part in shapely.get_parts(shape):
            if isinstance(part, Polygon) and not part.is_empty:
                places = frame.put(shapely.get_coordinates(part.exterior))
                self.pen.polygon(places, fill=colour, outline=outline, width=width)

    def line(self, frame: PaperFrame, places: Sequence[Sequence[float]], colour: str = INK) -> None:
        """Draw a line through points (n, 2)."""
        self.pen.line(frame.put(np.array(places)), fill=colour, width=FINE)

    def write(
        self,
        place: tuple[float, float],
        text: str,
        size: int = SMALL_PX,
        anchor: str = "la",
        colour: str = INK,
        halo: int = 0,
    ) -> None:
        """Write text at a point of the picture, with a halo of this width."""
        font = ImageFont.load_default(size * FINE)
        x, y = place[0] * FINE, place[1] * FINE
        self.pen.text((x, y), text, colour, font, anchor, stroke_width=halo, stroke_fill=PAPER)

    def name(self, text: str, about: Box, rows: tuple[float, float]) -> None:
        """Write a name above or below a body's box, or farther away if other names are there.

        It stays inside the margins and these rows if there is room; from farther away a line leads
        to the body.
        """
        half, middle = wide(self.pen, text) / 2, (about[0] + about[2]) / 2
        x = min(max(middle, MARGINS_PX[0] + half), MARGINS_PX[1] - half)
        box = next((b for b in _boxes(x, half, about, rows) if self._is_free(b)), None)
        if box is None:
            box = next(b for b in _boxes(x, half, about, (-math.inf, rows[1])) if self._is_free(b))
        self.taken.append(box)
        above = box[3] <= about[1]
        edge, end = (box[3], about[1]) if above else (box[1], about[3])
        if abs(end - edge) > _FAR_PX:
            self.pen.line([(x * FINE, edge * FINE), (middle * FINE, end * FINE)], INK, FINE)
        self.write((x, box[3]), text, NAME_PX, "mb", halo=5)

    def _is_free(self, box: Box) -> bool:
        return not any(_meet(box, other) for other in self.taken)

    def name_in(self, text: str, place: tuple[float, float], colour: str) -> None:
        """Write a name in the centre of a body of this colour."""
        red, green, blue = ImageColor.getrgb(colour)[:3]
        dark = 0.3 * red + 0.59 * green + 0.11 * blue < _DARK
        half, tall = wide(self.pen, text) / 2, NAME_PX / 2
        x, y = place
        self.taken.append((x - half, y - tall, x + half, y + tall))
        self.write(place, text, NAME_PX, "mm", PAPER if dark else INK)


def steps(low: float, high: float, most: int) -> Iterator[float]:
    """Yield about *most* round numbers from *low* to *high*, in equal steps."""
    wanted = (high - low) / most
    power = 10.0 ** math.floor(math.log10(wanted))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= wanted)
    for number in range(math.ceil(low / step), math.floor(high / step) + 1):
        yield number * step


def wide(pen: ImageDraw.ImageDraw, text: str, size: int = NAME_PX) -> float:
    """Return the width of a line of text in pixels of the picture."""
    return float(pen.textlength(text, ImageFont.load_default(size)))


def _boxes(x: float, half: float, about: Box, rows: tuple[float, float]) -> Iterator[Box]:
    """Yield positions for a name, alternately above and below a body, the nearest first."""
    for away in itertools.count(_GAP_PX, _STEP_PX):
        over, under = about[1] - away - NAME_PX, about[3] + away
        if over < rows[0] and under + NAME_PX > rows[1]:
            return
        for top in (over, under):
            if rows[0] <= top <= rows[1] - NAME_PX:
                yield x - half, top, x + half, top + NAME_PX


def _meet(box: Box, other: Box) -> bool:
    return (
        box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
    )  # fmt: skip
