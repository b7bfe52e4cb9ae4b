"""Crossfire: a line from a firing unit to an ally passes through the target formation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.options import Place
from emlia3d.field.hexes import links
from emlia3d.rules.epic.core import tiles_apart
from emlia3d.rules.epic.formations import LONGEST_LINK, is_broken, units_of
from emlia3d.rules.epic.shock import is_effective
from emlia3d.rules.epic.sight import is_between, sees, tiles_between
from emlia3d.rules.epic.unit_set import formation_of
from emlia3d.rules.rulebook import rule

LONGEST = 12
"""Maximum length of the line, tiles."""


@rule("epic.crossfire.length")
def is_short_enough(gap: int) -> bool:
    """Return whether a line is short enough."""
    return gap <= LONGEST


@rule("epic.crossfire.ally")
def is_ally(*, sees_target: bool, broken: bool) -> bool:
    """Return whether a unit is an ally of a crossfire."""
    return sees_target and is_effective(broken=broken)


@rule("epic.crossfire.effect")
def save_modifier(*, crossfire: bool) -> int:
    """Return the modifier of the target's saves."""
    return -1 if crossfire else 0


def tiles_of_formation(moment: Moment, leader: int) -> set[tuple[int, int]]:
    """Return the tiles of a formation: of its units, and between units at most 2 tiles apart."""
    units = units_of(moment)
    tiles = units.tile[units.of_formation(leader)]
    one, other = links(tiles, LONGEST_LINK).reshape(-1, 2).T
    between = tiles_between(tiles[one], tiles[other]).tiles.reshape(-1, 2)
    return {(q, r) for q, r in (*tiles.tolist(), *between.tolist())}


@rule("epic.crossfire.line")
def is_crossfire(moment: Moment, leader: int, target: int, shooters: Sequence[int]) -> bool:
    """Return whether fire of a formation's units at another formation is a crossfire."""
    ends = _lines(moment, leader, target, shooters)
    through = tiles_of_formation(moment, target)
    return bool(len(ends)) and is_between(moment, ends[:, 0], ends[:, 1], through)


def crossfire_line(
    moment: Moment, leader: int, target: int, shooters: Sequence[int]
) -> tuple[Place, Place] | None:
    """Return the ends of the shortest line of a crossfire, GSU; None without a crossfire."""
    through, grid = tiles_of_formation(moment, target), units_of(moment).board.grid
    ends = _lines(moment, leader, target, shooters)
    for each in ends[np.argsort(tiles_apart(ends[:, 0], ends[:, 1]), kind="stable")]:
        if is_between(moment, each[:1], each[1:], through):
            (x, y), (to_x, to_y) = grid.centres(each).tolist()
            return (x, y), (to_x, to_y)
    return None


def _lines(moment: Moment, leader: int, target: int, shooters: Sequence[int]) -> NDArray[np.int64]:
    """Return the tiles at the ends of the lines from shooters to allies, (lines, 2, 2)."""
    units = units_of(moment)
    foes = units.of_formation(target)
    if not foes:
        return np.zeros((0, 2, 2), dtype=np.int64)
    side = int(units.side[leader])
    others = [row for row in units.of_side(side) if units.leader[row] != leader]
    gaps_to = units.gaps(others, shooters).min(axis=1, initial=LONGEST + 1).tolist()
    # Lines that are too long are removed before the slower test of sight.
    others = [row for row, gap in zip(others, gaps_to, strict=True) if is_short_enough(gap)]
    allies = [
        row
        for row, seen in zip(others, sees(moment, others, foes), strict=True)
        if is_ally(
            sees_target=bool(seen.any()),
            broken=is_broken(moment, formation_of(moment.setup, row)),
        )
    ]
    pairs = [
        (shooter, ally)
        for shooter, gaps in zip(shooters, units.gaps(shooters, allies).tolist(), strict=True)
        for ally, gap in zip(allies, gaps, strict=True)
        if is_short_enough(gap)
    ]
    return units.tile[np.array(pairs, dtype=np.int64).reshape(-1, 2)]
