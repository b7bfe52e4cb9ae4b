"""Elevation from greyscale pictures.

Shape and kind are checked before any data are read. `emlia3d.field.elevation` calls the reader, and
names the file in what it raises.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.field.raster import Part, Raster, RasterFormatError, Window, part_of, too_large

# Modes of Pillow: 8 bits of grey, and 16 as its versions call them.
_WHITE = {"L": 255, "I": 65535, "I;16": 65535, "I;16B": 65535}


def read_png(path: Path, window: Window | None, range_m: tuple[float, float] | None) -> Raster:
    """A greyscale PNG of 8 or 16 bits.

    range_m : the elevations of black and of white; None where each grey is that many metres
    """
    from PIL import Image  # noqa: PLC0415  few fields have a picture for their ground

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path, formats=["PNG"]) as picture:
                part = part_of(picture.size[::-1], window, whole=True)
                if picture.mode not in _WHITE:
                    raise RasterFormatError(
                        "not a greyscale picture; elevation wants 8 or 16 bits of grey"
                    )
                white = _WHITE[picture.mode]
                greys = _greys(picture, part)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as fault:
        raise RasterFormatError(too_large()) from fault
    except RasterFormatError:
        raise
    except Exception as fault:  # a decoder raises anything for a damaged file
        raise RasterFormatError("not a readable PNG picture") from fault
    if range_m is not None:
        greys *= (range_m[1] - range_m[0]) / white
        greys += range_m[0]
    return Raster(greys, None)


def _greys(picture: Any, part: Part) -> NDArray[np.float64]:
    """Return a part of a picture; Pillow decodes it whole, in 1, 2 or 4 bytes a cell."""
    out = np.empty(part.shape)
    for first, end in part.blocks():
        top = part.rows.start
        box = (part.columns.start, top + first, part.columns.stop, top + end)
        out[first:end] = np.asarray(picture.crop(box))
    return out
