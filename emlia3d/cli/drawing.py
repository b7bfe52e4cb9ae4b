"""Joins a battle with the view, which loads its graphics library only when it draws."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from emlia3d import view
from emlia3d.battle.answer import Answer
from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.battle.state import State
from emlia3d.errors import DisplayError, FileError
from emlia3d.view.sighttool import Ask

WINDOW_PX = (1280, 720)


def look_at_place(picture: Path | None) -> None:
    """Raise FileError if no *picture* can be written there, before anything is played or drawn."""
    if picture is None:
        return
    if picture.is_dir():
        raise FileError(f"{picture}: this is a folder; name a file in it, such as battle.png")
    if picture.suffix.lower() != ".png":
        raise FileError(f"{picture}: pictures are PNG files; give it a name that ends in .png")
    if not picture.parent.is_dir():
        raise FileError(f"{picture}: there is no folder {picture.parent}")
    if not os.access(picture if picture.exists() else picture.parent, os.W_OK):
        raise FileError(f"{picture}: cannot be written: no permission")


def has_window() -> bool:
    """Whether a window can be opened here."""
    from emlia3d.view.panda.display import choose  # noqa: PLC0415  loaded to draw only

    try:
        choose(window=True)
    except DisplayError:
        return False
    return True


def show_in_window(
    battle: Battle,
    events: Iterable[Event],
    size: tuple[int, int] = WINDOW_PX,
    asked: tuple[int, int] | None = None,
) -> None:
    """Show *events*, recorded or as they happen, from *battle* as it stands before them.

    size : of the window, pixels
    asked : observer and target that the sight tool begins with; it lies ready where None
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

    view.watch(
        battle.setup,
        battle.state,
        events,
        tell=tell,
        card=card,
        sight=asker(battle),
        asked=asked,
        size=size,
    )


def asker(battle: Battle) -> Ask:
    """What units see of each other at any moment of a battle, by its rules."""
    shown = Battle(battle.setup, battle.system, battle.seed)

    def ask(observer: int, target: int, state: State) -> Answer:
        shown.state = state
        return shown.system.sight(shown, observer, target, 0)

    return ask
