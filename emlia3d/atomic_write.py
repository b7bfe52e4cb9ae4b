"""Atomic writes: at any moment a file is the old one or the new one, as a whole.

Every part of the program that writes a file as a whole writes it here. Battle files grow line by
line, and films picture by picture.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TextIO


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a path beside *path* to write to; that file replaces *path* when the block ends.

    Until then, and if the block raises an exception, *path* stays as it was. Both have the same
    ending, and the yielded name has the number of the process, so that two processes cannot mix
    their files.
    """
    fresh = path.with_name(f".{path.stem}.{os.getpid()}.new{path.suffix}")
    try:
        yield fresh
        with fresh.open("r+b") as written:
            os.fsync(written.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """Yield a stream of text that becomes the file *path*, whole, when the block ends.

    Raises
    ------
    FileExistsError
        If *path* exists, before or after the text was written. It stays as it is.

    Notes
    -----
    Each process writes under a name of its own, so processes that choose one *path* at the same
    time cannot mix their texts: the first to finish gets the name.
    """
    if os.path.lexists(path):
        raise FileExistsError(path)
    stream = _opened(path)
    fresh = Path(stream.name)
    try:
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _publish(fresh, path)
    finally:
        with suppress(FileNotFoundError):
            fresh.unlink()


def _opened(path: Path) -> TextIO:
    """Open a hidden file beside *path* that no other process writes to."""
    for number in count():
        fresh = path.with_name(f".{path.name}.{os.getpid()}{f'-{number}' if number else ''}.new")
        with suppress(FileExistsError):  # a killed process of the same number left it
            return fresh.open("x", encoding="utf-8", newline="\n")
    raise AssertionError("there is always a next number")


def _publish(fresh: Path, path: Path) -> None:
    """Give the file *fresh* the name *path*; raise FileExistsError if that name is taken."""
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links: take the name first, because a rename would overwrite.
        path.open("x").close()
        try:
            fresh.replace(path)
        except BaseException:
            path.unlink()
            raise
