"""The list of all keys, over the centre of the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TypeAlias

from emlia3d.view.actions.key_map import KeyMap
from emlia3d.view.actions.window_actions import GROUPS
from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.panel import AMBER, DEEP_GLASS, PALE, Rect, wrapped

Sections: TypeAlias = Sequence[tuple[str, tuple[tuple[str, str], ...]]]
"""(title, (keys, words) each) each."""

LINE, HEAD, GAP = 19, 26, 10
"""Heights of a line and of a section's heading, and the gap between sections, design pixels."""

PAD, BETWEEN, AFTER_KEYS = 20, 30, 14
"""Margins at the edges of the panel, between columns, and between keys and their text."""

LETTERS = 12
SHRUNK = tuple(1.0 - step / 20 for step in range(14))
"""Relative sizes of the list to try; the first at which everything fits is used."""

COLUMNS = (2, 3)
MOST_LINES = 3
"""Maximum number of lines in a row."""


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """Sections one under another: (title, (keys, lines of what they do) each) each.

    keys : width of all keys; width : of the column, pixels; whole : whether nothing is cut
    """

    sections: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...]
    keys: float
    width: float
    whole: bool

    @property
    def height(self) -> int:
        """In pixels of the design."""
        rows = [lines for _, rows in self.sections for _, lines in rows]
        return (HEAD + GAP) * len(self.sections) + LINE * sum(map(len, rows))


def key_sections(keys: KeyMap) -> Sections:
    """Return all actions with their keys; actions without a key have "none"."""
    return tuple(
        (title, tuple((keys.shown(row) or "none", row.words) for row in rows))
        for title, rows in GROUPS
    )


def draw_keys(sheet: Draft, keys: KeyMap, top: float, floor: float) -> None:
    """Draw all keys by group, uncut, in text as large as the space allows."""
    room = sheet.width - sheet.px(16), floor - top - sheet.px(8)
    columns, shrunk = _arranged(sheet, key_sections(keys), room)
    widths = [column.width for column in columns]
    wide = sum(widths) + sheet.px(BETWEEN) * (len(columns) - 1) + 2 * sheet.px(PAD)
    tall = max(column.height for column in columns) * sheet.u * shrunk + sheet.px(PAD)
    width, height = min(wide, room[0]), min(tall, room[1])
    rect = Rect((sheet.width - width) / 2, (top + floor - height) / 2, width, height)
    sheet.panel(rect, DEEP_GLASS)
    x = rect.x + sheet.px(PAD)
    for column in columns:
        _draw_column(sheet, column, x, rect.y + sheet.px(PAD / 2), shrunk)
        x += column.width + sheet.px(BETWEEN)


def _draw_column(sheet: Draft, column: KeyColumn, x: float, y: float, shrunk: float) -> None:
    unit, size = sheet.u * shrunk, LETTERS * shrunk
    at = x + column.keys + sheet.px(AFTER_KEYS)
    for title, rows in column.sections:
        base = y + (HEAD - 9) * unit
        sheet.write(x, base, title, size=13 * shrunk, bold=True, colour=PALE, within=column.width)
        y += HEAD * unit
        for keys, lines in rows:
            sheet.write(x, y + 13 * unit, keys, size=size, colour=AMBER)
            for line in lines:
                sheet.write(at, y + 13 * unit, line, size=size)
                y += LINE * unit
        y += GAP * unit


def _arranged(
    sheet: Draft, sections: Sections, room: tuple[float, float]
) -> tuple[tuple[KeyColumn, ...], float]:
    """Return the columns that fit a width and a height with the largest text, and its size."""
    for shrunk in SHRUNK:
        for count in COLUMNS:
            within = (room[0] - 2 * sheet.px(PAD) - (count - 1) * sheet.px(BETWEEN)) / count
            columns = tuple(
                _column(sheet, part, within, shrunk) for part in _shared_out(sections, count)
            )
            tall = max(column.height for column in columns) * sheet.u * shrunk + sheet.px(PAD)
            if tall <= room[1] and all(column.whole for column in columns):
                return columns, shrunk
    return columns, shrunk


def _column(sheet: Draft, sections: Sections, within: float, shrunk: float) -> KeyColumn:
    size = sheet.px(LETTERS * shrunk)
    every = [row for _, rows in sections for row in rows]
    keys = max(sheet.measure(shown, size, False) for shown, _ in every)
    room = within - keys - sheet.px(AFTER_KEYS)

    def lines(words: str) -> tuple[str, ...]:
        return wrapped(words, room, size, sheet.measure, most=MOST_LINES)

    return KeyColumn(
        tuple(
            (title, tuple((shown, lines(words)) for shown, words in rows))
            for title, rows in sections
        ),
        keys,
        keys
        + sheet.px(AFTER_KEYS)
        + max(sheet.measure(line, size, False) for _, words in every for line in lines(words)),
        all(" ".join(lines(words)) == words for _, words in every),
    )


def _shared_out(sections: Sections, count: int) -> tuple[Sections, ...]:
    """Return the sections in *count* columns of about the same height."""
    cuts = [
        (0, *inner, len(sections)) for inner in combinations(range(1, len(sections)), count - 1)
    ]
    shared = [tuple(sections[one:other] for one, other in pairwise(cut)) for cut in cuts]
    return min(shared, key=lambda columns: max(map(_rows, columns)))


def _rows(sections: Sections) -> int:
    return sum(2 + len(rows) for _, rows in sections)
