"""Writing of pictures to files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from PIL import Image

from emlia3d.atomic_write import atomic_write


def keep(image: Image.Image, path: str | PathLike[str]) -> None:
    """Write a picture to a file in the format of its suffix.

    An existing file stays until the whole picture is written, also after an error. OSError
    if it cannot be written; ValueError for an unknown suffix.
    """
    with atomic_write(Path(path)) as fresh:
        image.save(fresh)
