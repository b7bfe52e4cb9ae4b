"""Check that an input is a regular file, because a device or a pipe may never end."""

from __future__ import annotations

import errno
import stat
from pathlib import Path


def regular(path: Path) -> Path:
    """Return the path; raise OSError for a device or a pipe, which may never end.

    A folder passes, because the attempt to open it reports a better error.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "this is not a regular file", str(path))
    return path
