"""The menu as a pane, and its button in the title bar."""

from __future__ import annotations

from emlia3d.view.actions.menu import MenuCard, MenuRow
from emlia3d.view.layout.dock import left_width
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import Pane, PaneRow, base_of
from emlia3d.view.layout.panel import AMBER, DEEP_GLASS, DIM, INK, RIDGE, PanelShape, Rect

MENU = "menu"
"""Name of the pane, and of the button that opens it."""

WIDTH, LINE, TITLE_LINE = 380, 19, 23
"""Sizes of the pane, of a row, and of the title of a group, pixels of the design."""

LABEL = "Menu"
CHOSEN = (0.96, 0.72, 0.28, 0.28)


def menu_pane(sheet: Draft, card: MenuCard) -> Pane:
    """Return the menu, as a pane for the left dock."""
    pane = Pane(MENU, left_width(sheet, WIDTH), glass=DEEP_GLASS)
    pane.body += [
        _title(sheet, row, chosen=at == card.chosen)
        if row.opened is not None
        else _action(sheet, row, chosen=at == card.chosen)
        for at, row in enumerate(card.rows)
    ]
    pane.follows = card.chosen if card.by_keys else None
    return pane


def menu_button_width(sheet: Draft, *, labelled: bool) -> float:
    """Return the width of the button, with its label or without, pixels."""
    label = sheet.measure(LABEL, sheet.px(13), True) + sheet.px(7) if labelled else 0.0
    return sheet.px(31) + label


def draw_menu_button(sheet: Draft, bar: Rect, *, opened: bool, labelled: bool) -> float:
    """Draw the button at the left end of the title bar; return its right edge, pixels."""
    wide = menu_button_width(sheet, labelled=labelled)
    rect = Rect(sheet.px(8), sheet.px(5), wide, bar.h - 2 * sheet.px(5))
    sheet.box(rect, CHOSEN if opened else RIDGE)
    sheet.buttons.append((MENU, rect))
    x, thick = rect.x + sheet.px(9), sheet.px(2)
    for line in (-1, 0, 1):
        y = rect.y + rect.h / 2 + line * sheet.px(5) - thick / 2
        sheet.box(Rect(x, y, sheet.px(13), thick), INK)
    if labelled:
        sheet.write(x + sheet.px(20), sheet.px(21), LABEL, bold=True)
    return rect.x + rect.w


def _title(sheet: Draft, row: MenuRow, *, chosen: bool) -> PaneRow:
    """Return the title of a group with a triangle, which points down if the group is open."""

    def draw(rect: Rect) -> None:
        if chosen:
            sheet.box(rect, CHOSEN)
        sheet.buttons.append((row.button, rect))
        half = sheet.px(5)
        x, y = rect.x + sheet.px(4) + half, rect.y + rect.h / 2
        corners = (
            ((x - half, y - half / 2), (x, y + half / 2), (x + half, y - half / 2))
            if row.opened
            else ((x - half / 2, y - half), (x - half / 2, y + half), (x + half / 2, y))
        )
        sheet.shapes.append(PanelShape(corners, AMBER))
        base = rect.y + base_of(sheet, 13, rect.h)
        left = rect.x + sheet.px(22)
        sheet.write(left, base, row.words, bold=True, within=rect.x + rect.w - left)

    return PaneRow(sheet.px(TITLE_LINE), draw)


def _action(sheet: Draft, row: MenuRow, *, chosen: bool) -> PaneRow:
    """Return an action with its keys at the right; it is a button if it is available.

    If there is no room for all its keys, only the most common one is shown.
    """

    def draw(rect: Rect) -> None:
        if row.live:
            if chosen:
                sheet.box(rect, CHOSEN)
            sheet.buttons.append((row.button, rect))
        base, size = rect.y + base_of(sheet, 12, rect.h), sheet.px(12)
        left, right = rect.x + sheet.px(22), rect.x + rect.w - sheet.px(8)
        free = right - left - sheet.px(10) - sheet.measure(row.words, size, False)
        keys = row.keys if sheet.measure(row.keys, size, False) <= free else row.first
        colour = AMBER if row.live else DIM
        wide = sheet.write(
            right, base, keys, size=12, colour=colour, align="right", within=0.4 * rect.w
        )
        room = right - wide - sheet.px(10) - left
        sheet.write(left, base, row.words, size=12, colour=INK if row.live else DIM, within=room)

    return PaneRow(sheet.px(LINE), draw)
