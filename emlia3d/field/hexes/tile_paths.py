"""Paths over the tiles of a board: what a walk reaches, and the path of minimum cost to a tile."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.errors import quoted
from emlia3d.field.hexes.axial import Tiles, as_tiles
from emlia3d.field.hexes.hex_board import HexBoard

Costs = NDArray[np.float64]
"""(tiles,) float64, a cost of each tile of a board; infinite: the tile cannot be entered."""

_OPPOSITE = np.array([3, 4, 5, 0, 1, 2])
"""The way back of each of the six `SIDES`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TileReach:
    """The minimum costs of walks from one or more tiles to the tiles of a board.

    costs : (tiles,) float64, read-only: to each tile of the board; infinite: not reached
    entering : (tiles,) float64, of entering each tile
    barred : (tiles, 6) bool, the steps that no walk takes
    """

    board: HexBoard
    costs: Costs
    entering: Costs
    barred: NDArray[np.bool_]

    @property
    def is_reached(self) -> NDArray[np.bool_]:
        """(tiles,) bool, whether a walk reaches each tile; true for the starting tiles."""
        return np.isfinite(self.costs)

    def path(self, tile: ArrayLike) -> Tiles:
        """Return the tiles of a path of minimum cost, (tiles, 2), from its start to a tile.

        If several paths cost the same, the last of their steps that differ decides: the earliest
        in the order of `SIDES`, seen from where the step ends.

        Raises
        ------
        ValueError
            A tile that no walk reaches.
        """
        here = int(self.board.numbers(tile))
        if here < 0 or not np.isfinite(self.costs[here]):
            raise ValueError(f"no walk reaches the tile {tuple(as_tiles(tile).tolist())}")
        back = [here]
        while self.costs[here] > 0:
            before = self.board.neighbours[here]
            is_step = (before >= 0) & ~self.barred[before, _OPPOSITE]
            is_step &= self.costs[before] + self.entering[here] == self.costs[here]
            here = int(before[np.argmax(is_step)])
            back.append(here)
        return self.board.tiles[back[::-1]]


def walk_reach(
    board: HexBoard,
    starts: ArrayLike,
    entering: ArrayLike = 1.0,
    *,
    limit: float = math.inf,
    barred: ArrayLike = False,
) -> TileReach:
    """Return the tiles that a walk over neighbouring tiles reaches, with their minimum costs.

    The cost of a walk is the sum of the costs of the tiles that it enters. Its start costs nothing.

    starts : (2,) or (starts, 2) integers, the tiles from which it may start
    entering : (tiles,) or one number, the cost of entering each tile, above 0; infinite: the tile
        cannot be entered
    limit : the cost that a walk may have at most
    barred : (tiles, 6) bool, the steps that it cannot take, from each tile in the order of `SIDES`.
        If all steps from a tile are barred, a walk that enters it ends there.

    Raises
    ------
    ValueError
        A start off the board, or a cost that is not above 0.
    """
    cost = np.broadcast_to(np.asarray(entering, dtype=np.float64), (len(board),))
    if not (cost > 0).all():
        raise ValueError(f"entering a tile costs more than 0, not {quoted(float(cost.min()))}")
    is_barred = np.broadcast_to(np.asarray(barred, dtype=np.bool_), (len(board), 6))
    frontier = np.unique(board.numbers(np.atleast_2d(as_tiles(starts))))
    if frontier.size and frontier[0] < 0:
        raise ValueError("a walk starts on the board")
    costs = np.full(len(board), math.inf)
    costs[frontier] = 0.0
    # Each round takes one more step from the tiles to which the last round found a cheaper walk.
    while frontier.size:
        found = board.neighbours[frontier]
        walked = costs[frontier, None] + cost[found]
        is_cheaper = (found >= 0) & (walked <= limit) & (walked < costs[found])
        is_cheaper &= ~is_barred[frontier]
        reached = found[is_cheaper]
        np.minimum.at(costs, reached, walked[is_cheaper])
        is_new = np.zeros(len(board), dtype=np.bool_)
        is_new[reached] = True
        frontier = np.flatnonzero(is_new)
    costs.flags.writeable = False
    return TileReach(board=board, costs=costs, entering=cost, barred=is_barred)
