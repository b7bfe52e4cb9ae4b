"""Pictures become files."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path

from PIL import Image


def keep(image: Image.Image, path: str | PathLike[str]) -> None:
    """Write a picture to a file; its ending says which format.

    What was there before stays until the whole picture is written, and if it cannot be. OSError
    then; ValueError for an ending that names no format.
    """
    whole = Path(path)
    fresh = whole.with_name(f".{whole.stem}.{os.getpid()}.new{whole.suffix}")
    try:
        image.save(fresh, optimize=True)
        fresh.replace(whole)
    finally:
        fresh.unlink(missing_ok=True)
