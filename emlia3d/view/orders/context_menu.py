"""The context menu: actions at a point or with a unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from emlia3d.battle.questions.order_kinds import OrderKind
from emlia3d.view.orders.order_menu import MOST_LINES

BUTTON = "here"
"""Prefix of the button of a line; its row follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLine:
    """A line of the menu: its words, the kind of its icon, and its function."""

    text: str
    kind: OrderKind
    act: Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCard:
    """The open menu.

    rows : (kind, words) each, at most nine
    at : position of the click, pixels from the top left
    """

    title: str
    rows: tuple[tuple[OrderKind, str], ...]
    at: tuple[float, float]


class ContextMenu:
    """A list of actions, which closes after one of them."""

    def __init__(self) -> None:
        self._title = ""
        self._at = 0.0, 0.0
        self._lines: tuple[ContextLine, ...] = ()

    def open(self, title: str, lines: Iterable[ContextLine], at: tuple[float, float]) -> None:
        """Show the first nine actions; without any, close.

        at : position of the click, pixels from the top left
        """
        self._title, self._at = title, at
        self._lines = tuple(islice(lines, MOST_LINES))

    def card(self) -> ContextCard | None:
        """Return the menu; None while it is closed."""
        if not self._lines:
            return None
        rows = tuple((line.kind, line.text) for line in self._lines)
        return ContextCard(title=self._title, rows=rows, at=self._at)

    def close(self) -> bool:
        """Close it; return whether it was open."""
        was_open, self._lines = bool(self._lines), ()
        return was_open

    def key(self, name: str) -> bool:
        """Press a digit; return whether it is that of a line."""
        if not (name.isdecimal() and 0 < int(name) <= len(self._lines)):
            return False
        self.do(int(name) - 1)
        return True

    def do(self, row: int) -> None:
        """Do the action of a line."""
        if row < len(self._lines):
            act = self._lines[row].act
            self.close()
            act()
