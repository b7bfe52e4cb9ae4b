"""Verification of recorded battles: ``emlia3d battle --verify FILE...``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from emlia3d.battle.files.verification import verify
from emlia3d.cli.battle_file import scenario_of
from emlia3d.cli.interrupt import heeded
from emlia3d.cli.writing import echo
from emlia3d.errors import Error, ScenarioError
from emlia3d.studies.battles.processes import in_processes

AGREES, DIFFERS, CANNOT_BE_READ = 0, 1, 2
"""Exit statuses; for several files, the highest one."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result for one file.

    events : number of equal events
    line : the first line that differs; None if none does, or the file cannot be read
    messages : the difference, or the errors, each in one line
    """

    file: str
    status: int
    events: int = 0
    is_finished: bool = False
    line: int | None = None
    messages: tuple[str, ...] = ()


def verify_files(files: Sequence[Path], processes: int | None, *, as_json: bool) -> int:
    """Verify battle files, and print a line for each; return the exit status."""
    status, verdicts = AGREES, []
    for verdict in heeded(in_processes(verdict_on, files, processes)):
        status = max(status, verdict.status)
        verdicts.append(verdict)
        if not as_json:
            _print(verdict)
    if as_json:
        echo(json.dumps([asdict(verdict) for verdict in verdicts], ensure_ascii=False))
    return status


def verdict_on(file: Path) -> Verification:
    """Play the battle of one file again and compare it."""
    name = str(file)
    try:
        record, scenario = scenario_of(file)
        battle = scenario.battle(record.header["seed"], record.header["turns"])
        difference = verify(record, battle)
    except ScenarioError as flaw:
        return Verification(name, CANNOT_BE_READ, messages=tuple(map(str, flaw.diagnostics)))
    except Error as flaw:
        return Verification(name, CANNOT_BE_READ, messages=(str(flaw),))
    if difference is not None:
        return Verification(
            name, DIFFERS, difference.events, line=difference.line, messages=(difference.message,)
        )
    finished = record.result is not None
    return Verification(name, AGREES, sum("event" in line.body for line in record.lines), finished)


def _print(verdict: Verification) -> None:
    if verdict.status == CANNOT_BE_READ:
        for message in verdict.messages:
            echo(" ".join(message.split()), err=True)
    elif verdict.status == DIFFERS:
        (message,) = verdict.messages
        echo(f"{verdict.file}:{verdict.line}: differs after {verdict.events:,} events: {message}")
    else:
        rest = "" if verdict.is_finished else "; the battle has not ended"
        echo(f"{verdict.file}: {verdict.events:,} events agree{rest}")
