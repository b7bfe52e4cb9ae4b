"""Straight lines of sight over the ground: the typed front of the ray kernel."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import rays as _kernel
from emlia3d.geometry.bodies import Floats
from emlia3d.geometry.ground import Surface
from emlia3d.geometry.threads import in_chunks

_LINES_AT_ONCE = 4096


class Relief(NamedTuple):
    """A surface as the kernels take it.

    heights : (rows, cols) float64
    frame : float64, cell, west, north, least and greatest height
    tops : float64, the highest ground of blocks of 2, 4, 8... cells, borders included, and of the
        two next to each, east and south
    levels : (n, 3) intp, for each size of block: its first in *tops*, rows and columns of blocks
    bottoms : (rows / 8, cols / 8) float64, the lowest ground of blocks of 8 cells
    """

    heights: Floats
    frame: Floats
    tops: Floats
    levels: NDArray[np.intp]
    bottoms: Floats


@lru_cache(maxsize=8)
def relief_of(surface: Surface) -> Relief:
    """The block maxima of a surface; the latest few are kept, as a battle asks again and again."""
    heights = surface.heights
    found = [_halved(heights, shared=True)]
    while found[-1].size > 1:
        found.append(_halved(found[-1], shared=False))
    lowest = -_halved(_halved(_halved(-heights, shared=True), shared=False), shared=False)
    sizes = np.cumsum([0, *(level.size for level in found)])
    levels = [
        (start, *level.shape) for start, level in zip(sizes[:-1].tolist(), found, strict=True)
    ]
    frame = [surface.cell, surface.west, surface.north, heights.min(), heights.max()]
    return Relief(
        heights,
        np.array(frame, dtype=np.float64),
        np.concatenate([_with_next_two(level).ravel() for level in found]),
        np.array(levels, dtype=np.intp),
        np.ascontiguousarray(lowest),
    )


def _halved(blocks: Floats, *, shared: bool) -> Floats:
    """The greatest of every two by two; or of three by three, where neighbours share a border."""
    for axis in (0, 1):
        count = blocks.shape[axis]
        starts = np.arange(0, max(count - shared, 1), 2)
        tops = blocks.take(starts, axis)
        for step in range(1, 3 if shared else 2):
            np.maximum(tops, blocks.take(np.minimum(starts + step, count - 1), axis), out=tops)
        blocks = tops
    return blocks


def _with_next_two(blocks: Floats) -> Floats:
    tops = blocks.copy()
    for step in (1, 2):
        np.maximum(tops[:, :-step], blocks[:, step:], out=tops[:, :-step])
    across = tops.copy()
    for step in (1, 2):
        np.maximum(tops[:-step], across[step:], out=tops[:-step])
    return tops


def lines_of_sight(surface: Surface, a: ArrayLike, b: ArrayLike) -> NDArray[np.bool_]:
    """Whether the straight line between two places is free of ground, for each of many pairs.

    It is blocked where the ground rises above it anywhere, its two ends included; ground that
    touches it does not block. The answer is that of arithmetic without rounding on the numbers
    given, and so the same from both ends.

    Parameters
    ----------
    surface : Surface
    a, b : (n, 3) float, or (3,) for one place with all
        x and y in GSU, z in the surface's unit of height and from its zero. Places may lie
        beyond the raster, where the ground goes on level.

    Returns
    -------
    (n,) bool

    Raises
    ------
    ValueError
        Shapes that do not go together, or a number that is not finite.

    Notes
    -----
    Source: design, units of measure; emlia.sight.raster-ground.
    """
    starts, stops = np.broadcast_arrays(places(a, "a"), places(b, "b"))
    starts, stops = np.ascontiguousarray(starts), np.ascontiguousarray(stops)
    relief = relief_of(surface)
    seen = np.empty(len(starts), dtype=np.uint8)

    def settle(begin: int, end: int) -> None:
        _kernel.lines(*relief, starts[begin:end], stops[begin:end], seen[begin:end])

    in_chunks(settle, len(seen), _LINES_AT_ONCE)
    return seen.view(np.bool_)


def places(points: ArrayLike, name: str) -> Floats:
    """Places as rows of x, y, z for a kernel; ValueError where they are not that."""
    rows = np.ascontiguousarray(np.atleast_2d(np.asarray(points, dtype=np.float64)))
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise ValueError(f"{name}: wants rows of x, y and z, not the shape {np.shape(points)}")
    if not np.isfinite(rows).all():
        raise ValueError(f"{name}: wants finite numbers")
    return rows
