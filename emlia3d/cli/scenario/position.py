"""Positions for questions: the start of a scenario, or the end of a turn in a battle file."""

from __future__ import annotations

from pathlib import Path

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.battle.files.record import Record
from emlia3d.cli.battle_file import is_battle_file, scenario_of
from emlia3d.errors import Error
from emlia3d.scenario import Scenario, load


def position_in(file: str, at: int | None = None) -> Scenario:
    """Return a scenario for questions about its start or a position of a battle file.

    Parameters
    ----------
    file
        A scenario file, the name of a bundled scenario, or a battle file.
    at
        The turn whose end is the position; 0 is before the first turn. None is the last recorded
        position.

    Raises
    ------
    Error
        *at* is given and the file is a scenario or has no such turn, or the file has errors.
    """
    if not is_battle_file(Path(file)):
        if at is not None:
            raise Error(f"--at: expected a battle file, got the scenario {file}")
        return load(file)
    record, scenario = scenario_of(Path(file))
    header = record.header
    battle = scenario.battle(header["seed"], header["turns"])
    starts = _turn_starts(record, battle)
    if at is not None and at > len(starts):
        raise Error(f"--at: expected a turn from 0 to {len(starts)}, the last of {file}, got {at}")
    if at is not None and at < len(starts):
        battle = Battle(battle.setup, battle.system, battle.seed)
        _play(record, battle, starts[at])
    return scenario.at_position(battle)


def _turn_starts(record: Record, battle: Battle) -> list[int]:
    """Play a record to its last boundary; return the number of events before each turn.

    An event that is part of another does not begin a turn, because both are shown together.
    """
    starts: list[int] = []
    happened, step, turn = 0, 0, battle.state.turn
    for each in record.story(battle):
        if isinstance(each, Event):
            if not each.part_of_last:
                step = happened
            happened += 1
            if battle.state.turn != turn:
                turn = battle.state.turn
                starts.append(step)
    return starts


def _play(record: Record, battle: Battle, events: int) -> None:
    """Apply this number of recorded events."""
    story = (each for each in record.story(battle) if isinstance(each, Event))
    for _ in range(events):
        next(story)
