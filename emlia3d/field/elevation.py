"""Elevation rasters from files: GeoTIFF, greyscale PNG, .npy and .npz.

What comes from a stranger is data: it cannot name a file outside its folder, nothing in it is
executed, and every fault is one line, ``FILE: what is wrong, what would be right``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import FileError
from emlia3d.field.array_files import read_array
from emlia3d.field.raster import Raster, RasterFormatError, Window
from emlia3d.field.raster_files import read_geotiff, read_png
from emlia3d.field.resampling import MOST_CELLS, resampled
from emlia3d.geometry.ground import blocks_of

HIGHEST_M = 20_000.0
"""Elevations lie within this many metres of the datum, either way."""

# More than this share of a window without data is no longer a few holes but a missing piece.
_MOST_HOLES = 0.05

_TIFF, _PNG, _ARRAY = (".tif", ".tiff"), (".png",), (".npy", ".npz")


def read_elevation(
    path: Path,
    *,
    window: Window | None = None,
    cell_m: float | None = None,
    low_m: float | None = None,
    high_m: float | None = None,
) -> tuple[NDArray[np.float64], float | None]:
    """Elevations from a file, and the metres between their centres where these are known.

    Parameters
    ----------
    path
        Ends in .tif, .tiff, .png, .npy or .npz.
    window
        First column, first row, end column and end row of the part that is wanted, the ends not
        included; row 0 is the north. All of the file without one.
    cell_m
        Metres between centres. A GeoTIFF is resampled to it, on the triangulated surface; of any
        other file it says what the spacing is.
    low_m, high_m
        The elevations that black and white stand for, both or neither; without them each grey is
        that many metres. Only for PNG.

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
        A GeoTIFF without rasterio installed.

    Notes
    -----
    A GeoTIFF in degrees has its spacing from the latitude of the window's middle
    (`metres_per_degree`). Where its cells are oblong and `cell_m` is not given, it comes in
    square cells of the finer spacing. Holes, up to 5 percent of the window, are filled from
    their rims inwards.
    """
    path = Path(path)
    try:
        if cell_m is not None and not (math.isfinite(cell_m) and cell_m > 0):
            raise RasterFormatError(f"cell_m is a number of metres above 0, not {cell_m!r}")
        raster = _read(path, window, _range_m(path, low_m, high_m))
        elevation_m = raster.elevation_m
        _look_how_high(elevation_m)
        _mend(elevation_m)
        if raster.spacing_m is None:
            return elevation_m, cell_m
        return _squared(elevation_m, raster.spacing_m, cell_m)
    except RasterFormatError as fault:
        raise FileError(f"{path}: {fault}") from fault


def beside(folder: Path, name: str) -> Path:
    """The file that a scenario in `folder` names: there, or in a folder below it.

    Raises
    ------
    FileError
        An absolute name, one with ``..``, one that a link leads elsewhere, or no such file.
    """
    written = PureWindowsPath(name)
    if not name.strip() or "\0" in name:
        raise FileError(f"{name!r}: a file's name is wanted")
    if written.drive or written.root or ".." in written.parts:
        raise FileError(f"{name}: a file is named from the scenario's folder, and lies within it")
    home = Path(folder).resolve()
    try:
        found = (home / name).resolve()
        inside, there = found.is_relative_to(home), found.is_file()
    except (OSError, RuntimeError) as fault:
        raise FileError(f"{name}: cannot be followed to a file beside the scenario") from fault
    if not inside:
        raise FileError(f"{name}: a link leads out of the scenario's folder")
    if not there:
        raise FileError(f"{name}: there is no such file beside the scenario")
    return found


def _read(path: Path, window: Window | None, range_m: tuple[float, float] | None) -> Raster:
    ending = path.suffix.lower()
    if ending not in _TIFF + _PNG + _ARRAY:
        raise RasterFormatError("elevation comes from .tif, .tiff, .png, .npy or .npz files")
    if not path.is_file():
        raise RasterFormatError("there is no such file")
    if ending in _PNG:
        return read_png(path, window, range_m)
    return read_geotiff(path, window) if ending in _TIFF else read_array(path, window)


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


def _mend(elevation_m: NDArray[np.float64]) -> None:
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
