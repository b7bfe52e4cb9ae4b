"""Files that have an end: what is read here is a regular file, and no device and no pipe."""

from __future__ import annotations

import errno
import stat
from pathlib import Path


def regular(path: Path) -> Path:
    """The path itself; OSError for a device or a pipe, which may be read without end.

    A folder passes, as whoever opens it is told what it is.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "this is no regular file", str(path))
    return path
