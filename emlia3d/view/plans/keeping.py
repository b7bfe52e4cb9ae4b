"""Pictures become files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from PIL import Image

from emlia3d.battle.files.atomic_write import written_whole


def keep(image: Image.Image, path: str | PathLike[str]) -> None:
    """Write a picture to a file; its ending says which format.

    What was there before stays until the whole picture is written, and if it cannot be. OSError
    then; ValueError for an ending that names no format.
    """
    with written_whole(Path(path)) as fresh:
        image.save(fresh)
