"""The card of the selected unit: its values, its last action and the reason."""

from __future__ import annotations

from emlia3d.view.layout.dock import right_width
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import Pane, gap_row, inner_width, pair_rows, text_rows
from emlia3d.view.layout.panel import INK, PALE, RIDGE, UnitCard

WIDTH = 290


def card_pane(sheet: Draft, card: UnitCard) -> Pane:
    """Return the card of a unit as a pane for the right dock."""
    width = right_width(sheet, WIDTH)
    inner = inner_width(sheet, width)
    pane = Pane(f"card {card.name}", width, edge=card.colour)
    pane.head += text_rows(sheet, card.name, inner, size=15, line=22, colour=INK, bold=True)
    pane.head.append(gap_row(sheet, 6))
    for number, rows in enumerate((card.rows, card.deeds)):
        if number and rows:
            pane.body.append(gap_row(sheet, 10, RIDGE))
        for label, value in rows:
            pane.body += pair_rows(sheet, label, value, inner, label_colour=PALE, colour=INK)
    return pane
