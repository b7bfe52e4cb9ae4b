"""All actions of the window, in one table: names, words, default keys, and groups of the menu.

The keys, their list, the line of useful keys and the menu are generated from this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Tool: TypeAlias = Literal["", "sight", "tape", "orders"]
"""The active tool: sight, the measuring tape, or a question about orders; "" for none."""


@dataclass(frozen=True, slots=True)
class WindowAction:
    """An action of the user in the window.

    name : in the settings; words : in the menu and the list of keys
    keys : the default keys, the most common first
    tool : the tool that must be active; "" for any or none
    steers : whether it moves the camera as long as its key is down
    by_mouse : whether the mouse can do it without the menu
    """

    name: str
    words: str
    keys: tuple[str, ...]
    tool: Tool = ""
    steers: bool = False
    by_mouse: bool = False


@dataclass(frozen=True, slots=True)
class FixedInput:
    """A drag, a click or a key of a list, which cannot be changed.

    shown : the input, as displayed
    """

    shown: str
    words: str


WindowInput: TypeAlias = WindowAction | FixedInput

_BATTLE: tuple[WindowInput, ...] = (
    WindowAction("open", "Open a battle or a scenario", ("ctrl+o", "insert", "6")),
    WindowAction("save_as", "Save a copy under another name", ("ctrl+s",)),
    WindowAction("results", "Show the results", ("9",)),
    WindowAction("bookmark", "Add a bookmark here", ("f3",)),
    WindowAction("bookmarks", "List the bookmarks", ("f4",)),
    WindowAction("picture", "Save a picture", ("f12",)),
    FixedInput("Up, Down, 1 to 9", "In a list: select a row"),
    FixedInput("Enter", "In a list: open it"),
    FixedInput("Tab, Delete", "In the bookmarks: rename, delete"),
)
_TIME: tuple[WindowInput, ...] = (
    WindowAction("play", "Play or pause", ("space",)),
    WindowAction("forward", "Go one step forward", (".",)),
    WindowAction("back", "Go one step back", (",",)),
    WindowAction("turn_forward", "Go to the next turn", ("page_down",)),
    WindowAction("turn_back", "Go back to the start of a turn", ("page_up",)),
    WindowAction("latest", "Go to the latest event", ("end",)),
    WindowAction("event_forward", "Go to the next key event", ("f6",)),
    WindowAction("event_back", "Go to the previous key event", ("f5",)),
    WindowAction("event_kinds", "Choose kinds of key events", ("f7",)),
    WindowAction("faster", "Play faster", ("]",)),
    WindowAction("slower", "Play slower", ("[",)),
    WindowAction("pace", "Show a unit, a phase or a turn at once", ("\\",)),
)
_CAMERA: tuple[WindowInput, ...] = (
    FixedInput("Drag", "Move the field"),
    FixedInput("Right drag", "Turn and tilt"),
    FixedInput("Wheel", "Go nearer or farther"),
    WindowAction("overview", "Show the whole battle", ("h", "home", "1")),
    WindowAction("main_fight", "Show the main fight", ("7",)),
    WindowAction("map", "Look from above", ("y", "2")),
    WindowAction("eyes", "Show the view of the selected unit", ("c", "3")),
    WindowAction("follow_unit", "Follow the selected unit, or stop", ("ctrl+f", "f8", "5")),
    WindowAction("follow_action", "Follow the action until you move", (";",)),
    WindowAction("pan_forward", "Move forward", ("w", "arrow_up"), steers=True),
    WindowAction("pan_back", "Move back", ("s", "arrow_down"), steers=True),
    WindowAction("pan_left", "Move to the left", ("a", "arrow_left"), steers=True),
    WindowAction(
        "pan_right", "Move to the right", ("d", "arrow_right"), steers=True, by_mouse=True
    ),
    WindowAction("turn_left", "Turn to the left", ("q",), steers=True),
    WindowAction("turn_right", "Turn to the right", ("e",), steers=True),
    WindowAction("look_down", "Look down more steeply", ("r",), steers=True),
    WindowAction("look_ahead", "Look down less steeply", ("f",), steers=True),
)
_DISPLAY: tuple[WindowInput, ...] = (
    WindowAction("minimap", "Show or hide the minimap", ("o",)),
    WindowAction("ground", "Show the country, relief or slopes", ("f2",)),
    WindowAction("tiles", "Show or hide the grid of tiles", ("ctrl+g",)),
    WindowAction("missions", "Show the missions of a side's brigades", ("'", "8")),
    WindowAction("smaller", "Make the text smaller", ("f9",)),
    WindowAction("larger", "Make the text larger", ("f10",)),
    WindowAction("contrast", "Switch the contrast", ("`",)),
    WindowAction("full_screen", "Switch full screen on or off", ("f11",)),
    WindowAction("menu", "Open or close the menu", ("ctrl+m",), by_mouse=True),
    WindowAction("help", "List all keys", ("f1", "/")),
)
_UNITS: tuple[WindowInput, ...] = (
    FixedInput("Click", "Select a unit"),
    WindowAction("unit_forward", "Select the next unit", ("n",)),
    WindowAction("unit_back", "Select the previous unit", ("p",)),
    WindowAction("close", "Close the tool; clear the selection", ("escape",)),
    WindowAction("ranges", "Show the next range of the selected unit", ("ctrl+r", "backspace")),
    WindowAction("tape", "Measure a distance", ("m",)),
    WindowAction(
        "tape_end", "Set an end of the tape at the cursor", ("enter",), "tape", by_mouse=True
    ),
)
_SIGHT: tuple[WindowInput, ...] = (
    WindowAction("sight", "Open or close the sight tool", ("v",)),
    WindowAction("other_unit", "Switch between observer and target", ("tab",), "sight"),
    WindowAction("exchange", "Exchange observer and target", ("x",), "sight"),
    WindowAction("corridor", "Show the whole sight corridor", ("4",), "sight"),
    WindowAction("viewshed", "Shade the ground that is hidden", ("g",), "sight"),
    WindowAction("lower_figure", "Make the target figure lower", ("-",), "sight"),
    WindowAction("taller_figure", "Make the target figure taller", ("=",), "sight"),
    WindowAction("method", "Switch between rules and geometry", ("b",), "sight"),
)
_ORDERS: tuple[WindowInput, ...] = (
    FixedInput("1 to 9", "Select an order"),
    FixedInput("0", "Show more orders"),
    FixedInput("Click, drag", "Select an order to a point or unit"),
    FixedInput("Right click", "List the orders here"),
    WindowAction("give", "Give the selected order", ("enter",), "orders"),
    WindowAction("next_kind", "Choose another kind of order", ("j",), "orders"),
    WindowAction("face_left", "Face farther left after the move", ("u",), "orders"),
    WindowAction("face_right", "Face farther right after the move", ("i",), "orders"),
    WindowAction("leave_order", "Let the AI give this order", ("k",), "orders"),
    WindowAction("leave_turn", "Let the AI play the rest of the turn", ("l",), "orders"),
    WindowAction("undo", "Undo the last order", ("z",), "orders"),
    WindowAction("take_over", "Take control; undo later orders", ("t",)),
)

GROUPS: tuple[tuple[str, tuple[WindowInput, ...]], ...] = (
    ("Battle", _BATTLE),
    ("Time", _TIME),
    ("Camera", _CAMERA),
    ("Display", _DISPLAY),
    ("Units and distances", _UNITS),
    ("Sight", _SIGHT),
    ("Orders", _ORDERS),
)
"""The groups of the menu and of the list of keys: (title, rows) each."""

ACTIONS: dict[str, WindowAction] = {
    row.name: row for _, rows in GROUPS for row in rows if isinstance(row, WindowAction)
}
"""All actions by name."""
