"""Errors of scenarios, unit sets, battle files and bookmarks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from emlia3d.battle.files import bookmarks
from emlia3d.cli.battle_file import is_battle_file, opened
from emlia3d.cli.writing import echo
from emlia3d.errors import Diagnostic, FileError, ScenarioError
from emlia3d.scenario import review
from emlia3d.scenario.checking import Review


def check_files(files: Iterable[Path], *, as_json: bool) -> int:
    """Answer ``emlia3d check FILE...``; return the exit status."""
    found = [(file, _reviewed(file)) for file in files]
    if as_json:
        echo(json.dumps([_document(file, each) for file, each in found], ensure_ascii=False))
    else:
        for file, each in found:
            _print(file, each)
    return 2 if any(each.diagnostics for _, each in found) else 0


def _print(file: Path, found: Review) -> None:
    for diagnostic in found.diagnostics:
        echo(str(diagnostic), err=True)
    for advice in found.advice:
        echo(str(advice))
    if not found.diagnostics:
        echo(f"{file}: OK")


def _document(file: Path, found: Review) -> dict[str, Any]:
    def listed(notes: Sequence[Diagnostic]) -> list[dict[str, Any]]:
        return [asdict(note) for note in notes]

    return {
        "file": str(file),
        "ok": not found.diagnostics,
        "errors": listed(found.diagnostics),
        "advice": listed(found.advice),
    }


def _reviewed(file: Path) -> Review:
    """Return the errors of a file, and the advice on it."""
    try:
        if file.name.endswith(bookmarks.ENDING):
            bookmarks.read(file)
            return Review(())
        if not is_battle_file(file):
            return review(file)
        record, battle = opened(file)
        record.fold(battle)
    except ScenarioError as flaw:
        return Review(flaw.diagnostics)
    except FileError as flaw:
        return Review((_placed(flaw),))
    return Review(())


def _placed(flaw: FileError) -> Diagnostic:
    """Parse an error line FILE[:LINE]: MESSAGE."""
    parts = re.fullmatch(r"(.+?)(?::(\d+))?: (.*)", str(flaw), re.DOTALL)
    assert parts is not None, "a file's error begins with its name"
    file, line, message = parts.groups()
    return Diagnostic(file, int(line) if line else None, message)
