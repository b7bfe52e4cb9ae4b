"""The table ``[keys]`` of the settings, with the keys for actions of the window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from emlia3d.errors import cut
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.messages import nearest, shown, suggested
from emlia3d.view.actions.key_map import DEFAULT_KEYS, KeyMap
from emlia3d.view.actions.key_names import CONTROL, KEYS, key_of
from emlia3d.view.actions.window_actions import ACTIONS

TABLE = "keys"
_ALL_KEYS = (*KEYS, *(f"{CONTROL}{key}" for key in KEYS))
_SUCH_AS = '; a key is a letter, a digit or a sign, or for example "f5", "page_up" or "ctrl+o"'


def read_keys(collector: ErrorCollector) -> KeyMap:
    """Return the keys in a settings file, and report each error of its table ``[keys]``.

    If ``keys`` is not a table, the caller reports it.
    """
    given = collector.document.data.get(TABLE, {})
    if not isinstance(given, Mapping):
        return DEFAULT_KEYS
    chosen = tuple(
        (name, found)
        for name, value in given.items()
        if (found := _keys_of(collector, name, value)) is not None
    )
    keys = KeyMap(chosen)
    order = {name: place for place, (name, _) in enumerate(chosen)}
    for one, other, key in keys.shared():
        first, last = sorted((one, other), key=lambda name: order.get(name, -1))
        collector.wrong(
            (TABLE, last),
            f'{last}: "{key}" is also a key of "{first}"; give one of them another key',
        )
    for name, key in keys.hidden():
        collector.wrong((TABLE, name), f'{name}: "{key}" chooses an order; give it another key')
    return keys


def _keys_of(collector: ErrorCollector, name: str, value: Any) -> tuple[str, ...] | None:
    """Return the keys of an action; report an error and return None if they are invalid."""
    if name not in ACTIONS:
        collector.wrong((TABLE, name), f"there is no action {cut(name)}; {nearest(name, ACTIONS)}")
        return None
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        wanted = 'a key such as "ctrl+o", or a list of keys'
        collector.wrong((TABLE, name), f"{name}: expected {wanted}, got {shown(value)}")
        return None
    found = {text: key_of(text) for text in texts}
    for index, text in enumerate(texts):
        if found[text] is None:
            meant = suggested(text.lower(), _ALL_KEYS) or _SUCH_AS
            collector.wrong((TABLE, name, index), f"{name}: unknown key {shown(text)}{meant}")
    if None in found.values():
        return None
    return tuple(dict.fromkeys(key for key in found.values() if key is not None))
