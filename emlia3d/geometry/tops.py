"""The highest and the lowest ground of tiles: what lies above or below needs no closer look."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.geometry.arrays import Floats

if TYPE_CHECKING:
    from emlia3d.geometry.ground_surface import Surface

_MOST_TILES, _SIZES = 32, 6
"""As in ext/tops.h: the tiles each way at most, and the powers of two up to that."""


_TILE, _PATCH = 16, 4
"""Cells, both ways, of the tiles and patches of `GroundBounds`: as in ext/raster.pxd."""


class HeightPyramid(NamedTuple):
    """Maximum-height pyramid of ground tiles, in the form for the ray kernel.

    highest : float32, no lower than the ground; of the rectangle that begins at a row and a column
        of tiles and is 2^tall by 2^wide of them, as far as there is ground: by tall, wide, row
        and column, in one row
    tiles : in a cell
    """

    highest: NDArray[np.float32]
    tiles: float


@lru_cache(maxsize=8)
def tops_of(surface: Surface) -> HeightPyramid:
    """Return the height pyramid of a surface. The latest few are cached, because queries repeat."""
    tile = 1
    while (max(surface.heights.shape) - 1) // tile >= _MOST_TILES:
        tile *= 2
    tall = _no_lower(highest_of_tiles(surface.heights, tile))
    highest = np.zeros((_SIZES, _SIZES, _MOST_TILES, _MOST_TILES), dtype=np.float32)
    for i in range(_SIZES):
        wide = tall
        for j in range(_SIZES):
            highest[i, j, : len(wide), : wide.shape[1]] = wide
            wide = _with_those_after(wide.T, 2**j).T
        tall = _with_those_after(tall, 2**i)
    return HeightPyramid(highest.ravel(), 1 / tile)


class GroundBounds(NamedTuple):
    """Bounds of the ground by parts of the raster, in the form for the corridor kernels.

    tops : float64, by tiles of 16 x 16 cells, the highest of their centres
    lows : float64, by patches of 4 x 4 cells, the lowest of their centres and of the centres of
        adjacent patches
    """

    tops: Floats
    lows: Floats


@lru_cache(maxsize=8)
def bounds_of(surface: Surface) -> GroundBounds:
    """Return the bounds of a surface. The latest few are cached, because queries repeat."""
    lows = -highest_of_tiles(-surface.heights, _PATCH)
    for axis in (0, 1):
        along = np.moveaxis(lows, axis, 0)
        least = along.copy()
        np.minimum(least[1:], along[:-1], out=least[1:])
        np.minimum(least[:-1], along[1:], out=least[:-1])
        lows = np.moveaxis(least, 0, axis)
    return GroundBounds(highest_of_tiles(surface.heights, _TILE), np.ascontiguousarray(lows))


def highest_of_tiles(heights: Floats, tile: int) -> Floats:
    """Return the maximum of each tile's centres, including centres on borders with the next tile.

    tile : cells, both ways; the last tiles may be smaller, and have a single row or column
    """
    return np.ascontiguousarray(_highest_rows(_highest_rows(heights, tile).T, tile).T)


def _highest_rows(heights: Floats, tile: int) -> Floats:
    starts = np.arange(0, len(heights), tile)
    ends = np.minimum(starts + tile, len(heights) - 1)
    return np.maximum(np.maximum.reduceat(heights, starts), heights[ends])


def _no_lower(heights: Floats) -> NDArray[np.float32]:
    """In single precision, rounded up; infinite beyond that."""
    with np.errstate(over="ignore"):
        near = heights.astype(np.float32)
    return np.where(near < heights, np.nextafter(near, np.float32(np.inf)), near)


def _with_those_after(highest: NDArray[np.float32], rows: int) -> NDArray[np.float32]:
    """Return the higher of each row and the one *rows* rows after it, where there is one."""
    higher = highest.copy()
    np.maximum(highest[:-rows], highest[rows:], out=higher[:-rows])
    return higher
