"""Where the files that ship with the program lie: in a wheel, an editable install, a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def shipped_folder(name: str) -> Path:
    """The folder of shipped files called *name*: "armies", "maps" or "models".

    A wheel carries them all inside the package; in a checkout, and so in an editable install,
    "maps" and "models" lie beside it. KeyError if neither holds a folder of that name.
    """
    for folder in (_PACKAGE / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise KeyError(name)
