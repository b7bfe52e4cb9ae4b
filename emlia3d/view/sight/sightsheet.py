"""The layout of the sight tool's panels: the answer at the right, the colours at the left."""

from __future__ import annotations

from dataclasses import replace

from emlia3d.battle.questions.answer import Degree
from emlia3d.view.colours import Colour
from emlia3d.view.layout.chartkey import draw_rows, key_room
from emlia3d.view.layout.drafting import Draft, draft_of
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
    wrapped,
)
from emlia3d.view.sight.corridor import PARTIAL, TOTAL
from emlia3d.view.sight.exhibit import CORRIDOR, CREST
from emlia3d.view.sight.sightcard import SightCard

HINT = "Click, N P, Tab, X select    G viewshed    4 corridor    F1 keys    Esc leaves"
HIDDEN = ((TOTAL, "hidden wholly"), (PARTIAL, "hidden partly"))
COLOURS = ((CORRIDOR, "sight corridor"), *HIDDEN, (CREST, "obstacles"))
LINES = (("#f6c945", "clear"), (TOTAL, "beyond what stops a line"))
VERDICT: dict[Degree, Colour] = {
    "none": (0.16, 0.36, 0.20, 0.95),
    "partial": (0.40, 0.40, 0.40, 0.95),
    "total": (0.36, 0.21, 0.55, 0.95),
}
WIDTH = 350.0
_MOST_WRAPPED = 60


def still_layout(card: SightCard, size: tuple[int, int], measure: Measure) -> Layout:
    """Return the answer and the colours over a picture of that size, and nothing else."""
    sheet = draft_of(size, measure)
    draw_answer(sheet, replace(card, note=""), 0.0, sheet.height)
    draw_colours(sheet, card, sheet.height)
    return sheet.layout(Rect(0, 0, 0, 0))


def room_for(size: tuple[int, int], text_size: float = 1.0) -> float:
    """Return the share of a window's width that the answer takes at its right."""
    sheet = draft_of(size, lambda text, points, bold: 0.0, text_size)
    return (_width(sheet) + sheet.px(10)) / sheet.width


def draw_answer(sheet: Draft, card: SightCard, top: float, floor: float) -> None:
    """Draw observer and target, the verdict, the values, the argument and its rules."""
    pad, line, width = sheet.px(12), sheet.px(19), _width(sheet)
    x, y = sheet.width - width - sheet.px(10), top + sheet.px(10)
    inner = width - 2 * pad
    most = floor - sheet.px(10) - y
    lines = _lines(sheet, card, inner, most)
    ends = [("from", card.observer, "observer"), ("at", card.target, "target")]
    if not (card.target[0] or card.note):
        ends.pop()
    verdict = sheet.px(34) if card.degree is not None else 0
    rows = (*card.rows, *card.ground)
    written = line * len(rows) + sum(step for _, step, _, _ in lines)
    height = len(ends) * sheet.px(24) + verdict + written + sheet.px(14) + pad
    sheet.panel(Rect(x, y, width, min(height, most)), DEEP_GLASS)
    y += sheet.px(4)
    for label, (name, colour), role in ends:
        row = Rect(x, y, width, sheet.px(24))
        _end(sheet, row, label, name, colour, card.picks == role and card.note != "")
        y += sheet.px(24)
    y += sheet.px(4)
    if card.degree is not None:
        band = Rect(x, y, width, sheet.px(26))
        sheet.box(band, VERDICT[card.degree])
        sheet.write(x + pad, y + sheet.px(18), card.verdict, size=15, bold=True, within=inner)
        y += verdict
    y += sheet.px(13)
    for label, value in rows:
        wide = sheet.write(x + pad, y, label, size=12, colour=PALE, within=0.5 * inner)
        left = inner - wide - sheet.px(10)
        sheet.write(x + width - pad, y, value, size=12, align="right", within=left)
        y += line
    y += sheet.px(6)
    for text, step, size, ink in lines:
        if text in card.because:
            sheet.write_slugs(x + pad, y, (text,), size, ink)
        else:
            sheet.write(x + pad, y, text, size=size, colour=ink, within=inner)
        y += step


def draw_colours(sheet: Draft, card: SightCard, floor: float) -> Rect:
    """Draw the meanings of the ground's colours at the lower left."""
    colours = COLOURS if card.ground == () or card.degree is not None else HIDDEN
    if card.by_lines:
        colours = (*LINES, *(HIDDEN if card.ground else ()))
    _, height = key_room(sheet, colours)
    return draw_rows(sheet, colours, sheet.px(10), floor - sheet.px(10) - height)


def _width(sheet: Draft) -> float:
    return min(float(sheet.px(WIDTH)), 0.5 * sheet.width)


def _end(sheet: Draft, row: Rect, label: str, name: str, colour: str, next_one: bool) -> None:
    """One of the two units; the one that is chosen next has a lighter ground."""
    if next_one:
        sheet.box(row.inset(1), RIDGE)
    base = row.y + sheet.px(17)
    sheet.write(row.x + sheet.px(12), base, label, size=12, colour=PALE)
    chip = Rect(row.x + sheet.px(48), base - sheet.px(11), sheet.px(12), sheet.px(12))
    if name:
        sheet.chip(chip, colour)
    else:
        sheet.box(chip, DIM)
        sheet.box(chip.inset(1), GLASS)
    room = row.w - sheet.px(80)
    told = name or ("select one" if next_one else "none yet")
    sheet.write(
        row.x + sheet.px(68), base, told, size=14, bold=bool(name), within=room,
        colour=INK if name else AMBER if next_one else DIM,
    )  # fmt: skip


def _lines(
    sheet: Draft, card: SightCard, inner: float, most: float
) -> list[tuple[str, float, float, Colour]]:
    """Return the lines of the argument and its rules that fit: text, step, size, colour."""
    if card.note:
        found = wrapped(card.note, inner, sheet.px(12), sheet.measure, most=4)
        return [(text, float(sheet.px(17)), 12, AMBER) for text in found]
    step, small = float(sheet.px(16)), float(sheet.px(14))
    rules = [(slug, small, 10.0, AMBER) for slug in card.because]
    room = most - sheet.px(136) - sheet.px(19) * (len(card.rows) + len(card.ground))
    if room < small * len(rules) + 3 * step:
        rules = rules[: max(int((room - 3 * step) / small), 0)]
    left = max(int((room - small * len(rules)) / step), 1)
    texts = wrapped(card.text, inner, sheet.px(12), sheet.measure, min(left, _MOST_WRAPPED))
    return [*((text, step, 12.0, INK) for text in texts), *rules] if room > step else []
