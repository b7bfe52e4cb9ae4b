"""Battle files: begin one, resume one, or open one for reading."""

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
    """Return whether a file name is that of a battle file."""
    return file.suffix in BATTLE_ENDINGS


def scenario_of(file: Path) -> tuple[Record, Scenario]:
    """Return the record in *file*, and its scenario.

    Raises
    ------
    LogError
        The file is not a battle file of this program.
    ScenarioError
        The scenario in it has errors.
    """
    record = read_record(file)
    try:
        return record, from_header(record.header, file.parent)
    except LogError as flaw:
        raise LogError(f"{file}:1: {flaw}") from None


def opened(file: Path) -> tuple[Record, Battle]:
    """Return the record in *file*, and its battle before the first event; raise as above."""
    record, scenario = scenario_of(file)
    return record, scenario.battle(record.header["seed"], record.header["turns"])


def begun(
    scenario: Scenario,
    seed: int,
    turns: int | None,
    save: Path | None,
    kind: type[BattleLog] = BattleLog,
) -> tuple[Battle, BattleLog | None]:
    """Return a battle before its first event, and a log of class *kind* in file *save*, if any."""
    fought = scenario.battle(seed, turns)
    if save is None:
        return fought, None
    return fought, kind.begin(save, scenario.header(seed, turns), fought)


def resumed_scenario(
    file: Path, commanders: Sequence[str], time_limit_s: float | None
) -> tuple[Record, Scenario, list[str]]:
    """Return a record, its scenario with these commanders, and the sides that users command."""
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
    """Return a battle at the end of its record, and the log in which it continues."""
    record, scenario, _ = resumed_scenario(file, commanders, time_limit_s)
    fought = scenario.battle(record.header["seed"], record.header["turns"])
    return fought, log.resume(record, fought)
