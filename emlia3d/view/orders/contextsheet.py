"""The panel of the context menu, beside the click."""

from __future__ import annotations

from emlia3d.battle.questions.order_kinds import OrderKind
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import (
    PAD,
    Pane,
    PaneRow,
    arranged,
    base_of,
    draw_pane,
    gap_row,
    inner_width,
    text_rows,
)
from emlia3d.view.layout.panel import AMBER, DEEP_GLASS, INK, Rect
from emlia3d.view.orders.context_menu import BUTTON, ContextCard
from emlia3d.view.orders.kind_icons import draw_kind
from emlia3d.view.orders.ordersheet import ICON, LINE

WIDTH, LEAST = 380, 180
"""Maximum and minimum width, design pixels."""

_BEFORE_TEXT = 50
"""Space for the digit and the icon of a line, design pixels."""


def context_pane(sheet: Draft, card: ContextCard) -> Pane:
    """Return the menu as a pane, as wide as its longest line."""
    longest = max(sheet.measure(text, sheet.px(12), False) for _, text in card.rows)
    edges = sheet.px(_BEFORE_TEXT) + 3 * sheet.px(PAD)
    width = min(max(longest + edges, sheet.px(LEAST)), sheet.px(WIDTH), sheet.width)
    pane = Pane("context", width, glass=DEEP_GLASS)
    inner = inner_width(sheet, width)
    pane.head += text_rows(sheet, card.title, inner, size=13, colour=INK, bold=True, most=1)
    pane.head.append(gap_row(sheet, 4))
    pane.body += [_line(sheet, row, *line) for row, line in enumerate(card.rows)]
    return pane


def draw_context(sheet: Draft, card: ContextCard, room: Rect, chart: Rect | None) -> None:
    """Draw the menu over all panels, with its corner as near to the click as *room* allows.

    chart : the minimap with its frame, which the menu must not overlap
    """
    pane = context_pane(sheet, card)
    rows = arranged(sheet, pane, room.h)
    x = min(card.at[0], room.x + room.w - pane.width)
    y = min(max(card.at[1], room.y), room.y + room.h - rows.height)
    if chart is not None and y + rows.height > chart.y:
        x = min(x, chart.x - pane.width)
    under = sheet.buttons[:]
    draw_pane(sheet, pane, max(x, room.x), y, rows)
    # The first button at a point gets the click.
    sheet.buttons[:] = [*sheet.buttons[len(under) :], *under]


def _line(sheet: Draft, row: int, kind: OrderKind, text: str) -> PaneRow:
    """Return a line: its digit, the icon of its kind, and its words."""

    def draw(rect: Rect) -> None:
        sheet.buttons.append((f"{BUTTON}:{row}", rect))
        base = rect.y + base_of(sheet, 12, rect.h)
        sheet.write(rect.x + sheet.px(2), base, str(row + 1), size=12, colour=AMBER)
        high = sheet.px(ICON)
        icon = Rect(rect.x + sheet.px(18), rect.y + (rect.h - high) / 2, 2 * high, high)
        draw_kind(sheet, kind, icon)
        x = rect.x + sheet.px(_BEFORE_TEXT)
        sheet.write(x, base, text, size=12, within=max(rect.x + rect.w - x, 1.0))

    return PaneRow(sheet.px(LINE), draw)
