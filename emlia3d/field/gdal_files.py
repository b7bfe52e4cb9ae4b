"""Elevation from the raster formats that rasterio reads.

Only the driver of a file's ending is tried. Shape, kind and size of blocks are checked before any
data are read.
"""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from emlia3d.errors import MissingExtraError
from emlia3d.field.raster import Part, Raster, RasterFormatError, Window, part_of
from emlia3d.field.raster_lengths import SPACINGS_M, Lengths, ellipsoid_of, lengths_at
from emlia3d.field.raster_units import Unit, unit_named, unit_of_vertical_axis

MOST_BLOCK_BYTES = 2**24
"""Each strip or tile of a file, which is decoded whole, has at most this size in bytes."""

LOWEST_M = -450.0
"""Dry land of the earth is nowhere lower."""

_FILLS = (-9999.0, -32768.0, -32767.0, -99999.0)
"""Values that programs often write into cells without data."""

_CACHE_MB = 32


class Format(NamedTuple):
    """A raster format.

    driver : GDAL's name for it
    name : in messages, with its article
    siblings : whether files beside it, such as headers, belong to it
    """

    driver: str
    name: str
    siblings: bool


FORMATS = {
    ".tif": Format("GTiff", "GeoTIFF", siblings=False),
    ".tiff": Format("GTiff", "GeoTIFF", siblings=False),
    ".asc": Format("AAIGrid", "ASCII grid", siblings=True),
    ".hgt": Format("SRTMHGT", "SRTM tile", siblings=False),
    ".dem": Format("USGSDEM", "USGS DEM", siblings=False),
    ".bil": Format("EHdr", "raster with a header .hdr", siblings=True),
    ".flt": Format("EHdr", "raster with a header .hdr", siblings=True),
    ".img": Format("HFA", "Erdas Imagine file", siblings=False),
    ".vrt": Format("VRT", "virtual raster", siblings=True),
}
"""By the endings of files."""


def read_gdal(
    path: Path,
    window: Window | None,
    *,
    band: int | None = None,
    unit: str | None = None,
    nodata: float | None = None,
) -> Raster:
    """Return a band of a raster file, north up, in metres.

    band : counted from 1; the only one if None
    unit : of the elevations, whatever the file says
    nodata : the value of cells without data, besides what the file says

    Raises
    ------
    RasterFormatError
        It cannot be read as elevation.
    MissingExtraError
        rasterio is not installed.
    """
    with opened(path) as source:
        return _band(source, window, _number_of_band(source, band), unit, nodata)


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Open a raster file with rasterio.

    Whatever is raised inside for a damaged file becomes a RasterFormatError.

    Raises
    ------
    MissingExtraError
        rasterio is not installed.
    """
    kind = FORMATS[path.suffix.lower()]
    try:
        rasterio: Any = importlib.import_module("rasterio")
    except ImportError as fault:
        raise MissingExtraError(f"reading a {kind.name}", "geo") from fault
    # Without listing the folder, files beside it cannot change what is read.
    listing = "TRUE" if kind.siblings else "EMPTY_DIR"
    try:
        with (
            warnings.catch_warnings(),
            rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN=listing, GDAL_CACHEMAX=_CACHE_MB),
        ):
            warnings.simplefilter("ignore")
            if kind.driver == "VRT":
                from emlia3d.field.virtual_rasters import (  # noqa: PLC0415  few files are mosaics
                    check_virtual_raster,
                )

                for part in check_virtual_raster(path):
                    with rasterio.open(part, driver=FORMATS[part.suffix.lower()].driver):
                        pass
            with rasterio.open(path, driver=kind.driver) as source:
                yield source
    except RasterFormatError:
        raise
    except Exception as fault:  # a decoder raises anything for a damaged file
        raise RasterFormatError(f"not a readable {kind.name}") from fault


def _number_of_band(source: Any, band: int | None) -> int:
    """Return which band is read; a band of opacity beside the only one does not count."""
    count = source.count
    if count == 2 and source.colorinterp[1].name == "alpha":
        count = 1
    if band is None:
        if count != 1:
            raise RasterFormatError(
                f"has {count} bands; elevation is one: state which, counted from 1, with band"
            )
        return 1
    if not 1 <= band <= source.count:
        raise RasterFormatError(f"has {source.count} bands; there is no band {band}")
    return band


def _band(
    source: Any, window: Window | None, band: int, unit: str | None, nodata: float | None
) -> Raster:
    grid = source.transform
    if not all(math.isfinite(number) for number in grid):
        raise RasterFormatError(
            "expected a finite place and spacing, got numbers that are not finite"
        )
    if grid.b != 0 or grid.d != 0 or grid.a <= 0:
        raise RasterFormatError(
            "is turned or mirrored; expected rows that run west to east, as gdalwarp writes them"
        )
    part = part_of(source.shape, window)
    _check_kind(source, band)
    upside_down = grid.e > 0 and source.crs is not None
    if upside_down:
        turned = slice(source.height - part.rows.stop, source.height - part.rows.start)
        part = Part(turned, part.columns)
    lengths = _lengths(source, (part.rows.start + part.rows.stop) / 2)
    elevation_m = _read(source, part, band, upside_down=upside_down, nodata=nodata)
    advice = [] if nodata is not None else _depth_note(elevation_m, source, band)
    height = _unit(source, band, unit)
    _scale(elevation_m, source, band, height)
    notes = [] if height is not None else ["the file names no unit of height; metres are assumed"]
    if height is not None and height.metres != 1:
        notes.append(f"heights in {height.name} are converted to metres")
    notes += advice
    spacing_m = None if lengths is None else _spacing_m(grid, lengths)
    placed = source.crs is not None or grid != grid.identity()
    return Raster(
        elevation_m,
        spacing_m,
        transform=_transform(grid, part, upside_down=upside_down) if placed else None,
        crs=None if source.crs is None else source.crs.to_wkt(),
        notes=(*notes, *(() if lengths is None else lengths.notes)),
    )


def _check_kind(source: Any, band: int) -> None:
    kind = source.dtypes[band - 1]
    if not kind.startswith(("float", "int", "uint")):
        raise RasterFormatError(f"holds {kind}, not numbers of metres")
    tall, wide = source.block_shapes[band - 1]
    if tall * wide * np.dtype(kind).itemsize > MOST_BLOCK_BYTES:
        raise RasterFormatError(
            f"expected strips or tiles of at most {MOST_BLOCK_BYTES // 2**20} MiB, got {wide} x "
            f"{tall} cells of {kind}; write it with smaller ones"
        )


def _read(
    source: Any, part: Part, band: int, *, upside_down: bool, nodata: float | None
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the values of a part as the file has them, NaN where there are no data."""
    values = np.empty(part.shape)
    ordered = values[::-1] if upside_down else values
    wide = source.block_shapes[band - 1][1]
    # One column of tiles after another, so that each is decoded once and few are held.
    for columns in _tile_columns(part.columns, wide):
        for first, end in Part(part.rows, columns).blocks():
            top = part.rows.start
            place = ((top + first, top + end), (columns.start, columns.stop))
            block = source.read(band, window=place, out_dtype=np.float64)
            holes = np.isinf(block)
            if source.mask_flag_enums[band - 1] != [_all_valid()]:
                holes |= source.read_masks(band, window=place) == 0
            if nodata is not None:
                holes |= block == nodata
            block[holes] = math.nan
            west = part.columns.start
            ordered[first:end, columns.start - west : columns.stop - west] = block
    return values


def _all_valid() -> Any:
    return importlib.import_module("rasterio.enums").MaskFlags.all_valid


def _unit(source: Any, band: int, stated: str | None) -> Unit | None:
    """Return the unit of heights: as the user, the band or the reference system states it."""
    if stated is not None:
        return unit_named(stated, "unit")
    if source.units[band - 1]:
        return unit_named(source.units[band - 1], "the band")
    return None if source.crs is None else unit_of_vertical_axis(source.crs.to_wkt())


def _scale(
    elevation_m: np.ndarray[Any, np.dtype[np.float64]], source: Any, band: int, unit: Unit | None
) -> None:
    """Apply the band's scale and offset, then its unit, in place."""
    metres = 1.0 if unit is None else unit.metres
    scale, offset = (float(values[band - 1]) for values in (source.scales, source.offsets))
    if not (math.isfinite(scale * metres) and math.isfinite(offset)) or scale == 0:
        raise RasterFormatError(f"expected a finite scale and offset, got {scale:g} and {offset:g}")
    if scale * metres != 1:
        elevation_m *= scale * metres
    if offset != 0:
        elevation_m += offset * metres


def _depth_note(values: np.ndarray[Any, np.dtype[np.float64]], source: Any, band: int) -> list[str]:
    """Return advice about heights that may rather stand for cells without data.

    values : as the file has them, before scale and unit

    Raises
    ------
    RasterFormatError
        The lowest is a value that programs write into cells without data.
    """
    if source.nodatavals[band - 1] is not None:
        return []
    if source.crs is not None and not ellipsoid_of(source.crs.to_wkt()).is_earth:
        return []
    lowest = float(np.fmin.reduce(values, axis=None))
    if lowest in _FILLS:
        raise RasterFormatError(
            f"holds {lowest:g} and names no value for cells without data; state it with nodata"
        )
    if lowest < LOWEST_M:
        return [f"heights go down to {lowest:g}; if that stands for no data, state it with nodata"]
    return []


def _tile_columns(columns: slice, wide: int) -> Iterator[slice]:
    """Yield the parts of some columns that lie in one column of tiles each."""
    first = columns.start
    while first < columns.stop:
        end = min(columns.stop, (first // wide + 1) * wide)
        yield slice(first, end)
        first = end


def _lengths(source: Any, middle_row: float) -> Lengths | None:
    """Return how long the units are there; None without a reference system."""
    if source.crs is None:
        return None
    grid = source.transform
    return lengths_at(source.crs, grid.f + middle_row * grid.e)


def _spacing_m(grid: Any, lengths: Lengths) -> tuple[float, float]:
    """Return metres between the centres, east and north."""
    spacing_m = float(grid.a) * lengths.east, abs(float(grid.e)) * lengths.north
    if not all(SPACINGS_M[0] <= length <= SPACINGS_M[1] for length in spacing_m):
        raise RasterFormatError(
            f"expected {SPACINGS_M[0]:g} to {SPACINGS_M[1]:g} m between centres, got "
            f"{spacing_m[0]:g} and {spacing_m[1]:g}"
        )
    return spacing_m


def _transform(
    grid: Any, part: Part, *, upside_down: bool
) -> tuple[float, float, float, float, float, float]:
    """Return the affine transform of a part, row 0 north."""
    north = part.rows.stop if upside_down else part.rows.start
    return (
        float(grid.a), 0.0, float(grid.c + part.columns.start * grid.a),
        0.0, -abs(float(grid.e)), float(grid.f + north * grid.e),
    )  # fmt: skip
