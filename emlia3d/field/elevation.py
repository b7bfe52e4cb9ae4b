"""Elevation rasters from files: GeoTIFF, greyscale PNG, .npy and .npz.

What comes from a stranger is data: it cannot name a file outside its folder, nothing in it is
executed, and every fault is one line, ``FILE: what is wrong, what would be right``.
"""

from __future__ import annotations

import math
from pathlib import Path, PureWindowsPath

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import FileError
from emlia3d.field.ground import MOST_CELLS, resampled
from emlia3d.field.raster_files import (
    Raster,
    Window,
    WrongFile,
    read_array,
    read_geotiff,
    read_png,
)

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
            raise WrongFile(f"cell_m is a number of metres above 0, not {cell_m!r}")
        raster = _read(path, window, _range_m(path, low_m, high_m))
        elevation_m = _mended(raster.elevation_m)
        if np.abs(elevation_m).max() > HIGHEST_M:
            raise WrongFile(
                f"holds elevations beyond {HIGHEST_M:g} m; it wants metres, and of a picture "
                "what its black and white stand for"
            )
        if raster.spacing_m is None:
            return elevation_m, cell_m
        return _squared(elevation_m, raster.spacing_m, cell_m)
    except WrongFile as fault:
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
        raise WrongFile("elevation comes from .tif, .tiff, .png, .npy or .npz files")
    if not path.is_file():
        raise WrongFile("there is no such file")
    if ending in _PNG:
        return read_png(path, window, range_m)
    return read_geotiff(path, window) if ending in _TIFF else read_array(path, window)


def _range_m(path: Path, low_m: float | None, high_m: float | None) -> tuple[float, float] | None:
    if low_m is None and high_m is None:
        return None
    if path.suffix.lower() not in _PNG:
        raise WrongFile("only a picture has low_m and high_m; this file holds metres")
    if low_m is None or high_m is None:
        raise WrongFile("low_m and high_m belong together; one is missing")
    if not (math.isfinite(low_m) and math.isfinite(high_m) and low_m < high_m):
        raise WrongFile("low_m is below high_m, and both are numbers of metres")
    return low_m, high_m


def _mended(elevation_m: NDArray[np.float64]) -> NDArray[np.float64]:
    """Without holes: each takes the mean of the neighbours that have a value, rim by rim."""
    holes = ~np.isfinite(elevation_m)
    if not holes.any():
        return elevation_m
    share = np.count_nonzero(holes) / holes.size
    if share > _MOST_HOLES:
        raise WrongFile(
            f"{share:.0%} of it has no data; at most {_MOST_HOLES:.0%} is filled, "
            "so choose another window"
        )
    padded = np.pad(np.where(holes, 0.0, elevation_m), 1)
    known = np.pad(~holes, 1)
    inner = slice(1, -1)
    while holes.any():
        total, count = np.zeros(holes.shape), np.zeros(holes.shape)
        for rows, columns in (
            (slice(0, -2), inner),
            (slice(2, None), inner),
            (inner, slice(0, -2)),
            (inner, slice(2, None)),
        ):
            total += padded[rows, columns]
            count += known[rows, columns]
        rim = holes & (count > 0)
        padded[inner, inner][rim] = total[rim] / count[rim]
        known[inner, inner] |= rim
        holes &= ~rim
    return padded[inner, inner].copy()


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
        raise WrongFile(
            f"cells of {cell:g} m are too large for the {columns * east:.0f} x "
            f"{rows * north:.0f} m that it covers"
        )
    if max(cells) > MOST_CELLS:
        raise WrongFile(
            f"cells of {cell:g} m make {cells[0]} x {cells[1]} of them; at most {MOST_CELLS} "
            "each way are used"
        )
    size = (cells[0] * cell, cells[1] * cell)
    return resampled(elevation_m, spacing_m, size, cell), cell
