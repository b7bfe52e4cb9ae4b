"""Files that are whole at any moment: the old one, or the new one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A place beside *path* to write to; what is written takes its place when all of it is there.

    Until then, and if writing fails, what was there before stays. It has the same ending.
    """
    fresh = path.with_name(f".{path.stem}.{os.getpid()}.new{path.suffix}")
    try:
        yield fresh
        with fresh.open("r+b") as written:
            os.fsync(written.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
