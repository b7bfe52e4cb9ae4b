"""The keys of the actions: the default ones, or the keys that the settings name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from string import digits

from emlia3d.view.actions.key_names import key_words
from emlia3d.view.actions.window_actions import ACTIONS, FixedInput, Tool, WindowAction, WindowInput

TAKEN_BY_ORDERS = tuple(digits)
"""Keys that choose an order while a question for one is open."""


@dataclass(frozen=True)
class KeyMap:
    """The keys of all actions.

    chosen : (action, keys) for each action that does not have its default keys
    """

    chosen: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @cached_property
    def _keys(self) -> dict[str, tuple[str, ...]]:
        return {name: action.keys for name, action in ACTIONS.items()} | dict(self.chosen)

    @cached_property
    def _actions(self) -> dict[str, list[WindowAction]]:
        found: dict[str, list[WindowAction]] = {}
        for name, keys in self._keys.items():
            for key in keys:
                found.setdefault(key, []).append(ACTIONS[name])
        return found

    def keys(self, name: str) -> tuple[str, ...]:
        """Return the keys of an action, the most common first."""
        return self._keys[name]

    def action(self, key: str, tool: Tool) -> WindowAction | None:
        """Return the action of a key while a tool is active; None if it has none."""
        actions = self._actions.get(key, ())
        return next((action for action in actions if action.tool in ("", tool)), None)

    def first(self, name: str) -> str:
        """Return the first key of an action, as the window shows it; "" if it has none."""
        return next(map(key_words, self._keys[name]), "")

    def shown(self, row: WindowInput) -> str:
        """Return the keys of an action, or the fixed input, as the window shows them."""
        if isinstance(row, FixedInput):
            return row.shown
        return ", ".join(map(key_words, self._keys[row.name]))

    def shared(self) -> Iterator[tuple[str, str, str]]:
        """Yield (action, another action, key) for each key that two actions share.

        Actions of different tools can share a key, because only one tool is active at a time.
        """
        for one, other in combinations(ACTIONS.values(), 2):
            if one.tool == other.tool or not (one.tool and other.tool):
                for key in self._keys[one.name]:
                    if key in self._keys[other.name]:
                        yield one.name, other.name, key

    def hidden(self) -> Iterator[tuple[str, str]]:
        """Yield (action, key) for each action of orders whose key chooses an order."""
        for name, keys in self._keys.items():
            if ACTIONS[name].tool == "orders":
                yield from ((name, key) for key in keys if key in TAKEN_BY_ORDERS)


DEFAULT_KEYS = KeyMap()
