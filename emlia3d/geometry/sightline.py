"""Lines of sight over the ground: the typed wrapper for the ray kernel."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import rays as _kernel
from emlia3d._ext import slabs as _slabs
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.ground_surface import Surface
from emlia3d.geometry.threads import cores, in_chunks
from emlia3d.geometry.tops import tops_of

_LEAST_LINES, _SHARES = 4096, 8
"""Lines at once: no fewer, and else an eighth of a core's, as the last ones walk nearly alone."""

_FINEST_BLOCK = 2


class GroundRelief(NamedTuple):
    """A surface in the form for the kernels.

    heights : (rows, cols) float64
    frame : float64, cell, west, north, minimum and maximum height
    slabs : (n, 4) float32, planes that bound the ground of blocks of 2, 4, 8... cells
    levels : (n, 3) intp, for each size of block: its first row in *slabs*, and its numbers of
        rows and columns of blocks
    """

    heights: Floats
    frame: Floats
    slabs: NDArray[np.float32]
    levels: NDArray[np.intp]


@lru_cache(maxsize=8)
def relief_of(surface: Surface) -> GroundRelief:
    """Return the slabs of a surface. The latest few are cached, because queries repeat."""
    heights = surface.heights
    levels: list[tuple[int, int, int]] = []
    first, block = 0, _FINEST_BLOCK
    while not levels or levels[-1][1:] != (1, 1):
        rows, cols = (count // block + 1 for count in (len(heights) - 1, heights.shape[1] - 1))
        levels.append((first, rows, cols))
        first += rows * cols
        block *= 2
    sizes = np.array(levels, dtype=np.intp)
    slabs = np.empty((first, 4), dtype=np.float32)
    _slabs.lay(heights, sizes, slabs)
    frame = [surface.cell, surface.west, surface.north, heights.min(), heights.max()]
    return GroundRelief(heights, np.array(frame, dtype=np.float64), slabs, sizes)


def plain_relief(surface: Surface, low: float, high: float) -> GroundRelief:
    """Return a surface without slabs, for lines over a few cells.

    low, high : its minimum and maximum height
    """
    frame = np.array([surface.cell, surface.west, surface.north, low, high], dtype=np.float64)
    no_levels = np.empty((0, 3), dtype=np.intp)
    return GroundRelief(surface.heights, frame, np.zeros((1, 4), dtype=np.float32), no_levels)


def lines_of_sight(surface: Surface, a: ArrayLike, b: ArrayLike) -> NDArray[np.bool_]:
    """Return whether the straight line between each pair of points is free of ground.

    A line is blocked if the ground rises above it at any point, including both ends. Ground that
    touches the line does not block it. The result equals exact arithmetic on the given numbers,
    and is the same from both ends. Numbers with an absolute value between 0 and 1e-90 may be
    rounded, because their products leave the range of a double.

    Parameters
    ----------
    surface : Surface
    a, b : (n, 3) float, or (3,) for one point with all
        x and y in GSU, z in the surface's unit of height and from its zero. Points can be
        beyond the raster, where the ground continues level.

    Returns
    -------
    (n,) bool

    Raises
    ------
    ValueError
        If the shapes do not broadcast, or if a value is not finite.

    Notes
    -----
    Source: design, units of measure; emlia.sight.raster-ground.
    """
    starts, stops = np.broadcast_arrays(_rows(a, "a"), _rows(b, "b"))
    starts, stops = np.ascontiguousarray(starts), np.ascontiguousarray(stops)
    relief, tops = relief_of(surface), tops_of(surface)
    seen = np.empty(len(starts), dtype=np.uint8)

    def settle(begin: int, end: int) -> None:
        if not _kernel.lines(*relief, *tops, starts[begin:end], stops[begin:end], seen[begin:end]):
            places(starts[begin:end], "a")
            places(stops[begin:end], "b")

    in_chunks(settle, len(starts), max(_LEAST_LINES, len(starts) // (_SHARES * cores())))
    return seen.view(np.bool_)


def places(points: ArrayLike, name: str) -> Floats:
    """Return points as rows of x, y, z for a kernel; ValueError if they have another form."""
    rows = _rows(points, name)
    if not np.isfinite(rows).all():
        raise ValueError(f"{name}: needs finite numbers")
    return rows


def _rows(points: ArrayLike, name: str) -> Floats:
    rows = np.ascontiguousarray(np.atleast_2d(np.asarray(points, dtype=np.float64)))
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise ValueError(f"{name}: needs rows of x, y and z, not the shape {np.shape(points)}")
    return rows
