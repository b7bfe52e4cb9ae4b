"""Battles that a window has shown, kept in the user's data folder: the last twenty."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from emlia3d.battle.files import bookmarks
from emlia3d.cli.game_file import free_name, named_after
from emlia3d.cli.settings import users_folder
from emlia3d.cli.writing import echo

MOST_KEPT = 20


def folder_of(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder of kept battles: the platform's folder for data, and this program's."""
    return users_folder("data", environment, platform) / "battles"


def file_to_keep(scenario: str) -> Path | None:
    """Return a new file for a battle of a scenario, and remove the oldest beyond twenty.

    None, after a line that says why, if the folder cannot be written: the battle is played anyway.
    """
    folder = folder_of()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "Permission denied")
        files = sorted(folder.glob("*.battle.jsonl"), key=lambda file: file.stat().st_mtime_ns)
        for old in files[: max(len(files) - MOST_KEPT + 1, 0)]:
            old.unlink(missing_ok=True)
            bookmarks.beside(old).unlink(missing_ok=True)
    except OSError as fault:
        echo(f"{folder}: cannot be written: {fault.strerror}; this battle is not kept", err=True)
        return None
    return free_name(folder / named_after(scenario))
