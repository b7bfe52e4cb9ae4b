"""Emlia, chapters 11 to 13: moving, turning, wheeling and changing formation.

A move is a row of legs. Each is checked and paid for from the pose where the one before it
ended; `plan` says where a move ends and what it costs, or why it may not be made.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.decisions import Leg, Order, Refusal
from emlia3d.battle.derived import Anything, Each
from emlia3d.force.facing import FULL_CIRCLE, facing_towards, turn_between, unit_vector
from emlia3d.force.formation import Formation, snapped
from emlia3d.rules.emlia.basics.thresholds import REACH_TOLERANCE
from emlia3d.rules.emlia.play.movement.driving import Path, driven_by, speed_of_drive
from emlia3d.rules.emlia.play.situation import flight
from emlia3d.rules.emlia.play.situation.allowance import (
    may_form,
    mover_of,
    no_room,
    obstacles_to,
    over_edge,
    speed_of,
    straight,
)
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.going import mode_of, modes_of
from emlia3d.rules.emlia.play.situation.march import MarchWay, first_contact
from emlia3d.rules.emlia.play.situation.parts import members_of_all
from emlia3d.rules.emlia.play.situation.pose import (
    QUARTER,
    Pose,
    at_altitude,
    gone,
    pose_of,
    reformed,
    turn_cost,
    turned,
    wheeled,
)
from emlia3d.rules.emlia.tables.manoeuvres import wheel_cost
from emlia3d.rules.emlia.tables.modes import FLYING, may_fly_at
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_STRAIGHT = REACH_TOLERANCE
"""Distance from its line within which the end of a straight leg may lie, GSU."""


@dataclass(frozen=True, slots=True)
class MovePlan:
    """A move that may be made: where it ends, what it costs, and the poses on the way.

    drive : the speed of one with gears or limited turns, GSU, negative in reverse
    """

    poses: tuple[Pose, ...]
    cost: float
    drive: float | None = None

    @property
    def end(self) -> Pose:
        """The pose at its end."""
        return self.poses[-1]


@rule("emlia.move.blocked-by-object")
def plan(
    moment: Moment, unit: int, order: Order, paces: int = 1, through: Sequence[int] = ()
) -> MovePlan | Refusal:
    """Return where the legs of *order* lead and what they cost, or the rule that forbids them.

    What was asked last is kept: an order is looked at, and then carried out.

    paces : Normal Moves that may be spent, 2 at Double Pace
    through : units that are not taken into account
    """
    asked, last = (unit, order.legs, paces, tuple(through)), _LAST_PLAN(moment)
    if asked not in last:
        found = _plan(moment, unit, order, paces, through)
        last.clear()
        last[asked] = found
    return last[asked]


_LAST_PLAN: Each[tuple[object, ...], MovePlan | Refusal] = Each(Anything())


def _plan(
    moment: Moment, unit: int, order: Order, paces: int, through: Sequence[int]
) -> MovePlan | Refusal:
    pose = pose_of(moment, unit)
    usual = mode_of(moment, unit)
    poses: list[Pose] = []
    costs: list[tuple[str, float]] = []
    owed = 0.0
    for leg in order.legs:
        mode = leg.mode or usual
        if mode not in modes_of(moment, unit):
            return Refusal("emlia.attr.movement", f"it has no movement by {mode}")
        done = leg_cost(moment, unit, pose, leg, through, mode)
        if isinstance(done, Refusal):
            return done
        if owed and (leg.step != "march" or _ahead(pose, leg) < owed - _STRAIGHT):
            break
        owed = pose.drill.length if leg.step == "wheel" else 0.0
        pose, spent = done
        costs.append((mode, spent))
        poses.append(pose)
    if owed:
        return Refusal(
            "emlia.form.ranked.wheel", "after a wheel it must move forward by at least its depth"
        )
    if not poses:
        return Refusal("emlia.move.normal", "a move has at least one leg")
    path = list(zip(order.legs, poses, strict=False))
    return _priced(moment, unit, path, costs, paces)


def _priced(
    moment: Moment, unit: int, path: Path, costs: Sequence[tuple[str, float]], paces: int
) -> MovePlan | Refusal:
    """Return the plan, if there is enough movement for it, and its gears and turns allow it.

    costs : the mode and the cost of each leg
    """
    spent, poses = sum(cost for _, cost in costs), tuple(pose for _, pose in path)
    movement = driven_by(moment, unit, costs[0][0])
    if movement is None or any(mode != movement.mode for mode, _ in costs):
        return _dear(moment, unit, costs, paces) or MovePlan(poses, spent)
    drive = speed_of_drive(moment, unit, movement, path, spent, paces)
    return drive if isinstance(drive, Refusal) else MovePlan(poses, spent, drive)


def _dear(
    moment: Moment, unit: int, costs: Sequence[tuple[str, float]], paces: int
) -> Refusal | None:
    """Refused where a move costs more than there is, or a Normal Move mixes modes.

    costs : the mode and the cost of each leg
    """
    by_mode = [
        (mode, sum(cost for _, cost in legs))
        for mode, legs in itertools.groupby(costs, key=lambda leg: leg[0])
    ]
    if len(by_mode) > paces:
        return Refusal("emlia.move.normal", "a Normal Move is made in one mode")
    for mode, cost in by_mode:
        most = speed_of(moment, unit, mode) * (paces if len(by_mode) == 1 else 1)
        if cost > most + _STRAIGHT:
            return Refusal(
                "emlia.move.normal", f"the move costs {cost:.1f} GSU, there are {most:g}"
            )
    return None


def cut_short(moment: Moment, unit: int, order: Order, paces: int) -> MovePlan:
    """As much of an order as can be done, where something that its giver did not know of bars it.

    All legs before the one that is barred, and as much of that as leads straight on.
    """
    for count in range(len(order.legs) - 1, -1, -1):
        start = MovePlan((pose_of(moment, unit),), 0.0)
        if count:
            done = plan(moment, unit, replace(order, legs=order.legs[:count]), paces)
            if isinstance(done, Refusal):
                continue
            start = done
        leg = order.legs[count]
        budget = speed_of(moment, unit, leg.mode or None) * paces
        return _some_way(moment, unit, start, leg, budget)
    return MovePlan((pose_of(moment, unit),), 0.0)


def _some_way(moment: Moment, unit: int, start: MovePlan, leg: Leg, budget: float) -> MovePlan:
    """Return the plan with as much of one more leg as is possible; turns only whole."""
    pose = start.end
    east, north = leg.x - pose.x, leg.y - pose.y
    way = _way_of(pose, east, north)
    if leg.step != "march" or way is None:
        return start
    mode = leg.mode or mode_of(moment, unit)
    wanted = float(np.sqrt(east * east + north * north))
    run = straight(moment, unit, pose, way, wanted, budget - start.cost, mode=mode)
    end = gone(pose, way, run.distance)
    if run.distance == 0 or no_room(moment, unit, end, mode=mode):
        return start
    return MovePlan((*start.poses, end), start.cost + run.cost)


def _ahead(pose: Pose, leg: Leg) -> float:
    """Return how far a leg leads straight ahead."""
    east, north = unit_vector(pose.facing)
    return (leg.x - pose.x) * east + (leg.y - pose.y) * north


def leg_cost(
    moment: Moment,
    unit: int,
    pose: Pose,
    leg: Leg,
    through: Sequence[int] = (),
    mode: str | None = None,
) -> tuple[Pose, float] | Refusal:
    """Return the pose at the end of one leg and its cost, GSU, or why it may not be made."""
    mode = mode or mode_of(moment, unit)
    match leg.step:
        case "march" if mode == FLYING:
            return _flight_leg(moment, unit, pose, leg, through)
        case "march":
            return _march_leg(moment, unit, pose, leg, mode, through)
        case "turn":
            end = turned(pose, leg.facing)
            cost = turn_cost(pose, leg.facing, speed_of(moment, unit, mode))
        case "wheel":
            end = wheeled(pose, leg.facing)
            if pose.drill.formation is not Formation.RANKED:
                return Refusal("emlia.form.ranked.wheel", "only a ranked unit can wheel")
            degrees = abs(turn_between(pose.facing, leg.facing)) / 64
            cost = wheel_cost(pose.drill.frontage, degrees)
        case "form":
            may = may_reform(moment, unit, leg)
            if may is not None:
                return may
            end = reformed(pose, Formation(leg.formation), leg.files)
            cost = float(np.sqrt(((end.places - pose.places) ** 2).sum(axis=1)).max())
    blocked = no_room(moment, unit, end, through, mode)
    return blocked or (end, cost)


@rule("emlia.form.change")
def may_reform(moment: Moment, unit: int, leg: Leg) -> Refusal | None:
    """Outside combat, in files that the unit can fill; one member alone makes no ranks."""
    members = members_of_all(moment, unit)
    if leg.formation not in list(Formation) or not 1 <= leg.files <= members:
        return Refusal("emlia.form.change", "there is no such formation with this number of files")
    if leg.formation == Formation.RANKED and members == 1:
        return Refusal("emlia.form.all", "a single member cannot form ranks")
    if engaged_by(moment, unit):
        return Refusal("emlia.form.change", "an engaged unit cannot change its formation")
    return may_form(moment, unit, Formation(leg.formation))


def _march_leg(
    moment: Moment, unit: int, pose: Pose, leg: Leg, mode: str, through: Sequence[int]
) -> tuple[Pose, float] | Refusal:
    """One straight leg; the end of the order is taken, if the way leads there."""
    if pose.altitude and flight.can_fly(moment, unit):
        return Refusal("emlia.mode.flying.altitude", "it is in the air and must land first")
    east, north = leg.x - pose.x, leg.y - pose.y
    distance = float(np.sqrt(east * east + north * north))
    way = _way_of(pose, east, north)
    if way is None:
        return Refusal(
            "emlia.form.ranked.translate", "a ranked unit can only move straight to a side"
        )
    edge = over_edge(moment, gone(pose, way, distance))
    if edge:
        return edge
    free = straight(moment, unit, pose, way, distance, through=through, mode=mode)
    if free.distance < distance - _STRAIGHT:
        return Refusal("emlia.move.blocked-by-object", "something blocks the way")
    end = _declared(pose.at(leg.x, leg.y, pose.facing), leg)
    return no_room(moment, unit, end, through, mode) or (end, free.cost)


def _flight_leg(
    moment: Moment, unit: int, pose: Pose, leg: Leg, through: Sequence[int]
) -> tuple[Pose, float] | Refusal:
    """One straight flight, up or down as it goes; straight up or down where it goes nowhere."""
    east, north = leg.x - pose.x, leg.y - pose.y
    distance = float(np.sqrt(east * east + north * north))
    way = _way_of(pose, east, north) if distance > _STRAIGHT else pose.facing
    if way is None:
        return Refusal(
            "emlia.form.ranked.translate", "a ranked unit can only move straight to a side"
        )
    if not may_fly_at(leg.altitude, flight.ceiling_of(moment)):
        return Refusal("emlia.mode.flying.altitude", "it cannot fly so high, or so low")
    end = at_altitude(pose.at(leg.x, leg.y, pose.facing), snapped(leg.altitude))
    obstacles = obstacles_to(moment, unit, through, FLYING, (pose, end), passing=True)
    free = first_contact(MarchWay.towards(way), pose.outline, obstacles, distance)
    if free < distance - _STRAIGHT:
        return Refusal("emlia.move.blocked-by-object", "something blocks the way")
    cost = flight.flight_cost(moment, pose, end) * mover_of(pose, way).slowness
    end = _declared(end, leg)
    return no_room(moment, unit, end, through, FLYING) or (end, cost)


def _declared(end: Pose, leg: Leg) -> Pose:
    """Return the end of a leg with the facing that a loose unit's player declares."""
    return turned(end, leg.facing) if end.drill.formation is Formation.OPEN else end


def _way_of(pose: Pose, east: float, north: float) -> int | None:
    """Return the facing of a straight leg; None if a ranked unit would go askew."""
    ranked = pose.drill.formation is Formation.RANKED
    for way in (pose.facing + quarter * QUARTER for quarter in range(4 if ranked else 1)):
        ahead_east, ahead_north = unit_vector(way)
        if (
            abs(east * ahead_north - north * ahead_east) <= _STRAIGHT
            and east * ahead_east + north * ahead_north >= 0
        ):
            return way % FULL_CIRCLE
    return None if ranked else facing_towards(east, north)
