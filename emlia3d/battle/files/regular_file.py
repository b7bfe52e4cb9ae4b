"""Files that have an end: what is read here is a regular file, and no device and no pipe."""

from __future__ import annotations

import errno
import stat
from pathlib import Path


def regular(path: Path) -> Path:
    """Return the path; OSError for a device or a pipe, which may never end.

    A folder passes, because opening it reports what it is.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "this is no regular file", str(path))
    return path
