"""Tiles in axial coordinates: distances, sides, rings and discs, by whole numbers alone.

A tile is (q, r): r is its row, counted to the north, and q its place in the row, counted to the
east. Each row begins half a tile farther east than the row south of it, so q falls along a
column that leans to the north-west.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Tiles: TypeAlias = NDArray[np.int64]
"""(..., 2) int64, the q and r of each tile."""

SIDES: Tiles = np.array([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)], dtype=np.int64)
"""(6, 2), steps to the six neighbours of a tile: from the east, anticlockwise."""
SIDES.flags.writeable = False


SIDE_DEGREES = (90, 30, 330, 270, 210, 150)
"""The bearing of each of `SIDES`, degrees clockwise from north."""


def as_tiles(tiles: ArrayLike) -> Tiles:
    """Return axial coordinates as an array of whole numbers; an array of int64 as it is.

    Raises
    ------
    ValueError
        Coordinates that are not integers, or not in pairs.
    """
    given = np.asarray(tiles)
    if given.size == 0:
        shape = given.shape if given.shape[-1:] == (2,) else (0, 2)
        return np.empty(shape, dtype=np.int64)
    if given.dtype.kind not in "iu" or given.shape[-1:] != (2,):
        raise ValueError("a tile is two integers, q and r")
    return given.astype(np.int64, copy=False)


def steps_between(tiles: ArrayLike, others: ArrayLike) -> NDArray[np.int64]:
    """Return the minimum number of steps between tiles, which are broadcast against each other.

    tiles, others : (..., 2) integers
    """
    apart = as_tiles(tiles) - as_tiles(others)
    q, r = apart[..., 0], apart[..., 1]
    steps: NDArray[np.int64] = (np.abs(q) + np.abs(r) + np.abs(q + r)) // 2
    return steps


def ring(tile: ArrayLike, radius: int) -> Tiles:
    """Return the tiles that are exactly *radius* steps from a tile.

    Returns
    -------
    (6 * radius, 2) int64
        From the east, anticlockwise; for radius 0 the tile alone.

    Raises
    ------
    ValueError
        A radius below 0.
    """
    _check_radius(radius)
    centre = as_tiles(tile)
    if radius == 0:
        return centre[None, :].copy()
    corners = centre + radius * SIDES
    # Along the ring, the step from one corner towards the next is two sides on.
    steps = np.roll(SIDES, -2, axis=0)
    along = np.arange(radius, dtype=np.int64)[None, :, None]
    return (corners[:, None, :] + along * steps[:, None, :]).reshape(-1, 2)


def disc(tile: ArrayLike, radius: int) -> Tiles:
    """Return the tiles that are at most *radius* steps from a tile, the tile itself included.

    Returns
    -------
    (3 * radius * (radius + 1) + 1, 2) int64
        Row by row from the south, each from the west.

    Raises
    ------
    ValueError
        A radius below 0.
    """
    _check_radius(radius)
    reach = np.arange(-radius, radius + 1, dtype=np.int64)
    r, q = (axis.ravel() for axis in np.meshgrid(reach, reach, indexing="ij"))
    near = np.abs(q + r) <= radius
    found: Tiles = as_tiles(tile) + np.column_stack((q[near], r[near]))
    return found


def _check_radius(radius: int) -> None:
    if radius < 0:
        raise ValueError(f"a radius is 0 steps or more, not {radius}")
