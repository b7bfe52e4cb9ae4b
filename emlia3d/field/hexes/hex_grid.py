"""A grid of hexagons without borders: the centre of a tile, and the tile of a place."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.errors import quoted
from emlia3d.field.hexes.axial import Tiles, as_tiles

ROW = math.sqrt(3) / 2
"""Distance between rows, in tiles."""

CORNER = 1 / math.sqrt(3)
"""Distance of a tile's corners from its centre, in tiles; one corner points north."""

_CORNERS = np.array([(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)])
"""Corners from the centre: east in half tiles, north in halves of `CORNER`."""

_BORDER = 2.0**-30
"""Tiles from a border at which a place counts as on it, because centres are rounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HexGrid:
    """A grid of hexagons in rows that run from west to east.

    across : the distance between the centres of neighbours, which is also the width of a tile, GSU
    first : the centre of tile (0, 0), GSU

    Raises
    ------
    ValueError
        A tile whose width is not above 0, or a centre that is not finite.
    """

    across: float = 1.0
    first: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.across) and self.across > 0):
            raise ValueError(f"a tile is above 0 GSU across, not {quoted(self.across)}")
        if not all(map(math.isfinite, self.first)):
            raise ValueError(f"the centre of a tile is two finite numbers, not {self.first}")

    def centres(self, tiles: ArrayLike) -> NDArray[np.float64]:
        """Return the centres of tiles, (..., 2) GSU east and north."""
        given = as_tiles(tiles)
        q, r = given[..., 0], given[..., 1]
        east, north = self.first
        return np.stack((east + (q + r / 2) * self.across, north + r * ROW * self.across), axis=-1)

    def tiles_at(self, places: ArrayLike) -> Tiles:
        """Return the tile of each place, which is the tile with the nearest centre.

        A place on a border belongs to the tile in the northern row; if both tiles are in one
        row, to the eastern tile. A place less than 1e-9 tiles from a border counts as on it.

        places : (..., 2) GSU east and north
        """
        east, north = np.moveaxis(np.asarray(places, dtype=np.float64), -1, 0)
        x, y = (east - self.first[0]) / self.across, (north - self.first[1]) / self.across
        south = np.floor(y / ROW)
        q, off = _nearest_in_row(x, y, south)
        north_q, north_off = _nearest_in_row(x, y, south + 1)
        # The nearest centre is in one of the two rows between whose centre lines the place is.
        # The squares of two distances differ by twice the way from the border.
        is_north = north_off <= off + 2 * _BORDER
        found = np.stack((np.where(is_north, north_q, q), south + is_north), axis=-1)
        return found.astype(np.int64)

    def corners(self, tiles: ArrayLike) -> NDArray[np.float64]:
        """Return the corners of tiles, (..., 6, 2) GSU: from the north, clockwise.

        A corner is bit-identical in all tiles that share it.
        """
        q, r = np.moveaxis(as_tiles(tiles)[..., None, :], -1, 0)
        east, north = self.first
        x = east + (2 * q + r + _CORNERS[:, 0]) * (self.across / 2)
        y = north + (3 * r + _CORNERS[:, 1]) * (self.across * CORNER / 2)
        return np.stack((x, y), axis=-1)


def _nearest_in_row(
    x: NDArray[np.float64], y: NDArray[np.float64], row: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the q of the nearest centre in a row, and the square of its distance, in tiles."""
    along = x - row / 2
    q = np.floor(along + 0.5 + _BORDER)
    return q, (along - q) ** 2 + (y - row * ROW) ** 2
