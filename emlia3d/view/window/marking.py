"""The marks on a battle's timeline, key events and bookmarks, and their lists."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from emlia3d.battle.questions.highlights import HIGHLIGHTS, Highlight
from emlia3d.errors import Error
from emlia3d.view.rules import Rules
from emlia3d.view.session.session import BattleSession
from emlia3d.view.window.bookmarks import Bookmarks
from emlia3d.view.window.highlights import Highlights
from emlia3d.view.window.settings import SettingsStore
from emlia3d.view.window.status import BookmarksCard, KindsCard

Drawer = Literal["kinds", "bookmarks"]

LISTED = 9
"""Number of bookmarks with a digit key."""


class Marking:
    """The marks on the timeline of one battle.

    drawer : the open list, if any
    notice : a message, "" for none
    """

    def __init__(
        self, course: BattleSession, rules: Rules, liking: SettingsStore | None = None
    ) -> None:
        self._course = course
        self._liking = SettingsStore() if liking is None else liking
        self.highlights = Highlights(course, rules, self._liking.settings.unmarked)
        self.bookmarks = Bookmarks(course)
        self.drawer: Drawer | None = None
        self.notice = ""

    def update(self) -> None:
        """Mark new events."""
        self.highlights.update()

    def toggle(self, drawer: Drawer) -> None:
        """Open a list instead of another, or close it."""
        self.drawer = None if self.drawer == drawer else drawer

    def forward(self) -> None:
        """Go to the next key event."""
        self._jump(self.highlights.next(self._course.step), "after this")

    def back(self) -> None:
        """Go to the previous key event."""
        self._jump(self.highlights.previous(self._course.step), "before this")

    def scroll(self, by: int) -> None:
        """Select a bookmark *by* rows farther down, while they are listed."""
        marks = self.bookmarks
        if self.drawer == "bookmarks" and not marks.writing:
            marks.choose((marks.chosen or 0) + by)

    def steers(self, key: str) -> bool:
        """Return whether a held key can control the camera, and no list needs it."""
        if self.bookmarks.writing:
            return False
        return self.drawer != "bookmarks" or not key.startswith("arrow")

    def key(self, name: str) -> bool:
        """Handle a key; return whether the open list used it."""
        if name.startswith(("mouse", "wheel")):
            return False
        if self.bookmarks.writing:
            self.bookmarks.key(name)
            return True
        if self.drawer == "kinds":
            return self._key_of_kinds(name)
        return self.drawer == "bookmarks" and self._key_of_bookmarks(name)

    def press(self, button: str) -> bool:
        """Handle a button; return whether it belongs here."""
        what, _, which = button.partition(":")
        if what == "mark":
            self._jump(int(which), "")
        elif what == "kind":
            self._filter(HIGHLIGHTS[int(which)])
        elif what == "bookmark":
            self.bookmarks.choose(int(which))
            self._jump_to_chosen()
        else:
            return False
        return True

    def card(self) -> KindsCard | BookmarksCard | None:
        """Return the open list."""
        if self.drawer is None:
            return None
        if self.drawer == "bookmarks":
            return self.bookmarks.card()
        kinds, counts = self.highlights.kinds, self.highlights.counts
        return KindsCard(
            rows=tuple(
                (str(row), kind, counts.get(kind, 0), kind in kinds)
                for row, kind in enumerate(HIGHLIGHTS, start=1)
            )
        )

    def _key_of_kinds(self, name: str) -> bool:
        if name == "0":
            self._filter(None)
        elif name.isdecimal() and int(name) <= len(HIGHLIGHTS):
            self._filter(HIGHLIGHTS[int(name) - 1])
        else:
            return False
        return True

    def _filter(self, kind: Highlight | None) -> None:
        """Select or deselect a kind of key event, or all for None; store this in the settings."""
        if kind is None:
            self.highlights.toggle_all()
        else:
            self.highlights.toggle(kind)
        settings = self._liking.settings
        try:
            self._liking.change(replace(settings, unmarked=self.highlights.unmarked))
        except Error as fault:
            self.bookmarks.alarm = str(fault)

    def _key_of_bookmarks(self, name: str) -> bool:
        marks = self.bookmarks
        if name in {"arrow_down", "arrow_up"}:
            self.scroll(1 if name == "arrow_down" else -1)
        elif name == "enter":
            self._jump_to_chosen()
        elif name == "tab":
            marks.amend()
        elif name in {"delete", "backspace"}:
            marks.remove()
        elif name.isdecimal() and 0 < int(name) <= LISTED:
            if int(name) <= len(marks.marks):
                marks.choose(int(name) - 1)
                self._jump_to_chosen()
        else:
            return False
        return True

    def _jump(self, step: int | None, where: str) -> None:
        if step is None:
            self.notice = f"no key event of the selected kinds is {where}"
            return
        self._course.playback.show(step)
        self.notice = self.highlights.words_at(step)

    def _jump_to_chosen(self) -> None:
        if not self.bookmarks.jump():
            self.notice = "the battle has not reached that point"
