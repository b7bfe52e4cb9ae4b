"""The keys of the editor's window, and its tools."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TOOLS: Mapping[str, str] = MappingProxyType(
    {
        "select": "Select",
        "unit": "Units",
        "terrain": "Terrain",
        "area": "Areas",
        "ground": "Ground",
        "sides": "Sides and victory",
        "sight": "Sight",
    }
)
"""The tools with their titles, in the order of the digits that choose them."""

EDIT_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "ctrl+z": "undo",
        "ctrl+shift+z": "redo",
        "ctrl+y": "redo",
        "ctrl+s": "save",
        "ctrl+shift+s": "save_as",
        "ctrl+d": "copy",
        "delete": "delete",
        "enter": "finish",
        "escape": "drop",
        "f5": "play",
        **{str(number): f"tool:{tool}" for number, tool in enumerate(TOOLS, start=1)},
    }
)
"""Actions by key; "ctrl+" and "shift+" are modifiers."""

SHARED_ACTIONS = ("overview", "map", "full_screen", "larger", "smaller", "contrast")
"""Actions that the editor shares with the window of battles, with the keys of the settings."""

KEY_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "undo": "Ctrl+Z",
        "redo": "Ctrl+Shift+Z",
        "save": "Ctrl+S",
        "save_as": "Ctrl+Shift+S",
        "play": "F5",
        "copy": "Ctrl+D",
        "delete": "Del",
        "finish": "Enter",
        "drop": "Esc",
    }
)
"""Names of keys on buttons."""
