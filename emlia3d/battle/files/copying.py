"""Copies of battle files, and names for new ones."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from emlia3d.atomic_write import new_file
from emlia3d.battle.files import bookmarks
from emlia3d.battle.files.regular_file import regular
from emlia3d.errors import LogError, unwritable

ENDING = ".battle.jsonl"
"""The usual ending of a battle file."""


def copy_battle(source: Path, target: Path) -> None:
    """Copy a battle file and its bookmarks under a new name.

    The file may be in use: whole lines are copied, so the copy can be read and resumed.

    Raises
    ------
    LogError
        If *source* cannot be read, or *target* exists or cannot be written.
    FileError
        If the bookmarks cannot be read or written; the battle is copied by then.
    """
    try:
        with regular(source).open("rb") as written, new_file(target) as fresh:
            for line in written:
                if line.endswith(b"\n"):
                    fresh.write(line.decode("utf-8"))
    except FileExistsError:
        raise LogError(f"{target}: there is a file already; choose another name") from None
    except UnicodeDecodeError:
        raise LogError(f"{source}: a battle file is UTF-8 text, this is not") from None
    except OSError as flaw:
        if flaw.filename == str(source):
            raise LogError(f"{source}: cannot be read: {flaw.strerror}") from None
        raise LogError(unwritable(target, flaw)) from None
    marks = bookmarks.read(bookmarks.bookmarks_path(source))
    if marks:
        bookmarks.change(bookmarks.bookmarks_path(target), lambda old: marks)


def free_name(wanted: Path) -> Path:
    """Return the name itself, or the first with a number that no file has."""
    stem = wanted.name.removesuffix(ENDING)
    names = (wanted.with_name(f"{stem}-{number}{ENDING}") for number in count(2))
    return wanted if not wanted.exists() else next(name for name in names if not name.exists())
