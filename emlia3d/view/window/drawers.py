"""The lists that open over the timeline, and the input line."""

from __future__ import annotations

from emlia3d.battle.questions.highlights import HIGHLIGHT_WORDS, Highlight
from emlia3d.view.actions.key_map import KeyMap
from emlia3d.view.layout.dock import right_width
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import Pane, PaneRow, base_of, gap_row, inner_width, text_rows
from emlia3d.view.layout.panel import AMBER, DEEP_GLASS, DIM, INK, PALE, PanelPicture, Rect, wrapped
from emlia3d.view.text_entry.text_line import Prompt
from emlia3d.view.window.event_markers import BOOKMARKED, COLOURS, PENNANT, SHAPES, SIGN, draw_sign
from emlia3d.view.window.status import Drawer, FilesCard, KindsCard

LIST = "list"
"""Name of the pane of the list that is open."""

WIDTH, LINE = 420, 18
DIGITS = 9
"""Number of rows with a digit key."""
SMALL_PICTURE = 96, 54
"""Size of a picture in a list, pixels of the design."""

CHOSEN = (0.96, 0.72, 0.28, 0.28)


def drawer_pane(sheet: Draft, card: Drawer, keys: KeyMap) -> Pane:
    """Return the open list as a pane for the right dock.

    keys : of all actions, some of which the pane names
    """
    pane = Pane(LIST, right_width(sheet, WIDTH), glass=DEEP_GLASS)
    if isinstance(card, KindsCard):
        title = "Marked on the timeline"
        hint = f"0: all or none. {_previous_and_next(keys)}".strip()
        pane.body += [_kind(sheet, row, *told) for row, told in enumerate(card.rows)]
        chosen = 0
    elif isinstance(card, FilesCard):
        title, hint = (
            "Open a battle or a scenario",
            "Arrows or the wheel choose, Enter opens, Esc closes",
        )
        pane.body += [_file(sheet, card, row) for row in range(len(card.rows))]
        empty, chosen = "there are no battle files and no scenarios in this folder", card.chosen
    else:
        title, hint = "Bookmarks", "Enter goes there, Tab renames, Delete deletes"
        pane.body += [
            _line(sheet, row, row == card.chosen, "bookmark", name, f"{note}  {when}".strip())
            for row, (name, when, note) in enumerate(card.rows)
        ]
        empty, chosen = (
            f"none yet: {keys.first('bookmark') or 'the menu'} adds one here",
            card.chosen or 0,
        )
    inner = inner_width(sheet, pane.width)
    pane.head += text_rows(sheet, title, inner, size=14, line=26, colour=INK, bold=True)
    pane.foot.append(gap_row(sheet, 6))
    pane.foot += text_rows(sheet, hint, inner, size=11, line=16, colour=PALE)
    if not pane.body:
        pane.body += text_rows(sheet, empty, inner, colour=DIM)
    pane.follows = chosen
    return pane


def _previous_and_next(keys: KeyMap) -> str:
    """Return the keys for the previous and next key event; "" if one of them has no key."""
    both = keys.first("event_back"), keys.first("event_forward")
    return f"{', '.join(both)}: previous, next" if all(both) else ""


def draw_prompt(sheet: Draft, prompt: Prompt, top: float) -> float:
    """Draw the text being edited, below the title bar; return its lower edge."""
    bar = Rect(0, top, sheet.width, sheet.px(30))
    sheet.panel(bar, DEEP_GLASS)
    x, base = sheet.px(14), top + sheet.px(20)
    x += round(sheet.write(x, base, prompt.label, colour=AMBER)) + sheet.px(12)
    keys = "Enter saves    Esc cancels"
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


def _kind(sheet: Draft, row: int, key: str, kind: Highlight, count: int, wanted: bool) -> PaneRow:
    """Return a kind of key event: its key, its sign, its name and the number of them."""

    def draw(rect: Rect) -> None:
        colour, size = INK if wanted else DIM, sheet.px(SIGN)
        base = rect.y + base_of(sheet, 12, rect.h)
        sheet.buttons.append((f"kind:{row}", rect))
        sheet.write(rect.x, base, key, size=12, colour=AMBER)
        sign = Rect(rect.x + sheet.px(20), base - size + sheet.px(1), size, size)
        if wanted:
            draw_sign(sheet, SHAPES[kind], sign, COLOURS[kind])
        x, right = sign.x + size + sheet.px(10), rect.x + rect.w
        wide = sheet.write(right, base, f"{count:,}", size=12, colour=colour, align="right")
        room = right - wide - sheet.px(8) - x
        sheet.write(x, base, HIGHLIGHT_WORDS[kind], size=12, colour=colour, within=room)

    return PaneRow(sheet.px(LINE), draw)


def _file(sheet: Draft, card: FilesCard, row: int) -> PaneRow:
    """Return a file as a row: a line, or its small picture with a description."""
    name, what = card.rows[row]
    chosen = row == card.chosen
    picture = card.pictures[row] if card.pictures else None
    if picture is None:
        return _line(sheet, row, chosen, "file", name, what)
    wide, high = map(sheet.px, SMALL_PICTURE)

    def draw(rect: Rect) -> None:
        if chosen:
            sheet.box(rect, CHOSEN)
        sheet.buttons.append((f"file:{row}", rect))
        if row < DIGITS:
            base = rect.y + base_of(sheet, 12, rect.h)
            sheet.write(rect.x + sheet.px(2), base, str(row + 1), size=12, colour=AMBER)
        place = Rect(rect.x + sheet.px(18), rect.y + sheet.px(3), wide, high)
        sheet.pictures.append(PanelPicture(picture, place))
        x, right = place.x + wide + sheet.px(10), rect.x + rect.w - sheet.px(2)
        size, room = sheet.px(11), max(right - place.x - wide - sheet.px(10), 1.0)
        base = rect.y + sheet.px(16)
        sheet.write(x, base, name, size=12, within=room)
        for text in wrapped(what, room, size, sheet.measure, most=2):
            base += sheet.px(16)
            sheet.write(x, base, text, size=11, colour=PALE, within=room)

    return PaneRow(high + sheet.px(6), draw)


def _line(sheet: Draft, row: int, chosen: bool, button: str, name: str, what: str) -> PaneRow:
    """Return a line of a list: its digit key, if any, its name and its description."""

    def draw(rect: Rect) -> None:
        if chosen:
            sheet.box(rect, CHOSEN)
        sheet.buttons.append((f"{button}:{row}", rect))
        base = rect.y + base_of(sheet, 12, rect.h)
        if row < DIGITS:
            sheet.write(rect.x + sheet.px(2), base, str(row + 1), size=12, colour=AMBER)
        x, right = rect.x + sheet.px(18), rect.x + rect.w - sheet.px(2)
        if button == "bookmark":
            sign = Rect(x, base - sheet.px(10), sheet.px(11), sheet.px(11))
            draw_sign(sheet, PENNANT, sign, BOOKMARKED)
            x += sheet.px(18)
        wide = sheet.write(x, base, name, size=12, within=0.6 * (right - x))
        left = right - x - wide - sheet.px(10)
        sheet.write(right, base, what, size=11, colour=PALE, align="right", within=left)

    return PaneRow(sheet.px(LINE), draw)
