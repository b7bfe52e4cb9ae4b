"""Names of keys in the settings and in the window."""

from __future__ import annotations

from string import ascii_lowercase, digits

CONTROL = "ctrl+"
"""Beginning of the name of a key that is pressed while Control is down."""

ALT = "alt+"
"""Beginning of the name of a key that is pressed while Alt is down; no setting uses it."""

_WORDS = {
    "space": "Space",
    "enter": "Enter",
    "tab": "Tab",
    "escape": "Esc",
    "backspace": "Backspace",
    "insert": "Insert",
    "delete": "Delete",
    "home": "Home",
    "end": "End",
    "page_up": "Page Up",
    "page_down": "Page Down",
    "arrow_up": "Up",
    "arrow_down": "Down",
    "arrow_left": "Left",
    "arrow_right": "Right",
    ".": "Period",
    ",": "Comma",
}
_SIGNS = "`-=[]\\;'/!#$%&()*+:<>?@^_{|}~\""
_FUNCTION = [f"f{number}" for number in range(1, 13)]

KEYS = (*_WORDS, *ascii_lowercase, *digits, *_SIGNS, *_FUNCTION)
"""All keys, without Control."""

_ALIASES = {word.lower().replace(" ", "_"): key for key, word in _WORDS.items()}


def key_of(text: str) -> str | None:
    """Return the name of the key that a user means by *text*; None if there is none.

    Case is ignored, and names as in the window are valid: "Esc", "Page Down".
    """
    name = text.strip().lower()
    bare = name.removeprefix(CONTROL)
    control = name.removesuffix(bare)
    bare = bare.strip().replace(" ", "_")
    bare = _ALIASES.get(bare, bare)
    return f"{control}{bare}" if bare in KEYS else None


def key_words(key: str) -> str:
    """Return a key as the window shows it: "Esc", "Ctrl+O"."""
    bare = key.removeprefix(CONTROL)
    shown = _WORDS.get(bare, bare.upper())
    return shown if bare == key else f"Ctrl+{shown}"
