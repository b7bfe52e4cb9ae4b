"""The menu of all actions by group, for mouse and keys; one group is open at a time."""

from __future__ import annotations

from dataclasses import dataclass

from emlia3d.view.actions.key_map import KeyMap
from emlia3d.view.actions.window_actions import ACTIONS, GROUPS, Tool, WindowAction

GROUP, ACT = "group:", "act:"
"""Prefixes of the names of buttons; the row of a group or the name of an action follows."""


@dataclass(frozen=True, slots=True)
class MenuRow:
    """A row of the menu.

    button : what it does; words : its text
    keys : all its keys, as the window shows them; first : the most common one
    live : False for an action whose tool is not active
    opened : for the title of a group, whether its actions follow; None for an action
    """

    button: str
    words: str
    keys: str = ""
    first: str = ""
    live: bool = True
    opened: bool | None = None


@dataclass(frozen=True, slots=True)
class MenuCard:
    """The open menu.

    chosen : the row under the cursor or selected by keys; None for none
    by_keys : whether keys selected it
    """

    rows: tuple[MenuRow, ...]
    chosen: int | None = None
    by_keys: bool = False


class Menu:
    """The menu of one window.

    shown : whether it is open
    """

    def __init__(self) -> None:
        self.shown = False
        self._opened: int | None = 0
        self._chosen = ""
        self._by_keys = False
        self._under: str | None = None
        self._asked = ""

    def toggle(self) -> None:
        """Open the menu, or close it."""
        self.shown = not self.shown
        self._chosen = ""

    def close(self) -> bool:
        """Close the menu; return whether it was open."""
        was_open, self.shown = self.shown, False
        return was_open

    def take(self) -> str:
        """Return the action that was chosen since the last call; "" for none."""
        asked, self._asked = self._asked, ""
        return asked

    def card(self, keys: KeyMap, tool: Tool) -> MenuCard | None:
        """Return the menu, while it is open.

        tool : the active tool
        """
        if not self.shown:
            return None
        rows = tuple(self._row(button, keys, tool) for button in self._buttons())
        buttons = [row.button for row in rows]
        chosen = buttons.index(self._chosen) if self._chosen in buttons else None
        return MenuCard(rows, chosen, self._by_keys)

    def point(self, button: str | None) -> None:
        """Move the cursor to a button of the panels, or to none."""
        if button != self._under:
            self._under = button
            self._chosen, self._by_keys = button or "", False

    def key(self, name: str) -> bool:
        """Press a key; return whether the menu used it."""
        if not self.shown or name not in {"arrow_up", "arrow_down", "enter"}:
            return False
        if name == "enter":
            self.press(self._chosen)
            return True
        buttons = self._buttons()
        here = buttons.index(self._chosen) if self._chosen in buttons else -1
        step = 1 if name == "arrow_down" else -1
        self._chosen = buttons[min(max(here + step, 0), len(buttons) - 1)]
        self._by_keys = True
        return True

    def press(self, button: str) -> bool:
        """Press a button; return whether it belongs to the menu. An action closes the menu."""
        if button.startswith(GROUP):
            group = int(button.removeprefix(GROUP))
            self._opened = None if group == self._opened else group
            return True
        if not button.startswith(ACT):
            return False
        self._asked, self.shown = button.removeprefix(ACT), False
        return True

    def _buttons(self) -> list[str]:
        """Return the buttons of all rows that are shown."""
        buttons = []
        for group, (_, rows) in enumerate(GROUPS):
            buttons.append(f"{GROUP}{group}")
            if group == self._opened:
                actions = (row for row in rows if isinstance(row, WindowAction))
                buttons += [
                    f"{ACT}{action.name}"
                    for action in actions
                    if not (action.steers or action.by_mouse)
                ]
        return buttons

    def _row(self, button: str, keys: KeyMap, tool: Tool) -> MenuRow:
        if button.startswith(GROUP):
            group = int(button.removeprefix(GROUP))
            return MenuRow(button, GROUPS[group][0], opened=group == self._opened)
        action = ACTIONS[button.removeprefix(ACT)]
        live = action.tool in ("", tool)
        return MenuRow(button, action.words, keys.shown(action), keys.first(action.name), live)
