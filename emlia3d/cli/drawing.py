"""Joins a battle with the view, which loads its graphics library only when it draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich.progress import MofNCompleteColumn, TimeRemainingColumn
from shapely.geometry.base import BaseGeometry

from emlia3d import view
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.plain_geometry.geometric_viewshed import plain_area
from emlia3d.battle.questions.answer import Answer
from emlia3d.battle.questions.area import Floats, Levels, Post, Surveyor
from emlia3d.battle.questions.highlights import Highlighter
from emlia3d.battle.questions.ranges import Range, Ranger
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.cli import settings
from emlia3d.cli.interrupt import heed
from emlia3d.cli.progress import bar_of
from emlia3d.cli.writing import echo
from emlia3d.errors import DisplayError
from emlia3d.scenario.tables.sides import COLOURS
from emlia3d.view.filming.script import RATE
from emlia3d.view.moment.palette import told_apart
from emlia3d.view.orders.desk import Desk
from emlia3d.view.referee import Lookout, Referee
from emlia3d.view.window.deeds import Recorded
from emlia3d.view.window.opening import Library, TakeOver
from emlia3d.view.window.settings import Settings

WINDOW_PX = (1280, 720)


def has_window() -> bool:
    """Whether a window can be opened here."""
    from emlia3d.view.panda.display import choose  # noqa: PLC0415  loaded to draw only

    try:
        choose(window=True)
    except DisplayError:
        return False
    return True


def draw_end(battle: Battle, last: Iterable[Event], file: Path) -> None:
    """Draw a battle as it stands now, with the blows among the *last* events."""
    view.picture(
        coloured(battle.setup),
        battle.state,
        "fight",
        events=view.blows_of(last),
        contacts=contacts_of(battle, battle.state),
        path=file,
    )


def contacts_of(battle: Battle, state: State) -> Sequence[tuple[int, int]]:
    """Who is at close quarters at a moment of a battle: (unit, enemy that it can strike)."""
    found = referee_of(battle).contacts
    return () if found is None else found(state)


def show_in_window(  # noqa: PLR0913  what a window may be given, each by its name
    battle: Battle,
    events: Iterable[Event],
    size: tuple[int, int] = WINDOW_PX,
    asked: tuple[int, int | None] | None = None,
    *,
    desk: Desk | None = None,
    take_over: TakeOver | None = None,
    text_size: float | None = None,
    file: Path | None = None,
    orders: tuple[tuple[int, Order], ...] = (),
    library: Library | None = None,
) -> None:
    """Show *events*, recorded or as they happen, from *battle* as it stands before them.

    size : of the window, pixels
    asked : observer and target that the sight tool begins with, or an observer whose view of the
        ground it begins with; it lies ready where None
    desk : where people are asked for orders; *events* are then a sequence of those before
    take_over : gives whoever asks for it the battle from any moment on
    text_size : of the window's letters; what the settings say where None
    file : that the battle is recorded in, if it is; bookmarks are kept beside it
    orders : that were given in it, each with how many events had happened
    library : other battles that may be opened in the window
    Returns when the window is closed. DisplayError where none can be opened.
    """
    kept = settings.read(settings.place())
    for mistake in kept.mistakes:
        echo(mistake, err=True)
    liked = kept.settings if text_size is None else replace(kept.settings, text_size=text_size)
    referee = referee_of(battle)
    view.watch(
        coloured(battle.setup, liked),
        battle.state,
        events,
        referee=referee,
        asked=asked,
        desk=desk,
        take_over=take_over,
        liking=settings.liking(kept, liked),
        record=None if file is None else Recorded(file, orders),
        library=library,
        size=size,
    )


def coloured(setup: Setup, liked: Settings | None = None) -> Setup:
    """The battle in the colours that are liked; as the settings have it where None."""
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
    """Film *events* from *battle* as it stands before them, and say how far it is on a terminal.

    turn_s : how long a turn takes, seconds
    """
    with bar_of(MofNCompleteColumn(), TimeRemainingColumn()) as bar:
        task = bar.add_task(f"filming {battle.setup.title}")
        pictures = view.film(
            coloured(battle.setup),
            battle.state,
            events,
            file,
            camera,
            referee=referee_of(battle),
            turn_s=turn_s,
            size=size,
            progress=lambda done, whole: bar.update(task, completed=done, total=whole),
        )
    echo(f"{file}: {battle.setup.title}, {pictures / RATE:.0f} seconds")


def referee_of(battle: Battle) -> Referee:
    """What the rules of a battle say of any moment of it, and what sides know of it."""
    system = battle.system
    # The moment that is looked at is not the one that the battle has come to.
    true = Battle(battle.setup, system, battle.seed)
    seen = true
    eyes: list[int] = []

    def at(state: State) -> Battle:
        looked = seen if eyes else true
        looked.state = state
        return looked

    def look_through(side: int | None) -> None:
        eyes[:] = [] if side is None else [side]

    def tell(event: Event, state: State) -> str:
        heed()  # a window asks for each sentence in its main thread
        true.state = state
        return system.tell(true, event)

    def known(side: int, state: State) -> State:
        nonlocal seen
        true.state = state
        picture = system.picture(true, side).battle
        if eyes == [side] and seen.setup is not picture.setup:
            seen = Battle(picture.setup, system, battle.seed)
        return picture.state.copy()

    def card(unit: int, state: State) -> tuple[tuple[str, str], ...]:
        return system.card(at(state), unit)

    def sight(observer: int, target: int, state: State) -> Answer:
        return system.sight(at(state), observer, target, 0)

    def survey(lookout: Lookout, spots: Floats, height: float, state: State) -> Levels:
        assert isinstance(system, Surveyor)
        shown = at(state)
        post = Post(name="lookout", unit=lookout.unit, place=lookout.place)
        if lookout.by_rules:
            return system.sight_area(shown, post, spots, height, reverse=False).levels
        return plain_area(shown, height, reverse=False)(post, spots).levels

    def ranges(unit: int, state: State) -> tuple[Range, ...]:
        assert isinstance(system, Ranger)
        return system.ranges(at(state), unit)

    def grounds(unit: int, state: State) -> Iterator[BaseGeometry]:
        # Other moments are looked at before the last part of the answer is read.
        assert isinstance(system, Ranger)
        return system.grounds(at(state).fork(), unit)

    def contacts(state: State) -> Sequence[tuple[int, int]]:
        assert isinstance(system, Highlighter)
        return system.contacts(at(state))

    def aware(observer: int, observed: int, state: State) -> bool:
        assert isinstance(system, Highlighter)
        return system.is_aware(at(state), observer, observed)

    return Referee(
        tell=tell,
        card=card,
        sight=sight,
        survey=survey if isinstance(system, Surveyor) else None,
        ranges=ranges if isinstance(system, Ranger) else None,
        grounds=grounds if isinstance(system, Ranger) else None,
        known=known,
        highlights=system.highlights if isinstance(system, Highlighter) else None,
        contacts=contacts if isinstance(system, Highlighter) else None,
        aware=aware if isinstance(system, Highlighter) else None,
        look_through=look_through,
    )
