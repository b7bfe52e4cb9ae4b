"""Lines from tile to tile, by whole numbers alone.

A line of n steps passes n - 1 points between its ends, at 1/n, 2/n and so on of the way. For each
point it holds the tile with the nearest centre, or both tiles if two centres are equally near.

Of the three axes q, r and q + r, at least one differs by n between the ends. Along it, each point
is a whole number of steps from the start. The point is therefore on the centre line of a row of
tiles, so rounding its place in that row finds the nearest tiles. Never more than two are equally
near, because no point of such a line is a corner of three tiles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.field.hexes.axial import Tiles, as_tiles, steps_between


class TileLines(NamedTuple):
    """The tiles between the ends of lines, one entry for each point of each line.

    line : (points,) int64, the line to which a point belongs, in ascending order
    step : (points,) int64, 1 to n - 1: steps from the start of the line
    tiles : (points, 2, 2) int64, the two tiles that are nearest to the point, the same tile twice
        if there is one; the order of two does not depend on the direction of the line
    lengths : (lines,) int64, steps of each line: 0 if both ends are one tile
    """

    line: NDArray[np.int64]
    step: NDArray[np.int64]
    tiles: Tiles
    lengths: NDArray[np.int64]

    def totals(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the sum of a value of each point over each line, (lines,) float64."""
        column = np.asarray(values, dtype=np.float64)
        sums = np.bincount(self.line, weights=column, minlength=len(self.lengths))
        return sums.astype(np.float64)


def lines_between(starts: ArrayLike, ends: ArrayLike) -> TileLines:
    """Return the tiles between pairs of tiles; the ends themselves are left out.

    A line has the same tiles from both ends.

    starts, ends : (lines, 2) integers, or one tile for all lines
    """
    start, end = np.broadcast_arrays(*(np.atleast_2d(as_tiles(ends)) for ends in (starts, ends)))
    lengths = steps_between(start, end)
    between = np.maximum(lengths - 1, 0)
    line = np.repeat(np.arange(len(lengths)), between)
    step = np.arange(len(line)) - np.repeat(np.cumsum(between) - between, between) + 1
    way, n = end - start, lengths[line]
    # The axis that is a whole number at each point: q, r, or their sum. The free axis is rounded.
    along_q = np.abs(way[:, 0]) == lengths
    along_r = ~along_q & (np.abs(way[:, 1]) == lengths)
    q, r = along_q[line, None], along_r[line, None]
    whole = _by_axis(start, along_q, along_r)[line]
    whole += np.sign(_by_axis(way, along_q, along_r))[line] * step
    free = np.where(along_q, start[:, 1], start[:, 0])[line]
    twice = 2 * np.where(along_q, way[:, 1], way[:, 0])[line] * step + n
    rounded = np.stack((free + (twice - 1) // (2 * n), free + twice // (2 * n)), axis=-1)
    other = whole[:, None]
    tiles = np.stack(
        (np.where(q, other, rounded), np.where(q, rounded, np.where(r, other, other - rounded))),
        axis=-1,
    )
    return TileLines(line, step, tiles, lengths)


def _by_axis(
    tiles: Tiles, along_q: NDArray[np.bool_], along_r: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return q, r or their sum of each tile, a new array."""
    return np.where(along_q, tiles[:, 0], np.where(along_r, tiles[:, 1], tiles.sum(axis=1)))
