"""Connection between battles and the view, which imports its graphics library on first use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.progress import MofNCompleteColumn, TimeRemainingColumn

from emlia3d import view
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.cli import settings
from emlia3d.cli.interrupt import heed
from emlia3d.cli.progress import bar_of
from emlia3d.cli.rules.pages import rule_page
from emlia3d.cli.writing import echo
from emlia3d.errors import DisplayError
from emlia3d.scenario.tables.sides import COLOURS
from emlia3d.view.filming.script import RATE
from emlia3d.view.moment.palette import told_apart
from emlia3d.view.orders.game_thread import GameThread
from emlia3d.view.pace import Pace
from emlia3d.view.rules import Rules
from emlia3d.view.window.opening import Library, TakeOver
from emlia3d.view.window.settings import Settings
from emlia3d.view.window.unit_history import Recorded


def has_window() -> bool:
    """Return whether a window can be opened."""
    from emlia3d.view.panda.display import choose  # noqa: PLC0415  loaded to draw only

    try:
        choose(window=True)
    except DisplayError:
        return False
    return True


def draw_end(
    battle: Battle, last: Iterable[Event], file: Path, size: tuple[int, int] = (1280, 720)
) -> None:
    """Draw the current state of a battle, with the blows among the *last* events."""
    view.picture(
        coloured(battle.setup),
        battle.state,
        "fight",
        events=view.blows_of(last),
        contacts=contacts_of(battle, battle.state),
        formations=battle.system.formations(battle),
        objectives=battle.system.objectives(battle),
        path=file,
        size=size,
    )


def contacts_of(battle: Battle, state: State) -> Sequence[tuple[int, int]]:
    """Return the contacts at a moment of a battle, as pairs (unit, enemy that it can attack)."""
    return battle.system.contacts(Rules(battle).at(state))


def show_in_window(  # noqa: PLR0913  what a window may be given, each by its name
    battle: Battle,
    events: Iterable[Event],
    size: tuple[int, int] | None = None,
    asked: tuple[int, int | None] | None = None,
    *,
    game_thread: GameThread | None = None,
    take_over: TakeOver | None = None,
    text_size: float | None = None,
    pace: Pace | None = None,
    directed: bool = False,
    full_screen: bool = False,
    file: Path | None = None,
    orders: tuple[tuple[int, Order], ...] = (),
    library: Library | None = None,
    grid: bool = False,
) -> None:
    """Show recorded or live *events* in a window; *battle* is the state before them.

    size : of the window, pixels; None for that of the last window
    asked : initial observer and target of the sight tool, or the observer of an initial viewshed;
        None for no question
    game_thread : the thread of a game with players; *events* are then the earlier events
    take_over : starts a game from any moment of the battle
    text_size : of the window's text; None for the setting
    pace : how much is shown at once; None for the setting
    directed : whether the camera follows the action until the user moves it
    full_screen : whether to use the full screen regardless of the setting
    file : the battle's file, if recorded; bookmarks are stored beside it
    orders : the orders given in it, each with the number of events before it
    library : other battles that can be opened in the window
    grid : whether it starts with a grid of tiles on the ground
    Returns when the window is closed. Raises DisplayError if none can be opened.
    """
    kept = settings.read(settings.place())
    for diagnostic in kept.diagnostics:
        echo(diagnostic, err=True)
    liked = kept.settings if text_size is None else replace(kept.settings, text_size=text_size)
    liked = liked if pace is None else replace(liked, pace=pace)
    view.watch(
        coloured(battle.setup, liked),
        battle.state,
        events,
        rules=Rules(battle, rule_page),
        each_frame=heed,
        asked=asked,
        game_thread=game_thread,
        take_over=take_over,
        liking=settings.liking(kept, liked),
        record=None if file is None else Recorded(file, orders),
        library=library,
        size=(liked.width, liked.height) if size is None else size,
        full_screen=full_screen or (liked.full_screen and size is None),
        directed=directed,
        grid=grid,
    )


def coloured(setup: Setup, liked: Settings | None = None) -> Setup:
    """Return the battle in the preferred colours; None for the colours in the settings."""
    wanted = settings.read(settings.place()).settings if liked is None else liked
    return setup if wanted.palette == "scenario" else told_apart(setup, COLOURS)


def record_film(
    battle: Battle,
    events: Sequence[Event],
    file: Path,
    camera: str,
    turn_s: float,
    size: tuple[int, int],
) -> None:
    """Write a video of *events*, with progress on a terminal; *battle* is the state before them.

    turn_s : duration of a turn, seconds
    """

    def progress(done: int, whole: int) -> None:
        heed()
        bar.update(task, completed=done, total=whole)

    with bar_of(MofNCompleteColumn(), TimeRemainingColumn()) as bar:
        task = bar.add_task(f"filming {battle.setup.title}")
        pictures = view.film(
            coloured(battle.setup),
            battle.state,
            events,
            file,
            camera,
            rules=Rules(battle),
            turn_s=turn_s,
            size=size,
            progress=progress,
        )
    echo(f"{file}: {battle.setup.title}, {pictures / RATE:.0f} seconds")
