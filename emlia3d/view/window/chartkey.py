"""What the ground's colours and lines mean, beside the small map."""

from __future__ import annotations

from itertools import pairwise

from emlia3d.view.moment.scene import SLOPE_COLOURS, SLOPES_DEG, Chart
from emlia3d.view.window.drafting import Draft
from emlia3d.view.window.panel import DEEP_GLASS, INK, Rect, colour_of

CONTOUR = "#5a3c1e"
WATER = "#789cbe"

Row = tuple[str, str]
"""A colour "#rrggbb", and what it means."""


def key_of(chart: Chart, contour_m: float) -> tuple[Row, ...]:
    """The rows of a chart; none for the country as it is.

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


def draw_key(sheet: Draft, rows: tuple[Row, ...], right: float, floor: float, free: float) -> float:
    """Put the rows left of a place, on a floor; returns their upper edge.

    Not at all if they came left of *free*: there is something else.
    """
    if not rows:
        return floor
    pad, line = sheet.px(8), sheet.px(17)
    wide = max(sheet.measure(text, sheet.px(11), False) for _, text in rows)
    width, height = wide + 2 * pad + sheet.px(20), line * len(rows) + 2 * pad - sheet.px(4)
    rect = Rect(right - width, floor - height, width, height)
    if rect.x < free:
        return floor
    sheet.panel(rect, DEEP_GLASS)
    y = rect.y + pad
    for colour, text in rows:
        chip = Rect(rect.x + pad, y, sheet.px(13), sheet.px(12))
        sheet.box(chip, INK)
        sheet.box(chip.inset(1), colour_of(colour))
        sheet.write(chip.x + sheet.px(20), y + sheet.px(10), text, size=11)
        y += line
    return rect.y
