"""Files that another file names: they lie beside it."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath

from emlia3d.errors import FileError


def sibling_path(folder: Path, name: str) -> Path:
    """Return the path of a file that a scenario in `folder` names: in that folder or below.

    Raises
    ------
    FileError
        If the name is absolute, contains ``..``, is a link out of the folder, or does not exist.
    """
    written = PureWindowsPath(name)
    if not name.strip() or "\0" in name:
        raise FileError(f"{name!r}: a file's name is expected")
    if written.drive or written.root or ".." in written.parts:
        raise FileError(f"{name}: a file is named from the scenario's folder, and lies within it")
    home = Path(folder).resolve()
    try:
        found = (home / name).resolve()
        inside, there = found.is_relative_to(home), found.is_file()
    except (OSError, RuntimeError) as fault:
        raise FileError(f"{name}: cannot be followed to a file beside the scenario") from fault
    if not inside:
        raise FileError(f"{name}: the link points outside the scenario's folder")
    if not there:
        raise FileError(f"{name}: there is no such file beside the scenario")
    return found
