"""The strips of tiles along the edges in which the sides deploy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from emlia3d.battle.decisions import Order
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Edge, Setup
from emlia3d.field.hexes import HexBoard, sizes_of_chains
from emlia3d.force.facing import turn_between
from emlia3d.rulekit.situation.field_edges import INWARD
from emlia3d.rules.epic.formations import LONGEST_LINK, kind_of, nearest_to_cohesion, units_of
from emlia3d.rules.epic.movement import FACINGS, MoveEnds
from emlia3d.rules.epic.terrain import terrain_of
from emlia3d.rules.epic.unit_set import game_of
from emlia3d.rules.rulebook import rule

STRIP_ROWS = 5
"""Depth of a deployment strip, rows of tiles."""

SLUG = "epic.board.sample"


@rule("epic.board.sample")
def is_in_strip(row: Any, rows: Any, edge: str) -> Any:
    """Return whether rows of tiles are in the strip along an edge, (...,) bool.

    row : its number from the south; along the west and the east edge, that of a column
    rows : their number
    """
    return row < STRIP_ROWS if edge in {"south", "west"} else row >= rows - STRIP_ROWS


def strip_along(board: HexBoard, edge: str) -> NDArray[np.bool_]:
    """Return (tiles,) the tiles of a board that are in the strip along an edge."""
    q, r = board.tiles.T
    along, of = r, np.full(len(board), board.rows)
    if edge in {"west", "east"}:
        along, of = q + r // 2, np.where(r % 2, board.odd, board.even)
    found: NDArray[np.bool_] = is_in_strip(along, of, edge)
    return found


def edge_of(setup: Setup, unit: int) -> Edge:
    """Return the edge of the field along which a unit is deployed."""
    edge = setup.lines_of(unit)
    assert isinstance(edge, str), "the system refuses other lines"
    return edge


def inward_facing(edge: Edge) -> int:
    """Return the facing of units that are placed along an edge, 64ths of a degree."""
    return nearest_side(INWARD[edge] * 64)


def nearest_side(facing: int) -> int:
    """Return the facing of a tile's side that is nearest to a facing, 64ths of a degree.

    If two are equally near, as for some edges of the field, it is the first.
    """
    return min(FACINGS, key=lambda side: abs(turn_between(side, facing)))


@dataclass(frozen=True, eq=False)
class DeploymentEnds(MoveEnds):
    """The tiles on which a unit can be placed; those nearest to objectives are listed."""

    verb: str = "place"
    slug: str = SLUG

    @override
    def options(self) -> tuple[Order, ...]:
        shortlist = self.listed()
        alone = [self.to(number) for number in shortlist]
        if not self.rest:
            return tuple(alone)
        together = [self.to(number, self.all_verb) for number in shortlist]
        return *(replace(order, units=self.rest) for order in together), *alone


def deployment_ends(moment: Moment, unit: int, rest: tuple[int, ...]) -> DeploymentEnds | None:
    """Return the tiles on which a unit can be placed; None if no tile of its strip is free.

    The first unit of a formation is placed where the others have room in cohesion with it.

    rest : the units of its formation that are placed after it
    """
    units, terrain, edge = units_of(moment), terrain_of(moment), edge_of(moment.setup, unit)
    free = strip_along(units.board, edge)
    free[units.number[units.there]] = False

    def closed(row: int) -> NDArray[np.bool_]:
        return terrain.is_passed(kind_of(moment, row).unit_type, "impassable")

    alone = np.flatnonzero(free & ~closed(unit))
    if not len(alone):
        return None
    placed = units.of_formation(int(units.leader[unit]))
    if placed:
        lacks = np.maximum(units.tile_gaps(alone, placed) - LONGEST_LINK, 0)
    else:
        for row in (unit, *rest):
            free &= ~closed(row)
        room = sizes_of_chains(units.board, free, LONGEST_LINK)[alone]
        lacks = np.maximum(len(rest) + 1 - room, 0)
    allowed = alone[nearest_to_cohesion(lacks.astype(np.float64))]
    front, goals = _front(moment, edge, allowed), game_of(moment.setup).objectives
    return DeploymentEnds(units.board, unit, -1, allowed, front, rest, goals=goals)


def _front(moment: Moment, edge: str, numbers: NDArray[np.int64]) -> int:
    """Return the foremost tile; if there are several, the one nearest to the field's centre."""
    board, size = units_of(moment).board, moment.setup.field.size
    centres = board.grid.centres(board.tiles[numbers])
    along, deep = (0, 1) if edge in {"south", "north"} else (1, 0)
    ahead = np.round(centres[:, deep], 6) * (1 if edge in {"south", "west"} else -1)
    off = np.round(abs(centres[:, along] - size[along] / 2), 6)
    return int(numbers[np.lexsort((numbers, off, -ahead))[0]])
