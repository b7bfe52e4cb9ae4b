"""The list of all keys, over the middle of the picture."""

from __future__ import annotations

from emlia3d.view.window.drafting import Draft
from emlia3d.view.window.keys import SECTIONS, Row
from emlia3d.view.window.panel import AMBER, DEEP_GLASS, PALE, Rect

LINE, HEAD, GAP = 19, 26, 10
"""Of a row, of a section's heading, and between sections, in pixels of the design."""


def draw_keys(sheet: Draft, top: float, floor: float) -> None:
    """All keys by what they are for, in two columns of about the same height."""
    columns = _columns()
    tall = max(map(_height, columns))
    width = min(float(sheet.px(960)), sheet.width - sheet.px(16))
    height = min(sheet.px(tall + 40), floor - top - sheet.px(8))
    shrunk = min((height - sheet.px(24)) / sheet.px(tall), 1.0)
    rect = Rect((sheet.width - width) / 2, (top + floor - height) / 2, width, height)
    sheet.panel(rect, DEEP_GLASS)
    half = width / len(columns)
    for number, sections in enumerate(columns):
        x, y = rect.x + sheet.px(20) + number * half, rect.y + sheet.px(12)
        inner = half - sheet.px(32)
        for title, rows in sections:
            base = y + sheet.px(HEAD - 9) * shrunk
            sheet.write(x, base, title, size=13 * shrunk, bold=True, colour=PALE, within=inner)
            y += sheet.px(HEAD) * shrunk
            for row in rows:
                base, size = y + sheet.px(13) * shrunk, 12 * shrunk
                sheet.write(x, base, row.shown, size=size, colour=AMBER, within=0.30 * inner)
                at = x + 0.32 * inner
                sheet.write(at, base, row.meaning, size=size, within=0.68 * inner)
                y += sheet.px(LINE) * shrunk
            y += sheet.px(GAP) * shrunk


def _columns() -> tuple[tuple[tuple[str, tuple[Row, ...]], ...], ...]:
    """The sections, in their order, cut in two where the columns come out most alike."""
    cuts = range(1, len(SECTIONS))
    best = min(cuts, key=lambda at: abs(_height(SECTIONS[:at]) - _height(SECTIONS[at:])))
    return SECTIONS[:best], SECTIONS[best:]


def _height(sections: tuple[tuple[str, tuple[Row, ...]], ...]) -> int:
    return sum(HEAD + LINE * len(rows) + GAP for _, rows in sections)
