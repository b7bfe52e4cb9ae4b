"""Sight over tiles: how lines from tile to tile are hindered, point by point.

A line is that of `tile_lines`: at each of its points it has one tile, or two that are equally
near. The one of the two that hinders less counts, so a line along an edge is hindered only if both
sides hinder it. A tile off the board does not count. The tiles at the ends never hinder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.field.hexes.hex_board import HexBoard
from emlia3d.field.hexes.tile_lines import TileLines, lines_between

FEATURE, OBSTRUCTION = 1, 2
"""Hindrance of a line by a tile: one of several features, or altogether; 0 is none."""


class HinderedPoint(NamedTuple):
    """A point of a line that is hindered.

    step : steps from the start of the line
    tiles : (q, r) of the tile that hinders there, or of both tiles on the sides of the line
    hindrance : `FEATURE` or `OBSTRUCTION`
    """

    step: int
    tiles: tuple[tuple[int, int], ...]
    hindrance: int


@dataclass(frozen=True, kw_only=True, eq=False)
class TileSight:
    """The points at which lines over a board are hindered.

    hindrance : (points,) int64, 0, `FEATURE` or `OBSTRUCTION` at each point of `lines`
    features, obstructions : (lines,) int64, the number of points of each line with that hindrance
    """

    board: HexBoard
    lines: TileLines
    hindrance: NDArray[np.int64]
    features: NDArray[np.int64]
    obstructions: NDArray[np.int64]

    def hindered(self, line: int) -> tuple[HinderedPoint, ...]:
        """Return the points of a line that are hindered, from its start on."""
        found = []
        for row in np.flatnonzero((self.lines.line == line) & (self.hindrance > 0)).tolist():
            both = self.lines.tiles[row]
            on_board = both[self.board.holds(both)]
            tiles = dict.fromkeys((q, r) for q, r in on_board.tolist())
            found.append(
                HinderedPoint(int(self.lines.step[row]), tuple(tiles), int(self.hindrance[row]))
            )
        return tuple(found)


def sight_over_tiles(
    board: HexBoard,
    starts: ArrayLike,
    ends: ArrayLike,
    *,
    eyes: tuple[ArrayLike, ArrayLike],
    obstructing: ArrayLike,
    hindering: ArrayLike,
) -> TileSight:
    """Return the points at which lines between pairs of tiles are hindered.

    A line runs straight from eye to eye. A tile hinders it if it is higher than the line at that
    point; a tile as high as the line does not. The same line from the other end is hindered by the
    same tiles. Heights in halves of a level give exact results.

    starts, ends : (lines, 2) integers on the board, or one tile for all lines
    eyes : the heights of the eyes at the starts and at the ends, (lines,) or one for all lines
    obstructing : (tiles,) height to which the ground of each tile, or a body on it, obstructs lines
    hindering : (tiles,) how high each tile counts as one feature; negative infinity: it does not

    Raises
    ------
    ValueError
        A start or an end off the board.
    """
    if not (board.holds(starts).all() and board.holds(ends).all()):
        raise ValueError("sight leads from a tile on the board to another")
    lines = lines_between(starts, ends)
    line, length = lines.line, lines.lengths[lines.line]
    of_start, of_end = (
        np.broadcast_to(np.asarray(eye, dtype=np.float64), lines.lengths.shape)[line]
        for eye in eyes
    )
    # All heights times the number of steps, so that whole numbers and halves stay exact.
    height = (of_start * (length - lines.step) + of_end * lines.step)[:, None]
    numbers = board.numbers(lines.tiles)
    tall, low = (
        np.asarray(column, dtype=np.float64)[numbers] * length[:, None]
        for column in (obstructing, hindering)
    )
    amount = np.where(tall > height, OBSTRUCTION, np.where(low > height, FEATURE, 0))
    amount[numbers < 0] = OBSTRUCTION
    hindrance = amount.min(axis=1).astype(np.int64) if len(amount) else np.empty(0, dtype=np.int64)
    features, obstructions = (
        np.bincount(line[hindrance == kind], minlength=len(lines.lengths)).astype(np.int64)
        for kind in (FEATURE, OBSTRUCTION)
    )
    return TileSight(
        board=board,
        lines=lines,
        hindrance=hindrance,
        features=features,
        obstructions=obstructions,
    )
