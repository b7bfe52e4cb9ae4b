"""Elevation rasters from files: what rasterio reads, greyscale PNG, .npy and .npz.

What comes from a stranger is data: it cannot name a file outside its folder, nothing in it is
executed, and every fault is one line, ``FILE: what is wrong, what would be right``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import FileError
from emlia3d.field.gdal_files import FORMATS, read_gdal
from emlia3d.field.raster import Raster, RasterFormatError, Window
from emlia3d.field.raster_units import unit_named
from emlia3d.field.resampling import MOST_CELLS, resampled
from emlia3d.geometry.ground import blocks_of

HIGHEST_M = 20_000.0
"""Elevations lie within this many metres of the datum, either way."""

# More than this share of a window without data is no longer a few holes but a missing piece.
_MOST_HOLES = 0.05

_Stated = tuple[int | None, str | None, float | None]

_PNG, _ARRAY = (".png",), (".npy", ".npz")

RASTER_ENDINGS = (*FORMATS, *_PNG, *_ARRAY)
"""Of names of files with elevations."""


def read_elevation(  # noqa: PLR0913  one parameter a statement about the file
    path: Path,
    *,
    window: Window | None = None,
    cell_m: float | None = None,
    low_m: float | None = None,
    high_m: float | None = None,
    band: int | None = None,
    unit: str | None = None,
    nodata: float | None = None,
) -> tuple[NDArray[np.float64], float | None]:
    """Elevations from a file, and the metres between their centres where these are known.

    Parameters
    ----------
    path
        Ends in one of `RASTER_ENDINGS`.
    window
        First column, first row, end column and end row of the part to read, the ends not
        included; row 0 is the north. All of the file without one.
    cell_m
        Metres between centres. A file with a reference system is resampled to it, on the
        triangulated surface; of any other file it says what the spacing is.
    low_m, high_m
        The elevations that black and white stand for, both or neither; without them each grey is
        that many metres. Only for PNG.
    band
        Number of the band to read, counted from 1; the only one if None.
    unit
        Unit of the elevations, whatever the file says.
    nodata
        Value of cells without data, besides the file's own.

    Returns
    -------
    elevation_m, cell_m
        (rows, columns) float64, metres, row 0 north, in square cells; and metres between
        centres, None where neither the file nor `cell_m` says.

    Raises
    ------
    FileError
        The file, or what is asked of it, cannot be used.
    MissingExtraError
        rasterio is needed and not installed.

    Notes
    -----
    A raster in degrees has its spacing from the latitude of the window's middle
    (`metres_per_degree`). Where its cells are oblong and `cell_m` is not given, it comes in
    square cells of the finer spacing. Holes, up to 5 percent of the window, are filled from
    their rims inwards.
    """
    path = Path(path)
    try:
        if cell_m is not None and not (math.isfinite(cell_m) and cell_m > 0):
            raise RasterFormatError(f"cell_m is a number of metres above 0, not {cell_m!r}")
        raster = _read(path, window, _range_m(path, low_m, high_m), (band, unit, nodata))
        elevation_m = raster.elevation_m
        fill_holes(elevation_m)
        if raster.spacing_m is None:
            return elevation_m, cell_m
        return _squared(elevation_m, raster.spacing_m, cell_m)
    except RasterFormatError as fault:
        raise FileError(f"{path}: {fault}") from fault


def read_raster(
    path: Path,
    *,
    band: int | None = None,
    unit: str | None = None,
    nodata: float | None = None,
    window: Window | None = None,
) -> Raster:
    """Return elevations as a file has them: neither resampled nor with holes filled.

    Parameters
    ----------
    path
        Ends in one of `RASTER_ENDINGS`.
    band, unit, nodata, window
        As for `read_elevation`.

    Raises
    ------
    FileError
        The file cannot be used.
    MissingExtraError
        rasterio is needed and not installed.
    """
    path = Path(path)
    try:
        return _read(path, window, None, (band, unit, nodata))
    except RasterFormatError as fault:
        raise FileError(f"{path}: {fault}") from fault


def _read(
    path: Path, window: Window | None, range_m: tuple[float, float] | None, stated: _Stated
) -> Raster:
    band, unit, nodata = stated
    ending = path.suffix.lower()
    if ending not in RASTER_ENDINGS:
        known = f"{', '.join(RASTER_ENDINGS[:-1])} or {RASTER_ENDINGS[-1]}"
        raise RasterFormatError(f"elevation comes from {known} files")
    if not path.is_file():
        raise RasterFormatError("there is no such file")
    if ending in FORMATS:
        raster = read_gdal(path, window, band=band, unit=unit, nodata=nodata)
    elif band not in {None, 1}:
        raise RasterFormatError(f"has one band; there is no band {band}")
    else:
        from emlia3d.field.array_files import read_array  # noqa: PLC0415  few files are arrays
        from emlia3d.field.pictures import read_png  # noqa: PLC0415  or pictures

        raster = read_png(path, window, range_m) if ending in _PNG else read_array(path, window)
        _as_stated(raster.elevation_m, unit, nodata)
    _look_how_high(raster.elevation_m)
    return raster


def _as_stated(elevation_m: NDArray[np.float64], unit: str | None, nodata: float | None) -> None:
    """Apply what the user states about a file that states nothing itself, in place."""
    if nodata is not None:
        elevation_m[elevation_m == nodata] = math.nan
    if unit is not None:
        elevation_m *= unit_named(unit, "unit").metres


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
            f"holds elevations beyond {HIGHEST_M:g} m; it wants metres, and of a picture "
            "what its black and white stand for"
        )


def fill_holes(elevation_m: NDArray[np.float64]) -> None:
    """Fill each hole with the mean of the neighbours that have a value, rim by rim."""
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
