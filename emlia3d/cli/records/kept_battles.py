"""Storage of the last twenty battles of the window, in the user's data folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.battle.files import bookmarks
from emlia3d.battle.files.copying import free_name
from emlia3d.battle.files.file_lock import FileLock
from emlia3d.battle.files.log import BattleLog
from emlia3d.cli import battle_file
from emlia3d.cli.drawing import draw_end
from emlia3d.cli.game_file import named_after
from emlia3d.cli.settings import users_folder
from emlia3d.cli.writing import echo
from emlia3d.errors import DisplayError, LogError, unwritable
from emlia3d.scenario import Scenario

MOST_KEPT = 20

PICTURE_SIZE = 256, 144
"""Size of the thumbnail of a stored battle, pixels."""


class KeptLog(BattleLog):
    """Battle file that reports a write error and lets the battle continue."""

    @override
    def _write(self, line: str) -> None:
        if self.whole:
            try:
                super()._write(line)
            except LogError as fault:
                self._leave(fault)

    @override
    def _sync(self) -> None:
        if self.whole:
            try:
                super()._sync()
            except LogError as fault:
                self._leave(fault)

    def _leave(self, fault: LogError) -> None:
        self.whole = False
        echo(f"{fault}; the rest of this battle is not saved", err=True)


def begin_kept(
    scenario: Scenario, seed: int, turns: int | None, name: str
) -> tuple[Battle, BattleLog | None]:
    """Return a battle of a scenario before its first event, and its file in the storage, if any.

    If no file can be begun, print the reason and return None: the battle is played anyway.
    """
    file = file_to_keep(name)
    try:
        return battle_file.begun(scenario, seed, turns, file, KeptLog)
    except LogError as fault:
        echo(f"{fault}; this battle is not saved", err=True)
        return scenario.battle(seed, turns), None


def folder_of(environment: Mapping[str, str] = os.environ, platform: str | None = None) -> Path:
    """Return the folder of stored battles, in the platform's folder for user data."""
    return users_folder("data", environment, platform) / "battles"


def file_to_keep(scenario: str) -> Path | None:
    """Return a new file for a battle of a scenario, and remove the oldest beyond twenty.

    A file that is in use or read-only stays. If no file can be created, print the reason and return
    None.
    """
    folder = folder_of()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "Permission denied")
        files = sorted(folder.glob("*.battle.jsonl"), key=lambda file: file.stat().st_mtime_ns)
        for old in files[: max(len(files) - MOST_KEPT + 1, 0)]:
            _remove(old)
        return free_name(folder / named_after(scenario))
    except OSError as fault:
        echo(f"{unwritable(folder, fault)}; this battle is not saved", err=True)
        return None


def picture_of(file: Path) -> Path:
    """Return the path of the thumbnail of a stored battle."""
    return file.with_suffix(".png")


def keep_picture(file: Path, battle: Battle, last: Iterable[Event]) -> None:
    """Draw the thumbnail of a stored battle in its current state; ignore errors.

    last : the last events, whose blows are drawn
    """
    with suppress(DisplayError, OSError):
        draw_end(battle, last, picture_of(file), PICTURE_SIZE)


def _remove(file: Path) -> None:
    """Remove a battle file and its bookmarks, unless it is in use or read-only."""
    try:
        FileLock(file).close()
    except LogError:
        return
    file.unlink(missing_ok=True)
    bookmarks.bookmarks_path(file).unlink(missing_ok=True)
    picture_of(file).unlink(missing_ok=True)
