"""The panel of orders: the question, the menu and the selected order; and the curtain."""

from __future__ import annotations

from emlia3d.view.colours import Colour, colour_of
from emlia3d.view.layout.dock import left_width
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import (
    Pane,
    PaneRow,
    base_of,
    gap_row,
    inner_width,
    slug_rows,
    text_rows,
)
from emlia3d.view.layout.panel import AMBER, DIM, INK, PALE, RIDGE, Rect, wrapped
from emlia3d.view.orders.kind_icons import draw_kind
from emlia3d.view.orders.order_menu import MenuLine
from emlia3d.view.orders.ordercard import Curtain, OrderCard

REFUSED: Colour = (1.0, 0.50, 0.38, 1.0)
CLOTH: Colour = (0.055, 0.065, 0.08, 1.0)
CHOSEN: Colour = (0.96, 0.72, 0.28, 0.28)
CURTAIN = "curtain"
"""The button that covers the whole curtain."""

WIDTH, LINE = 430, 20
ICON = 12
"""Height of an icon, design pixels."""

_LABELS = (("give", "Give"), ("back", "Back"), ("undo", "Undo"), ("doctrine", "AI"))


def orders_pane(sheet: Draft, card: OrderCard) -> Pane:
    """Return the question and its orders as a pane for the left dock."""
    pane = Pane("orders", left_width(sheet, WIDTH), edge=card.colour)
    inner = inner_width(sheet, pane.width)
    pane.head += text_rows(sheet, card.question, inner, size=14, line=19, colour=INK, bold=True)
    pane.head += slug_rows(sheet, (card.asks,), inner)
    pane.head.append(gap_row(sheet, 6))
    if card.part:
        pane.head += text_rows(sheet, card.part, inner, size=12, colour=PALE, bold=True)
    pane.body += [_line(sheet, card, row) for row in range(len(card.lines))]
    pane.follows = card.chosen
    pane.foot.append(gap_row(sheet, 6))
    asides = ".  ".join(filter(None, (card.pages, card.hint)))
    for text, colour in (
        (asides, PALE), (card.in_hand, INK), (card.why, PALE), (card.odds, PALE),
        (card.refusal, REFUSED),
    ):  # fmt: skip
        if text:
            pane.foot += text_rows(sheet, text, inner, size=11, line=16, colour=colour, most=2)
    pane.foot.append(gap_row(sheet, 4))
    pane.foot.append(_buttons(sheet, card))
    return pane


def _line(sheet: Draft, card: OrderCard, row: int) -> PaneRow:
    """Return a line of the menu: its digit, the icon and letter of its kind, and its words."""
    line: MenuLine = card.lines[row]

    def draw(rect: Rect) -> None:
        if row == card.chosen:
            sheet.box(rect, CHOSEN)
        sheet.buttons.append((f"order:{row}", rect))
        base = rect.y + base_of(sheet, 12, rect.h)
        sheet.write(rect.x + sheet.px(2), base, str(row + 1), size=12, colour=AMBER)
        high = sheet.px(ICON)
        icon = Rect(rect.x + sheet.px(18), rect.y + (rect.h - high) / 2, 2 * high, high)
        draw_kind(sheet, line.kind, icon)
        x, right = icon.x + icon.w + sheet.px(8), rect.x + rect.w - sheet.px(4)
        if line.advised:
            right -= sheet.write(right, base, "advised", size=11, colour=AMBER, align="right")
        elif line.order is None:
            right -= sheet.write(right, base, ">", size=12, colour=AMBER, align="right")
        bold = line.order is None
        sheet.write(x, base, line.text, size=12, bold=bold, within=max(right - x - 4, 1.0))

    return PaneRow(sheet.px(LINE), draw)


def _buttons(sheet: Draft, card: OrderCard) -> PaneRow:
    def draw(row: Rect) -> None:
        gap = sheet.px(6)
        width = (row.w - gap * (len(_LABELS) - 1)) / len(_LABELS)
        for at, (name, label) in enumerate(_LABELS):
            rect = Rect(row.x + at * (width + gap), row.y, width, row.h)
            sheet.box(rect, RIDGE)
            sheet.buttons.append((f"order:{name}", rect))
            ready = name != "give" or (card.in_hand and not card.refusal)
            middle = rect.x + rect.w / 2, rect.y + base_of(sheet, 11, rect.h)
            sheet.write(
                *middle, label, size=11, colour=INK if ready else DIM, align="centre",
                within=rect.w,
            )  # fmt: skip

    return PaneRow(sheet.px(24), draw)


def draw_curtain(sheet: Draft, curtain: Curtain) -> None:
    """Hide everything, with a line that names the next player."""
    whole = Rect(0, 0, sheet.width, sheet.height)
    sheet.panel(whole, CLOTH)
    sheet.box(Rect(0, 0.42 * sheet.height, sheet.width, sheet.px(4)), colour_of(curtain.colour))
    sheet.buttons.append((CURTAIN, whole))
    lines = wrapped(curtain.text, 0.8 * sheet.width, sheet.px(20), sheet.measure, most=3)
    y = 0.42 * sheet.height + sheet.px(44)
    for text in lines:
        sheet.write(sheet.width / 2, y, text, size=20, align="centre")
        y += sheet.px(30)
