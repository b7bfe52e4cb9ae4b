"""The lists that open over the timeline, one at a time: key events, bookmarks, files."""

from __future__ import annotations

from typing import Literal

from emlia3d.view.actions.menu import Menu
from emlia3d.view.lookup.rule_lookup import RuleLookup
from emlia3d.view.orders.context_menu import BUTTON as HERE
from emlia3d.view.orders.context_menu import ContextMenu
from emlia3d.view.text_entry.save_as import SaveAs
from emlia3d.view.text_entry.text_line import Prompt
from emlia3d.view.window.marking import Marking
from emlia3d.view.window.opening import Opening
from emlia3d.view.window.status import Drawer

Name = Literal["kinds", "bookmarks", "files", "menu"]


class Lists:
    """The lists of the window; the open one gets the keys.

    lookup : the rule that is looked up; saving : the battle, under another name
    menu : all actions; here : the context menu
    """

    def __init__(
        self,
        marking: Marking,
        opening: Opening,
        lookup: RuleLookup,
        saving: SaveAs,
        here: ContextMenu,
    ) -> None:
        self.lookup = lookup
        self.here = here
        self.saving = saving
        self.menu = Menu()
        self._marking = marking
        self._opening = opening

    def toggle(self, name: Name) -> None:
        """Open a list instead of another, or close it."""
        if name != "menu":
            self.menu.close()
        if name != "files":
            self._opening.listed = False
        if name in ("menu", "files"):
            self._marking.drawer = None
        if name == "menu":
            self.menu.toggle()
        elif name == "files":
            self._opening.toggle()
        else:
            self._marking.toggle(name)

    def key(self, name: str) -> bool:
        """Handle a key; return whether the open list used it."""
        if self.saving.writing:
            self.saving.key(name)
            return not name.startswith(("mouse", "wheel"))
        writing = self._marking.bookmarks.writing
        if not writing and self.here.key(name):
            return True
        if not writing and (self.menu.key(name) or self._opening.key(name)):
            return True
        return self._marking.key(name)

    def letter(self, letter: str) -> None:
        """Type a letter into the input line, if any."""
        self.saving.letter(letter)
        self._marking.bookmarks.letter(letter)

    @property
    def prompt(self) -> Prompt | None:
        """The input line."""
        return self.saving.prompt or self._marking.bookmarks.prompt

    def save_as(self) -> None:
        """Begin the entry of a name to save the battle under."""
        if not self._marking.bookmarks.writing:
            self.saving.begin()

    def point(self, button: str | None) -> None:
        """Move the cursor to a button of the panels, or to none."""
        self.lookup.point(button)
        self.menu.point(button)

    def press(self, button: str) -> bool:
        """Handle a button; return whether it belongs to a list."""
        if self.lookup.press(button) or self.menu.press(button):
            return True
        kind, _, which = button.partition(":")
        if kind == HERE:
            self.here.do(int(which))
        elif kind == "file":
            self._opening.open(int(which))
        else:
            return self._marking.press(button)
        return True

    def scroll(self, by: int) -> None:
        """Move *by* rows down in the open list."""
        if self._opening.listed:
            self._opening.move(by)
        else:
            self._marking.scroll(by)

    def steers(self, key: str) -> bool:
        """Return whether a held key can control the camera, and no list needs it."""
        if self.saving.writing:
            return False
        if (self._opening.listed or self.menu.shown) and key.startswith("arrow"):
            return False
        return self._marking.steers(key)

    def close(self) -> bool:
        """Close the open list; return whether there was one."""
        if self.menu.close() or self.lookup.close():
            return True
        was_open = self.card() is not None
        self._opening.listed, self._marking.drawer = False, None
        return was_open

    def card(self) -> Drawer | None:
        """Return the open list."""
        return self._opening.card() or self._marking.card()

    def take_notices(self) -> tuple[str, str]:
        """Return the message and the error since the last call; "" for none."""
        alarming = self._marking.bookmarks, self._opening, self.saving
        sources = self._marking, *alarming
        notice = next((source.notice for source in sources if source.notice), "")
        alarm = next((source.alarm for source in alarming if source.alarm), "")
        self._marking.notice = ""
        for source in alarming:
            source.notice = source.alarm = ""
        return notice, alarm
