"""Elevation from pictures and GeoTIFF; `emlia3d.field.array_files` reads NumPy's files.

Shape, kind and item size are checked before any data are read, and only the decoder of the file's
ending is tried. `emlia3d.field.elevation` calls these readers, and names the file in what they
raise.
"""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import MissingExtraError
from emlia3d.field.raster import Part, Raster, RasterFormatError, Window, part_of, too_large

MOST_BLOCK_BYTES = 2**24
"""Each strip or tile of a GeoTIFF, which is decoded whole, has at most this size in bytes."""

SPACINGS_M = 1e-6, 1e6
"""Metres between the centres of a GeoTIFF lie within these."""

_CACHE_MB = 32

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


def read_geotiff(path: Path, window: Window | None) -> Raster:
    """The one band of a GeoTIFF, north up, in metres; spacing from its georeference.

    Raises
    ------
    MissingExtraError
        rasterio is not installed.
    """
    with opened_geotiff(path) as source:
        return _band(source, window)


@contextmanager
def opened_geotiff(path: Path) -> Iterator[Any]:
    """Open a GeoTIFF with rasterio; whatever is raised inside for a damaged file is a WrongFile.

    Raises
    ------
    MissingExtraError
        rasterio is not installed.
    """
    try:
        rasterio: Any = importlib.import_module("rasterio")
    except ImportError as fault:
        raise MissingExtraError("reading a GeoTIFF", "geo") from fault
    try:
        with (
            warnings.catch_warnings(),
            # Without listing the folder, files beside it cannot change what is read.
            rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR", GDAL_CACHEMAX=_CACHE_MB),
        ):
            warnings.simplefilter("ignore")
            with rasterio.open(path, driver="GTiff") as source:
                yield source
    except RasterFormatError:
        raise
    except Exception as fault:  # a decoder raises anything for a damaged file
        raise RasterFormatError("not a readable GeoTIFF") from fault


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """Length of a degree of longitude and of latitude there, metres, to a millionth of one.

    The usual series for the WGS 84 ellipsoid, good to centimetres:
    111412.84 cos p - 93.5 cos 3p + 0.118 cos 5p and
    111132.92 - 559.82 cos 2p + 1.175 cos 4p - 0.0023 cos 6p.
    """
    p = math.radians(latitude)
    east = 111412.84 * math.cos(p) - 93.5 * math.cos(3 * p) + 0.118 * math.cos(5 * p)
    north = (
        111132.92 - 559.82 * math.cos(2 * p) + 1.175 * math.cos(4 * p) - 0.0023 * math.cos(6 * p)
    )
    # A cosine's last bit differs between machines; what is made of it must not.
    return round(east * 2**20) / 2**20, round(north * 2**20) / 2**20


def _greys(picture: Any, part: Part) -> NDArray[np.float64]:
    """Return a part of a picture; Pillow decodes it whole, in 1, 2 or 4 bytes a cell."""
    out = np.empty(part.shape)
    for first, end in part.blocks():
        top = part.rows.start
        box = (part.columns.start, top + first, part.columns.stop, top + end)
        out[first:end] = np.asarray(picture.crop(box))
    return out


def _band(source: Any, window: Window | None) -> Raster:
    if source.count != 1:
        raise RasterFormatError(f"has {source.count} bands; elevation is one")
    grid = source.transform
    if not all(math.isfinite(number) for number in grid):
        raise RasterFormatError(
            "expected a finite place and spacing, got numbers that are not finite"
        )
    if grid.b != 0 or grid.d != 0 or grid.a <= 0:
        raise RasterFormatError("is turned or mirrored; elevation wants rows that run west to east")
    part = part_of(source.shape, window)
    kind = source.dtypes[0]
    if not kind.startswith(("float", "int", "uint")):
        raise RasterFormatError(f"holds {kind}, not numbers of metres")
    tall, wide = source.block_shapes[0]
    if tall * wide * np.dtype(kind).itemsize > MOST_BLOCK_BYTES:
        raise RasterFormatError(
            f"expected strips or tiles of at most {MOST_BLOCK_BYTES // 2**20} MiB, got {wide} x "
            f"{tall} cells of {kind}; write it with smaller ones"
        )
    upside_down = grid.e > 0 and source.crs is not None
    if upside_down:
        turned = slice(source.height - part.rows.stop, source.height - part.rows.start)
        part = Part(turned, part.columns)
    spacing_m = _spacing_m(source, (part.rows.start + part.rows.stop) / 2)
    elevation_m = np.empty(part.shape)
    ordered = elevation_m[::-1] if upside_down else elevation_m
    # One column of tiles after another, so that each is decoded once and few are held.
    for columns in _tile_columns(part.columns, wide):
        for first, end in Part(part.rows, columns).blocks():
            top = part.rows.start
            place = ((top + first, top + end), (columns.start, columns.stop))
            block = source.read(1, window=place, out_dtype=np.float64)
            block[(source.read_masks(1, window=place) == 0) | np.isinf(block)] = math.nan
            west = part.columns.start
            ordered[first:end, columns.start - west : columns.stop - west] = block
    return Raster(elevation_m, spacing_m)


def _tile_columns(columns: slice, wide: int) -> Iterator[slice]:
    """Yield the parts of some columns that lie in one column of tiles each."""
    first = columns.start
    while first < columns.stop:
        end = min(columns.stop, (first // wide + 1) * wide)
        yield slice(first, end)
        first = end


def _spacing_m(source: Any, middle_row: float) -> tuple[float, float] | None:
    """Metres between the centres, east and north; None without a reference system."""
    grid = source.transform
    if source.crs is None:
        return None
    if source.crs.is_geographic:
        latitude = grid.f + middle_row * grid.e
        if not abs(latitude) < 85:
            raise RasterFormatError(f"lies at latitude {latitude:g}; degrees are read up to 85")
        east, north = metres_per_degree(latitude)
    elif source.crs.is_projected:
        east = north = float(source.crs.linear_units_factor[1])
    else:
        raise RasterFormatError("expected a reference system in degrees or in lengths on a map")
    spacing_m = float(grid.a) * east, abs(float(grid.e)) * north
    if not all(SPACINGS_M[0] <= length <= SPACINGS_M[1] for length in spacing_m):
        raise RasterFormatError(
            f"expected {SPACINGS_M[0]:g} to {SPACINGS_M[1]:g} m between centres, got "
            f"{spacing_m[0]:g} and {spacing_m[1]:g}"
        )
    return spacing_m
