"""Elevation from pictures and GeoTIFF; `emlia3d.field.array_files` reads NumPy's files.

Shape, kind and item size are checked before any data are read, and only the decoder of the file's
ending is tried. `emlia3d.field.elevation_rasters` calls these readers, and names the file in what
they raise.
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
from numpy.typing import NDArray

from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field.length_units import METRES, Unit, unit_named
from emlia3d.field.raster import (
    LOWEST_LAND_M,
    Raster,
    RasterFormatError,
    RasterWindow,
    Reading,
    Window,
    part_of,
    too_large,
)
from emlia3d.field.reference import Lengths, height_unit, is_earthly, lengths_at

MOST_BLOCK_BYTES = 2**24
"""Each strip or tile of a GeoTIFF, which is decoded whole, has at most this size in bytes."""

SPACINGS_M = 1e-6, 1e6
"""Metres between the centres of a GeoTIFF lie within these."""

_CACHE_MB = 32

DRIVERS = {
    ".tif": ("GTiff", "a GeoTIFF"),
    ".tiff": ("GTiff", "a GeoTIFF"),
    ".vrt": ("VRT", "a virtual raster"),
    ".asc": ("AAIGrid", "an Esri ASCII grid"),
    ".hgt": ("SRTMHGT", "an SRTM tile"),
    ".dem": ("USGSDEM", "a USGS DEM"),
    ".dt0": ("DTED", "a DTED tile"),
    ".dt1": ("DTED", "a DTED tile"),
    ".dt2": ("DTED", "a DTED tile"),
    ".bil": ("EHdr", "an Esri grid with a header file"),
    ".flt": ("EHdr", "an Esri grid with a header file"),
}
"""For each ending the one driver of GDAL that opens it, and the name of the format."""

# These formats keep their header or their reference system in a file of the same name.
_WITH_COMPANIONS = ("AAIGrid", "EHdr")
_COMPANIONS = (".hdr", ".prj", ".stx", ".clr", ".blw", ".flw", ".msk", ".ovr")

# Modes of Pillow: 8 bits of grey, and 16 as its versions call them.
_WHITE = {"L": 255, "I": 65535, "I;16": 65535, "I;16B": 65535}


def read_png(path: Path, window: Window | None, range_m: tuple[float, float] | None) -> Raster:
    """Return a greyscale PNG of 8 or 16 bits.

    range_m : elevations of black and white; None if grey values are metres
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
                        "not a greyscale picture; elevation needs 8 or 16 bits of grey"
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


def read_georeferenced(path: Path, window: Window | None, reading: Reading) -> Raster:
    """Return a band of a raster that rasterio reads, in metres, with spacing from its georeference.

    Raises
    ------
    MissingExtraError
        rasterio is not installed.
    """
    with opened_raster(path) as source:
        return _band(source, window, reading)


@contextmanager
def opened_raster(path: Path) -> Iterator[Any]:
    """Open a raster with rasterio; any error inside for a damaged file is a RasterFormatError.

    Raises
    ------
    MissingExtraError
        rasterio is not installed.
    """
    driver, title = DRIVERS[path.suffix.lower()]
    try:
        rasterio: Any = importlib.import_module("rasterio")
    except ImportError as fault:
        raise MissingExtraError(f"reading {title}", "geo") from fault
    companions = driver in _WITH_COMPANIONS
    if companions:
        _refuse_links(path)
    if driver == "VRT":
        from emlia3d.field.vrt_files import sources_of  # noqa: PLC0415  few files are virtual

        for tile in sources_of(path):
            with opened_raster(tile) as source:
                _check_blocks(source, 1)
    options = {
        # Without listing the folder, files beside a GeoTIFF cannot change what is read.
        "GDAL_DISABLE_READDIR_ON_OPEN": "TRUE" if companions else "EMPTY_DIR",
        "GDAL_PAM_ENABLED": "NO",
        "GDAL_CACHEMAX": _CACHE_MB,
        "GTIFF_REPORT_COMPD_CS": "YES",
        "VSI_CACHE": "TRUE",  # without it, libtiff itself prints seeks that fail
        "VSI_CACHE_SIZE": 2**20,
    }
    try:
        with warnings.catch_warnings(), rasterio.Env(**options):
            warnings.simplefilter("ignore")
            with rasterio.open(path, driver=driver) as source:
                yield source
    except RasterFormatError:
        raise
    except Exception as fault:  # a decoder raises anything for a damaged file
        advice = "; its name is that of its south-west corner, such as N46E008.hgt"
        told = advice if driver == "SRTMHGT" else ""
        raise RasterFormatError(f"not a readable {title.split(' ', 1)[1]}{told}") from fault


def companions_of(path: Path) -> list[Path]:
    """Return the other files that a raster consists of: header, reference system or tiles.

    Raises
    ------
    FileError
        A virtual raster is no plain mosaic of files beside it.
    """
    driver, _ = DRIVERS.get(path.suffix.lower(), ("", ""))
    if driver == "VRT":
        try:
            from emlia3d.field.vrt_files import sources_of  # noqa: PLC0415

            return sources_of(path)
        except RasterFormatError as fault:
            raise FileError(f"{path}: {fault}") from fault
    if driver not in _WITH_COMPANIONS:
        return []
    others = [path.with_suffix(ending) for ending in _COMPANIONS]
    return [other for other in others if other.is_file()]


def _refuse_links(path: Path) -> None:
    """Refuse a raster whose companion files lie elsewhere: their names are the raster's own."""
    for ending in _COMPANIONS:
        for companion in (path.with_suffix(ending), path.with_suffix(ending.upper())):
            if companion.is_symlink() and companion.resolve().parent != path.resolve().parent:
                raise RasterFormatError(f"{companion.name} is a link that leads out of its folder")


def _greys(picture: Any, part: RasterWindow) -> NDArray[np.float64]:
    """Return a part of a picture; Pillow decodes it whole, in 1, 2 or 4 bytes a cell."""
    out = np.empty(part.shape)
    for first, end in part.blocks():
        top = part.rows.start
        box = (part.columns.start, top + first, part.columns.stop, top + end)
        out[first:end] = np.asarray(picture.crop(box))
    return out


def _band(source: Any, window: Window | None, reading: Reading) -> Raster:
    band = _number_of_band(source, reading.band)
    grid = source.transform
    if not all(math.isfinite(number) for number in grid):
        raise RasterFormatError("expected a finite place and spacing, got infinity or NaN")
    if grid.b != 0 or grid.d != 0 or grid.a <= 0:
        raise RasterFormatError(
            "is turned or mirrored; elevation needs rows that run west to east: "
            "gdalwarp writes it so"
        )
    part = part_of(source.shape, window)
    kind = source.dtypes[band - 1]
    if not kind.startswith(("float", "int", "uint")):
        raise RasterFormatError(f"holds {kind}, not numbers of metres")
    _check_blocks(source, band)
    unit, told = _unit(source, band, reading.unit)
    stored = _Stored(*_scale_and_offset(source, band), unit.metres, reading.nodata)
    if stored.is_scaled:
        told = (
            *told,
            f"heights are {stored.scale:g} times the stored values, plus {stored.offset:g}",
        )
    transform = _transform(source, part)
    spacing_m, lengths = _spacing_m(source, part, transform)
    elevation_m = _heights(source, band, part, stored)
    if reading.nodata is None and not _has_nodata(source, band) and is_earthly(source.crs):
        refuse_depths(elevation_m)
    if lengths is not None and lengths.note is not None:
        told = (*told, lengths.note)
    crs = None if source.crs is None else source.crs.to_wkt()
    return Raster(elevation_m, spacing_m, transform, crs, told)


def _check_blocks(source: Any, band: int) -> None:
    kind = source.dtypes[band - 1]
    tall, wide = source.block_shapes[band - 1]
    if tall * wide * np.dtype(kind).itemsize > MOST_BLOCK_BYTES:
        raise RasterFormatError(
            f"expected strips or tiles of at most {MOST_BLOCK_BYTES // 2**20} MiB, got {wide} x "
            f"{tall} cells of {kind}; write it with smaller ones"
        )


class _Stored(NamedTuple):
    """Conversion of the values of a band to metres.

    scale, offset : from stored values to heights
    metres : to a unit of height
    nodata : stored value without a height, in addition to the marks of the file
    """

    scale: float
    offset: float
    metres: float
    nodata: float | None

    @property
    def is_scaled(self) -> bool:
        return (self.scale, self.offset) != (1.0, 0.0)


def _heights(source: Any, band: int, part: RasterWindow, stored: _Stored) -> NDArray[np.float64]:
    """Return a part of a band in metres, row 0 north; NaN where there are no data."""
    kind, (_, wide) = source.dtypes[band - 1], source.block_shapes[band - 1]
    upside_down = source.transform.e > 0 and source.crs is not None
    if upside_down:
        turned = slice(source.height - part.rows.stop, source.height - part.rows.start)
        part = RasterWindow(turned, part.columns)
    elevation_m = np.empty(part.shape)
    ordered = elevation_m[::-1] if upside_down else elevation_m
    # One column of tiles after another, so that each is decoded once and few are held.
    for columns in _tile_columns(part.columns, wide):
        for first, end in RasterWindow(part.rows, columns).blocks():
            top = part.rows.start
            place = ((top + first, top + end), (columns.start, columns.stop))
            block = source.read(band, window=place, out_dtype=np.float64)
            block[(source.read_masks(band, window=place) == 0) | np.isinf(block)] = math.nan
            if stored.nodata is not None:
                block[block == _as_stored(stored.nodata, kind)] = math.nan
            if stored.is_scaled:
                block *= stored.scale
                block += stored.offset
            if stored.metres != 1:
                block *= stored.metres
            west = part.columns.start
            ordered[first:end, columns.start - west : columns.stop - west] = block
    return elevation_m


def refuse_depths(elevation_m: NDArray[np.float64]) -> None:
    """Raise an error for heights below all land, unless a nodata value is stated."""
    lowest = float(np.fmin.reduce(elevation_m, None))
    if lowest < LOWEST_LAND_M:
        raise RasterFormatError(
            f"its lowest height is {lowest:g} m, below all land, and it states no nodata value; if "
            f"that stands for no data, state nodata, such as nodata = -9999, or tag it with "
            "gdal_edit.py -a_nodata; if it is a height, state a nodata that does not occur"
        )


def _number_of_band(source: Any, band: int | None) -> int:
    """Return the number of the band with elevation; an alpha band is no elevation."""
    heights = [
        number
        for number, meaning in enumerate(source.colorinterp, start=1)
        if meaning.name != "alpha"
    ]
    if band is None:
        if len(heights) != 1:
            raise RasterFormatError(
                f"has {source.count} bands; elevation is one: state band, 1 to {source.count}"
            )
        return heights[0]
    if not 1 <= band <= source.count:
        raise RasterFormatError(f"band: expected 1 to {source.count}, got {band}")
    return band


def _unit(source: Any, band: int, stated: str | None) -> tuple[Unit, tuple[str, ...]]:
    """Return the unit of a band's heights, and what to note about it."""
    if stated is not None:
        return _converted(unit_named(stated), "as stated")
    word = (source.units[band - 1] or "").strip()
    of_band = unit_named(word) if word else None
    of_axis = None if source.crs is None else height_unit(source.crs)
    if of_band is None and of_axis is None:
        return METRES, ("heights are taken as metres, because the file states no unit",)
    if of_band is None:
        return _converted(of_axis or METRES, "by the vertical axis of the reference system")
    if of_axis is not None and not math.isclose(of_band.metres, of_axis.metres, rel_tol=1e-5):
        raise RasterFormatError(
            f"its band is in {of_band.name}, but its vertical axis in {of_axis.name}; state unit"
        )
    return _converted(of_band, "by the band's unit")


def _converted(unit: Unit, why: str) -> tuple[Unit, tuple[str, ...]]:
    if unit.metres == 1:
        return unit, ()
    return unit, (f"heights in {unit.name} were converted to metres, {why}",)


def _scale_and_offset(source: Any, band: int) -> tuple[float, float]:
    scale, offset = float(source.scales[band - 1]), float(source.offsets[band - 1])
    if not (math.isfinite(scale) and math.isfinite(offset) and scale != 0):
        raise RasterFormatError(
            f"expected a finite scale other than 0 and a finite offset, got {scale:g} and "
            f"{offset:g}"
        )
    return scale, offset


def _as_stored(nodata: float, kind: str) -> float:
    """Return a value as a band of that kind stores it: -3.4e38 has fewer digits in float32."""
    return float(np.float32(nodata)) if kind == "float32" else nodata


def _has_nodata(source: Any, band: int) -> bool:
    """Return whether a band has a nodata value, a mask or an alpha band."""
    return all(flag.name != "all_valid" for flag in source.mask_flag_enums[band - 1])


def _transform(
    source: Any, part: RasterWindow
) -> tuple[float, float, float, float, float, float] | None:
    """Return the affine transform of a part, row 0 north; None without georeference."""
    grid = source.transform
    if source.crs is None and (grid.e > 0 or grid.is_identity):
        return None
    west = float(grid.c + part.columns.start * grid.a)
    if grid.e < 0:
        north = float(grid.f + part.rows.start * grid.e)
    else:
        north = float(grid.f + (source.height - part.rows.start) * grid.e)
    return float(grid.a), 0.0, west, 0.0, -abs(float(grid.e)), north


def _tile_columns(columns: slice, wide: int) -> Iterator[slice]:
    """Yield the parts of some columns that lie in one column of tiles each."""
    first = columns.start
    while first < columns.stop:
        end = min(columns.stop, (first // wide + 1) * wide)
        yield slice(first, end)
        first = end


def _spacing_m(
    source: Any, part: RasterWindow, transform: tuple[float, ...] | None
) -> tuple[tuple[float, float] | None, Lengths | None]:
    """Metres between centres, east and north, and the lengths of the CRS; None without one.

    part : rows counted from the north
    """
    if source.crs is None or transform is None:
        return None, None
    grid, middle = source.transform, (part.rows.start + part.rows.stop) / 2
    lengths = lengths_at(
        source.crs, grid.f + (middle if grid.e < 0 else source.height - middle) * grid.e
    )
    spacing_m = transform[0] * lengths.east_m, -transform[4] * lengths.north_m
    if not all(SPACINGS_M[0] <= length <= SPACINGS_M[1] for length in spacing_m):
        raise RasterFormatError(
            f"expected {SPACINGS_M[0]:g} to {SPACINGS_M[1]:g} m between centres, got "
            f"{spacing_m[0]:g} and {spacing_m[1]:g}"
        )
    return spacing_m, lengths
