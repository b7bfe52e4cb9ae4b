"""The legend of colours and lines on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import Pane, PaneRow, base_of, inner_width
from emlia3d.view.layout.panel import DEEP_GLASS, Rect
from emlia3d.view.moment.scene import SLOPE_COLOURS, SLOPES_DEG, Chart

CONTOUR = "#5a3c1e"
WATER = "#789cbe"

LETTERS, LINE, BESIDE = 12, 18, 22
"""Sizes of the text, of a row, and of the gap between a chip and its text."""

DASHED = "dashed "
"""Prefix of the colour of a dashed line."""

KeyRow = tuple[str, str]
"""A colour "#rrggbb", with the prefix `DASHED` for a dashed line, and its meaning."""


def key_of(chart: Chart, contour_m: float) -> tuple[KeyRow, ...]:
    """Return the rows for a style of the ground; none for the country.

    contour_m : contour interval, metres; 0 without contours
    """
    if chart == "country":
        return ()
    rows: list[KeyRow] = []
    if chart == "slope":
        between = (f"{low} to {high} degrees" for low, high in pairwise(SLOPES_DEG))
        words = (f"under {SLOPES_DEG[0]} degrees", *between, f"{SLOPES_DEG[-1]} degrees and more")
        rows += zip(SLOPE_COLOURS, words, strict=True)
    rows.append((WATER, "water"))
    if contour_m > 0:
        rows.append((CONTOUR, f"contours every {contour_m:g} m"))
    return tuple(rows)


def key_pane(sheet: Draft, rows: Sequence[KeyRow], widest: float, name: str = "colours") -> Pane:
    """Return a pane of colours and their meanings, at most *widest* pixels wide."""
    beside = sheet.px(BESIDE)
    wide = max(sheet.measure(text, sheet.px(LETTERS), False) for _, text in rows)
    edges = widest - inner_width(sheet, widest)
    pane = Pane(name, min(wide + 1 + beside + edges, widest), glass=DEEP_GLASS)
    for colour, text in rows:

        def draw(rect: Rect, colour: str = colour, text: str = text) -> None:
            high = sheet.px(13)
            top = rect.y + (rect.h - high) / 2
            plain, dash = colour.removeprefix(DASHED), sheet.px(5)
            if plain == colour:
                sheet.chip(Rect(rect.x, top, sheet.px(14), high), colour)
            else:
                for x in (rect.x, rect.x + sheet.px(14) - dash):
                    sheet.chip(Rect(x, rect.y + rect.h / 2 - dash / 2, dash, dash), plain)
            base = rect.y + base_of(sheet, LETTERS, rect.h)
            sheet.write(rect.x + beside, base, text, size=LETTERS, within=rect.w - beside)

        pane.body.append(PaneRow(sheet.px(LINE), draw))
    return pane
