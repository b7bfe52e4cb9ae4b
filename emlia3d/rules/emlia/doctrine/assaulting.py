"""Attacks hand to hand: which enemy to charge, from where, and from which side.

A charge is straight. A unit that could charge from another place, past a friend that
stands in its way or into the flank of an engaged enemy, first moves there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import isinf
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, facing_towards, unit_vector
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import (
    ExpectedMelee,
    Role,
    boldness,
    charge_exchange,
    exchange,
    role_of,
)
from emlia3d.rules.emlia.doctrine.places import worth_meeting
from emlia3d.rules.emlia.doctrine.unit_paths import allowed
from emlia3d.rules.emlia.play.charges.charging import goals_of
from emlia3d.rules.emlia.play.charges.running_in import SHORT
from emlia3d.rules.emlia.play.movement.manoeuvre import turn_and_go
from emlia3d.rules.emlia.play.movement.obstruction_cache import NearbyBodies
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by, is_ranked
from emlia3d.rules.emlia.play.situation.march import MarchWay
from emlia3d.rules.emlia.play.situation.pose import (
    QUARTER,
    Pose,
    gone,
    pose_of,
    radius_of,
    turn_cost,
    turned,
)
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import within

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_LOOKED_AT = 2
"""Number of enemies against which ways of attacking are computed."""

_RUN = 0.6
"""The share of its speed that a unit keeps for the charge after a move."""

_RUN_IN = 0.35
"""Share of a move allowed for a charge into a flank, which must turn first."""

_ROUND = (0, 30, -30, 60, -60)
"""Ways tried towards an enemy, degrees off the straight one."""

_BETTER = 1.25
"""Ratio by which the odds of a longer way must exceed the odds of charging at once."""


@dataclass(frozen=True, slots=True)
class _Attack:
    """Order by which a unit attacks, or moves to attack, with its expected result."""

    order: Order
    found: ExpectedMelee


def order(ai: AiContext, decision: Decision, unit: int, charges: Iterable[Order]) -> Order | None:
    """Return the charge with the best odds, or the move that prepares a much better one.

    charges : the offered charges
    """
    battle, least = ai.battle, boldness(ai, unit)
    if role_of(battle, unit) not in {Role.LINE, Role.CAVALRY} or isinf(least):
        return None
    at_once = _best(_at_once(ai, charges))
    if at_once is not None and at_once.found.odds < least:
        at_once = None
    wanted = least if at_once is None else max(least, _BETTER * at_once.found.odds)
    first = _best(_by_a_move(ai, decision, unit, wanted, at_once is not None))
    chosen = first or at_once
    return None if chosen is None else chosen.order


def _best(attacks: Iterable[_Attack]) -> _Attack | None:
    return max(attacks, key=lambda one: one.found.odds, default=None)


def _at_once(ai: AiContext, charges: Iterable[Order]) -> Iterator[_Attack]:
    for one in charges:
        assert one.unit is not None
        assert one.target is not None
        found = charge_exchange(ai.battle, one.unit, one.target)
        if found is not None:
            why = f"charges {ai.name(one.target)}: {found}"
            yield _Attack(replace(one, why=why), found)


def _by_a_move(
    ai: AiContext, decision: Decision, unit: int, wanted: float, into_flanks_only: bool
) -> Iterator[_Attack]:
    """Yield moves after which a charge in the same activation reaches at these odds or better."""
    battle = ai.battle
    if not may_move_first(battle, unit):
        return
    nearby = NearbyBodies(battle, unit)
    for foe in _within_reach(ai, unit, wanted):
        ways = into_flanks(battle, unit, foe)
        if not into_flanks_only:
            ways = [*ways, *straight_at(battle, unit, foe)]
        for move, end in moves_before(battle, unit, foe, ways, nearby):
            found = charge_exchange(battle, unit, foe, end)
            if found is None or found.odds < wanted:
                continue
            why = f"closes in to charge {ai.name(foe)}: {found}"
            legal = allowed(decision, move, why)
            if legal is not None:
                yield _Attack(legal, found)
                break


def may_move_first(moment: Moment, unit: int) -> bool:
    """Return whether a unit may still move and then charge in its activation."""
    units = moment.state.units
    used = units.value("move_used", unit) or units.value("primary_used", unit)
    return not used and not engaged_by(moment, unit)


def moves_before(
    moment: Moment, unit: int, foe: int, ways: Iterable[tuple[int, float]], nearby: NearbyBodies
) -> Iterator[tuple[Order, Pose]]:
    """Yield moves before a charge at an enemy, each with the pose at its end.

    Moves from which the charge surely falls short are left out.

    ways : facings to go, and how far at most, GSU
    """
    speed = speed_of(moment, unit)
    for way, most in ways:
        start = turned(pose_of(moment, unit), way)
        if surely_falls_short(moment, unit, foe, start, nearby.room_before(start, most)):
            continue
        move = turn_and_go(moment, unit, way, speed, "move", most)
        if move is not None:
            end = move.legs[-1]
            yield move, start.at(end.x, end.y, end.facing)


def _within_reach(ai: AiContext, unit: int, wanted: float) -> list[int]:
    """Return enemies in sight that could be charged after a move and are worth it.

    The best odds come first.
    """
    battle, situation = ai.battle, situation_of(ai.battle)
    far = 2 * speed_of(battle, unit)
    odds = {
        foe: exchange(battle, unit, foe).odds
        for foe, gap in within(battle, unit, worth_meeting(ai), far).items()
        if gap < far
    }
    near = [foe for foe, each in odds.items() if each >= wanted / _BETTER]
    best = sorted(near, key=lambda foe: (-odds[foe], situation.distance(unit, foe), foe))
    return [*islice((foe for foe in best if is_aware(battle, unit, foe)), _LOOKED_AT)]


def straight_at(moment: Moment, unit: int, foe: int) -> list[tuple[int, float]]:
    """Return facings and distances that bring a unit before an enemy: straight on, then aside."""
    situation, run = situation_of(moment), _RUN * speed_of(moment, unit)
    (x, y), (ox, oy) = situation.centre(unit), situation.centre(foe)
    way, most = facing_towards(ox - x, oy - y), max(situation.distance(unit, foe) - run, run / 2)
    return [((way + facing_of_degrees(off)) % FULL_CIRCLE, most) for off in _ROUND]


def into_flanks(moment: Moment, unit: int, foe: int) -> list[tuple[int, float]]:
    """Return the ways to places before the flanks and rear of an engaged ranked enemy."""
    if not is_ranked(moment, foe) or not engaged_by(moment, foe):
        return []
    situation, speed, body = situation_of(moment), speed_of(moment, unit), pose_of(moment, foe)
    x, y = situation.centre(unit)
    off = _RUN_IN * speed + moment.state.roster.drill(unit).length / 2
    ways = []
    for side, deep in (
        (2 * QUARTER, body.drill.length / 2),
        (QUARTER, body.drill.frontage / 2),
        (3 * QUARTER, body.drill.frontage / 2),
    ):
        east, north = unit_vector((body.facing + side) % FULL_CIRCLE)
        middle_x, middle_y = body.middle
        away_x = middle_x + (deep + off) * east - x
        away_y = middle_y + (deep + off) * north - y
        most = float(np.sqrt(away_x**2 + away_y**2))
        if most <= speed:
            ways.append((facing_towards(away_x, away_y), most))
    return ways


def surely_falls_short(moment: Moment, unit: int, foe: int, start: Pose, most: float) -> bool:
    """Return whether a charge is surely too short after a march from a pose, on any free way.

    The march is straight and at most *most* GSU. Only for ranked units; False for others.
    """
    if start.parts or start.drill.formation is not Formation.RANKED:
        return False
    speed, facing, goals = speed_of(moment, unit), start.facing, goals_of(moment, unit, foe)
    far = reach_of(situation_of(moment), unit) + 2 * SHORT
    middles = shapely.linestrings([start.middle, gone(start, facing, most).middle])
    # Turned for the run, at a cost, it stands nowhere outside the circle round its corners.
    round_it = radius_of(start.drill) + speed - turn_cost(start, facing + 1, speed)
    if any(goal.distance(middles) <= round_it + far for goal in goals):
        return False
    straight_on = MarchWay.towards(facing).swept(start.outline, most)
    return all(goal.distance(straight_on) > speed + far for goal in goals)
