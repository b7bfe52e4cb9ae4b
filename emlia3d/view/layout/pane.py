"""Panels of rows, which are measured before they are drawn, and scroll if they are too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from emlia3d.view.colours import Colour, colour_of
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import AMBER, GLASS, RIDGE, Rect, ScrollArea, wrapped

DrawRow: TypeAlias = Callable[[Rect], None]
"""Function that draws a row in its rectangle."""

PAD = 10
"""Margin at the edges of a pane, design pixels."""

BAR = 5
"""Width of a scroll bar, design pixels."""


@dataclass(frozen=True, slots=True)
class PaneRow:
    """One row of a pane: its height in pixels, and a function that draws it."""

    height: float
    draw: DrawRow


@dataclass(slots=True)
class Pane:
    """A panel without a position.

    name : of its contents; the scroll position is stored under this name
    width : pixels
    head : fixed rows at the top; body : rows that scroll; foot : fixed rows at the bottom
    edge : colour "#rrggbb" of its left edge, "" for none
    from_end : whether the initial scroll position is the end of the body
    follows : a row of the body that stays visible, None for none
    """

    name: str
    width: float
    head: list[PaneRow] = field(default_factory=list)
    body: list[PaneRow] = field(default_factory=list)
    foot: list[PaneRow] = field(default_factory=list)
    edge: str = ""
    glass: Colour = GLASS
    from_end: bool = False
    follows: int | None = None

    @property
    def rows(self) -> list[PaneRow]:
        """All rows from top to bottom."""
        return [*self.head, *self.body, *self.foot]

    def least(self, sheet: Draft) -> float:
        """Return the minimum height, at which one row fits, pixels."""
        highest = max((row.height for row in self.rows), default=0.0)
        return highest + 2 * sheet.px(PAD)


def pane_height(sheet: Draft, pane: Pane) -> float:
    """Return the height of a pane that shows all its rows, pixels."""
    return sum(row.height for row in pane.rows) + 2 * sheet.px(PAD)


def inner_width(sheet: Draft, width: float) -> float:
    """Return the width of the rows of a pane, pixels."""
    return width - 2 * sheet.px(PAD) - sheet.px(BAR)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The visible rows of a pane: above, in and below the scrolled part.

    first : first visible row of the scrolled part; most : last possible first row;
    whole : number of its rows; scrolls : whether some rows are not visible
    height : of the pane, pixels; 0 if nothing is shown
    """

    head: Sequence[PaneRow]
    shown: Sequence[PaneRow]
    foot: Sequence[PaneRow]
    first: int
    most: int
    whole: int
    height: float

    @property
    def scrolls(self) -> bool:
        """Return whether some rows do not fit."""
        return len(self.shown) < self.whole


def arranged(sheet: Draft, pane: Pane, height: float) -> Arrangement:
    """Return the rows of a pane that fit in *height* pixels.

    If all rows need more, the body scrolls. If head and foot leave too little space, the head
    scrolls with it, then the foot except its last row, and then everything. A height below
    `Pane.least` shows nothing.
    """
    if not pane.rows or height < pane.least(sheet):
        return Arrangement((), (), (), 0, 0, 0, 0.0)
    edges = 2 * sheet.px(PAD)
    if pane_height(sheet, pane) <= height:
        whole = pane_height(sheet, pane)
        return Arrangement(pane.head, pane.body, pane.foot, 0, 0, len(pane.body), whole)
    for head, body, foot in _divided(pane):
        fixed = sum(row.height for row in (*head, *foot))
        tallest = max((row.height for row in body), default=0.0)
        if fixed + 2 * tallest + edges <= height:
            break
    first, count, most = _window(sheet, pane, body, height - edges - fixed)
    shown = body[first : first + count]
    tall = fixed + sum(row.height for row in shown) + edges
    return Arrangement(head, shown, foot, first, most, len(body), tall)


def _divided(
    pane: Pane,
) -> Iterator[tuple[Sequence[PaneRow], Sequence[PaneRow], Sequence[PaneRow]]]:
    """Yield divisions of the rows: fixed above, scrolled, and fixed below."""
    yield pane.head, pane.body, pane.foot
    yield [], [*pane.head, *pane.body], pane.foot
    if pane.foot:
        yield [], pane.rows[:-1], pane.rows[-1:]
    yield [], pane.rows, []


def draw_pane(sheet: Draft, pane: Pane, x: float, y: float, rows: Arrangement) -> None:
    """Draw the visible rows of a pane, with its upper left corner at (x, y)."""
    if not rows.height:
        return
    pad = sheet.px(PAD)
    rect = Rect(x, y, pane.width, rows.height)
    sheet.panel(rect, pane.glass)
    if pane.edge:
        sheet.box(Rect(x, y, sheet.px(4), rect.h), colour_of(pane.edge))
    if rows.scrolls:
        top = y + pad + sum(row.height for row in rows.head)
        deep = sum(row.height for row in rows.shown)
        track = Rect(x + pane.width - sheet.px(BAR + 3), top, sheet.px(BAR), deep)
        sheet.scrolls.append(ScrollArea(pane.name, rect, rows.first, rows.most))
        _scroll_bar(sheet, pane.name, track, rows)
    at, inner = y + pad, inner_width(sheet, pane.width)
    for row in (*rows.head, *rows.shown, *rows.foot):
        row.draw(Rect(x + pad, at, inner, row.height))
        at += row.height


def _window(sheet: Draft, pane: Pane, body: Sequence[PaneRow], room: float) -> tuple[int, int, int]:
    """Return the first row shown, the number of rows shown, and the last possible first row."""
    most = len(body) - _fitting(body[::-1], room)
    first = most if pane.from_end else 0
    first = min(max(sheet.scrolled.get(pane.name, first), 0), most)
    if pane.follows is not None:
        followed = pane.follows + (0 if body is pane.body else len(pane.head))
        first = min(max(followed - _fitting(body, room) // 2, 0), most)
    return first, _fitting(body[first:], room), most


def _fitting(rows: Sequence[PaneRow], room: float) -> int:
    """Return the number of rows from the first that fit, at least one."""
    count = 0
    for row in rows:
        room -= row.height
        if room < 0:
            break
        count += 1
    return max(count, 1)


def _scroll_bar(sheet: Draft, name: str, track: Rect, rows: Arrangement) -> None:
    """Draw the scroll bar; its ends are buttons that scroll by a page."""
    sheet.box(track, RIDGE)
    count, first, most = len(rows.shown), rows.first, rows.most
    thumb = max(track.h * count / rows.whole, min(float(sheet.px(8)), track.h))
    top = track.y + (track.h - thumb) * (first / most if most else 0.0)
    sheet.box(Rect(track.x, top, track.w, thumb), AMBER)
    page = max(count - 1, 1)
    for start, end, to in (
        (track.y, top, max(first - page, 0)),
        (top + thumb, track.y + track.h, min(first + page, most)),
    ):
        if end - start >= 1:
            part = Rect(track.x - sheet.px(2), start, track.w + sheet.px(4), end - start)
            sheet.buttons.append((f"scroll:{to}:{name}", part))


def text_rows(  # noqa: PLR0913  what lines of text have, each by its name
    sheet: Draft,
    text: str,
    width: float,
    *,
    size: float = 12,
    line: float = 18,
    colour: Colour,
    bold: bool = False,
    button: str = "",
    most: int = 200,
) -> list[PaneRow]:
    """Return a text as rows, one for each line of at most *width* pixels.

    button : name of the button of each row, "" for none
    """
    rows = []
    for part in wrapped(text, width, sheet.px(size), sheet.measure, most, bold=bold):

        def draw(rect: Rect, part: str = part) -> None:
            base = rect.y + base_of(sheet, size, rect.h)
            sheet.write(rect.x, base, part, size=size, colour=colour, bold=bold, within=rect.w)
            if button:
                sheet.buttons.append((button, rect))

        rows.append(PaneRow(sheet.px(line), draw))
    return rows


def pair_rows(  # noqa: PLR0913  what a pair has, each by its name
    sheet: Draft,
    label: str,
    value: str,
    width: float,
    *,
    label_colour: Colour,
    colour: Colour,
    line: float = 19,
) -> list[PaneRow]:
    """Return a label and its value as rows, with the value at the right, wrapped.

    The value starts below its label if there is too little space beside it.
    """
    size, gap = sheet.px(12), sheet.px(10)
    wide = sheet.measure(label, size, False)
    room = width - wide - gap
    needed = sheet.measure(value, size, False)
    longest = max((sheet.measure(word, size, False) for word in value.split()), default=0.0)
    under = needed > room and (room < 0.4 * width or longest > room)
    lines = wrapped(value, width if under else room, size, sheet.measure, most=200) or ("",)

    def draw(rect: Rect, part: str, first: bool) -> None:
        base = rect.y + base_of(sheet, 12, rect.h)
        if first:
            sheet.write(rect.x, base, label, size=12, colour=label_colour, within=rect.w)
        if part:
            right = rect.x + rect.w
            sheet.write(right, base, part, size=12, colour=colour, align="right", within=rect.w)

    parts = [("", True), *((part, False) for part in lines)] if under else []
    parts = parts or [(part, number == 0) for number, part in enumerate(lines)]
    return [
        PaneRow(sheet.px(line), lambda rect, part=part, first=first: draw(rect, part, first))  # type: ignore[misc]
        for part, first in parts
    ]


def slug_rows(sheet: Draft, slugs: Sequence[str], width: float, line: float = 14) -> list[PaneRow]:
    """Return names of rules as rows, with as many names in a row as fit; each name is a button."""
    return [
        PaneRow(sheet.px(line), lambda rect, part=part: _write_slugs(sheet, rect, part))  # type: ignore[misc]
        for part in sheet.slug_lines(slugs, width, 10, most=200)
    ]


def _write_slugs(sheet: Draft, rect: Rect, slugs: Sequence[str]) -> None:
    base = rect.y + base_of(sheet, 10, rect.h)
    sheet.write_slugs(rect.x, base, slugs, 10, AMBER, rect)


def gap_row(sheet: Draft, height: float, colour: Colour | None = None) -> PaneRow:
    """Return an empty row; with a colour, it has a line in its centre."""

    def draw(rect: Rect) -> None:
        if colour is not None:
            sheet.box(Rect(rect.x, rect.y + rect.h / 2, rect.w, 1), colour)

    return PaneRow(sheet.px(height), draw)


def base_of(sheet: Draft, size: float, height: float) -> float:
    """Return the distance of the text's baseline from the top of a row, pixels."""
    return (height + 0.7 * sheet.px(size)) / 2
