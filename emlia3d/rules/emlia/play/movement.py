"""Emlia, chapters 11 to 13: moving, turning, wheeling and changing formation.

A move is a row of legs. Each is checked and paid for from the pose where the one before it
ended; `plan` says where a move ends and what it costs, or why it may not be made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.decisions import Leg, Order, Refusal
from emlia3d.force.facing import FULL_CIRCLE, facing_towards, turn_between, unit_vector
from emlia3d.force.formation import GRID, Formation
from emlia3d.rules.emlia.formation import march_factor, wheel_cost
from emlia3d.rules.emlia.play.contact import engaged_by
from emlia3d.rules.emlia.play.going import going_of
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.march import UNLIMITED, March, Mover, Way, march
from emlia3d.rules.emlia.play.mixed import members_of_all, on_field
from emlia3d.rules.emlia.play.pose import (
    QUARTER,
    Pose,
    gone,
    pose_of,
    reformed,
    turn_cost,
    turned,
    wheeled,
)
from emlia3d.rules.emlia.thresholds import REACH_TOLERANCE
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_STRAIGHT = REACH_TOLERANCE
"""How far beside its line the end of a straight leg may lie, GSU."""

CREEP = 4 / GRID
"""GSU that rounding may put a block over an edge or into a neighbour."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A move that may be made: where it ends, what it costs, and the poses on the way."""

    poses: tuple[Pose, ...]
    cost: float

    @property
    def end(self) -> Pose:
        """Where it ends."""
        return self.poses[-1]


@rule("emlia.mixed.speed")
@rule("emlia.move.take-cover.speed", "emlia.move.speed-stack")
def speed_of(battle: Battle, unit: int) -> float:
    """How far a Normal Move goes on open ground, GSU: half while Taking Cover.

    What formation and terrain halve besides is paid for on the way. A mixed unit goes as fast as
    the slowest of its subunits, in a mode that all have.
    """
    lie, units = lie_of(battle), battle.state.units
    mode = lie.mode(unit)
    speed = min(
        (
            lie.entry(part).speeds.get(mode, 0.0) * float(units.value("speed_share", part))
            for part in lie.parts(unit)
        ),
    )
    return speed * 0.5 if units.value("taking_cover", unit) else speed


def obstacles_to(battle: Battle, unit: int, through: Sequence[int] = ()) -> NDArray[np.object_]:
    """Outlines that a unit may not enter: barriers and other units, but those in *through*.

    Two open units may mingle, as there is room between their members.
    """
    lie, units = lie_of(battle), battle.state.units
    mingles = units.value("formation", unit) == Formation.OPEN
    others = [
        other
        for other in on_field(battle)
        if other != unit
        and other not in through
        and not (mingles and units.value("formation", other) == Formation.OPEN)
    ]
    out: NDArray[np.object_] = np.concatenate([going_of(battle, unit).barred, lie.outlines(others)])
    return out


def straight(  # noqa: PLR0913  what moves, whence, whither, how far, at what price and past whom
    battle: Battle,
    unit: int,
    pose: Pose,
    way: int,
    distance: float,
    budget: float = UNLIMITED,
    *,
    through: Sequence[int] = (),
    forced: bool = False,
) -> March:
    """How far a unit gets from *pose* straight towards facing *way*, and what that costs.

    A tight formation goes at half speed wherever it does not face (`emlia.form.close.speed`,
    `emlia.form.ranked.translate`), but not when it is *forced*.
    """
    tight = pose.drill.formation is not Formation.OPEN and not forced
    going = going_of(battle, unit)
    mover = Mover(
        outline=pose.outline,
        members=None if pose.drill.formation is Formation.RANKED else pose.places,
        slowness=march_factor(way == pose.facing) if tight else 1.0,
    )
    obstacles = obstacles_to(battle, unit, through)
    return march(mover, Way.towards(way), distance, budget, going.slow, obstacles)


@rule("emlia.move.blocked-by-object")
def plan(
    battle: Battle, unit: int, order: Order, paces: int = 1, through: Sequence[int] = ()
) -> Plan | Refusal:
    """Where the legs of *order* lead and what they cost, or the rule that forbids them.

    paces : Normal Moves that may be spent, 2 at Double Pace
    through : units that are not taken into account
    """
    speed = speed_of(battle, unit)
    pose, cost = pose_of(battle, unit), 0.0
    poses = []
    owed = 0.0
    for leg in order.legs:
        done = _leg(battle, unit, pose, leg, speed, through)
        if isinstance(done, Refusal):
            return done
        if owed and (leg.step != "march" or _ahead(pose, leg) < owed - _STRAIGHT):
            break
        owed = pose.drill.length if leg.step == "wheel" else 0.0
        pose, spent = done
        cost += spent
        poses.append(pose)
    if owed:
        return Refusal(
            "emlia.form.ranked.wheel", "after a wheel the unit moves forward at least its depth"
        )
    if not poses:
        return Refusal("emlia.move.normal", "a move has at least one leg")
    if cost > speed * paces + _STRAIGHT:
        return Refusal(
            "emlia.move.normal", f"the move costs {cost:.1f} GSU, there are {speed * paces:g}"
        )
    return Plan(tuple(poses), cost)


def cut_short(battle: Battle, unit: int, order: Order, paces: int) -> Plan:
    """As much of an order as can be done, where something that its giver did not know of bars it.

    All legs before the one that is barred, and as much of that as leads straight on.
    """
    for count in range(len(order.legs) - 1, -1, -1):
        start = Plan((pose_of(battle, unit),), 0.0)
        if count:
            done = plan(battle, unit, replace(order, legs=order.legs[:count]), paces)
            if isinstance(done, Refusal):
                continue
            start = done
        return _some_way(battle, unit, start, order.legs[count], speed_of(battle, unit) * paces)
    return Plan((pose_of(battle, unit),), 0.0)


def _some_way(battle: Battle, unit: int, start: Plan, leg: Leg, budget: float) -> Plan:
    """The plan with as much of one more leg as can be done; of a turn or the like nothing."""
    pose = start.end
    east, north = leg.x - pose.x, leg.y - pose.y
    way = _way_of(pose, east, north)
    if leg.step != "march" or way is None:
        return start
    wanted = float(np.sqrt(east * east + north * north))
    run = straight(battle, unit, pose, way, wanted, budget - start.cost)
    end = gone(pose, way, run.distance)
    if run.distance == 0 or _room(battle, unit, end):
        return start
    return Plan((*start.poses, end), start.cost + run.cost)


def _ahead(pose: Pose, leg: Leg) -> float:
    """How far a leg leads straight ahead."""
    east, north = unit_vector(pose.facing)
    return (leg.x - pose.x) * east + (leg.y - pose.y) * north


def _leg(
    battle: Battle, unit: int, pose: Pose, leg: Leg, speed: float, through: Sequence[int]
) -> tuple[Pose, float] | Refusal:
    """The pose at the end of one leg and its cost."""
    match leg.step:
        case "march":
            return _march_leg(battle, unit, pose, leg, through)
        case "turn":
            end = turned(pose, leg.facing)
            cost = turn_cost(pose, leg.facing, speed)
        case "wheel":
            end = wheeled(pose, leg.facing)
            if pose.drill.formation is not Formation.RANKED:
                return Refusal("emlia.form.ranked.wheel", "only a ranked unit wheels")
            degrees = abs(turn_between(pose.facing, leg.facing)) / 64
            cost = wheel_cost(pose.drill.frontage, degrees)
        case "form":
            may = may_reform(battle, unit, leg)
            if may is not None:
                return may
            end = reformed(pose, Formation(leg.formation), leg.files)
            cost = float(np.sqrt(((end.places - pose.places) ** 2).sum(axis=1)).max())
    blocked = _room(battle, unit, end, through)
    return blocked or (end, cost)


@rule("emlia.form.change")
def may_reform(battle: Battle, unit: int, leg: Leg) -> Refusal | None:
    """Outside combat, in files that the unit can fill; one man alone makes no ranks."""
    members = members_of_all(battle, unit)
    if leg.formation not in list(Formation) or not 1 <= leg.files <= members:
        return Refusal("emlia.form.change", "there is no such formation of so many files")
    if leg.formation == Formation.RANKED and members == 1:
        return Refusal("emlia.form.all", "one man alone makes no ranks")
    if engaged_by(battle, unit):
        return Refusal("emlia.form.change", "an engaged unit keeps its formation")
    return None


def _march_leg(
    battle: Battle, unit: int, pose: Pose, leg: Leg, through: Sequence[int]
) -> tuple[Pose, float] | Refusal:
    """One straight leg; the end of the order is taken, if the way leads there."""
    east, north = leg.x - pose.x, leg.y - pose.y
    distance = float(np.sqrt(east * east + north * north))
    way = _way_of(pose, east, north)
    if way is None:
        return Refusal("emlia.form.ranked.translate", "a ranked unit moves straight to a side")
    edge = _inside(battle, gone(pose, way, distance))
    if edge:
        return edge
    free = straight(battle, unit, pose, way, distance, through=through)
    if free.distance < distance - _STRAIGHT:
        return Refusal("emlia.move.blocked-by-object", "something stands in the way")
    end = pose.at(leg.x, leg.y, pose.facing)
    if pose.drill.formation is Formation.OPEN:
        end = turned(end, leg.facing)
    return _room(battle, unit, end, through) or (end, free.cost)


def _way_of(pose: Pose, east: float, north: float) -> int | None:
    """The facing of a straight leg; None if a ranked unit would go askew."""
    if pose.drill.formation is not Formation.RANKED:
        return facing_towards(east, north)
    for way in (pose.facing + quarter * QUARTER for quarter in range(4)):
        ahead_east, ahead_north = unit_vector(way)
        if (
            abs(east * ahead_north - north * ahead_east) <= _STRAIGHT
            and east * ahead_east + north * ahead_north >= 0
        ):
            return way % FULL_CIRCLE
    return None


@rule("emlia.gloss.battlefield")
@rule("emlia.move.leave")
def _inside(battle: Battle, pose: Pose) -> Refusal | None:
    """Refused if any part of the unit would be over the edge of the field."""
    west, south, east, north = pose.outline.bounds
    size = battle.setup.field.size
    if west < -CREEP or south < -CREEP or east > size[0] + CREEP or north > size[1] + CREEP:
        return Refusal("emlia.move.leave", "that is over the edge of the field")
    return None


def _room(battle: Battle, unit: int, end: Pose, through: Sequence[int] = ()) -> Refusal | None:
    """Refused where the unit would end inside something or over the edge."""
    over = _inside(battle, end)
    if over:
        return over
    body = end.outline.buffer(-2 * CREEP, join_style="mitre")
    if bool(shapely.intersects(body, obstacles_to(battle, unit, through)).any()):
        return Refusal("emlia.terrain.impassable-by-height", "there is no room to stand there")
    return None
