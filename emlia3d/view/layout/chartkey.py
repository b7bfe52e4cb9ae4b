"""The key of colours and lines on the ground: a row for each, with a chip of its colour."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import DEEP_GLASS, Rect
from emlia3d.view.moment.scene import SLOPE_COLOURS, SLOPES_DEG, Chart

CONTOUR = "#5a3c1e"
WATER = "#789cbe"

LETTERS, LINE, PAD, BESIDE = 12, 18, 10, 22
"""Sizes of the words, of a row, of the panel's margins, and from a chip to its words."""

Row = tuple[str, str]
"""A colour "#rrggbb", and what it means."""


def key_of(chart: Chart, contour_m: float) -> tuple[Row, ...]:
    """Return the rows of a chart; none for the country as it is.

    contour_m : from contour to contour; 0 where there are none
    """
    if chart == "country":
        return ()
    rows: list[Row] = []
    if chart == "slope":
        between = (f"{low} to {high} degrees" for low, high in pairwise(SLOPES_DEG))
        words = (f"under {SLOPES_DEG[0]} degrees", *between, f"{SLOPES_DEG[-1]} degrees and more")
        rows += zip(SLOPE_COLOURS, words, strict=True)
    rows.append((WATER, "water"))
    if contour_m > 0:
        rows.append((CONTOUR, f"contours every {contour_m:g} m"))
    return tuple(rows)


def key_room(sheet: Draft, rows: Sequence[Row]) -> tuple[float, float]:
    """Return how wide and how high the panel of some rows is, pixels."""
    pad = sheet.px(PAD)
    wide = max(sheet.measure(text, sheet.px(LETTERS), False) for _, text in rows)
    return wide + 2 * pad + sheet.px(BESIDE), sheet.px(LINE) * len(rows) + 2 * pad - sheet.px(4)


def draw_rows(sheet: Draft, rows: Sequence[Row], x: float, y: float) -> Rect:
    """Put a panel of colours and what they mean, its upper left corner there."""
    panel = Rect(x, y, *key_room(sheet, rows))
    sheet.panel(panel, DEEP_GLASS)
    left, top = panel.x + sheet.px(PAD), panel.y + sheet.px(PAD)
    for colour, text in rows:
        sheet.chip(Rect(left, top, sheet.px(14), sheet.px(13)), colour)
        sheet.write(left + sheet.px(BESIDE), top + sheet.px(11), text, size=LETTERS)
        top += sheet.px(LINE)
    return panel


def draw_key(sheet: Draft, rows: tuple[Row, ...], right: float, floor: float, free: float) -> float:
    """Put the rows left of a place, on a floor; returns their upper edge.

    Not at all if they came left of *free*: there is something else.
    """
    if not rows:
        return floor
    width, height = key_room(sheet, rows)
    if right - width < free:
        return floor
    return draw_rows(sheet, rows, right - width, floor - height).y
