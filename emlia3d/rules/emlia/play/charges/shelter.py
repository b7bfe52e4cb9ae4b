"""The nearest concealment or cover from some enemies, and the moves that lead there.

Positions all round are queried in one batch, for a figure of the unit's height; the moves to the
nearest of them are then tried out on a copy of the battle, with the unit as it would stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.changes import Leave
from emlia3d.battle.decisions import Order
from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, facing_towards, unit_vector
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES, turn_and_go
from emlia3d.rules.emlia.play.sight.area import area_levels
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.pose import Pose
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

STEP = 2.0
"""GSU from one ring of places to the next."""

BEARINGS = tuple(facing_of_degrees(degrees) for degrees in range(0, 360, 15))
FARTHEST_MOVES = 6
"""Normal Moves within which shelter is looked for."""

_TRIED = 24
"""Number of moves that are tried out."""

_FIRST_PLACES = 4 * len(BEARINGS)
"""Number of places that are inspected first; each further lot has twice as many."""


def is_sheltered(moment: Moment, unit: int, foes: Sequence[int], *, cover: bool) -> bool:
    """Return whether a unit is concealed from all of these enemies where it is, or in cover.

    Cover counts against the weakest attack, of base damage 0.
    """
    return all(
        cover_of(moment, foe, unit, 0) is not Level.NONE
        if cover
        else level_on(moment, foe, unit) is not Level.NONE
        for foe in foes
    )


def towards_shelter(moment: Moment, unit: int, foes: Sequence[int], verb: str) -> Iterator[Order]:
    """Straight moves to places that look like shelter from all these enemies, the nearest first.

    Or as far towards them as the unit gets. A few: whether they are shelter for the unit as it
    would stand there must still be tried.
    """
    found: list[Order] = []
    budget = speed_of(moment, unit) * PACES[verb]
    x, y = situation_of(moment).centre(unit)
    away = ((east - x, north - y) for east, north in sheltered_places(moment, unit, foes))
    # Many places lie one behind another, all out of reach: the same move leads towards them.
    moves = _each_once(
        (facing_towards(east, north) % FULL_CIRCLE, min(float(np.sqrt(east**2 + north**2)), budget))
        for east, north in away
    )
    for way, most in moves:
        order = turn_and_go(moment, unit, way, budget, verb, most=most)
        if order is not None and order not in found:
            found.append(order)
            yield order
        if len(found) == _TRIED:
            return


def _each_once(moves: Iterable[tuple[int, float]]) -> Iterator[tuple[int, float]]:
    """Yield each move once."""
    seen = set[tuple[int, float]]()
    for move in moves:
        if move not in seen:
            seen.add(move)
            yield move


def sheltered_places(
    moment: Moment, unit: int, foes: Sequence[int]
) -> Iterator[tuple[float, float]]:
    """Yield the places round a unit that are concealed from all these enemies, nearest first.

    GSU. The farther places are inspected only if the caller asks for them.
    """
    places, height, count = _round(moment, unit), situation_of(moment).height(unit), _FIRST_PLACES
    without_it = moment.fork()
    without_it.suppose((Leave(unit=unit),))
    while some := [*islice(places, count)]:
        spots, count = np.array(some), 2 * count
        for foe in foes:
            spots = spots[area_levels(without_it, foe, spots, height) > Level.NONE]
            if not len(spots):
                break
        yield from ((east, north) for east, north in spots.tolist())


def _round(moment: Moment, unit: int) -> Iterator[tuple[float, float]]:
    """Places on the field in rings round a unit."""
    x, y = situation_of(moment).centre(unit)
    width, depth = moment.setup.field.size
    rings = int(FARTHEST_MOVES * speed_of(moment, unit) / STEP)
    for ring in range(1, rings + 1):
        for bearing in BEARINGS:
            east, north = unit_vector(bearing)
            spot = x + ring * STEP * east, y + ring * STEP * north
            if 0 < spot[0] < width and 0 < spot[1] < depth:
                yield spot


class TrialBattle:
    """A copy of the battle in which a unit is put where it would end."""

    def __init__(self, battle: Battle, unit: int) -> None:
        self._battle = battle
        self._unit = unit
        self._copy: Battle | None = None

    def at(self, pose: Pose) -> Battle:
        """Return the battle with the unit there; the same copy each time."""
        if self._copy is None:
            self._copy = self._battle.fork()
        self._copy.suppose(pose.changes(self._unit))
        return self._copy
