"""Joins a battle with the view, which loads its graphics library only when it draws."""

from __future__ import annotations

from collections.abc import Iterable

from emlia3d import view
from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.battle.state import State
from emlia3d.errors import DisplayError

WINDOW_PX = (1280, 720)


def has_window() -> bool:
    """Whether a window can be opened here."""
    from emlia3d.view.panda.display import choose  # noqa: PLC0415  loaded to draw only

    try:
        choose(window=True)
    except DisplayError:
        return False
    return True


def show_in_window(
    battle: Battle, events: Iterable[Event], size: tuple[int, int] = WINDOW_PX
) -> None:
    """Show *events*, recorded or as they happen, from *battle* as it stands before them.

    size : of the window, pixels
    Returns when the window is closed. DisplayError where none can be opened.
    """
    # What is looked at is another moment than the one that the battle has come to.
    shown = Battle(battle.setup, battle.system, battle.seed)

    def tell(event: Event, state: State) -> str:
        shown.state = state
        return shown.system.tell(shown, event)

    def card(unit: int, state: State) -> tuple[tuple[str, str], ...]:
        shown.state = state
        return shown.system.card(shown, unit)

    view.watch(battle.setup, battle.state, events, tell=tell, card=card, size=size)
