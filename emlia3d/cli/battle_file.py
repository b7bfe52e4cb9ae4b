"""A battle file: begun, taken up, or opened for what it records and the battle that it is of."""

from __future__ import annotations

from pathlib import Path

from emlia3d.battle.battle import Battle
from emlia3d.battle.files import log
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import Record, read_record
from emlia3d.errors import LogError
from emlia3d.scenario import Scenario, from_header

BATTLE_ENDINGS = (".jsonl",)


def is_battle_file(file: Path) -> bool:
    """Whether a file is taken for a recorded battle and not for a scenario: by its name's end."""
    return file.suffix in BATTLE_ENDINGS


def opened(file: Path) -> tuple[Record, Battle]:
    """The record in *file*, and its battle as it was before anything happened.

    Raises LogError for a file that is none or not of this program, ScenarioError for what is wrong
    with the scenario in it.
    """
    record = read_record(file)
    try:
        scenario = from_header(record.header, file.parent)
    except LogError as flaw:
        raise LogError(f"{file}:1: {flaw}") from None
    return record, scenario.battle(record.header["seed"], record.header["turns"])


def begun(
    scenario: Scenario, seed: int, turns: int | None, save: Path | None
) -> tuple[Battle, BattleLog | None]:
    """A battle before anything happened, and the file *save* that it is written to, if any."""
    fought = scenario.battle(seed, turns)
    if save is None:
        return fought, None
    return fought, BattleLog.begin(save, scenario.header(seed, turns), fought)


def taken_up(file: Path) -> tuple[Battle, BattleLog]:
    """A battle as far as its file records it, and the file to go on in."""
    record, fought = opened(file)
    return fought, log.resume(record, fought)
