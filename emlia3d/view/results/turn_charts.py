"""Charts of the sides over the turns, drawn into a row of a panel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from emlia3d.view.colours import Colour, colour_of
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import DIM, INK, PALE, RIDGE, PanelShape, Rect

THICK = 2.5
"""Width of a line, pixels of the design."""

MARKERS = ((4, math.pi / 4), (4, 0.0), (3, -math.pi / 2), (12, 0.0))
"""Corners of each side's marker, and the angle of the first: sides differ without colour too."""

MARKER = 4.0
"""Radius of a marker, pixels of the design."""

TURN_WIDTH = 26
"""Least distance of numbers of turns, pixels of the design."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLine:
    """A line of a chart: a value as each turn ends, None for none, and its colour "#rrggbb"."""

    name: str
    colour: str
    values: Sequence[float | None]


def draw_chart(
    sheet: Draft,
    rect: Rect,
    lines: Sequence[ChartLine],
    bounds: tuple[float, float],
    labels: tuple[str, str],
) -> None:
    """Draw lines over the turns, from 0 at the left.

    bounds : the values at the bottom and at the top, which hold all values
    labels : of these two
    """
    low, high = bounds
    small = sheet.px(10)
    left = rect.x + max(sheet.measure(label, small, False) for label in labels) + sheet.px(6)
    plot = Rect(left, rect.y + small, rect.x + rect.w - left - sheet.px(8), rect.h - 3 * small)
    turns = max((len(line.values) for line in lines), default=1) - 1
    if plot.w <= 0 or plot.h <= 0:
        return
    for share, label in ((0.0, labels[0]), (1.0, labels[1])):
        y = plot.y + plot.h * (1 - share)
        sheet.box(Rect(plot.x, round(y), plot.w, 1), DIM)
        sheet.write(left - sheet.px(6), y + small / 2, label, size=10, colour=PALE, align="right")
    last = -math.inf
    for turn in range(turns + 1):
        x = plot.x + plot.w * turn / max(turns, 1)
        sheet.box(Rect(round(x), plot.y, 1, plot.h), RIDGE)
        if x - last >= sheet.px(TURN_WIDTH):
            under = plot.y + plot.h + 1.4 * small
            sheet.write(x, under, str(turn), size=10, colour=PALE, align="centre")
            last = x
    for number, line in enumerate(lines):
        places = [
            (
                plot.x + plot.w * turn / max(turns, 1),
                plot.y + plot.h * (high - value) / (high - low),
            )
            for turn, value in enumerate(line.values)
            if value is not None
        ]
        colour = colour_of(line.colour)
        for one, other in pairwise(places):
            _stroke(sheet, one, other, colour)
        for place in places:
            draw_marker(sheet, number, place, colour)


def draw_marker(sheet: Draft, number: int, place: tuple[float, float], colour: Colour) -> None:
    """Draw the marker of a side, which has its own shape, with a bright edge."""
    corners, first = MARKERS[number % len(MARKERS)]
    for radius, fill in ((MARKER, INK), (MARKER - 1, colour)):
        turned = [first - 2 * math.pi * corner / corners for corner in range(corners)]
        reach = sheet.px(10 * radius) / 10
        sheet.shapes.append(
            PanelShape(
                tuple(
                    (place[0] + reach * math.cos(angle), place[1] + reach * math.sin(angle))
                    for angle in turned
                ),
                fill,
            )
        )


def _stroke(
    sheet: Draft, one: tuple[float, float], other: tuple[float, float], colour: Colour
) -> None:
    """Draw a line between two places, over a bright one that is wider."""
    (x, y), (to_x, to_y) = one, other
    long = math.hypot(to_x - x, to_y - y)
    if not long:
        return
    for thick, fill in ((THICK + 1, INK), (THICK, colour)):
        half = thick * sheet.u / 2
        across, down = -(to_y - y) / long * half, (to_x - x) / long * half
        sheet.shapes.append(
            PanelShape(
                (
                    (x + across, y + down),
                    (to_x + across, to_y + down),
                    (to_x - across, to_y - down),
                    (x - across, y - down),
                ),
                fill,
            )
        )
