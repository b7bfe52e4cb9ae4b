"""The lists that open over the timeline, and the line in which something is written."""

from __future__ import annotations

from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import AMBER, DEEP_GLASS, DIM, INK, PALE, Rect
from emlia3d.view.window.highlights import WORDS
from emlia3d.view.window.signs import BOOKMARKED, COLOURS, PENNANT, SHAPES, SIGN, draw_sign
from emlia3d.view.window.status import BookmarksCard, Drawer, FilesCard, KindsCard, Prompt

LINE = 18
DIGITS = 9
"""Rows of a list that a digit leads to."""
SHARE = 0.6
"""Greatest share of the height between the bars that a list takes."""
CHOSEN = (0.96, 0.72, 0.28, 0.28)


def draw_drawer(sheet: Draft, card: Drawer, ceiling: float, floor: float) -> float:
    """Return the list that is open, at the lower right; returns its upper edge."""
    if isinstance(card, KindsCard):
        return _draw_kinds(sheet, card, floor)
    if isinstance(card, FilesCard):
        return _draw_files(sheet, card, ceiling, floor)
    return _draw_bookmarks(sheet, card, ceiling, floor)


def draw_prompt(sheet: Draft, prompt: Prompt, top: float) -> float:
    """Draw the text being edited, below the title bar; return its lower edge."""
    bar = Rect(0, top, sheet.width, sheet.px(30))
    sheet.panel(bar, DEEP_GLASS)
    x, base = sheet.px(14), top + sheet.px(20)
    x += round(sheet.write(x, base, prompt.label, colour=AMBER)) + sheet.px(12)
    keys = "Enter keeps it    Esc drops it"
    right = sheet.width - sheet.px(14)
    room = right - sheet.measure(keys, sheet.px(11), False) - sheet.px(20) - x
    sheet.write(right, base, keys, size=11, colour=PALE, align="right")
    shown = prompt.text
    while sheet.measure(shown + "_", sheet.px(13), False) > room and len(shown) > 1:
        shown = shown[1:]  # the end of the text stays visible
    if prompt.text or not prompt.usual:
        sheet.write(x, base, shown + "_", within=room)
    else:
        sheet.write(x, base, prompt.usual, colour=DIM, within=room)
    return top + bar.h


def _panel(sheet: Draft, title: str, wide: float, lines: int, floor: float) -> Rect:
    width = min(float(sheet.px(wide)), 0.5 * sheet.width - sheet.px(30))
    height = sheet.px(34) + lines * sheet.px(LINE) + sheet.px(26)
    x, y = sheet.width - width - sheet.px(10), floor - sheet.px(10) - height
    rect = Rect(x, y, width, height)
    sheet.panel(rect, DEEP_GLASS)
    inner = width - 2 * sheet.px(12)
    sheet.write(x + sheet.px(12), y + sheet.px(21), title, size=14, bold=True, within=inner)
    return rect


def _draw_kinds(sheet: Draft, card: KindsCard, floor: float) -> float:
    rect = _panel(sheet, "Marked on the timeline", 250, len(card.rows), floor)
    pad, line, size = sheet.px(12), sheet.px(LINE), sheet.px(SIGN)
    y = rect.y + sheet.px(34)
    for row, (key, kind, count, wanted) in enumerate(card.rows):
        base, colour = y + sheet.px(12), INK if wanted else DIM
        sheet.buttons.append((f"kind:{row}", Rect(rect.x, y, rect.w, line)))
        sheet.write(rect.x + pad, base, key, size=12, colour=AMBER)
        sign = Rect(rect.x + pad + sheet.px(20), base - size + sheet.px(1), size, size)
        if wanted:
            draw_sign(sheet, SHAPES[kind], sign, COLOURS[kind])
        x = sign.x + size + sheet.px(10)
        right = rect.x + rect.w - pad
        wide = sheet.write(right, base, f"{count:,}", size=12, colour=colour, align="right")
        room = right - wide - sheet.px(8) - x
        sheet.write(x, base, WORDS[kind], size=12, colour=colour, within=room)
        y += line
    hint = "0 all or none    F5 F6 before, next"
    base = y + sheet.px(15)
    sheet.write(rect.x + pad, base, hint, size=11, colour=PALE, within=rect.w - 2 * pad)
    return rect.y


def _window(sheet: Draft, count: int, chosen: int, room: float) -> tuple[int, int]:
    """Return the first row of a list that is shown, and how many are: the chosen one among them."""
    most = max(min(count, int((SHARE * room - sheet.px(70)) // sheet.px(LINE))), 1)
    return min(max(chosen - most // 2, 0), max(count - most, 0)), most


def _row(sheet: Draft, rect: Rect, row: int, y: float, chosen: bool, button: str) -> float:
    """Return the ground of a row of a list, and its digit if it has one; returns its base line."""
    box = Rect(rect.x + sheet.px(4), y, rect.w - sheet.px(8), sheet.px(LINE))
    base = y + sheet.px(12)
    if chosen:
        sheet.box(box, CHOSEN)
    sheet.buttons.append((f"{button}:{row}", box))
    if row < DIGITS:
        sheet.write(rect.x + sheet.px(12), base, str(row + 1), size=12, colour=AMBER)
    return base


def _draw_files(sheet: Draft, card: FilesCard, ceiling: float, floor: float) -> float:
    """As many as there is room for, about the chosen one."""
    pad, line = sheet.px(12), sheet.px(LINE)
    first, most = _window(sheet, len(card.rows), card.chosen, floor - ceiling)
    rect = _panel(sheet, "Open a battle or a scenario", 520, most, floor)
    inner, y = rect.w - 2 * pad, rect.y + sheet.px(34)
    if not card.rows:
        told = "there are no battle files and no scenarios in this folder"
        sheet.write(rect.x + pad, y + sheet.px(12), told, size=12, colour=DIM, within=inner)
    for row, (name, what) in enumerate(card.rows[first : first + most], start=first):
        base = _row(sheet, rect, row, y, row == card.chosen, "file")
        x, right = rect.x + pad + sheet.px(16), rect.x + rect.w - pad
        wide = sheet.write(x, base, name, size=12, within=0.6 * (right - x))
        left = right - x - wide - sheet.px(14)
        sheet.write(right, base, what, size=11, colour=PALE, align="right", within=left)
        y += line
    keys = "Arrows or the wheel    Enter opens    Esc"
    base = rect.y + rect.h - sheet.px(11)
    sheet.write(rect.x + pad, base, keys, size=11, colour=PALE, within=inner)
    return rect.y


def _draw_bookmarks(sheet: Draft, card: BookmarksCard, ceiling: float, floor: float) -> float:
    """As many as there is room for, about the chosen one."""
    pad, line = sheet.px(12), sheet.px(LINE)
    first, most = _window(sheet, len(card.rows), card.chosen or 0, floor - ceiling)
    rect = _panel(sheet, "Bookmarks", 420, most, floor)
    inner, y = rect.w - 2 * pad, rect.y + sheet.px(34)
    if not card.rows:
        told = "none yet: F3 puts one here"
        sheet.write(rect.x + pad, y + sheet.px(12), told, size=12, colour=DIM, within=inner)
    for row, (name, when, note) in enumerate(card.rows[first : first + most], start=first):
        base = _row(sheet, rect, row, y, row == card.chosen, "bookmark")
        sign = Rect(rect.x + pad + sheet.px(16), base - sheet.px(10), sheet.px(11), sheet.px(11))
        draw_sign(sheet, PENNANT, sign, BOOKMARKED)
        x, right = sign.x + sheet.px(18), rect.x + rect.w - pad
        right -= sheet.write(right, base, when, size=11, colour=PALE, align="right") + sheet.px(10)
        wide = sheet.write(x, base, name, size=12, within=right - x)
        left = right - x - wide - sheet.px(10)
        if note and left > sheet.px(24):
            sheet.write(x + wide + sheet.px(10), base, note, size=12, colour=PALE, within=left)
        y += line
    keys = "Enter goes there    Tab renames    Delete"
    base = rect.y + rect.h - sheet.px(11)
    sheet.write(rect.x + pad, base, keys, size=11, colour=PALE, within=inner)
    return rect.y
