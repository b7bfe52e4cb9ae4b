"""Errors of scenarios, unit sets, battle files and bookmarks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from emlia3d.battle.files import bookmarks
from emlia3d.cli.battle_file import is_battle_file, opened
from emlia3d.cli.writing import echo
from emlia3d.errors import FileError, ScenarioError
from emlia3d.scenario import review


def check_files(files: Iterable[Path]) -> int:
    """Answer ``emlia3d check FILE...``; return the exit status."""
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
    """Return the errors of a file, and the advice on it."""
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
