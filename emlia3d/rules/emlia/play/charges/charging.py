"""Emlia, chapter 14.5 as play: Charge, and aligning when units meet.

The run of each member is in `running_in` beside this.

Holds `emlia.charge` and `emlia.align`, but for the latter's table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.changes import Append, Change, Pair, Set
from emlia3d.battle.decisions import Decision, Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.facing import facing_towards
from emlia3d.force.formation import snapped
from emlia3d.rules.emlia.actions import ALL_FREE_ACTIONS, ActionType, listing
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge, align_cost
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.events.movement import Aligned, Charged, ChargeFellShort
from emlia3d.rules.emlia.play.acting.actions import Deed, may_take, used, used_by
from emlia3d.rules.emlia.play.acting.subjects import may_target
from emlia3d.rules.emlia.play.charges.running_in import SHORT, left_after, run_in
from emlia3d.rules.emlia.play.combat import close_combat, free_strike
from emlia3d.rules.emlia.play.engagement import enveloping
from emlia3d.rules.emlia.play.engagement.shoves import SKIN
from emlia3d.rules.emlia.play.movement.closeness import may_go_closer
from emlia3d.rules.emlia.play.movement.driving import noted
from emlia3d.rules.emlia.play.movement.manoeuvre import not_closer, short_of_edge
from emlia3d.rules.emlia.play.sight.awareness import acted_on, unknown_to
from emlia3d.rules.emlia.play.situation import arms, flight
from emlia3d.rules.emlia.play.situation.allowance import (
    gap_ahead,
    no_room,
    obstacles_to,
    speed_of,
    straight,
)
from emlia3d.rules.emlia.play.situation.contact import (
    block_of,
    boundary_of,
    enemies_of,
    engaged_by,
    is_neutral,
    is_ranked,
    melee_of,
    side_met,
    side_towards,
    skirmish_of,
)
from emlia3d.rules.emlia.play.situation.fights import fights_of
from emlia3d.rules.emlia.play.situation.going import mode_of
from emlia3d.rules.emlia.play.situation.march import MarchWay, first_contact
from emlia3d.rules.emlia.play.situation.pose import (
    Pose,
    at_altitude,
    gone,
    placed,
    pose_of,
    turn_cost,
    turned,
    turned_on_centre,
)
from emlia3d.rules.emlia.play.situation.reach import engages, reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import within
from emlia3d.rules.emlia.tables.engagement import is_engaged, vertical_gap
from emlia3d.rules.emlia.tables.modes import FLYING
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

Span = tuple[float, float]  # the footing and the top of a body, height units


def charge_options(moment: Moment, unit: int) -> list[Order]:
    """Return a charge at each enemy that may be charged and is near enough.

    With each of its weapons, by number.
    """
    if may_take(moment, unit, "charge") is not None:
        return []
    far = speed_of(moment, unit) + reach_of(situation_of(moment), unit)
    return [
        order
        for foe in _near(moment, unit, far)
        if may_charge(moment, unit, foe) is None
        for order in arms.with_each_weapon(moment, unit, foe, "charge")
    ]


def _near(moment: Moment, unit: int, far: float) -> list[int]:
    """Return the enemies who are so near, or stand in a skirmish whose boundary is."""
    situation, foes, fighting = situation_of(moment), enemies_of(moment, unit), fights_of(moment)
    near = {*within(moment, unit, foes, far)}
    for foe in fighting.keys() & {*foes} - near:
        body = _skirmish_round(moment, unit, foe)
        if body and situation.outline(unit).distance(boundary_of(moment, body)) <= far:
            near.add(foe)
    return sorted(near)


def _skirmish_round(moment: Moment, unit: int, foe: int) -> tuple[int, ...]:
    """Return the skirmish in which an enemy stands and the unit does not."""
    return skirmish_of(moment, foe) if is_neutral(moment, unit, foe) else ()


@rule("emlia.charge")
def may_charge(moment: Moment, unit: int, target: int) -> Refusal | None:
    """Return why an enemy may not be charged: unknown, engaged already, or a Double Pace."""
    refusal = may_take(moment, unit, "charge")
    if refusal is not None:
        return refusal
    if engages(situation_of(moment), unit, target):
        return Refusal("emlia.charge", "it is already engaged with that enemy")
    if (unknown := may_target(moment, unit, "charge", target)) is not None:
        return unknown
    shy = not may_go_closer(moment, unit)
    return not_closer(moment, unit, foreseen(moment, unit, target)[0]) if shy else None


def foreseen(
    moment: Moment, unit: int, target: int, start: Pose | None = None
) -> tuple[Pose, bool]:
    """Return `charge_pose` as if only the enemies known to the unit's side existed."""
    return charge_pose(moment, unit, target, unknown_to(moment, unit), start)


def brought_home(moment: Moment, unit: int, target: int, start: Pose | None = None) -> Pose | None:
    """Return the foreseen end of a charge that reaches its enemy; None if it falls short.

    Enemies too far off on any path are excluded before the path is computed.
    """
    far = reach_of(situation_of(moment), unit) + SHORT
    goals = goals_of(moment, unit, target)
    ups = ((goal, *up) for goal in goals for up in _run_ups(moment, unit, goal, start))
    if all(float(pose.outline.distance(goal)) > left + far for goal, pose, _, left in ups):
        return None
    end, reached = foreseen(moment, unit, target, start)
    return end if reached else None


def goals_of(moment: Moment, unit: int, target: int) -> list[BaseGeometry]:
    """Return the goals of a charge: the enemy, and its skirmish if it is out of reach in it."""
    body = _skirmish_round(moment, unit, target)
    return [situation_of(moment).outline(target), *([boundary_of(moment, body)] if body else ())]


@rule("emlia.charge.skirmish")
def charge_pose(
    moment: Moment, unit: int, target: int, through: Sequence[int] = (), start: Pose | None = None
) -> tuple[Pose, bool]:
    """Return where a charge ends, and whether the enemy is in combat range there.

    Of an enemy in a skirmish, who is out of reach, it is enough to come to the common boundary.

    through : units that are left out of account
    start : where it would begin; where the unit stands without it
    """
    situation, others = situation_of(moment), (target, *through)
    span = (foot := situation.footing(target)), foot + situation.height(target)
    end, reached = run_at(moment, unit, situation.outline(target), span, others, start)
    if reached:
        return end, True
    body = _skirmish_round(moment, unit, target)
    if not body:
        return end, False
    near, touched = run_at(moment, unit, boundary_of(moment, body), span, others, start)
    return (near, True) if touched else (end, False)


def run_at(
    moment: Moment, unit: int, outline: BaseGeometry, span: Span, through: Sequence[int],
    start: Pose | None = None,
) -> tuple[Pose, bool]:  # fmt: skip
    """Return where a run at a body with an outline ends, and whether the body is then in reach.

    The run is straight along the line of shortest distance, and stops at the edge of the field.

    span : footing and top of the body
    through : units that do not stop the run
    """
    reach = reach_of(situation_of(moment), unit)
    for pose, way, left in _run_ups(moment, unit, outline, start):
        wanted = max(gap_ahead(pose, way, outline) - max(reach - SHORT, 0.0), 0.0)
        if mode_of(moment, unit) == FLYING:
            end = _swooped(moment, unit, pose, way, wanted, left, span, through)
        else:
            run = straight(moment, unit, pose, way, wanted, left, through=through)
            end = gone(pose, way, short_of_edge(pose, way, run.distance, moment.setup.field.size))
        if no_room(moment, unit, end, through) is None:
            near = float(end.outline.distance(outline)) <= reach
            return end, near and _is_level(moment, unit, end, span)
    return start or pose_of(moment, unit), False


def _run_ups(
    moment: Moment, unit: int, outline: BaseGeometry, start: Pose | None
) -> Iterator[tuple[Pose, int, float]]:
    """Yield the starts of a run at an outline: the pose, its direction and the movement left.

    A ranked unit turns to it first, at its cost, and others where they have the room for it.
    """
    before, speed = start or pose_of(moment, unit), speed_of(moment, unit)
    body = start.outline if start else situation_of(moment).outline(unit)
    (ax, ay), (bx, by) = shapely.get_coordinates(shapely.shortest_line(body, outline))
    way = facing_towards(bx - ax, by - ay)
    if not is_ranked(moment, unit):
        yield from ((turned(before, facing), way, speed) for facing in (way, before.facing))
    elif (left := speed - turn_cost(before, way, speed)) >= 0:
        yield turned(before, way), way, left


def _is_level(moment: Moment, unit: int, pose: Pose, span: Span) -> bool:
    """Return whether a body is within the unit's combat range in height."""
    situation, foot = situation_of(moment), flight.foot_at(moment, pose)
    gap = vertical_gap(foot, foot + situation.height(unit), *span)
    return is_engaged(0.0, reach_of(situation, unit), gap)


def _swooped(  # noqa: PLR0913, PLR0917  unit, start, direction, distance, budget, target
    moment: Moment, unit: int, pose: Pose, way: int, wanted: float, left: float,
    span: Span, through: Sequence[int],
) -> Pose:  # fmt: skip
    """Return where a straight flight to a body ends, or as far on its way as it gets.

    It keeps its altitude where that is near enough, else it ends at the body's height.
    """
    field, there = shapely.box(0, 0, *moment.setup.field.size), gone(pose, way, wanted)
    if not _is_level(moment, unit, there, span):
        ground = flight.foot_at(moment, there) - there.altitude
        rise = span[0] - ground
        there = at_altitude(there, snapped(max(rise, 0.0)))
    obstacles = obstacles_to(moment, unit, through, FLYING, (pose, there), passing=True)
    free = first_contact(MarchWay.towards(way), pose.outline, obstacles, wanted)
    altitude = there.altitude if free == wanted else pose.altitude
    end, _ = flight.glide(moment, pose, way, free, altitude, left)
    return end if field.covers(end.outline) else pose


@rule("emlia.charge.move", "emlia.charge.attack", "emlia.charge.fail")
def charge(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Move straight at the subject by a Normal Move, and strike it if reached.

    If it is not reached morale falls by 1 and the activation ends.
    """
    target = order.target
    assert target is not None
    end, reached = charge_pose(battle, unit, target)
    before = set(engaged_by(battle, unit)), set(engaged_by(battle, target))
    yield from free_strike.provoked(battle, unit, end)
    if not battle.state.units.value("present", unit):
        return
    start = pose_of(battle, unit)
    yield charged(battle, unit, end, reached, target=target)
    if not reached:
        return
    facing = battle.state.units.integer("facing", target)
    yield from align(battle, target, unit, bool(before[1]))
    yield from align(battle, unit, target, bool(before[0]))
    if is_ranked(battle, target) and battle.state.units.integer("facing", target) == facing:
        left = left_after(battle, unit, start, target)
        yield from enveloping.envelop(battle, unit, target, left)
    occasion = close_combat.Occasion(charged=True)
    if target in melee_of(battle, unit).enemies:
        strike = replace(order, verb="close-combat")
        yield from close_combat.close_combat(battle, unit, strike, occasion)


def _run_in(moment: Moment, unit: int, target: int, end: Pose) -> tuple[Change, ...]:
    """Members of an open or close unit run on by themselves, at what the charge has reached."""
    goals, reach = goals_of(moment, unit, target), reach_of(situation_of(moment), unit)
    goal = next((one for one in goals if end.outline.distance(one) <= reach), goals[-1])
    return run_in(moment, unit, target, goal, pose_of(moment, unit), end)


def charged(
    moment: Moment, unit: int, end: Pose, reached: bool,
    *, target: int | None = None, feature: str = "",
) -> Event:  # fmt: skip
    """Return the run of a charge at an enemy or a feature, and what follows if it falls short."""
    pose = pose_of(moment, unit)
    changes: list[Change] = [
        *placed(moment, unit, end),
        *(_run_in(moment, unit, target, end) if reached and target is not None else ()),
        *used_by(moment, unit, "charge"),
        *noted(moment, unit, float(np.hypot(end.x - pose.x, end.y - pose.y))),
        Set(table="unit", row=unit, column="charged", value=1),
        Set(table="unit", row=unit, column="moved", value=1),
    ]
    because = ["emlia.charge", listing("charge"), "emlia.charge.move"]
    if target is not None:
        changes.append(acted_on(moment, unit, target))
        if reached and _skirmish_round(moment, unit, target):
            changes.append(Pair(column="joined", a=unit, b=target, value=1))
            because.append("emlia.charge.skirmish")
    if not reached:
        changes += [
            Append(table="note", row={"unit": unit, "what": MoraleNote.CHARGE_FAILED, "amount": 1}),
            *used(unit, ActionType.MOVE),
            Set(table="unit", row=unit, column="free_used", value=ALL_FREE_ACTIONS),
        ]
        because.append("emlia.charge.fail")
    return Event(
        facts=(Charged if reached else ChargeFellShort)(reached=reached, feature=feature or None),
        gesture="march", unit=unit, target=target, because=tuple(because), changes=tuple(changes),
    )  # fmt: skip


@rule("emlia.align", "emlia.align.not-if-engaged")
def align(moment: Moment, unit: int, enemy: int, was_engaged: bool) -> Procedure[None]:
    """Let a newly engaged ranked unit turn on its centre to face the enemy.

    Not if it was engaged before, nor where it could not stand so.
    """
    side = side_met(moment, unit, enemy)
    if side is None or was_engaged or enemy not in engaged_by(moment, unit):
        return
    pose = aligned_pose(moment, unit, enemy)
    if pose is None or pose.facing == pose_of(moment, unit).facing:
        return
    stand = Order(verb="stand", unit=unit)
    choice = yield Decision(
        side=moment.state.units.integer("side", unit),
        asks="emlia.align",
        unit=unit,
        options=(Order(verb="align", unit=unit, target=enemy), stand),
    )
    if choice.verb == "align":
        yield _aligned(moment, unit, enemy, pose, side)


def _aligned(moment: Moment, unit: int, enemy: int, pose: Pose, side: UnitEdge) -> Event:
    cost = align_cost(side)
    key = {0: "front", -1: "flank", -2: "rear"}[cost]
    return Event(
        facts=Aligned(side=side.value, modifier=cost),
        unit=unit,
        target=enemy,
        gesture="march",
        because=("emlia.align", "emlia.ranked.front-of-contact", f"emlia.align.cost.{key}"),
        changes=(
            *placed(moment, unit, pose),
            Set(table="unit", row=unit, column="aligned", value=cost),
        ),
        part_of_last=True,
    )


def aligned_pose(moment: Moment, unit: int, enemy: int) -> Pose | None:
    """Return the unit's pose facing the enemy at the engagement gap; None without room.

    It faces against the side of a ranked enemy that it meets, else the enemy's nearest place.
    """
    situation = situation_of(moment)
    gap = situation.distance(unit, enemy)
    pose = turned_on_centre(pose_of(moment, unit), _face(moment, unit, enemy))
    outline = situation.outline(enemy)
    for _ in range(8):
        off = float(pose.outline.distance(outline)) - gap
        if pose.outline.intersects(outline):
            off = -1.0
        if abs(off) <= 1 / 512:
            break
        pose = gone(pose, pose.facing, off)
    body = pose.outline
    inner = body.buffer(-SKIN, join_style="mitre")
    room = not shapely.intersects(inner, obstacles_to(moment, unit)).any()
    field = shapely.box(0, 0, *moment.setup.field.size)
    close = abs(float(body.distance(outline)) - gap) <= 1 / 64
    return pose if room and close and field.covers(inner) else None


def _face(moment: Moment, unit: int, enemy: int) -> int:
    """Return the facing that looks squarely at the enemy."""
    situation = situation_of(moment)
    met = side_towards(moment, enemy, unit)
    if met is not None:
        ahead_east, ahead_north = block_of(moment, enemy).ahead
        outward = {
            UnitEdge.FRONT: (ahead_east, ahead_north),
            UnitEdge.RIGHT: (ahead_north, -ahead_east),
            UnitEdge.REAR: (-ahead_east, -ahead_north),
            UnitEdge.LEFT: (-ahead_north, ahead_east),
        }[met]
        return facing_towards(-outward[0], -outward[1])
    line = shapely.shortest_line(situation.outline(unit).centroid, situation.outline(enemy))
    (ax, ay), (bx, by) = shapely.get_coordinates(line)
    return facing_towards(bx - ax, by - ay)


CHARGE = Deed(verbs=("charge",), options=charge_options, perform=charge)
