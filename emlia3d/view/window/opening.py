"""Other battles to open in the window: the list and the selected one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from emlia3d.battle.game import Told
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.view.orders.game_thread import GameThread
from emlia3d.view.rules import Rules
from emlia3d.view.window.status import FilesCard
from emlia3d.view.window.unit_history import Recorded

TakeOver: TypeAlias = Callable[[int, int], GameThread]
"""Continues after some events, for a side; Error if no file can be created for it."""

LISTED = 9
"""Number of files with a digit key."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file that can be opened: its displayed name and its contents.

    picture : a file with a small picture of it; None for none
    """

    path: Path
    name: str
    what: str
    picture: Path | None = None


@dataclass(frozen=True, slots=True)
class Library:
    """A source of battles, and the way to open them.

    look : returns all of them, in the order of the list
    take : returns the battle in a file; Error without one
    """

    look: Callable[[], Sequence[Found]]
    take: Callable[[Path], Opened]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A battle to show in the window.

    state : before the first event; it is copied
    events : a sequence for a finished battle; otherwise events arrive as it goes on
    rules : of the battle; None for a battle without
    take_over : starts a game from any moment of the battle
    record : the battle in its file, if it is in one; bookmarks are kept beside it
    library : other battles that can be opened
    """

    setup: Setup
    state: State
    events: Iterable[Told]
    rules: Rules | None = None
    take_over: TakeOver | None = None
    record: Recorded | None = None
    library: Library | None = None


class Opening:
    """The list of files, open or not.

    listed : whether it is open; chosen : the row; opened : the battle shown next
    notice, alarm : a message, and an error; "" for none
    """

    def __init__(self, library: Library | None) -> None:
        self._library = library
        self._found: tuple[Found, ...] = ()
        self.listed = False
        self.chosen = 0
        self.opened: Opened | None = None
        self.notice = self.alarm = ""

    def toggle(self) -> None:
        """Open the list with the current files, or close it."""
        if self._library is None:
            self.notice = "there are no files to open here"
            return
        self.listed = not self.listed
        if self.listed:
            self._found, self.chosen = tuple(self._library.look()), 0

    def key(self, name: str) -> bool:
        """Handle a key; return whether the list used it."""
        if not self.listed:
            return False
        if name in {"arrow_down", "arrow_up"}:
            self.move(1 if name == "arrow_down" else -1)
        elif name == "enter":
            self.open(self.chosen)
        elif name.isdecimal() and 0 < int(name) <= LISTED:
            self.open(int(name) - 1)
        else:
            return False
        return True

    def move(self, by: int) -> None:
        """Select a row *by* rows farther down; at the ends, the first or last."""
        self.chosen = min(max(self.chosen + by, 0), max(len(self._found) - 1, 0))

    def open(self, row: int) -> None:
        """Open the file of a row, if any; report its error in one line."""
        if self._library is None or row >= len(self._found):
            return
        self.chosen = row
        try:
            self.opened = self._library.take(self._found[row].path)
        except Error as flaw:
            first, *others = str(flaw).splitlines()
            self.alarm = f"{first} (and {len(others)} more)" if others else first
            return
        self.listed = False

    def card(self) -> FilesCard | None:
        """Return the list; None if it is closed."""
        if not self.listed:
            return None
        rows = tuple((found.name, found.what) for found in self._found)
        pictures = tuple(found.picture for found in self._found)
        return FilesCard(rows=rows, chosen=self.chosen, pictures=pictures)
