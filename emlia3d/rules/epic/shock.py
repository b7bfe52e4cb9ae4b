"""Shock, and broken formations, which withdraw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.situation.field_edges import distance_from
from emlia3d.rules.epic.damage import destroy
from emlia3d.rules.epic.events import Broke, ShockTaken
from emlia3d.rules.epic.formations import (
    cell,
    enemies_of,
    is_broken,
    kind_of,
    rows_by_distance,
    shock_of,
    strength,
    units_of,
)
from emlia3d.rules.epic.movement import allowance, reach_of_unit, walk
from emlia3d.rules.epic.unit_set import options_of
from emlia3d.rules.rulebook import rule

SAFE = 4
"""Distance from enemies within which withdrawn units are destroyed, tiles."""

WITHDRAWAL_MOVES = 2


@rule("epic.shock.gain")
def shock_from(casualties: int, *, shot_at: bool = False, failed: bool = False) -> int:
    """Return the Shock of casualties, of being shot at, and of a failed test."""
    return casualties + shot_at + failed


@rule("epic.broken.when")
def breaks(shock: int, units: int) -> bool:
    """Return whether a formation with this Shock and this many units is broken."""
    return shock >= units


@rule("epic.broken.effects")
def is_effective(*, broken: bool) -> bool:
    """Return whether a formation can act, hold objectives, support and join crossfires."""
    return not broken


@rule("epic.broken.more-shock")
def units_lost_instead(shock: int, *, option: bool) -> int:
    """Return the units that a broken formation loses in place of Shock."""
    return shock if option else 0


def take_shock(
    battle: Battle, leader: int, amount: int, attackers: Sequence[int] = ()
) -> Procedure[None]:
    """Give a formation Shock; a broken one loses units instead, the closest to attackers first."""
    if not amount:
        return
    if is_broken(battle, leader):
        option = options_of(battle.setup).broken_extra_shock
        rows = units_of(battle).of_formation(leader)
        near = rows_by_distance(battle, rows, [r for r in attackers if units_of(battle).there[r]])
        for row in near[: units_lost_instead(amount, option=option)]:
            yield from destroy(battle, row, "Shock of a broken formation")
        return
    shock = shock_of(battle, leader) + amount
    yield Event(
        facts=ShockTaken(amount=amount, shock=shock),
        unit=leader,
        gesture="waver",
        because=("epic.shock.gain",),
        changes=(cell(leader, "shock", shock),),
        part_of_last=True,
    )


def check_broken(battle: Battle, leader: int) -> Procedure[bool]:
    """Break a formation if its Shock is enough; return whether it broke or was destroyed."""
    rows = units_of(battle).of_formation(leader)
    if not rows:
        return True
    if is_broken(battle, leader):
        return True
    if not breaks(shock_of(battle, leader), strength(battle, rows)):
        return False
    yield from break_formation(battle, leader)
    return True


def break_formation(battle: Battle, leader: int) -> Procedure[None]:
    """Break a formation, which withdraws at once."""
    yield Event(
        facts=Broke(),
        unit=leader,
        gesture="waver",
        because=("epic.broken.when",),
        changes=(cell(leader, "morale", 1), cell(leader, "overwatch", 0)),
    )
    yield from withdraw(battle, leader)


@rule("epic.broken.withdraw")
def withdrawal_tile(
    reached: NDArray[np.int64], to_enemy: NDArray[np.int64], to_edge: NDArray[np.float64]
) -> int:
    """Return the tile on which a unit ends: as far from enemies as possible, then near its edge.

    reached : numbers of the free tiles that it reaches
    to_enemy, to_edge : tiles from the nearest enemy, and GSU to its own edge, of each
    """
    return int(reached[np.lexsort((reached, to_edge, -to_enemy))[0]])


def withdraw(battle: Battle, leader: int) -> Procedure[None]:
    """Withdraw a broken formation by two moves; units still near enemies are destroyed."""
    side = int(units_of(battle).side[leader])
    rows = units_of(battle).of_formation(leader)
    foes = enemies_of(battle, side)
    for unit in reversed(rows_by_distance(battle, rows, foes)):
        units = units_of(battle)
        if not foes or not units.there[unit]:
            continue
        tiles = allowance(kind_of(battle, unit).speed, WITHDRAWAL_MOVES)
        free = reach_of_unit(battle, unit, tiles, zone=False).is_reached.copy()
        free[units.number[units.there]] = False
        free[units.number[unit]] = True
        reached = np.flatnonzero(free)
        to_enemy = units.tile_gaps(reached, foes)
        end = withdrawal_tile(reached, to_enemy, _to_edge(battle, unit, reached))
        yield from walk(
            battle, unit, (end, None), how="withdraws", zone=False, moves=WITHDRAWAL_MOVES
        )
    while foes and (near := _near(battle, leader, foes)):
        # Units from the wreck of a carrier are near the same enemies.
        for unit in near:
            yield from destroy(battle, unit, "an enemy near its withdrawal")


def _near(moment: Moment, leader: int, foes: Sequence[int]) -> list[int]:
    """Return the units of a formation that are not safe from enemies."""
    units = units_of(moment)
    rows = units.of_formation(leader)
    if not rows:
        return []
    gaps = units.gaps(rows, foes).min(axis=1).tolist()
    return [row for row, gap in zip(rows, gaps, strict=True) if gap <= SAFE]


def _to_edge(moment: Moment, unit: int, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the distances of tiles from the edge of a unit's side, GSU."""
    board, edge = units_of(moment).board, moment.setup.lines_of(unit)
    assert isinstance(edge, str), "the system refuses other lines"
    east, north = board.grid.centres(board.tiles[numbers]).T
    return distance_from(edge, (east, north), moment.setup.field.size)
