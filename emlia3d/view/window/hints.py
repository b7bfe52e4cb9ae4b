"""The keys that matter now: for the tool in hand, the list that is open, the question asked."""

from __future__ import annotations

from emlia3d.view.window.status import BookmarksCard, FilesCard, HudState, KindsCard

Hints = tuple[tuple[str, str], ...]
"""(key, its effect) each, the most important first."""

LAST: Hints = (("F1", "all keys"),)
WATCHING: Hints = (
    ("Space", "play or pause"),
    ("Period, Comma", "step on, back"),
    ("F6, F5", "next, last key event"),
    ("Click", "select a unit"),
    ("V", "sight"),
    ("M", "measure"),
    ("H", "whole battle"),
    ("F2", "ground"),
)
SELECTED: Hints = (
    ("N, P", "next unit, unit before"),
    ("Ctrl+R", "its ranges"),
    ("Ctrl+F", "follow it"),
    ("C", "its eyes"),
    ("V", "its sight"),
    ("Esc", "select none"),
    ("Space", "play or pause"),
)
SIGHT: Hints = (
    ("Click", "select"),
    ("Tab", "the other unit"),
    ("X", "exchange them"),
    ("G", "viewshed"),
    ("4", "frame the corridor"),
    ("-, =", "lower, taller figure"),
    ("B", "rules or lines"),
    ("Esc", "leave"),
)
TAPE: Hints = (("Click", "put an end"), ("Enter", "at the cursor"), ("Esc", "leave"))
ORDERS: Hints = (
    ("1 to 9", "select"),
    ("Click", "a place or a unit"),
    ("J", "another kind"),
    ("U, I", "turn at the end"),
    ("Enter", "give"),
    ("Esc", "back"),
    ("Z", "undo"),
    ("K", "leave it to the AI"),
)
KINDS: Hints = (("1 to 9", "mark a kind or not"), ("0", "all or none"), ("Esc", "close"))
MARKS: Hints = (
    ("Up, Down", "choose"),
    ("Enter", "go there"),
    ("Tab", "rename"),
    ("Delete", "delete"),
    ("Esc", "close"),
)
RESULTS: Hints = (("Click", "see a turning point"), ("Wheel", "more"), ("9, Esc", "close"))
FILES: Hints = (("Up, Down", "choose"), ("Enter", "open"), ("Esc", "close"))


def hints_of(status: HudState) -> Hints:
    """Return the keys that matter for what is shown, the most important first."""
    drawer = status.drawer
    if isinstance(drawer, KindsCard):
        hints = KINDS
    elif isinstance(drawer, BookmarksCard):
        hints = MARKS
    elif isinstance(drawer, FilesCard):
        hints = FILES
    elif status.results is not None:
        hints = RESULTS
    elif status.sight is not None:
        hints = SIGHT
    elif status.taped:
        hints = TAPE
    elif status.orders is not None:
        hints = ORDERS
    else:
        hints = WATCHING if status.card is None else SELECTED
    return (*hints, *LAST)
