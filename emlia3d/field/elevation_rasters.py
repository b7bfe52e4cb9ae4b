"""Elevation rasters from files: what rasterio reads, greyscale PNG, .npy and .npz.

What comes from a stranger is data: it cannot name a file outside its folder, nothing in it is
executed, and every fault is one line, ``FILE: what is wrong, what would be right``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import FileError
from emlia3d.field.length_units import METRES, unit_named
from emlia3d.field.raster import Raster, RasterFormatError, Reading, Window
from emlia3d.field.raster_files import DRIVERS, read_georeferenced, read_png, refuse_depths
from emlia3d.field.resampling import MOST_CELLS, resampled
from emlia3d.geometry.ground_surface import blocks_of

HIGHEST_M = 20_000.0
"""Elevations lie within this many metres of the datum, either way."""

# More than this share of a window without data is no longer a few holes but a missing piece.
_MOST_HOLES = 0.05

_PNG, _ARRAY = (".png",), (".npy", ".npz")

RASTER_ENDINGS = (*DRIVERS, *_PNG, *_ARRAY)
"""Endings of the names of files with elevations."""

# GDAL reads these only with drivers that open other files or that are not safe to expose.
_REFUSED = (".img", ".nc", ".hdf", ".h5", ".grb", ".adf", ".jp2", ".xyz", ".gpkg")


class Elevation(NamedTuple):
    """Elevations in square cells, ready to be laid on a field.

    elevation_m : (rows, columns) float64, metres, row 0 north, without holes
    cell_m : metres between centres; None if neither the file nor the caller states it
    notes : one line each about what was converted or assumed
    """

    elevation_m: NDArray[np.float64]
    cell_m: float | None
    notes: tuple[str, ...]


def read_raster(
    path: Path,
    *,
    band: int | None = None,
    unit: str | None = None,
    window: Window | None = None,
    nodata: float | None = None,
) -> Raster:
    """Return the elevations of a file in metres, without resampling.

    Holes are not filled.

    Parameters
    ----------
    path
        Ends in .tif, .tiff, .vrt, .asc, .hgt, .dem, .dt0, .dt1, .dt2, .bil, .flt, .png, .npy or
        .npz.
    band
        Number of the band with elevation, from 1; None for the only one.
    unit
        Unit of the heights, such as ``"foot"``; None for the file's own.
    window
        First column, first row, end column and end row of the part to read, the ends not
        included; row 0 is the north. All of the file without one.
    nodata
        Value of cells without data, as stored, in addition to the marks of the file.

    Raises
    ------
    FileError
        If the file or the requested part cannot be used.
    MissingExtraError
        If the format needs rasterio, which is not installed.
    """
    path = Path(path)
    try:
        raster = _read(path, window, None, Reading(band, unit, nodata))
        _look_how_high(raster.elevation_m)
    except RasterFormatError as fault:
        raise FileError(f"{path}: {fault}") from fault
    return raster


def read_elevation(
    path: Path,
    *,
    window: Window | None = None,
    cell_m: float | None = None,
    low_m: float | None = None,
    high_m: float | None = None,
) -> tuple[NDArray[np.float64], float | None]:
    """Return elevations from a file, and the distance between their centres.

    Parameters
    ----------
    path
        As for `read_raster`.
    window
        First column, first row, end column and end row of a part, the ends not
        included; row 0 is the north. None for the whole file.
    cell_m
        Metres between centres. A raster with a reference system is resampled to it, on the
        triangulated surface; for other files it states the spacing.
    low_m, high_m
        The elevations of black and white, both or neither; without them each grey value is
        that many metres. Only for PNG.

    Returns
    -------
    elevation_m, cell_m
        (rows, columns) float64, metres, row 0 north, in square cells; and metres between
        centres, None if neither the file nor `cell_m` states it.

    Raises
    ------
    FileError
        If the file or the requested part cannot be used.
    MissingExtraError
        If the format needs rasterio, which is not installed.

    Notes
    -----
    A raster in degrees has its spacing from the latitude of the window's centre
    (`emlia3d.field.reference.metres_per_degree`). If its cells are oblong and `cell_m` is not
    given, it is resampled to square cells of the finer spacing. Holes, up to 5 percent of the
    window, are filled from their edges inwards.
    """
    found = elevation_in(path, window=window, cell_m=cell_m, low_m=low_m, high_m=high_m)
    return found.elevation_m, found.cell_m


def elevation_in(
    path: Path,
    *,
    window: Window | None = None,
    cell_m: float | None = None,
    low_m: float | None = None,
    high_m: float | None = None,
    reading: Reading | None = None,
) -> Elevation:
    """Return elevations as `read_elevation` does, and notes about the file.

    reading : band, unit and nodata value that the caller states
    """
    path = Path(path)
    try:
        if cell_m is not None and not (math.isfinite(cell_m) and cell_m > 0):
            raise RasterFormatError(f"cell_m: expected a number of metres above 0, got {cell_m!r}")
        raster = _read(path, window, _range_m(path, low_m, high_m), reading or Reading())
        elevation_m = raster.elevation_m
        _look_how_high(elevation_m)
        fill_holes(elevation_m)
        if raster.spacing_m is None:
            return Elevation(elevation_m, cell_m, raster.notes)
        elevation_m, cell_m = _squared(elevation_m, raster.spacing_m, cell_m)
        return Elevation(elevation_m, cell_m, raster.notes)
    except RasterFormatError as fault:
        raise FileError(f"{path}: {fault}") from fault


def _read(
    path: Path, window: Window | None, range_m: tuple[float, float] | None, reading: Reading
) -> Raster:
    ending = path.suffix.lower()
    if ending in _REFUSED:
        raise RasterFormatError(
            f"{ending} files are not opened, because they may name other files or hold several "
            "grids; gdal_translate writes it as a GeoTIFF"
        )
    if ending not in (*DRIVERS, *_PNG, *_ARRAY):
        known = ", ".join((*DRIVERS, *_PNG, _ARRAY[0]))
        raise RasterFormatError(f"elevation comes from {known} or {_ARRAY[1]} files")
    if not path.is_file():
        raise RasterFormatError("there is no such file")
    if reading.nodata is not None and not math.isfinite(reading.nodata):
        raise RasterFormatError(f"nodata: expected a finite number, got {reading.nodata!r}")
    if ending in DRIVERS:
        return read_georeferenced(path, window, reading)
    if reading.band not in (None, 1):
        raise RasterFormatError(f"band: expected 1, because it has one band, got {reading.band}")
    if range_m is not None and reading.unit is not None:
        raise RasterFormatError("low_m and high_m are metres; leave out unit")
    from emlia3d.field.array_files import read_array  # noqa: PLC0415  few files are arrays

    raster = read_png(path, window, range_m) if ending in _PNG else read_array(path, window)
    return raster._replace(notes=_restated(raster.elevation_m, reading, fixed=range_m is not None))


def _restated(
    elevation_m: NDArray[np.float64], reading: Reading, *, fixed: bool
) -> tuple[str, ...]:
    """Apply nodata value and unit to heights of a file that cannot state them; return the notes.

    fixed : the caller states the range of the heights
    """
    unit = METRES if reading.unit is None else unit_named(reading.unit)
    if reading.nodata is not None:
        elevation_m[elevation_m == reading.nodata] = math.nan
    if unit.metres != 1:
        elevation_m *= unit.metres
    if reading.nodata is None and not fixed:
        refuse_depths(elevation_m)
    if unit.metres == 1:
        return ()
    return (f"heights in {unit.name} were converted to metres, as stated",)


def _range_m(path: Path, low_m: float | None, high_m: float | None) -> tuple[float, float] | None:
    if low_m is None and high_m is None:
        return None
    if path.suffix.lower() not in _PNG:
        raise RasterFormatError("only a picture has low_m and high_m; this file holds metres")
    if low_m is None or high_m is None:
        raise RasterFormatError("low_m and high_m belong together; one is missing")
    if not -HIGHEST_M <= low_m < high_m <= HIGHEST_M:
        raise RasterFormatError(
            f"low_m is below high_m, and both are metres from {-HIGHEST_M:g} to {HIGHEST_M:g}"
        )
    return low_m, high_m


def _look_how_high(elevation_m: NDArray[np.float64]) -> None:
    # These two pass over NaN, where there are no data, and infinity is beyond every limit.
    lowest, highest = np.fmin.reduce(elevation_m, None), np.fmax.reduce(elevation_m, None)
    if lowest < -HIGHEST_M or highest > HIGHEST_M:
        raise RasterFormatError(
            f"holds elevations beyond {HIGHEST_M:g} m; it needs metres, and of a picture "
            "what its black and white stand for"
        )


def fill_holes(elevation_m: NDArray[np.float64]) -> None:
    """Fill holes with means of neighbours that have a value, from the edges inwards."""
    holes = _holes(elevation_m)
    flat = elevation_m.reshape(-1)
    while len(holes):
        total, count = np.zeros(len(holes)), np.zeros(len(holes), dtype=np.int8)
        for near in _neighbours(holes, elevation_m.shape):
            values = np.where(near < 0, math.nan, flat[near])
            known = ~np.isnan(values)
            total += np.where(known, values, 0.0)
            count += known
        rim = holes[count > 0]
        flat[rim] = total[count > 0] / count[count > 0]
        around = np.concatenate(list(_neighbours(rim, elevation_m.shape)))
        around = around[around >= 0]
        holes = np.unique(around[np.isnan(flat[around])])


def _holes(elevation_m: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the cells without a value, counted row by row."""
    found, count = [], 0
    columns = elevation_m.shape[1]
    for first, end in blocks_of(*elevation_m.shape):
        holes = np.flatnonzero(np.isnan(elevation_m[first:end]))
        count += len(holes)
        if count <= _MOST_HOLES * elevation_m.size:
            found.append((holes + first * columns).astype(np.int32))
    if count > _MOST_HOLES * elevation_m.size:
        share = count / elevation_m.size
        raise RasterFormatError(
            f"{share:.0%} of it has no data; at most {_MOST_HOLES:.0%} is filled, "
            "so choose another window"
        )
    return np.concatenate(found)


def _neighbours(cells: NDArray[np.int32], shape: tuple[int, int]) -> Iterator[NDArray[np.int32]]:
    """Yield the cells north, south, west and east of some; -1 beyond the edge."""
    rows, columns = shape
    yield np.where(cells < columns, -1, cells - columns)
    yield np.where(cells >= (rows - 1) * columns, -1, cells + columns)
    yield np.where(cells % columns == 0, -1, cells - 1)
    yield np.where(cells % columns == columns - 1, -1, cells + 1)


def _squared(
    elevation_m: NDArray[np.float64], spacing_m: tuple[float, float], cell_m: float | None
) -> tuple[NDArray[np.float64], float]:
    east, north = spacing_m
    cell = min(spacing_m) if cell_m is None else cell_m
    if abs(east - cell) <= 1e-6 * cell and abs(north - cell) <= 1e-6 * cell:
        return elevation_m, cell
    rows, columns = elevation_m.shape
    # Whole cells only, and never past the raster's edge: what hangs over is left out.
    cells = math.floor(columns * east / cell + 1e-6), math.floor(rows * north / cell + 1e-6)
    if min(cells) < 2:
        raise RasterFormatError(
            f"cells of {cell:g} m are too large for the {columns * east:.0f} x "
            f"{rows * north:.0f} m that it covers"
        )
    if max(cells) > MOST_CELLS:
        raise RasterFormatError(
            f"cells of {cell:g} m make {cells[0]:g} x {cells[1]:g} of them; at most {MOST_CELLS} "
            "each way are used"
        )
    size = (cells[0] * cell, cells[1] * cell)
    return resampled(elevation_m, spacing_m, size, cell, overwrite=True), cell
