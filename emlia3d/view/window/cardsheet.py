"""The card of the chosen unit: its figures, and under them what it did and why."""

from __future__ import annotations

from emlia3d.view.colours import Colour, colour_of
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import DIM, INK, PALE, RIDGE, Rect, UnitCard, wrapped

WIDTH, LINE, HEAD, PAD = 290, 19, 34, 12
MOST_LINES = 4
"""Of one value that is too long for a line."""


def card_height(sheet: Draft, card: UnitCard) -> float:
    """Return how much room under one another a card takes of which nothing is left out, pixels."""
    inner = _width(sheet) - 2 * sheet.px(PAD)
    rows = (*card.rows, *card.deeds)
    count = sum(len(_lines(sheet, label, value, inner)) for label, value in rows)
    # Deeds are shown where they fill no more than half of the card.
    deeds = sum(len(_lines(sheet, label, value, inner)) for label, value in card.deeds)
    lines = max(count, 2 * deeds) + 1
    return sheet.px(HEAD) + sheet.px(PAD) + lines * sheet.px(LINE) + 2 * sheet.px(10)


def card_left(sheet: Draft) -> float:
    """Return the left edge of every card, pixels."""
    return sheet.width - _width(sheet) - sheet.px(10)


def _width(sheet: Draft) -> float:
    return min(float(sheet.px(WIDTH)), 0.5 * sheet.width)


def draw_card(sheet: Draft, card: UnitCard, top: float, floor: float) -> None:
    """Draw the selected unit at the upper right.

    Rows that do not fit are left out and counted, and where there is little room its deeds are;
    where there is none for any row, there is no card.
    """
    pad, line, head = sheet.px(PAD), sheet.px(LINE), sheet.px(HEAD)
    width = _width(sheet)
    x, y = card_left(sheet), top + sheet.px(10)
    room = int((floor - sheet.px(10) - y - head - pad) // line)
    if room < 1:
        return
    inner = width - 2 * pad
    deeds = [(label, _lines(sheet, label, value, inner)) for label, value in card.deeds]
    if sum(len(lines) for _, lines in deeds) > room // 2:
        deeds = []
    rows = [(label, _lines(sheet, label, value, inner)) for label, value in card.rows]
    rows, hidden = _fitting(rows, room - sum(len(lines) for _, lines in deeds))
    count = sum(len(lines) for _, lines in (*rows, *deeds)) + (hidden > 0)
    panel = Rect(x, y, width, head + pad + line * count + (sheet.px(8) if deeds else 0))
    sheet.panel(panel)
    sheet.box(Rect(x, y, sheet.px(4), panel.h), colour_of(card.colour))
    sheet.write(x + pad, y + sheet.px(22), card.name, size=15, bold=True, within=inner)
    y += head + sheet.px(10)
    for label, lines in rows:
        y = _row(sheet, label, lines, Rect(x + pad, y, inner, line), INK)
    if hidden:
        sheet.write(x + pad, y, f"and {hidden} more", size=12, colour=DIM)
        y += line
    if deeds:
        sheet.box(Rect(x + pad, y - sheet.px(11), inner, 1), RIDGE)
        y += sheet.px(8)
    for label, lines in deeds:
        y = _row(sheet, label, lines, Rect(x + pad, y, inner, line), INK)


def _lines(sheet: Draft, label: str, value: str, inner: float) -> tuple[str, ...]:
    """Return a value in as many lines as it takes beside its label; one where it is empty."""
    wide = min(sheet.measure(label, sheet.px(12), False), 0.6 * inner)
    room = inner - wide - sheet.px(10)
    return wrapped(value, room, sheet.px(12), sheet.measure, most=MOST_LINES) or ("",)


def _fitting(
    rows: list[tuple[str, tuple[str, ...]]], room: int
) -> tuple[list[tuple[str, tuple[str, ...]]], int]:
    """Return the first rows that fit in *room* lines, one of which counts the rest; and it."""
    if sum(len(lines) for _, lines in rows) <= room:
        return rows, 0
    kept, left = 0, room - 1
    while len(rows[kept][1]) <= left:
        left -= len(rows[kept][1])
        kept += 1
    return rows[:kept], len(rows) - kept


def _row(sheet: Draft, label: str, lines: tuple[str, ...], rect: Rect, colour: Colour) -> float:
    """Draw a label and a value of one or more lines; return the next row's top."""
    sheet.write(rect.x, rect.y, label, size=12, colour=PALE, within=0.6 * rect.w)
    for number, text in enumerate(lines):
        right, base = rect.x + rect.w, rect.y + number * rect.h
        sheet.write(right, base, text, size=12, colour=colour, align="right", within=rect.w)
    return rect.y + len(lines) * rect.h
