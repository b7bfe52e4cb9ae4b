"""Advisory lock that lets one process at a time write to a file.

The operating system holds the lock and releases it when the process ends, even after a crash. A
note beside the file names the process, so a second process can report it. A note left by a killed
process blocks nothing, because only the lock counts. Reading needs no lock.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from emlia3d.errors import LogError, unwritable

_NOTE = re.compile(r"\d{1,10} \([\w. -]{1,60}\)")
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}

if sys.platform == "win32":
    import msvcrt

    # A lock on Windows also stops readers, so it covers a byte beyond the end of any battle file.
    _FAR = 2**31 - 2

    def _lock(file: BinaryIO) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Lock on a file, held until it is closed or the process ends."""

    def __init__(self, path: Path) -> None:
        """Take the lock.

        Raises
        ------
        LogError
            If another process holds it, or if the file cannot be opened for writing.

        Notes
        -----
        On a file system without locks, the file is written without one.
        """
        self._note = path.with_name(f".{path.name}.lock")
        try:
            self._file = path.open("r+b", buffering=0)
        except OSError as flaw:
            raise LogError(unwritable(path, flaw)) from None
        try:
            _lock(self._file)
        except OSError as flaw:
            if flaw.errno not in _NO_LOCKS:
                self._file.close()
                raise LogError(f"{path}: in use by {self._holder()}, close it first") from None
        except BaseException:
            self._file.close()
            raise
        # The lock holds even without its note.
        with suppress(OSError):
            self._note.unlink(missing_ok=True)
            with self._note.open("x", encoding="utf-8") as note:
                note.write(f"{os.getpid()} ({_program()})")

    def close(self) -> None:
        """Release the lock; a second call does nothing."""
        if not self._file.closed:
            with suppress(OSError):
                self._note.unlink(missing_ok=True)
            self._file.close()

    def _holder(self) -> str:
        """Return the process that the note names, or "another process"."""
        try:
            with self._note.open(encoding="utf-8") as note:
                text = note.read(100)
        except (OSError, UnicodeDecodeError):
            text = ""
        return f"process {text}" if _NOTE.fullmatch(text) else "another process"


def _program() -> str:
    """Return the name of this program and its first argument, such as "emlia3d battle"."""
    place = Path(sys.argv[0] if sys.argv else "python")
    name = place.parent.name if place.stem == "__main__" else place.stem
    return " ".join([name, *(word for word in sys.argv[1:2] if word.isalpha())])[:60]
