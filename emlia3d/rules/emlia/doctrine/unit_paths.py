"""Paths of the commander's units: straight, round terrain, by wheels, in the air."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, sqrt
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.errors import IllegalOrderError
from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, turn_between, unit_vector
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.play.movement import shortest_paths
from emlia3d.rules.emlia.play.movement.driving import driven_by, drives
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES, fly, turn_and_go
from emlia3d.rules.emlia.play.movement.obstruction_cache import NearbyBodies
from emlia3d.rules.emlia.play.sight.awareness import known_to
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.going import mode_of
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, pose_of, turned
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.modes import FLYING

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_FAR_SIGHTED = 6
"""Normal Moves within which a way round an obstacle is looked for."""

_LEAST = 2.0
"""Minimum distance, GSU, for which such a way is searched."""


_OFF = (0, 12, -12, 25, -25, 45, -45, 70, -70)
"""Directions tried if the straight one is blocked, degrees off it."""

SQUARE = 20 * 64
"""A turn that is not worth its cost, in facings."""

_ROUNDED = 1 / 128
"""GSU that the rounding of places may add to a move."""

STUCK = 0.3
"""Share of a move's length below which the unit counts as stuck."""


def best_way(  # noqa: PLR0913, PLR0917
    moment: Moment, decision: Decision, unit: int, way: int, verb: str, most: float, why: str
) -> Order | None:
    """Return the legal move that gets farthest in a direction, without slight turns."""
    if driven_by(moment, unit) is not None:
        return drive(moment, decision, unit, way, verb, most, why)
    now = moment.state.units.integer("facing", unit)
    ways = [way]
    if abs(turn_between(now, way)) < SQUARE:
        ways.insert(0, now)
    ways += [(way + facing_of_degrees(off)) % FULL_CIRCLE for off in _OFF[1:]]
    best, gain = None, 2.0
    budget = speed_of(moment, unit) * PACES[verb]
    aloft = altitude_for(moment, unit) if mode_of(moment, unit) == FLYING else None
    far = min(budget, most)
    pose, nearby = pose_of(moment, unit), NearbyBodies(moment, unit)
    for facing in ways:
        start = turned(pose, facing)
        if most_gain(moment, unit, start, way, nearby.room_before(start, far)) <= gain + 1:
            continue
        order = (
            turn_and_go(moment, unit, facing, budget, verb, most)
            if aloft is None
            else fly(moment, unit, facing, budget, verb, most, aloft)
        )
        if order is None:
            continue
        got = gain_of(moment, unit, order, way)
        if got > gain + 1 and allowed(decision, order, why) is not None:
            best, gain = order, got
        if gain > 0.8 * far:
            break
    if best is None or gain < STUCK * far:
        past = round_terrain(moment, decision, unit, way, verb, most, why)
        if past is not None:
            return past
    return None if best is None else replace(best, why=why)


def gain_of(moment: Moment, unit: int, order: Order, way: int) -> float:
    """Return how far a move brings a unit in a direction, GSU."""
    return _gain(moment, unit, order.legs[-1], way)


def most_gain(moment: Moment, unit: int, start: Pose, way: int, far: float) -> float:
    """Return how far a unit gets straight on from a pose, at most *far* GSU.

    As far as it may go or nowhere, whichever is better; no less than a move does that is rounded.
    """
    ends = start, gone(start, start.facing, far)
    return max(_gain(moment, unit, end, way) for end in ends) + _ROUNDED


def _gain(moment: Moment, unit: int, end: Pose | Leg, way: int) -> float:
    (x, y), (east, north) = situation_of(moment).centre(unit), unit_vector(way)
    return (end.x - x) * east + (end.y - y) * north


def round_terrain(  # noqa: PLR0913, PLR0917  as `best_way`
    moment: Moment, decision: Decision, unit: int, way: int, verb: str, most: float, why: str
) -> Order | None:
    """Return the order that goes round terrain in the straight way; None where there is none."""
    speed = speed_of(moment, unit)
    wanted = min(most, _FAR_SIGHTED * speed)
    if (
        speed <= 0
        or wanted <= _LEAST
        or not shortest_paths.is_barred_by_terrain(moment, unit, way, wanted)
    ):
        return None
    east, north = unit_vector(way)
    x, y = pose_of(moment, unit).middle
    places = shortest_paths.way_round(moment, unit, (x + wanted * east, y + wanted * north))
    if places is None:
        return None
    order = shortest_paths.follow(moment, unit, places, speed * PACES[verb], verb)
    return allowed(decision, order, f"{why}, around obstacles")


def drive(  # noqa: PLR0913, PLR0917  as `best_way`
    moment: Moment, decision: Decision, unit: int, way: int, verb: str, most: float, why: str
) -> Order | None:
    """Return the drive that ends nearest to a place ahead; None if none is allowed.

    What it may not slow down to stand at goes on in any case.
    """
    east, north = unit_vector(way)
    x, y = situation_of(moment).centre(unit)
    goal = x + most * east, y + most * north
    best, nearest_to = None, most
    for order in drives(moment, unit, verb):
        end = order.legs[-1]
        away = sqrt((end.x - goal[0]) ** 2 + (end.y - goal[1]) ** 2)
        if away < nearest_to and allowed(decision, order, why) is not None:
            best, nearest_to = order, away
    return None if best is None else replace(best, why=why)


def altitude_for(moment: Moment, unit: int) -> float:
    """Return the altitude to fly at: beyond the reach of enemies on the ground, for shooters."""
    situation = situation_of(moment)
    if not situation.entry(unit).ranged_weapons:
        return 0.0
    known = known_to(moment, moment.state.units.integer("side", unit))
    high = max((situation.height(foe) + reach_of(situation, foe) for foe in known), default=0.0)
    high = ceil(high + 1) if high else 0
    return min(high, numbers_of(moment).ceiling or high)


def allowed(decision: Decision, order: Order | None, why: str) -> Order | None:
    """Return the order with its reason, if it may be given."""
    if order is None or not order.legs:
        return None
    try:
        decision.check(order)
    except IllegalOrderError:
        return None
    return replace(order, why=why)
