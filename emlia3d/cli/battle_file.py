"""A battle file, opened: what it records, and the battle that it is of, before its first event."""

from __future__ import annotations

from pathlib import Path

from emlia3d.battle import log
from emlia3d.battle.battle import Battle
from emlia3d.battle.log import Record
from emlia3d.errors import LogError
from emlia3d.scenario import from_header


def is_battle_file(file: Path) -> bool:
    """Whether a file is taken for a recorded battle and not for a scenario: by its name's end."""
    return file.suffix == ".jsonl"


def opened(file: Path) -> tuple[Record, Battle]:
    """The record in *file*, and its battle as it was before anything happened.

    Raises LogError for a file that is none or not of this program, ScenarioError for what is wrong
    with the scenario in it.
    """
    record = log.read(file)
    try:
        scenario = from_header(record.header, file.parent)
    except LogError as flaw:
        raise LogError(f"{file}:1: {flaw}") from None
    return record, scenario.battle(record.header["seed"], record.header["turns"])
