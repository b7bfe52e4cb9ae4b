"""Rasters in other cells: how many cover a field, and the surface read at their centres.

A raster at the limit has 2**26 cells, 0.5 GiB, so all goes by blocks of rows, and what is not
wanted afterwards is overwritten.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from emlia3d.geometry.ground_surface import blocks_of, triangulated

Floats = NDArray[np.float64]

MOST_CELLS = 8192
"""A raster that the program makes or reads has at most this many rows and columns."""

ALIKE = 1e-9
"""Spacings that differ by less than this share are one and the same, seen through rounding."""


def rows_and_columns(size: tuple[float, float], cell: float) -> tuple[int, int]:
    """Return the numbers of rows and columns of square cells that cover a field."""
    columns, rows = (max(1, math.ceil(length / cell * (1 - ALIKE))) for length in size)
    return rows, columns


def resampled(
    elevation_m: Floats,
    spacing: tuple[float, float],
    size: tuple[float, float],
    cell: float,
    *,
    corner: tuple[float, float] = (0.0, 0.0),
    overwrite: bool = False,
) -> Floats:
    """Return the surface of a raster with oblong cells at the centres of square cells.

    spacing : east and north, between the raster's centres
    size : east and north, of the covered part
    cell : between centres of the result; all in one unit
    corner : east and north, from the raster's south-west corner to that of the covered part
    overwrite : *elevation_m*, which owns its memory and has no views, is used up, so that the two
        together take no more memory than the larger
    """
    rows, columns = rows_and_columns(size, cell)
    height = elevation_m.shape[0] * spacing[1]
    east, south = np.arange(columns, dtype=np.float64), np.arange(rows, dtype=np.float64)
    right = (corner[0] + (east + 0.5) * cell) / spacing[0] - 0.5
    down = (height - size[1] - corner[1] + (south + 0.5) * cell) / spacing[1] - 0.5
    if overwrite:
        return _overwritten(elevation_m, right, down)
    out = np.empty((rows, columns))
    for first, end in blocks_of(rows, columns):
        out[first:end] = _rows_at(elevation_m, right, down[first:end])
    return out


def cut(elevation_m: Floats, rows: slice, columns: slice, *, overwrite: bool = False) -> Floats:
    """Return some rows and columns of a raster.

    overwrite : as for `resampled`; without it the result is a view
    """
    if not overwrite:
        return elevation_m[rows, columns]
    count, width = rows.stop - rows.start, columns.stop - columns.start
    flat = elevation_m.reshape(-1)
    for first, end in blocks_of(count, width):
        block = elevation_m[rows.start + first : rows.start + end, columns]
        flat[first * width : end * width] = block.reshape(-1)
    del flat, block
    return _resized(elevation_m, (count, width))


def _rows_at(elevation_m: Floats, right: Floats, down: Floats) -> Floats:
    """Return the surface at a grid of places, in cells from the north-west centre.

    Reads only the rows about them. As whole rows are left out, no bit of the answer changes.
    """
    last = len(elevation_m) - 1
    top = _row_of(down[0], last)
    bottom = min(_row_of(down[-1], last) + 1, last)
    return triangulated(elevation_m[top : bottom + 1], right[None, :], down[:, None] - top)


def _row_of(down: float, last: int) -> int:
    """Return the upper row of the square that holds a place, or of the square nearest to it."""
    return int(min(max(down, 0), max(last - 1, 0)))


def _overwritten(elevation_m: Floats, right: Floats, down: Floats) -> Floats:
    """Resample from the last row to the first, and shorten the source to what is still needed."""
    rows, columns = elevation_m.shape
    out = np.empty((len(down), len(right)))
    for first, end in reversed(list(blocks_of(*out.shape))):
        out[first:end] = _rows_at(elevation_m, right, down[first:end])
        needed = _row_of(down[first], rows - 1) + 2
        if needed < len(elevation_m):
            _resized(elevation_m, (needed, columns))
    return out


def _resized(elevation_m: Floats, shape: tuple[int, ...]) -> Floats:
    """Cut an array to the numbers that fit a shape, in place."""
    # It is known to have no views, which is all that the count of references is there to find.
    elevation_m.resize(shape, refcheck=False)
    return elevation_m
