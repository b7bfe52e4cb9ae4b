"""Scenarios and recorded battles in the window, as a picture or as a video."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.battle.spare_rows import used_rows
from emlia3d.cli.battle_file import is_battle_file
from emlia3d.cli.commands.view import GROUNDS
from emlia3d.cli.drawing import coloured, contacts_of, record_film, show_in_window
from emlia3d.cli.game_file import taken_over
from emlia3d.cli.opening import course_of, library_of
from emlia3d.cli.writing import check_writable, echo
from emlia3d.errors import Error
from emlia3d.scenario.messages import NO_UNITS
from emlia3d.view import blows_of
from emlia3d.view import picture as draw
from emlia3d.view.camera.shots import views_of
from emlia3d.view.filming.reel import CODECS
from emlia3d.view.moment.scene import Chart
from emlia3d.view.pace import Pace
from emlia3d.view.rules import Rules
from emlia3d.view.session.timeline import Timeline
from emlia3d.view.sight.sighttool import Sight, SightTool

PICTURE_PX = (1280, 720)


def show_battle(  # noqa: PLR0913  the options of the command
    file: str,
    *,
    picture: Path | None,
    record: Path | None,
    turn_seconds: float,
    camera: str | None,
    size: tuple[int, int] | None,
    full_screen: bool,
    sight: str | None,
    seen_by: str | None,
    ground: Chart,
    grid: bool,
    missions: str | None,
    at: int | None,
    event: int | None,
    text_size: float | None,
    pace: Pace | None,
) -> None:
    """Answer ``emlia3d view FILE``."""
    pixels = size or PICTURE_PX
    asks = any(each is not None for each in (at, event, sight, seen_by, missions))
    still = asks or grid or ground != GROUNDS[0]
    if record is not None and (picture is not None or still):
        raise click.BadParameter(
            "--record can only be combined with --turn-seconds, --camera and --size"
        )
    if (picture, record) == (None, None) and camera is not None:
        raise click.BadParameter(
            "--camera needs --picture or --record; in the window, use the keys"
        )
    if picture is None and (at, event, ground) != (None, None, GROUNDS[0]):
        told = "--at, --event and --ground need --picture; in the window, use the keys"
        raise click.BadParameter(told)
    if picture is None and missions is not None:
        raise click.BadParameter("--missions needs --picture")
    _check_window_options(picture or record, text_size, pace, full_screen=full_screen)
    check_writable(picture)
    check_writable(record, tuple(CODECS), "films")
    course = course_of(file)
    battle, events = course.battle, course.events
    if sight is not None and seen_by is not None:
        raise click.BadParameter("--sight and --seen-by exclude each other")
    if (sight, seen_by, record) != (None, None, None) and not battle.setup.units:
        raise Error(f"{file}: {NO_UNITS}")
    if camera is not None and camera not in views_of(battle.setup):
        known = ", ".join(views_of(battle.setup))
        raise click.BadParameter(f"--camera: expected one of the scenario's: {known}")
    if record is not None:
        if not is_battle_file(Path(file)):
            raise click.BadParameter(
                f"--record needs a battle file: emlia3d battle {file} "
                "--save FILE.battle.jsonl, and then that file"
            )
        record_film(battle, events, record, camera or "overview", turn_seconds, pixels)
        return
    asked = _asked(battle, sight, seen_by)
    planner = None if missions is None else _side(battle, missions)
    if picture is None:
        show_in_window(
            battle,
            events,
            size,
            asked,
            full_screen=full_screen,
            take_over=partial(taken_over, file, battle),
            text_size=text_size,
            pace=pace,
            file=Path(file) if is_battle_file(Path(file)) else None,
            orders=course.orders,
            library=library_of(Path(file)),
            grid=grid,
        )
        return
    timeline = Timeline(battle.state, events)
    timeline.close()
    step = _step_of(battle, timeline, at, event)
    shown = () if event is None else timeline.events(step)
    looked = None if asked is None else _look(battle, timeline, step, asked)
    now = Rules(battle).at(timeline.moment(step))
    intents = () if planner is None else battle.system.intents(now, planner)
    draw(
        coloured(battle.setup),
        timeline.moment(step),
        camera,
        events=() if looked is not None else shown or _blows(timeline, step),
        action=shown,
        contacts=contacts_of(battle, timeline.moment(step)) if looked is None else (),
        intents=intents,
        formations=battle.system.formations(now),
        objectives=battle.system.objectives(now),
        unit=None if asked is None else asked[0],
        sight=looked,
        size=pixels,
        path=picture,
        chart=ground,
        grid=grid,
    )
    lines = [f"{picture}: {battle.setup.title}", *(f"  {intent.text}" for intent in intents)]
    echo("\n".join(lines))


def _check_window_options(
    drawn: Path | None, text_size: float | None, pace: Pace | None, *, full_screen: bool
) -> None:
    """Raise BadParameter for options of the window without a window."""
    if drawn is not None and text_size is not None:
        raise click.BadParameter("--text-size applies only to the window")
    if drawn is not None and pace is not None:
        raise click.BadParameter("--pace applies only to the window")
    if drawn is not None and full_screen:
        raise click.BadParameter("--fullscreen applies only to the window; use --size")


def _asked(battle: Battle, sight: str | None, seen_by: str | None) -> tuple[int, int | None] | None:
    """Return the rows of the units in a question; None without a question."""
    if sight is not None:
        return _pair(battle, sight)
    if seen_by is None:
        return None
    rows = {unit.name: row for row, unit in enumerate(battle.setup.units)}
    if seen_by not in rows:
        raise click.BadParameter(f"--seen-by: expected one of the units {_named(battle)}")
    return rows[seen_by], None


def _side(battle: Battle, name: str) -> int:
    """Return the row of a side."""
    names = [side.name for side in battle.setup.sides]
    if name not in names:
        raise click.BadParameter(f"--missions takes one of these sides: {', '.join(names)}")
    return names.index(name)


def _named(battle: Battle) -> str:
    return ", ".join(battle.setup.units[row].name for row in used_rows(battle))


def _pair(battle: Battle, names: str) -> tuple[int, int]:
    """Parse two names of units, separated by a comma; return their rows."""
    rows = {unit.name: row for row, unit in enumerate(battle.setup.units)}
    parts = names.split(",")
    found = [
        (rows[one], rows[other])
        for cut in range(1, len(parts))
        if (one := ",".join(parts[:cut]).strip()) in rows
        and (other := ",".join(parts[cut:]).strip()) in rows
        and one != other
    ]
    if not found:
        told = f"--sight: expected two units A,B of {_named(battle)}"
        raise click.BadParameter(told)
    return found[0]


def _look(
    battle: Battle, timeline: Timeline, step: int, asked: tuple[int, int | None]
) -> Sight | None:
    """Return the state of the sight tool for a question."""
    tool = SightTool(battle.setup, Rules(battle))
    tool.begin(*asked)
    tool.settle(timeline.moment(step), step)
    return tool.look(timeline.moment(step), step)


def _step_of(battle: Battle, timeline: Timeline, turn: int | None, event: int | None) -> int:
    """Return the step of a key event, from 1, or the last step of a turn or of the battle."""
    if turn is not None and event is not None:
        raise click.BadParameter("--at and --event exclude each other")
    starts = timeline.turn_starts
    if event is not None:
        return _step_of_event(battle, timeline, event)
    if turn is None:
        return len(timeline)
    if turn > len(starts):
        raise click.BadParameter(f"--at: expected a turn from 0 to {len(starts)}, got {turn}")
    return starts[turn] - 1 if turn < len(starts) else len(timeline)


def _step_of_event(battle: Battle, timeline: Timeline, number: int) -> int:
    """Return the step of a key event, from 1."""
    found = 0
    for step in range(1, len(timeline) + 1):
        found += any(battle.system.highlights(battle.setup, each) for each in timeline.events(step))
        if found == number:
            return step
    told = f"--event: expected a key event from 1 to {found}, got {number}"
    raise click.BadParameter(told if found else "--event: the battle has no key events")


def _blows(timeline: Timeline, step: int) -> tuple[Event, ...]:
    """Return the shots and blows of the turn that ends at a step."""
    began = timeline.turn(step)
    first = timeline.turn_starts[began - 1] if began else step
    return blows_of(event for each in range(first, step + 1) for event in timeline.events(each))
