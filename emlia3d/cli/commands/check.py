"""``emlia3d check``: every mistake of scenarios, unit sets, battle files and bookmarks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from emlia3d.battle.files import bookmarks
from emlia3d.cli.battle_file import is_battle_file, opened
from emlia3d.cli.writing import echo
from emlia3d.errors import FileError, ScenarioError
from emlia3d.scenario import review


def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Scenarios, unit sets, battle files.")
    ],
) -> int:
    """Find every mistake of files.

    Scenarios, unit sets, battle files and their bookmarks; a file without a mistake is told to be
    OK. What the rule system's book would have otherwise about a scenario is told as advice, and is
    no mistake.
    """
    wrong = False
    for file in files:
        mistakes, advice = _looked_at(file)
        for mistake in mistakes:
            echo(mistake, err=True)
        for one in advice:
            echo(one)
        if not mistakes:
            echo(f"{file}: OK")
        wrong |= bool(mistakes)
    return 2 if wrong else 0


def _looked_at(file: Path) -> tuple[list[str], list[str]]:
    """The mistakes of a file, and the advice on it."""
    if file.name.endswith(bookmarks.ENDING):
        try:
            bookmarks.read(file)
        except FileError as flaw:
            return [str(flaw)], []
        return [], []
    if not is_battle_file(file):
        found = review(file)
        return [str(mistake) for mistake in found.mistakes], [str(one) for one in found.advice]
    try:
        record, battle = opened(file)
        record.fold(battle)
    except ScenarioError as flaw:
        return [str(mistake) for mistake in flaw.mistakes], []
    except FileError as flaw:
        return [str(flaw)], []
    return [], []
