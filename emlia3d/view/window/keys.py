"""All keys of the window: their actions, and their lines in the list of keys. One table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class KeyBinding:
    """A line of the list of keys.

    shown : the keys, as displayed; acts : the action of each, by name; none
        where the input is read without names, as for drags and orders
    """

    shown: str
    meaning: str
    acts: Mapping[str, str] = field(default_factory=dict)


TIME = (
    KeyBinding("Space", "play, pause", {"space": "toggle"}),
    KeyBinding("Period  Comma", "one step on, one back", {".": "forward", ",": "back"}),
    KeyBinding(
        "Page Down  Page Up",
        "next turn, this or last turn's start",
        {"page_down": "turn_forward", "page_up": "turn_back"},
    ),
    KeyBinding("End", "the newest there is", {"end": "end"}),
    KeyBinding(
        "F6  F5",
        "next, last turning point; or click its sign",
        {"f6": "mark_forward", "f5": "mark_back"},
    ),
    KeyBinding("F7", "filter key events: 1 to 9 one kind, 0 all", {"f7": "kinds"}),
    KeyBinding("F3", "a bookmark here: its name, then a note", {"f3": "bookmark"}),
    KeyBinding("F4", "the bookmarks: arrows or 1 to 9, Enter goes there", {"f4": "bookmarks"}),
    KeyBinding("Tab   Delete", "in them: rename; delete"),
    KeyBinding("]  [", "faster, slower", {"]": "faster", "[": "slower"}),
    KeyBinding("9", "the results, once the battle is over", {"9": "results"}),
    KeyBinding("\\", "the pace: unit by unit, a phase, a turn at once", {"\\": "pace"}),
    KeyBinding(
        "Insert, 6, Ctrl+O",
        "other battles and scenarios: arrows or 1 to 9, Enter opens",
        dict.fromkeys(("insert", "6", "ctrl+o"), "open"),
    ),
    KeyBinding("Ctrl+S", "save the battle under another name", {"ctrl+s": "save_as"}),
)
LOOKING = (
    KeyBinding("Drag   Right drag", "move the field; turn and tilt"),
    KeyBinding("Wheel", "nearer, farther"),
    KeyBinding("W A S D, arrows", "move"),
    KeyBinding("Q E   R F", "turn; tilt"),
    KeyBinding("Home, H or 1", "the whole battle", dict.fromkeys(("home", "h", "1"), "overview")),
    KeyBinding("7", "main fight", {"7": "fight"}),
    KeyBinding("Y or 2", "the map", dict.fromkeys(("y", "2"), "top")),
    KeyBinding("C or 3", "the chosen unit's eyes", dict.fromkeys(("c", "3"), "eye")),
    KeyBinding(
        "F8, 5, Ctrl+F",
        "go along with the chosen unit, or stay",
        dict.fromkeys(("f8", "5", "ctrl+f"), "follow"),
    ),
    KeyBinding(";", "the camera goes to the action, until you move it", {";": "director"}),
    KeyBinding("O", "the small map: click on it to go there", {"o": "small_map"}),
    KeyBinding("F2", "the ground: as it is, its relief, its slopes", {"f2": "chart"}),
    KeyBinding("F9  F10", "smaller, larger letters", {"f9": "smaller", "f10": "larger"}),
    KeyBinding("F11", "full screen, or a window", {"f11": "full_screen"}),
    KeyBinding("`", "high contrast, or normal", {"`": "contrast"}),
    KeyBinding("F12", "save a picture", {"f12": "save"}),
)
ASKING = (
    KeyBinding("Click", "select a unit"),
    KeyBinding("N  P", "next unit, unit before", {"n": "next", "p": "previous"}),
    KeyBinding("Esc", "select none; leave the tool", {"escape": "dismiss"}),
    KeyBinding("V", "sight tool", {"v": "tool"}),
    KeyBinding("Tab  X", "in it: the other unit; exchange them", {"tab": "other", "x": "exchange"}),
    KeyBinding("4", "in it: the whole sight corridor", {"4": "corridor"}),
    KeyBinding("G", "in it: the ground seen from there, from the cursor", {"g": "ground"}),
    KeyBinding(
        "-  =   B",
        "a lower, a taller figure on it; rules or straight lines",
        {"-": "lower", "=": "taller", "b": "measure"},
    ),
    KeyBinding(
        "Backspace, Ctrl+R",
        "the chosen unit's ranges, one after another, hatched where unseen",
        dict.fromkeys(("backspace", "ctrl+r"), "range"),
    ),
    KeyBinding(
        "M", "the measuring tape: click or Enter at both ends", {"m": "tape", "enter": "put"}
    ),
    KeyBinding("F1 or ?", "these keys", dict.fromkeys(("f1", "/"), "help")),
)
ORDERS = (
    KeyBinding(
        "8 or '",
        "the missions of a side's brigades, of the next side, of none",
        dict.fromkeys(("8", "'"), "missions"),
    ),
    KeyBinding("T", "take control; undo all orders since", {"t": "take_over"}),
    KeyBinding("1 to 9   0", "when asked: take an order in hand; more orders"),
    KeyBinding("Click   J", "when asked: a place or a unit; another kind of order"),
    KeyBinding("U I   Enter", "when asked: turn at the end of the move; give the order"),
    KeyBinding("K L", "when asked: the doctrine: this; all of the turn"),
    KeyBinding("Z", "undo the last order"),
)

SECTIONS: tuple[tuple[str, tuple[KeyBinding, ...]], ...] = (
    ("Time", TIME),
    ("Looking about", LOOKING),
    ("Units, sight and distance", ASKING),
    ("Orders", ORDERS),
)

ACTIONS = {key: act for _, rows in SECTIONS for row in rows for key, act in row.acts.items()}
"""The name of the action of each key that has one."""
