"""The steepest slopes of the ground about the centres of a raster."""

from __future__ import annotations

import math

import numpy as np

from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.ground_surface import Surface
from emlia3d.geometry.threads import in_chunks

_ROWS_AT_ONCE = 64


def steepest_within(surface: Surface, distance: float, *, of_centres: bool = False) -> Floats:
    """Return the maximum slope of the ground around each centre of the raster.

    It bounds the ground about places between centres too. Let s be the value at p of the surface
    with these slopes as its heights. Then for every q up to *distance* from p, the ground at q is
    within ``s * |p - q|`` of the ground at p.

    Parameters
    ----------
    surface : Surface
    distance : float
        GSU, 0 or more.
    of_centres : bool
        Bound only the ground about the centres themselves, more closely.

    Returns
    -------
    (rows, cols) float64
        Of the surface's unit of height for each GSU.

    Raises
    ------
    ValueError
        A distance that is negative or not finite.
    """
    if not (math.isfinite(distance) and distance >= 0):
        raise ValueError("steepest_within: expected a finite distance of 0 or more")
    heights, beyond = surface.heights, math.ceil(distance / surface.cell)
    # A place between centres is less than a cell from them.
    beyond -= of_centres
    rows, cols = heights.shape
    steepest = np.zeros((rows, cols))
    if min(rows, cols) == 1:
        # A strip of ground: it rises along its one row or column only.
        heights = np.repeat(heights, 2, axis=0) if rows == 1 else np.repeat(heights, 2, axis=1)

    def measure(begin: int, end: int) -> None:
        # Cells of one row and `beyond` more on both sides of the centres.
        first = max(begin - 1 - beyond, 0)
        last = min(end + beyond + 1, len(heights))
        slopes = _slopes(heights[first:last])
        slopes = _greatest(slopes.T, beyond)[:cols].T
        found = _greatest(slopes, beyond)
        # Row k of these is about the centre in row first + k.
        steepest[begin:end] = found[begin - first : end - first]

    in_chunks(measure, rows, _ROWS_AT_ONCE)
    return np.asarray(steepest / surface.cell)


def _slopes(heights: Floats) -> Floats:
    """Return the steeper of the two triangles of each cell: (rows - 1, cols - 1)."""
    east, south = np.diff(heights, axis=1), np.diff(heights, axis=0)
    east *= east
    south *= south
    north_west = east[:-1] + south[:, :-1]
    south_east = east[1:] + south[:, 1:]
    return np.asarray(np.sqrt(np.maximum(north_west, south_east)))


def _greatest(cells: Floats, beyond: int) -> Floats:
    """Return, for each row of centres, the maximum of the rows of cells around it.

    About centre k lie the cells k - 1 - beyond to k + beyond, within the raster.
    """
    count = len(cells)
    out = np.zeros((count + 1, cells.shape[1]))
    for step in range(-1 - beyond, beyond + 1):
        low, high = max(0, -step), min(count + 1, count - step)
        if low < high:
            np.maximum(out[low:high], cells[low + step : high + step], out=out[low:high])
    return out
