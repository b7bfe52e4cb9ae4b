"""Crossfire: a line from a unit that fires to an ally leads through the target formation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from emlia3d.battle.moment import Moment
from emlia3d.field.hexes import links
from emlia3d.rules.epic.formations import LONGEST_LINK, is_broken, units_of
from emlia3d.rules.epic.shock import is_effective
from emlia3d.rules.epic.sight import is_between, sees, tiles_between
from emlia3d.rules.epic.unit_set import formation_of
from emlia3d.rules.rulebook import rule

LONGEST = 12
"""Tiles of the line, at most."""


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
    """Return the tiles of a formation: of its units, and between units 2 tiles apart at most."""
    units = units_of(moment)
    tiles = units.tile[units.of_formation(leader)]
    one, other = links(tiles, LONGEST_LINK).reshape(-1, 2).T
    between = tiles_between(tiles[one], tiles[other]).tiles.reshape(-1, 2)
    return {(q, r) for q, r in (*tiles.tolist(), *between.tolist())}


@rule("epic.crossfire.line")
def is_crossfire(moment: Moment, leader: int, target: int, shooters: Sequence[int]) -> bool:
    """Return whether fire of units of a formation at another is a crossfire."""
    units = units_of(moment)
    foes = units.of_formation(target)
    if not foes:
        return False
    side = int(units.side[leader])
    others = [row for row in units.of_side(side) if units.leader[row] != leader]
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
    if not pairs:
        return False
    ends = units.tile[np.array(pairs)]
    return is_between(moment, ends[:, 0], ends[:, 1], tiles_of_formation(moment, target))
