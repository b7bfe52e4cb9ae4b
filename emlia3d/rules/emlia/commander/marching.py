"""The march of a unit to its slot: ahead and sideways, or turned in the direction of the march."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.force.facing import FULL_CIRCLE, facing_towards, turn_between
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.plan import Spot
from emlia3d.rulekit.commander.slots import Slot
from emlia3d.rules.emlia.doctrine.appraisal import Role, with_role
from emlia3d.rules.emlia.doctrine.unit_paths import allowed, best_way
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES, short_of_edge
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import has_room, speed_of, straight
from emlia3d.rules.emlia.play.situation.contact import friends_of
from emlia3d.rules.emlia.play.situation.pose import QUARTER, Pose, gone, pose_of, turn_cost, turned
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_LEAST = 0.5
"""Minimum length of a leg, GSU."""

_IN_SLOT = 2.0
"""Distance from its slot at which a unit stays, GSU."""

_SLIGHT = 8 * 64
"""Maximum turn that is not worth an action, 64ths of a degree."""


def off_slot(pose: Pose, slot: Slot) -> float:
    """Return the distance of a pose from a slot, GSU; a degree of facing counts 0.25."""
    turn = abs(turn_between(pose.facing, slot.facing)) / 64
    return hypot(slot.x - pose.x, slot.y - pose.y) + turn / 4


def to_slot(
    moment: Moment, decision: Decision, unit: int, slot: Slot, verb: str, why: str
) -> Order | None:
    """Return the legal move that ends nearest to the slot; None if none brings the unit nearer.

    A move that ends on friends in open order is the second choice.
    """
    least = off_slot(pose_of(moment, unit), slot) - _LEAST
    loose = _loose_friends(moment, unit)
    found: list[tuple[bool, float, Order]] = []
    for legs, end in _marches(moment, unit, slot, verb):
        off = off_slot(end, slot)
        if off >= least:
            continue
        order = Order(verb=verb, unit=unit, legs=legs, why=why)
        is_on_one = bool(shapely.intersects(loose, end.outline).any())
        if off >= _IN_SLOT or is_on_one:
            found.append((is_on_one, off, order))
        elif allowed(decision, order, why) is not None:
            return order
    # Checks of legality are slow, so the nearest moves come first.
    by_distance = sorted(found, key=lambda one: one[:2])
    return next((order for *_, order in by_distance if allowed(decision, order, why)), None)


def _loose_friends(moment: Moment, unit: int) -> NDArray[np.object_]:
    """Return the outlines of the leaders and light troops among a unit's friends."""
    loose = with_role(moment, friends_of(moment, unit), Role.GENERAL, Role.SKIRMISH)
    return situation_of(moment).outlines(loose)


def to_place(  # noqa: PLR0913, PLR0917  as `to_slot`, with the enemy that it is to face
    moment: Moment, decision: Decision, unit: int, place: Spot, foe: Spot, verb: str, why: str
) -> Order | None:
    """Return the legal move that ends nearest to a point and faces an enemy.

    place, foe : centres of both, GSU
    """
    (x, y), pose = place, pose_of(moment, unit)
    slot = Slot(x, y, facing_towards(foe[0] - x, foe[1] - y), is_first=True)
    order = to_slot(moment, decision, unit, slot, verb, why)
    if order is not None:
        return order
    here = situation_of(moment).centre(unit)
    way, away = facing_towards(x - pose.x, y - pose.y), hypot(x - here[0], y - here[1])
    return best_way(moment, decision, unit, way, verb, away, why)


def _marches(
    moment: Moment, unit: int, slot: Slot, verb: str
) -> Iterator[tuple[tuple[Leg, ...], Pose]]:
    """Yield marches to a slot with the poses at their ends."""
    pose, speed = pose_of(moment, unit), speed_of(moment, unit)
    budget = speed * PACES[verb]
    # First turn to the slot's facing, then move ahead and sideways at half speed.
    for squares in (False, True):
        yield from _squared(moment, unit, pose, slot, budget, squares)
    way = facing_towards(slot.x - pose.x, slot.y - pose.y)
    yield from _turned_for_it(moment, unit, pose, slot, way, budget)


def _squared(
    moment: Moment, unit: int, pose: Pose, slot: Slot, budget: float, aside_first: bool
) -> Iterator[tuple[tuple[Leg, ...], Pose]]:
    speed, legs, here = speed_of(moment, unit), list[Leg](), pose
    if abs(turn_between(pose.facing, slot.facing)) > _SLIGHT:
        faced = turned(pose, slot.facing)
        # A unit without room to turn keeps its facing.
        if has_room(moment, unit, faced):
            here = faced
            budget -= turn_cost(pose, slot.facing, speed)
            legs.append(here.leg("turn"))
        if budget < 0:
            return
    frame = Frame(here.facing)
    now, wanted = frame.of(here.x, here.y), frame.of(slot.x, slot.y)
    across, along = wanted[0] - now[0], wanted[1] - now[1]
    if aside_first and min(abs(across), abs(along)) < _LEAST:
        # There is at most one leg, so there is only one order.
        return
    steps = [
        (here.facing if along > 0 else here.facing + 2 * QUARTER, abs(along)),
        (here.facing + (QUARTER if across > 0 else -QUARTER), abs(across)),
    ]
    for way, far in reversed(steps) if aside_first else steps:
        if far < _LEAST or budget <= 0:
            continue
        leg_end, cost = _gone(moment, unit, here, way % FULL_CIRCLE, far, budget)
        if leg_end is None:
            continue
        budget -= cost
        here = leg_end
        legs.append(here.leg("march"))
    if legs:
        yield tuple(legs), here


def _turned_for_it(
    moment: Moment, unit: int, pose: Pose, slot: Slot, way: int, budget: float
) -> Iterator[tuple[tuple[Leg, ...], Pose]]:
    speed, legs = speed_of(moment, unit), list[Leg]()
    here = pose
    if here.facing != way:
        budget -= turn_cost(here, way, speed)
        here = turned(here, way)
        legs.append(here.leg("turn"))
    back = turn_cost(here, slot.facing, speed)
    far = hypot(slot.x - here.x, slot.y - here.y)
    if budget - back <= 0:
        return
    end, _ = _gone(moment, unit, here, way, far, budget - back)
    if end is None:
        return
    legs.append(end.leg("march"))
    yield tuple(legs), end
    last = turned(end, slot.facing)
    if last.facing != end.facing:
        yield (*legs, last.leg("turn")), last


def _gone(
    moment: Moment, unit: int, pose: Pose, way: int, far: float, budget: float
) -> tuple[Pose | None, float]:
    """Return the end and the cost of a straight march; None if there is none."""
    run = straight(moment, unit, pose, way, far, budget, through=unknown_to(moment, unit))
    distance = short_of_edge(pose, way, run.distance, moment.setup.field.size)
    if distance < _LEAST:
        return None, 0.0
    return gone(pose, way, distance), run.cost
