"""Movement of the commander's units past friends.

Units do not move through each other. Skirmishers clear the front when the line or guns come up
behind them, and foot that finds friends before it marches off by files to where the way is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import FULL_CIRCLE, turn_between
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, nearest, role_of, with_role
from emlia3d.rules.emlia.doctrine.places import axis_of, line_units, on_objective
from emlia3d.rules.emlia.doctrine.unit_paths import allowed
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import has_room, speed_of, straight
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.march import MarchWay
from emlia3d.rules.emlia.play.situation.pose import (
    QUARTER,
    gone,
    pose_of,
    turn_cost,
    turned,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Boxes = NDArray[np.float64]
"""(n, 4) in the frame of a way: left, rear, right, front, GSU."""

_MOVES_AHEAD = 2
"""Normal Moves before a unit that must be free of friends, and behind skirmishers likewise."""

_BESIDE = 0.5
"""Gap left beside a friend that is passed, GSU."""

_TO_TURN = 0.25
"""Space behind a body that it needs for a slight turn, as a share of its width."""

_LEAST = 1.0
"""Minimum gain, GSU, for which a unit goes aside."""


def bars_the_line(ai: AiContext, unit: int) -> list[int]:
    """Return the foot and the guns that come up behind skirmishers who stand in their way."""
    battle = ai.battle
    if role_of(battle, unit) is not Role.SKIRMISH:
        return []
    way = MarchWay.towards(axis_of(ai))
    left, rear, right, _ = _boxes(battle, way, [unit])[0].tolist()
    line = _line_and_guns(ai)
    near = [
        (one, rear - front)
        for one, (a, _, b, front) in zip(line, _boxes(battle, way, line).tolist(), strict=True)
        if a < right and b > left and 0 <= rear - front < _MOVES_AHEAD * speed_of(battle, one)
        if not on_objective(ai, one)
    ]
    return [one for one, _ in sorted(near, key=lambda each: (each[1], each[0]))]


def _line_and_guns(ai: AiContext) -> list[int]:
    return line_units(ai) + with_role(ai.battle, ai.own, Role.GUNS)


def clear_front(ai: AiContext, decision: Decision, unit: int) -> Order | None:
    """Return the move of skirmishers out of the way of the line; None if no unit waits.

    To its nearer flank, or to the nearest interval that is wide enough.
    """
    battle = ai.battle
    if battle.state.units.value("move_used", unit) or engaged_by(battle, unit):
        return None
    waiting = bars_the_line(ai, unit)
    if not waiting:
        return None
    way = MarchWay.towards(axis_of(ai))
    mine, line = _boxes(battle, way, [unit])[0], _boxes(battle, way, _line_and_guns(ai))
    why = f"clears the front of {ai.name(waiting[0])}"
    for shift in _shifts(mine, line):
        order = _aside(battle, unit, axis_of(ai), shift, "move")
        found = allowed(decision, order, why)
        if found is not None:
            return found
    return None


def room_behind_friends(ai: AiContext, unit: int, way: int) -> float:
    """Return the distance that leaves friends ahead of a unit room to turn, GSU."""
    battle = ai.battle
    ranks = Role.LINE, Role.CAVALRY
    if role_of(battle, unit) not in ranks:
        return inf
    frame = MarchWay.towards(way)
    left, _, right, front = _boxes(battle, frame, [unit])[0].tolist()
    boxes = _boxes(battle, frame, [one for one in with_role(battle, ai.own, *ranks) if one != unit])
    before = (boxes[:, 0] < right) & (boxes[:, 2] > left) & (boxes[:, 1] >= front)
    rooms = boxes[before, 1] - _TO_TURN * (boxes[before, 2] - boxes[before, 0])
    return max(float(rooms.min(initial=inf)) - float(front), 0.0)


def by_files(ai: AiContext, decision: Decision, unit: int, way: int, most: float) -> Order | None:
    """Return the march by files to where no friend is ahead; None without one.

    way, most : where it wants to go, and how far, GSU
    """
    battle = ai.battle
    pose = pose_of(battle, unit)
    ranked = pose.drill.formation is Formation.RANKED and role_of(battle, unit) is Role.LINE
    if not ranked or abs(turn_between(pose.facing, way)) > QUARTER // 2 or engaged_by(battle, unit):
        return None
    frame, speed = MarchWay.towards(pose.facing), speed_of(battle, unit)
    mine = _boxes(battle, frame, [unit])[0]
    front, ahead = mine[3], min(most, _MOVES_AHEAD * speed)

    def before(boxes: Boxes) -> Boxes:
        met: Boxes = boxes[(boxes[:, 3] > front) & (boxes[:, 1] < front + ahead)]
        return met

    friends = before(_boxes(battle, frame, [other for other in ai.own if other != unit]))
    if not _shifts(mine, friends):
        return None
    barred = before(frame.bounds(going_of(battle, unit).barred).reshape(-1, 4))
    near = nearest(battle, unit, ai.known)
    in_haste = near is None or near[1] > _MOVES_AHEAD * speed
    for shift in _shifts(mine, np.vstack([friends, barred])):
        verb = "double-pace" if in_haste and abs(shift) > speed / 2 else "move"
        order = _aside(battle, unit, pose.facing, shift, verb)
        found = allowed(decision, order, "steps aside, because friends block the way ahead")
        if found is not None:
            return found
    return None


def _boxes(moment: Moment, way: MarchWay, units: Sequence[int]) -> Boxes:
    return way.bounds(situation_of(moment).outlines([*units])).reshape(-1, 4)


def _shifts(mine: NDArray[np.float64], others: Boxes) -> list[float]:
    """Return the distances to the right (negative: left) that clear all the others.

    The shortest first; empty if the way is free.
    """
    left, right = float(mine[0]), float(mine[2])
    lefts, rights = others[:, 0], others[:, 2]
    if not ((lefts < right) & (rights > left)).any():
        return []
    shifts = np.concatenate([rights - left + _BESIDE, lefts - right - _BESIDE])
    barred = (lefts < right + shifts[:, None]) & (rights > left + shifts[:, None])
    found: list[float] = shifts[~barred.any(axis=1)].tolist()
    return sorted(found, key=lambda shift: (abs(shift), shift))[:2]


def _aside(moment: Moment, unit: int, facing: int, shift: float, verb: str) -> Order | None:
    """Return the sideways move that ends facing *facing*, ranks by files; None if impossible."""
    pose = pose_of(moment, unit)
    way = (facing + (QUARTER if shift > 0 else -QUARTER)) % FULL_CIRCLE
    speed = speed_of(moment, unit)
    left = speed * PACES[verb]
    legs = []
    if pose.drill.formation is Formation.RANKED:
        by_files = turned(pose, way)
        left -= turn_cost(pose, way, speed) + turn_cost(by_files, facing, speed)
        pose = by_files
        legs.append(pose.leg("turn"))
    elif pose.facing != facing and has_room(moment, unit, turned(pose, facing)):
        pose = turned(pose, facing)
        legs.append(pose.leg("turn"))
    if left <= 0:
        return None
    hidden = unknown_to(moment, unit)
    run = straight(moment, unit, pose, way, min(abs(shift), left), left, through=hidden)
    if run.distance < _LEAST:
        return None
    end = gone(pose, way, run.distance)
    legs.append(end.leg("march"))
    if pose.drill.formation is Formation.RANKED:
        legs.append(turned(end, facing).leg("turn"))
    return Order(verb=verb, unit=unit, legs=tuple(legs))
