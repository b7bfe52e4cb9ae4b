"""The relevant keys: for the active tool, the open list, the current question."""

from __future__ import annotations

from typing import TypeAlias

from emlia3d.view.actions.key_map import KeyMap
from emlia3d.view.window.status import BookmarksCard, FilesCard, HudState, KindsCard

Hints: TypeAlias = tuple[tuple[str, str], ...]
"""(key, its effect) each, the most important first."""

_Named: TypeAlias = tuple[tuple[str | tuple[str, ...], str], ...]
"""(fixed input, or names of actions; their effect) each."""

LAST: _Named = ((("help",), "all keys"),)
WATCHING: _Named = (
    (("play",), "play or pause"),
    (("forward", "back"), "step on, back"),
    (("event_forward", "event_back"), "next, previous key event"),
    ("Click", "select a unit"),
    (("sight",), "sight"),
    (("tape",), "measure"),
    (("overview",), "whole battle"),
    (("ground",), "ground"),
)
SELECTED: _Named = (
    (("unit_forward", "unit_back"), "next, previous unit"),
    (("ranges",), "its ranges"),
    (("follow_unit",), "follow it"),
    (("eyes",), "its eyes"),
    (("sight",), "its sight"),
    (("close",), "clear the selection"),
    (("play",), "play or pause"),
)
SIGHT: _Named = (
    ("Click", "select"),
    (("other_unit",), "the other unit"),
    (("exchange",), "exchange them"),
    (("viewshed",), "viewshed"),
    (("corridor",), "frame the corridor"),
    (("lower_figure", "taller_figure"), "lower, taller figure"),
    (("method",), "rules or lines"),
    (("close",), "leave"),
)
TAPE: _Named = (("Click", "put an end"), (("tape_end",), "at the cursor"), (("close",), "leave"))
FACING = ("face_left", "face_right")
ORDERS: _Named = (
    ("1 to 9", "select"),
    ("Click, drag", "a place or a unit"),
    ("Right click", "list the orders here"),
    (("next_kind",), "another kind"),
    (FACING, "turn at the end"),
    (("give",), "give"),
    (("close",), "back"),
    (("undo",), "undo"),
    (("leave_order",), "leave it to the AI"),
)
KINDS: _Named = (("1 to 9", "mark a kind or not"), ("0", "all or none"), (("close",), "close"))
MARKS: _Named = (
    ("Up, Down", "choose"),
    ("Enter", "go there"),
    ("Tab", "rename"),
    ("Delete", "delete"),
    (("close",), "close"),
)
RESULTS: _Named = (
    ("Click", "see a key event"),
    ("Wheel", "more"),
    (("results", "close"), "close"),
)
FILES: _Named = (("Up, Down", "choose"), ("Enter", "open"), (("close",), "close"))
MENU: _Named = (("Up, Down", "choose"), ("Enter", "do it"), (("close", "menu"), "close"))
HERE: _Named = (("Click, 1 to 9", "do it"), (("close",), "close"))
LISTS: dict[type, _Named] = {KindsCard: KINDS, BookmarksCard: MARKS, FilesCard: FILES}
EVERY = (HERE, LAST, WATCHING, SELECTED, SIGHT, TAPE, ORDERS, KINDS, MARKS, RESULTS, FILES, MENU)


def hints_of(status: HudState) -> Hints:
    """Return the relevant keys for the current display, the most important first.

    Actions without a key are left out.
    """
    named = (*_hints(status), *LAST)
    if status.orders is not None:
        turning = status.orders.turning
        named = tuple((at, turning if at == FACING else words) for at, words in named)
        named = tuple((at, words) for at, words in named if words)
    hints = ((_keys(status.keys, inputs), words) for inputs, words in named)
    return tuple((shown, words) for shown, words in hints if shown)


def _keys(keys: KeyMap, inputs: str | tuple[str, ...]) -> str:
    """Return an input, or the main key of each action, in displayed form."""
    if isinstance(inputs, str):
        return inputs
    return ", ".join(filter(None, map(keys.first, inputs)))


def _hints(status: HudState) -> _Named:
    if status.context is not None:
        return HERE
    if status.menu is not None:
        return MENU
    if status.drawer is not None:
        return LISTS[type(status.drawer)]
    cases = (
        (status.results is not None, RESULTS),
        (status.sight is not None, SIGHT),
        (status.tool == "tape", TAPE),
        (status.orders is not None, ORDERS),
        (status.card is not None, SELECTED),
    )
    return next((hints for holds, hints in cases if holds), WATCHING)
