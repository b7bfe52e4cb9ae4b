"""The layout of the editor's panels: tools at the left, the selection and errors at the right."""

from __future__ import annotations

from emlia3d.view.colours import Colour
from emlia3d.view.editing.edit_status import EditPaneCard, EditRow, EditStatus
from emlia3d.view.layout.dock import Dock, left_width, right_width
from emlia3d.view.layout.drafting import Draft, draft_of
from emlia3d.view.layout.pane import Pane, PaneRow, base_of, gap_row, inner_width, text_rows
from emlia3d.view.layout.panel import (
    ALARM,
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
from emlia3d.view.sight.sightsheet import WIDTH as ANSWER_WIDTH
from emlia3d.view.sight.sightsheet import answer_pane

LEFT_DESIGN, RIGHT_DESIGN = 250, ANSWER_WIDTH
LINE = 21
LEGEND = 0.08
"""Part of the height that stays free below the panes at the left, for the scale bar."""
KEYS_FROM = 1100
"""Minimum width of a window in which buttons of the title bar show their keys, design pixels."""
LIT: Colour = (0.96, 0.72, 0.28, 0.28)
WRONG: Colour = (1.0, 0.55, 0.45, 1.0)
TONES: dict[str, Colour] = {
    "head": PALE, "plain": INK, "dim": PALE, "alarm": WRONG, "amber": AMBER,
}  # fmt: skip


def edit_layout(status: EditStatus, size: tuple[int, int], measure: Measure) -> Layout:
    """Return the layout of *status* in a window of *size* pixels."""
    sheet = draft_of(size, measure, status.text_size, stark=status.stark)
    sheet.scrolled = dict(status.scrolled)
    top = _title_bar(sheet, status)
    if status.prompt is not None:
        top = _prompt(sheet, status, top)
    if status.alarm:
        top = _strip(sheet, top, status.alarm, ALARM)
    elif status.notice:
        top = _strip(sheet, top, status.notice, GLASS)
    floor = _hint(sheet, status)
    over_legend = floor - LEGEND * sheet.height
    left = left_width(sheet, LEFT_DESIGN)
    panes = [_tools_pane(sheet, status, left)]
    Dock(False, top, over_legend).draw(
        sheet, [*panes, *(_pane(sheet, one, left) for one in status.left)]
    )
    right = right_width(sheet, RIGHT_DESIGN)
    upper = [_pane(sheet, one, right) for one in status.right]
    if status.sight is not None:
        upper.append(answer_pane(sheet, status.sight))
    Dock(True, top, floor).draw(sheet, upper, [_pane(sheet, status.findings, right)])
    return sheet.layout(Rect(0, 0, 0, 0))


def _title_bar(sheet: Draft, status: EditStatus) -> float:
    """Draw the title, the file and the buttons; return the lower edge."""
    bar = Rect(0, 0, sheet.width, sheet.px(32))
    sheet.panel(bar)
    base, gap = sheet.px(21), sheet.px(12)
    right = sheet.width - gap
    roomy = sheet.width / sheet.u > KEYS_FROM
    for name, word, its_key in reversed(status.actions):
        key = its_key if roomy else ""
        wide = sheet.measure(word, sheet.px(13), True)
        beside = sheet.measure(key, sheet.px(10), False) + sheet.px(5) if key else 0.0
        rect = Rect(right - wide - beside - 2 * sheet.px(8), sheet.px(4),
                    wide + beside + 2 * sheet.px(8), sheet.px(24))  # fmt: skip
        sheet.box(rect, RIDGE)
        sheet.buttons.append((name, rect))
        sheet.write(rect.x + sheet.px(8), base, word, bold=True)
        if key:
            sheet.write(rect.x + sheet.px(8) + wide + sheet.px(5), base, key, size=10, colour=PALE)
        right = rect.x - sheet.px(6)
    room = max(right - 2 * gap, 1.0)
    wide = sheet.write(gap, base, status.title, size=15, bold=True, within=0.55 * room)
    file = status.file if status.saved else f"{status.file}, not saved"
    after = gap + wide + sheet.px(14)
    sheet.write(after, base, file, colour=PALE if status.saved else AMBER,
                within=max(right - after, 1.0))  # fmt: skip
    return bar.h


def _prompt(sheet: Draft, status: EditStatus, top: float) -> float:
    """Draw the prompt with its buttons; return the lower edge."""
    assert status.prompt is not None
    bar = Rect(0, top, sheet.width, sheet.px(32))
    sheet.panel(bar, DEEP_GLASS)
    base, right = top + sheet.px(21), sheet.width - sheet.px(12)
    for name, word in (("prompt:escape", "Drop"), ("prompt:enter", "Keep")):
        wide = sheet.measure(word, sheet.px(13), True)
        rect = Rect(right - wide - 2 * sheet.px(8), top + sheet.px(4), wide + 2 * sheet.px(8),
                    sheet.px(24))  # fmt: skip
        sheet.box(rect, RIDGE)
        sheet.buttons.append((name, rect))
        sheet.write(rect.x + sheet.px(8), base, word, bold=True)
        right = rect.x - sheet.px(6)
    x: float = sheet.px(14)
    x += sheet.write(x, base, status.prompt.label, colour=AMBER) + sheet.px(12)
    text, room = status.prompt.text, right - x - sheet.px(10)
    while sheet.measure(text + "_", sheet.px(13), False) > room and len(text) > 1:
        text = text[1:]  # the end of the text stays visible
    if text or not status.prompt.usual:
        sheet.write(x, base, text + "_", within=room)
    else:
        sheet.write(x, base, status.prompt.usual, colour=DIM, within=room)
    return top + bar.h


def _strip(sheet: Draft, top: float, text: str, colour: Colour) -> float:
    """Draw one line under the title bar; return its lower edge."""
    bar = Rect(0, top, sheet.width, sheet.px(26))
    sheet.panel(bar, colour)
    sheet.write(sheet.px(14), top + sheet.px(17), text, within=bar.w - sheet.px(28))
    return top + bar.h


def _hint(sheet: Draft, status: EditStatus) -> float:
    """Draw the hint about the mouse at the bottom; return the upper edge."""
    strip = Rect(0, sheet.height - sheet.px(24), sheet.width, sheet.px(24))
    sheet.panel(strip, (0.055, 0.065, 0.08, 0.62))
    base, right = strip.y + sheet.px(16), sheet.width - sheet.px(14)
    if status.cursor:
        right -= sheet.write(right, base, status.cursor, size=12, align="right") + sheet.px(20)
    sheet.write(sheet.px(14), base, status.hint, size=12, colour=PALE,
                within=max(right - sheet.px(14), 1.0))  # fmt: skip
    return strip.y


def _tools_pane(sheet: Draft, status: EditStatus, width: float) -> Pane:
    pane = Pane("tools", width)
    for name, title, digit, chosen in status.tools:
        row = EditRow(text=title, value=digit, button=name, chosen=chosen)
        pane.body.append(PaneRow(sheet.px(LINE), lambda rect, row=row: _draw_row(sheet, rect, row)))  # type: ignore[misc]
    return pane


def _pane(sheet: Draft, card: EditPaneCard, width: float) -> Pane:
    """Return a pane of rows; long texts without a value are wrapped."""
    pane = Pane(card.name, width, glass=DEEP_GLASS)
    inner = inner_width(sheet, width)
    pane.head += text_rows(sheet, card.title, inner, size=14, line=24, colour=INK, bold=True)
    for number, row in enumerate(card.rows):
        to = pane.head if number < card.fixed else pane.body
        is_text = not (row.value or row.less or row.colour)
        if row.tone == "head" and not row.button and number > 0:
            to.append(gap_row(sheet, 5))
        if is_text and sheet.measure(row.text, sheet.px(12), False) > inner - sheet.px(8):
            to += text_rows(sheet, row.text, inner, line=16, colour=TONES[row.tone],
                            button=row.button)  # fmt: skip
            to.append(gap_row(sheet, 4))
        else:
            to.append(PaneRow(sheet.px(LINE), lambda rect, row=row: _draw_row(sheet, rect, row)))  # type: ignore[misc]
    return pane


def _draw_row(sheet: Draft, rect: Rect, row: EditRow) -> None:
    """Draw a row: a chip, a text, and at the right its value with "-" and "+"."""
    if row.chosen:
        sheet.box(rect, LIT)
    elif row.button:
        sheet.box(rect.inset(1), RIDGE)
    base, pad = rect.y + base_of(sheet, 12, rect.h), sheet.px(5)
    x, right = rect.x + pad, rect.x + rect.w - pad
    if row.colour:
        chip = sheet.px(11)
        sheet.chip(Rect(x, base - chip + 1, chip, chip), row.colour)
        x += chip + sheet.px(7)
    if row.more:
        right = _step(sheet, rect, right, row.more, "+")
    if row.value:
        room = 0.62 * (right - x)
        value = Rect(right - room, rect.y, room, rect.h)
        wide = min(sheet.measure(row.value, sheet.px(12), False), value.w)
        sheet.write(right, base, row.value, size=12, colour=AMBER if row.button else INK,
                    align="right", within=value.w)  # fmt: skip
        right -= wide + sheet.px(6)
    if row.less:
        right = _step(sheet, rect, right, row.less, "-")
    sheet.write(x, base, row.text, size=12, colour=TONES[row.tone], bold=row.tone == "head",
                within=max(right - x, 1.0))  # fmt: skip
    if row.button:
        sheet.buttons.append((row.button, rect))


def _step(sheet: Draft, row: Rect, right: float, name: str, sign: str) -> float:
    """Draw a button with one character at the right; return its left edge minus a gap."""
    wide = sheet.px(18)
    rect = Rect(right - wide, row.y + 1, wide, row.h - 2)
    sheet.box(rect, RIDGE)
    base = row.y + base_of(sheet, 13, row.h)
    sheet.write(rect.x + wide / 2, base, sign, bold=True, colour=AMBER, align="centre")
    sheet.buttons.append((name, rect))
    return rect.x - sheet.px(6)
