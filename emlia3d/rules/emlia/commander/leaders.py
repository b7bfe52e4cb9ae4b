"""The position of a leader, where its actions are worth more than the danger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from emlia3d.rules.emlia.commander.leader_danger import danger_at
from emlia3d.rules.emlia.commander.leader_worths import (
    CLOSER,
    LeaderWorths,
    LedSubject,
    subjects_for,
    worths_at,
)
from emlia3d.rules.emlia.commander.outlook import body_of, frame_of
from emlia3d.rules.emlia.commander.recovery import FREE, best_action
from emlia3d.rules.emlia.commander.vantage import inside, places_round
from emlia3d.rules.emlia.doctrine import ambush, leader_actions
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.doctrine.places import middle
from emlia3d.rules.emlia.doctrine.unit_paths import best_way
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.brigades import brigades_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

Floats = NDArray[np.float64]

_BEHIND = 30.0
"""Distance of a leader's post behind the line, GSU."""

_APART = 16.0
"""Minimum distance between leaders, GSU."""

_CLOSE = 14.0
"""Distance of a leader from a unit, GSU."""

_RINGS, _STEPS = (20.0, 45.0, 80.0, 120.0, 160.0), 12
"""Distances and number of directions of the positions that a leader considers."""

_OFF = 0.001
"""Cost of a GSU from its post, army value."""

_EDGE = 4.0
"""Minimum distance of a leader from the edge of the field, GSU."""

_WORTH_GOING = 0.03
"""Minimum gain of a new position, army value."""

_SAFE = "stays near its units, out of the enemy's fire"


def order(ai: AiContext, decision: Decision, unit: int, offered: Offered) -> Order:
    """Return the leader's ride to its best position, or its action there."""
    units = ai.battle.state.units
    if not units.value("move_used", unit):
        here = best_action(ai, offered, ("improve-morale-primary",))
        ride = _ride(ai, decision, unit, here.worth if here else 0.0)
        if ride is not None:
            return here.order if ride.first_here and here else ride.order
    verbs = (*FREE, "improve-morale-primary", "improve-morale")
    found = best_action(ai, offered, verbs)
    if found is not None:
        return found.order
    leaves = leader_actions.leave(ai, unit, offered)
    return leaves or ambush.look(ai, offered) or decision.of("done")[0]


@dataclass(frozen=True, slots=True)
class _Ride:
    """The ride of a leader.

    first_here : whether an action before the ride is worth more than one after it
    """

    order: Order
    first_here: bool


def _ride(ai: AiContext, decision: Decision, unit: int, here: float) -> _Ride | None:
    """Return the ride to the best position; None if the leader is there.

    here : worth of its primary action at its current position, army value
    """
    battle, situation = ai.battle, situation_of(ai.battle)
    others = [one for one in ai.own if role_of(battle, one) is not Role.GENERAL]
    if not others:
        return None
    frame, (x, y) = frame_of(ai), situation.centre(unit)
    led = _led_by(ai, unit, others)
    line = [one for one in led if role_of(battle, one) is Role.LINE] or led
    across, along = frame.of(*middle(battle, line))
    home = frame.on_field(across, along - _BEHIND)
    subjects = subjects_for(ai, unit, others, led)
    spots = _spots(ai, unit, home, [each.unit for each in subjects])
    away = np.hypot(*(spots - (x, y)).T)
    is_near = away <= speed_of(battle, unit)
    found = worths_at(ai, unit, spots, subjects)
    there = found.improve.max(axis=1, initial=0.0)
    now = np.maximum(there, np.where(is_near, here, 0.0)) + found.reorder.max(axis=1, initial=0.0)
    now[0] += _second(found.improve[0])
    worth = np.maximum(now, found.later.max(axis=1, initial=0.0))
    worth += 0.1 * np.minimum(now, found.later.max(axis=1, initial=0.0))
    danger = danger_at(ai, spots)
    worth -= danger + _OFF * np.hypot(*(spots - home).T)
    best = int(worth.argmax())
    if best == 0 or worth[best] < worth[0] + _WORTH_GOING:
        return None
    to_x, to_y = spots[best].tolist()
    helps = now[best] > now[0] or danger[best] >= danger[0]
    why = _why(ai, found, subjects, best) if helps else _SAFE
    verb = "move" if is_near[best] else "double-pace"
    way = facing_towards(to_x - x, to_y - y)
    order = best_way(battle, decision, unit, way, verb, float(away[best]), why)
    if order is None:
        return None
    return _Ride(replace(order, why=why), bool(is_near[best] and here > there[best]))


def _second(worths: Floats) -> float:
    """Return the second highest value: the worth of a second action, in place of the move."""
    return float(np.partition(worths, -2)[-2]) if len(worths) > 1 else 0.0


def _why(ai: AiContext, found: LeaderWorths, subjects: Sequence[LedSubject], best: int) -> str:
    """Return the reason of a ride."""
    helped = found.improve + found.reorder + found.later
    if not subjects or helped[best].max() <= helped[0, helped[best].argmax()]:
        return _SAFE
    unit = subjects[int(helped[best].argmax())].unit
    units = ai.battle.state.units
    needs = units.value("disordered", unit) or units.integer("morale", unit) <= 0
    end = ", which needs help" if needs else " to raise its morale"
    return f"rides to {ai.name(unit)}{end}"


def _led_by(ai: AiContext, unit: int, others: list[int]) -> list[int]:
    """Return the units of a leader's own brigade; all units if it only has leaders."""
    brigades = brigades_of(ai.battle, ai.side)
    row = ai.battle.setup.deployed_as(unit)
    own = next((each.units for each in brigades if row in each.units), ())
    return [one for one in others if ai.battle.setup.deployed_as(one) in own] or others


def _spots(ai: AiContext, unit: int, home: tuple[float, float], friends: Iterable[int]) -> Floats:
    """Return (n, 2) positions that a leader could ride to; the first is its current one.

    Some are behind and beside units that it can help.
    """
    x, y = situation_of(ai.battle).centre(unit)
    helping = [spot for one in friends for spot in _beside(body_of(ai.battle, one))]
    around = places_round((x, y), frame_of(ai).facing, _RINGS, _STEPS)
    spots = np.vstack([np.array([home, *helping]), around])
    near = np.hypot(*(spots - (x, y)).T) <= 2 * speed_of(ai.battle, unit)
    for other in ai.own:
        if other != unit and role_of(ai.battle, other) is Role.GENERAL:
            at = situation_of(ai.battle).centre(other)
            near &= np.hypot(*(spots - at).T) > _APART
    return np.vstack([[(x, y)], spots[near & inside(ai.battle.setup.field, spots, _EDGE)]])


def _beside(body: UnitProfile) -> list[tuple[float, float]]:
    """Return the positions behind and beside a unit from which a leader can help it."""
    frame = Frame(body.facing)
    across, along = frame.of(body.x, body.y)
    aside, back = body.width / 2 + _CLOSE, body.depth / 2 + _CLOSE
    close = body.depth / 2 + CLOSER
    spots = ((0.0, -close), (0.0, -back), (-aside, -back), (aside, -back))
    return [frame.on_field(across + a, along + b) for a, b in spots]
