"""A battle file: begun, taken up, or opened for what it records and the battle that it is of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from emlia3d.battle.battle import Battle
from emlia3d.battle.files import log
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import Record, read_record
from emlia3d.cli.mustering import appointments, commanded
from emlia3d.cli.writing import echo
from emlia3d.errors import LogError
from emlia3d.scenario import Scenario, from_header
from emlia3d.scenario.headers import other_version
from emlia3d.scenario.tables.commander_names import note_on_outside

BATTLE_ENDINGS = (".jsonl",)


def is_battle_file(file: Path) -> bool:
    """Return whether a file name marks a recorded battle rather than a scenario."""
    return file.suffix in BATTLE_ENDINGS


def scenario_of(file: Path) -> tuple[Record, Scenario]:
    """Return the record in *file*, and the scenario that it was begun with.

    Raises
    ------
    LogError
        The file is no battle file, or not one of this program.
    ScenarioError
        The scenario in it is wrong.
    """
    record = read_record(file)
    try:
        return record, from_header(record.header, file.parent)
    except LogError as flaw:
        raise LogError(f"{file}:1: {flaw}") from None


def opened(file: Path) -> tuple[Record, Battle]:
    """Return the record in *file*, and its battle before anything happened; raise as above."""
    record, scenario = scenario_of(file)
    return record, scenario.battle(record.header["seed"], record.header["turns"])


def begun(
    scenario: Scenario,
    seed: int,
    turns: int | None,
    save: Path | None,
    kind: type[BattleLog] = BattleLog,
) -> tuple[Battle, BattleLog | None]:
    """Return a battle before its first event, and its file *save*, if any, as a log of a *kind*."""
    fought = scenario.battle(seed, turns)
    if save is None:
        return fought, None
    return fought, kind.begin(save, scenario.header(seed, turns), fought)


def resumed_scenario(
    file: Path, commanders: Sequence[str], time_limit_s: float | None
) -> tuple[Record, Scenario, list[str]]:
    """Return a record, its scenario with these commanders, and the sides that a person commands."""
    record, scenario = scenario_of(file)
    named = appointments(commanders)
    scenario, people = commanded(scenario, commanders, time_limit_s)
    for note in (
        other_version(record.header, scenario.systems),
        note_on_outside(record.header, named),
    ):
        if note is not None:
            echo(f"{file}: {note}", err=True)
    return record, scenario, people


def taken_up(
    file: Path, commanders: Sequence[str] = (), time_limit_s: float | None = None
) -> tuple[Battle, BattleLog]:
    """Return a battle as far as its file records it, and the file to go on in."""
    record, scenario, _ = resumed_scenario(file, commanders, time_limit_s)
    fought = scenario.battle(record.header["seed"], record.header["turns"])
    return fought, log.resume(record, fought)
