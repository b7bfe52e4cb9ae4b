"""The layout of the sight tool's panels: the answer at the right, the colours at the left."""

from __future__ import annotations

from dataclasses import replace

from emlia3d.battle.questions.answer import Degree
from emlia3d.view.colours import Colour
from emlia3d.view.layout.chartkey import key_pane
from emlia3d.view.layout.dock import GAP, Dock, left_width, right_width
from emlia3d.view.layout.drafting import Draft, draft_of
from emlia3d.view.layout.pane import (
    Pane,
    PaneRow,
    base_of,
    gap_row,
    inner_width,
    pair_rows,
    slug_rows,
    text_rows,
)
from emlia3d.view.layout.panel import (
    AMBER,
    DEEP_GLASS,
    DIM,
    GLASS,
    INK,
    PALE,
    RIDGE,
    Layout,
    Measure,
    Rect,
)
from emlia3d.view.sight.corridor import PARTIAL, TOTAL
from emlia3d.view.sight.sight_overlay import CORRIDOR, CREST
from emlia3d.view.sight.sightcard import SightCard

HIDDEN = ((TOTAL, "total concealment"), (PARTIAL, "partial concealment"))
COLOURS = ((CORRIDOR, "sight corridor"), *HIDDEN, (CREST, "obstacles"))
LINES = (("#f6c945", "clear"), (TOTAL, "beyond what stops a line"))
VERDICT: dict[Degree, Colour] = {
    "none": (0.16, 0.36, 0.20, 0.95),
    "partial": (0.40, 0.40, 0.40, 0.95),
    "total": (0.36, 0.21, 0.55, 0.95),
}
WIDTH = 350.0


def still_layout(card: SightCard, size: tuple[int, int], measure: Measure) -> Layout:
    """Return only the answer and the colours over a picture of this size."""
    sheet = draft_of(size, measure)
    Dock(True, 0.0, sheet.height).draw(sheet, [answer_pane(sheet, replace(card, note=""))])
    Dock(False, 0.0, sheet.height).draw(sheet, (), [colours_pane(sheet, card)])
    return sheet.layout(Rect(0, 0, 0, 0))


def room_for(size: tuple[int, int], text_size: float = 1.0) -> float:
    """Return the share of a window's width that the answer takes at the right."""
    sheet = draft_of(size, lambda text, points, bold: 0.0, text_size)
    return (right_width(sheet, WIDTH) + sheet.px(GAP)) / sheet.width


def answer_pane(sheet: Draft, card: SightCard) -> Pane:
    """Return observer and target, the verdict, the values, the argument and its rules."""
    width = right_width(sheet, WIDTH)
    inner = inner_width(sheet, width)
    pane = Pane(f"sight {card.observer[0]}, {card.target[0]}", width, glass=DEEP_GLASS)
    ends = [("from", card.observer, "observer"), ("at", card.target, "target")]
    if not (card.target[0] or card.note):
        ends.pop()
    for label, (name, colour), role in ends:
        next_one = card.picks == role and card.note != ""

        def end(
            rect: Rect,
            label: str = label,
            name: str = name,
            colour: str = colour,
            next_one: bool = next_one,
        ) -> None:
            _end(sheet, rect, label, name, colour, next_one)

        pane.head.append(PaneRow(sheet.px(24), end))
    if card.degree is not None:
        pane.head.append(PaneRow(sheet.px(30), lambda rect: _verdict(sheet, rect, card)))
    pane.head.append(gap_row(sheet, 6))
    for label, value in (*card.rows, *card.ground):
        pane.body += pair_rows(sheet, label, value, inner, label_colour=PALE, colour=INK)
    if card.note:
        pane.body += text_rows(sheet, card.note, inner, line=17, colour=AMBER)
        return pane
    if pane.body:
        pane.body.append(gap_row(sheet, 6))
    pane.body += text_rows(sheet, card.text, inner, line=16, colour=INK)
    for slug in card.because:
        pane.body += slug_rows(sheet, (slug,), inner)
    return pane


def colours_pane(sheet: Draft, card: SightCard) -> Pane:
    """Return the meanings of the ground's colours, for the lower left."""
    colours = COLOURS if card.ground == () or card.degree is not None else HIDDEN
    if card.by_lines:
        colours = (*LINES, *(HIDDEN if card.ground else ()))
    return key_pane(sheet, colours, left_width(sheet, WIDTH), "sight colours")


def _verdict(sheet: Draft, rect: Rect, card: SightCard) -> None:
    """Draw the verdict in one line on its colour."""
    assert card.degree is not None, "drawn only with an answer"
    pad = sheet.px(6)
    sheet.box(Rect(rect.x - pad, rect.y + sheet.px(3), rect.w + 2 * pad, rect.h - sheet.px(3)),
              VERDICT[card.degree])  # fmt: skip
    base = rect.y + sheet.px(1) + base_of(sheet, 15, rect.h)
    sheet.write(rect.x, base, card.verdict, size=15, bold=True, within=rect.w)


def _end(sheet: Draft, row: Rect, label: str, name: str, colour: str, next_one: bool) -> None:
    """Draw one of the two units; the one that is selected next has a lighter background."""
    if next_one:
        sheet.box(row.inset(1), RIDGE)
    base = row.y + sheet.px(17)
    sheet.write(row.x, base, label, size=12, colour=PALE)
    chip = Rect(row.x + sheet.px(36), base - sheet.px(11), sheet.px(12), sheet.px(12))
    if name:
        sheet.chip(chip, colour)
    else:
        sheet.box(chip, DIM)
        sheet.box(chip.inset(1), GLASS)
    told = name or ("select one" if next_one else "none yet")
    sheet.write(
        row.x + sheet.px(56), base, told, size=14, bold=bool(name), within=row.w - sheet.px(58),
        colour=INK if name else AMBER if next_one else DIM,
    )  # fmt: skip
