"""``emlia3d check``: every mistake of scenarios, unit sets and battle files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from emlia3d.cli.battle_file import is_battle_file, opened
from emlia3d.errors import FileError, ScenarioError
from emlia3d.scenario import check as mistakes_of


def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Scenarios, unit sets, battle files.")
    ],
) -> int:
    """Find every mistake of files.

    Scenarios, unit sets and battle files; a file without a mistake is told to be OK.
    """
    wrong = False
    for file in files:
        mistakes = _mistakes(file)
        for mistake in mistakes:
            typer.echo(mistake, err=True)
        if not mistakes:
            typer.echo(f"{file}: OK")
        wrong |= bool(mistakes)
    return 2 if wrong else 0


def _mistakes(file: Path) -> list[str]:
    if not is_battle_file(file):
        return [str(mistake) for mistake in mistakes_of(file)]
    try:
        record, battle = opened(file)
        record.fold(battle)
    except ScenarioError as flaw:
        return [str(mistake) for mistake in flaw.mistakes]
    except FileError as flaw:
        return [str(flaw)]
    return []
