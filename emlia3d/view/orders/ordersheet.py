"""The panel of orders, laid out: the question, a page of answers, what is in hand."""

from __future__ import annotations

from emlia3d.view.colours import Colour, colour_of
from emlia3d.view.layout.dock import left_width
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import AMBER, DIM, INK, PALE, RIDGE, Rect, wrapped
from emlia3d.view.orders.ordercard import Curtain, OrderCard

REFUSED: Colour = (1.0, 0.50, 0.38, 1.0)
CLOTH: Colour = (0.055, 0.065, 0.08, 1.0)
CURTAIN = "curtain"
"""The button that is the whole curtain."""

_LABELS = (("give", "Give"), ("back", "Back"), ("undo", "Undo"), ("doctrine", "Doctrine"))


def draw_orders(sheet: Draft, card: OrderCard, top: float, floor: float) -> Rect:
    """Put the panel at the upper left; lines that have no room are left out."""
    pad, line = sheet.px(12), sheet.px(19)
    width = left_width(sheet, 430)
    inner = width - 2 * pad
    x, y = float(sheet.px(10)), top + sheet.px(10)
    asked = wrapped(card.question, inner, sheet.px(14), sheet.measure, most=2)
    told = [*_told(sheet, card, inner)]
    head = pad + len(asked) * line + sheet.px(14)
    foot = len(told) * sheet.px(16) + sheet.px(36)
    room = max(int((floor - sheet.px(10) - y - head - foot) // line), 1)
    lines = card.lines[:room]
    panel = Rect(x, y, width, head + len(lines) * line + foot)
    sheet.panel(panel)
    sheet.box(Rect(x, y, sheet.px(4), panel.h), colour_of(card.colour))
    y += pad + sheet.px(10)
    for text in asked:
        sheet.write(x + pad, y, text, size=14, bold=True, within=inner)
        y += line
    sheet.write_slugs(x + pad, y - sheet.px(4), (card.asks,), 10, AMBER)
    y += sheet.px(14)
    for row, (key, text) in enumerate(lines):
        rect = Rect(x + sheet.px(6), y - sheet.px(14), width - sheet.px(12), line)
        if row == card.chosen:
            sheet.box(rect, (0.96, 0.72, 0.28, 0.28))
        sheet.buttons.append((f"order:{row}", rect))
        sheet.write(x + pad, y, key, size=12, colour=AMBER)
        sheet.write(x + pad + sheet.px(18), y, text, size=12, within=inner - sheet.px(18))
        y += line
    for text, colour in told:
        sheet.write(x + pad, y, text, size=11, colour=colour, within=inner)
        y += sheet.px(16)
    _buttons(sheet, card, Rect(x + pad, y - sheet.px(8), inner, sheet.px(24)))
    return panel


def _told(sheet: Draft, card: OrderCard, width: float) -> list[tuple[str, Colour]]:
    """Return the lines under the answers."""
    asides = "    ".join(filter(None, (card.pages, card.hint)))
    told: list[tuple[str, Colour]] = [(asides, PALE)] if asides else []
    size = sheet.px(11)
    for text, colour in ((card.in_hand, INK), (card.odds, PALE), (card.refusal, REFUSED)):
        lines = wrapped(text, width, size, sheet.measure, most=2) if text else ()
        told += [(part, colour) for part in lines]
    return told


def _buttons(sheet: Draft, card: OrderCard, row: Rect) -> None:
    gap = sheet.px(6)
    width = (row.w - gap * (len(_LABELS) - 1)) / len(_LABELS)
    for at, (name, label) in enumerate(_LABELS):
        rect = Rect(row.x + at * (width + gap), row.y, width, row.h)
        sheet.box(rect, RIDGE)
        sheet.buttons.append((f"order:{name}", rect))
        ready = name != "give" or (card.in_hand and not card.refusal)
        colour = INK if ready else DIM
        middle = rect.x + rect.w / 2, rect.y + sheet.px(16)
        sheet.write(*middle, label, size=11, colour=colour, align="centre", within=rect.w)


def draw_curtain(sheet: Draft, curtain: Curtain) -> None:
    """Hide everything, with a line that says who may look."""
    whole = Rect(0, 0, sheet.width, sheet.height)
    sheet.panel(whole, CLOTH)
    sheet.box(Rect(0, 0.42 * sheet.height, sheet.width, sheet.px(4)), colour_of(curtain.colour))
    sheet.buttons.append((CURTAIN, whole))
    lines = wrapped(curtain.text, 0.8 * sheet.width, sheet.px(20), sheet.measure, most=3)
    y = 0.42 * sheet.height + sheet.px(44)
    for text in lines:
        sheet.write(sheet.width / 2, y, text, size=20, align="centre")
        y += sheet.px(30)
