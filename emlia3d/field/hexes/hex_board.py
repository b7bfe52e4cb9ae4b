"""A board of hexagons: the whole tiles of a field, numbered row by row from the south-west."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.field.field import Field
from emlia3d.field.hexes.axial import SIDES, Tiles, as_tiles
from emlia3d.field.hexes.hex_grid import CORNER, ROW, HexGrid

MOST_TILES = 250_000
"""Tiles of the largest board."""

_SIDES_OF_EDGES = np.array([1, 0, 5, 4, 3, 2])
"""The side, by its place in `SIDES`, that the edge after each corner of a tile faces."""

_Number = TypeVar("_Number", np.int64, np.float64)

_ROUNDING = 1e-9
"""Tiles that a field may be too small for a whole tile, because lengths in GSU are rounded."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HexBoard:
    """The tiles that lie wholly on a field.

    Tile (0, 0) touches the field's south and west edges. Rows 0, 2, 4 and so on touch the west
    edge too; the others begin half a tile farther east. Columns about tiles have one entry for
    each tile, in the order of `tiles`.

    grid : centres of tiles
    rows : the number of rows
    even, odd : tiles in row 0 and in row 1
    """

    grid: HexGrid
    rows: int
    even: int
    odd: int

    @classmethod
    def covering(cls, size: tuple[float, float], across: float = 1.0) -> HexBoard:
        """Return the board of a field.

        size : of the field, east and north, GSU
        across : the width of a tile, GSU

        Raises
        ------
        ValueError
            A field without a whole tile, or with more than `MOST_TILES`; nothing is allocated
            before they are counted.
        """
        grid = HexGrid(across=across, first=(across / 2, CORNER * across))
        east, north = (length / across + _ROUNDING for length in size)
        rows = math.floor((north - 2 * CORNER) / ROW) + 1
        even, odd = math.floor(east), math.floor(east - 0.5)
        if rows < 1 or even < 1:
            raise ValueError(f"a field of {_size(size)} GSU has no whole tile of {across:g} GSU")
        board = cls(grid=grid, rows=rows, even=even, odd=odd)
        if len(board) > MOST_TILES:
            raise ValueError(
                f"a field of {_size(size)} GSU has {len(board):,} tiles of {across:g} GSU, "
                f"more than {MOST_TILES:,}"
            )
        return board

    def __len__(self) -> int:
        """Return the number of tiles."""
        return (self.rows + 1) // 2 * self.even + self.rows // 2 * self.odd

    @cached_property
    def tiles(self) -> Tiles:
        """All tiles, (tiles, 2) int64, read-only: row by row from the south, each from the west."""
        lengths = np.full(self.rows, self.even)
        lengths[1::2] = self.odd
        r = np.repeat(np.arange(self.rows), lengths)
        column = np.arange(len(self)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return _read_only(np.column_stack((column - r // 2, r)).astype(np.int64))

    @cached_property
    def neighbours(self) -> NDArray[np.int64]:
        """Numbers of neighbours, (tiles, 6), read-only, in the order of `SIDES`; -1 for none."""
        return _read_only(self.numbers(self.tiles[:, None, :] + SIDES))

    @cached_property
    def edges(self) -> NDArray[np.float64]:
        """All edges of tiles, (edges, 2, 2) GSU, read-only: both ends of each, none twice."""
        corners = self.grid.corners(self.tiles)
        # An edge belongs to the tile with the smaller number, or to the only one.
        other = self.neighbours[:, _SIDES_OF_EDGES]
        tile, edge = np.nonzero((other < 0) | (other > np.arange(len(self))[:, None]))
        return _read_only(np.stack((corners[tile, edge], corners[tile, (edge + 1) % 6]), axis=1))

    def numbers(self, tiles: ArrayLike) -> NDArray[np.int64]:
        """Return the number of each tile on the board, (...,); -1 for other tiles."""
        given = as_tiles(tiles)
        q, r = given[..., 0], given[..., 1]
        column, is_odd = q + r // 2, r % 2
        on = (r >= 0) & (r < self.rows) & (column >= 0)
        on &= column < np.where(is_odd, self.odd, self.even)
        before = r // 2 * (self.even + self.odd) + is_odd * self.even
        return np.where(on, before + column, -1)

    def centres_around(self, places: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the centre of the tile of each point, (n, 2) GSU, and whether it is on the board.

        places : (n, 2) GSU
        """
        tiles = self.grid.tiles_at(places)
        return self.grid.centres(tiles), self.holds(tiles)

    def holds(self, tiles: ArrayLike) -> NDArray[np.bool_]:
        """Return whether each tile is on the board."""
        return self.numbers(tiles) >= 0


@lru_cache(maxsize=8)
def _board_over(size: tuple[float, float]) -> HexBoard:
    return HexBoard.covering(size)


def board_of(field: Field) -> HexBoard:
    """Return the board of a field that is divided into hexes; the same one at each call.

    Raises
    ------
    ValueError
        A field that has no hexes, or as `HexBoard.covering`.
    """
    if field.cells != "hexes":
        raise ValueError("the field is not divided into hexes")
    return _board_over(field.size)


def _size(size: tuple[float, float]) -> str:
    return f"{size[0]:,g} x {size[1]:,g}"


def _read_only(column: NDArray[_Number]) -> NDArray[_Number]:
    column.flags.writeable = False
    return column
