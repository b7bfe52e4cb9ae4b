"""Pictures become files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from PIL import Image

from emlia3d.atomic_write import atomic_write


def keep(image: Image.Image, path: str | PathLike[str]) -> None:
    """Write a picture to a file; its ending says which format.

    What was there before stays until the whole picture is written, and if it cannot be. OSError
    then; ValueError for an ending that names no format.
    """
    with atomic_write(Path(path)) as fresh:
        image.save(fresh)
