"""Joins a battle with the view, which loads its graphics library only when it draws."""

from __future__ import annotations

from collections.abc import Iterable

from emlia3d import view
from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.errors import DisplayError


def has_window() -> bool:
    """Whether a window can be opened here."""
    from emlia3d.view.panda.display import choose  # noqa: PLC0415  loaded to draw only

    try:
        choose(window=True)
    except DisplayError:
        return False
    return True


def show_in_window(battle: Battle, events: Iterable[Event]) -> None:
    """Show *events*, recorded or as they happen, from *battle* as it stands before them.

    Returns when the window is closed. DisplayError where none can be opened.
    """
    system = battle.system
    view.watch(
        battle.setup,
        battle.state,
        events,
        tell=lambda event: system.tell(battle, event),
        card=lambda unit: system.card(battle, unit),
    )
