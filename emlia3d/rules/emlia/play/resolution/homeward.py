"""Emlia, chapter 21.6 as play: the way of a unit in retreat to its own lines.

Straight, or the shortest way round the terrain that bars it.

Holds `emlia.morale.lines`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Order
from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, facing_towards
from emlia3d.rules.emlia.play.movement import paths
from emlia3d.rules.emlia.play.movement.allowance import has_room, speed_of, straight
from emlia3d.rules.emlia.play.movement.legs import Plan, plan
from emlia3d.rules.emlia.play.movement.manoeuvre import is_closer
from emlia3d.rules.emlia.play.movement.pose import Pose, gone, pose_of, turn_cost, turned
from emlia3d.rules.emlia.play.resolution.havens import Haven
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_BEARINGS = (0, 20, -20, 40, -40, 60, -60, 90, -90)
"""Ways tried when the straight one is barred, degrees off it."""


def way_home(battle: Battle, unit: int, paces: int, *, routed: bool) -> Haven | None:
    """The move towards the own lines; None where no way leads there."""
    pose = pose_of(battle, unit)
    end, left = flight(battle, unit, paces, routed)
    order = Order(verb="to-lines", unit=unit)
    if not left and _falls_short(battle, unit, pose, end, paces):
        way = _round_terrain(battle, unit, paces, routed)
        if way:
            return Haven(order, way)
    return Haven(order, (end,), left) if left or end != pose else None


def _falls_short(battle: Battle, unit: int, pose: Pose, end: Pose, paces: int) -> bool:
    """Whether terrain in the straight way keeps a unit from half of what it could go."""
    budget = speed_of(battle, unit) * paces
    if _nearer_home(battle, unit, pose, end) > budget / 2:
        return False
    return paths.is_barred_by_terrain(battle, unit, bearing_home(battle, unit), budget)


def _round_terrain(battle: Battle, unit: int, paces: int, routed: bool) -> tuple[Pose, ...]:
    """The poses on the shortest way home (`emlia.morale.falling-back`), as far as it is gone now.

    None where it leads closer to the enemy, unless the unit is routed: then it passes through
    others, and ends on none.
    """
    through = tuple(range(len(battle.state.units))) if routed else ()
    places = paths.way_round(battle, unit, _lines(battle, unit), through)
    budget = speed_of(battle, unit) * paces
    order = paths.follow(battle, unit, places or (), budget, "move", through)
    planned = None if order is None else plan(battle, unit, order, paces, through)
    if not isinstance(planned, Plan) or not (routed or not is_closer(battle, unit, planned.end)):
        return ()
    poses = planned.poses
    while poses and not has_room(battle, unit, poses[-1]):
        poses = poses[:-1]
    return poses


def _lines(battle: Battle, unit: int) -> BaseGeometry:
    """The own lines: an edge of the field, or a point."""
    lines = battle.setup.lines_of(unit)
    if not isinstance(lines, str):
        return shapely.Point(lines)
    east, north = battle.setup.field.size
    southwest, southeast = (0.0, 0.0), (east, 0.0)
    northwest, northeast = (0.0, north), (east, north)
    edge = {
        "north": (northwest, northeast),
        "east": (southeast, northeast),
        "south": (southwest, southeast),
        "west": (southwest, northwest),
    }[lines]
    return shapely.LineString(edge)


@rule("emlia.morale.lines", "emlia.scenario.own-lines")
def flight(battle: Battle, unit: int, paces: int, routed: bool) -> tuple[Pose, bool]:
    """Where flight to the own lines ends, and whether the unit leaves the field there.

    By the straight way, or the one least off it that leads farther: not closer to the enemy
    unless it is routed.
    """
    pose = pose_of(battle, unit)
    home = bearing_home(battle, unit)
    budget = speed_of(battle, unit) * paces
    best, best_gain, leaves = pose, 0.0, False
    for off in _BEARINGS:
        way = (home + facing_of_degrees(off)) % FULL_CIRCLE
        end, out = _run(battle, unit, pose, way, budget, routed)
        gain = _nearer_home(battle, unit, pose, end) + (budget if out else 0.0)
        if gain > best_gain + 1 and (routed or not is_closer(battle, unit, end)):
            best, best_gain, leaves = end, gain, out
        if off == 0 and (out or gain > budget / 2):
            break
    return best, leaves


def bearing_home(battle: Battle, unit: int) -> int:
    """The facing straight to the unit's own lines."""
    lines = battle.setup.lines_of(unit)
    if isinstance(lines, str):
        return facing_of_degrees({"north": 0, "east": 90, "south": 180, "west": 270}[lines])
    x, y = lie_of(battle).centre(unit)
    return facing_towards(lines[0] - x, lines[1] - y)


def _run(
    battle: Battle, unit: int, pose: Pose, way: int, budget: float, routed: bool
) -> tuple[Pose, bool]:
    """As far as the unit gets that way, and whether that is over its own edge."""
    left = budget - turn_cost(pose, way, speed_of(battle, unit))
    facing = turned(pose, way)
    if left <= 0:
        return facing, False
    through = range(len(battle.state.units)) if routed else ()
    run = straight(battle, unit, facing, way, left, left, through=tuple(through))
    end = gone(facing, way, run.distance)
    end = _where_it_may_stand(battle, unit, facing, end, way, run.distance)
    lines = battle.setup.lines_of(unit)
    west, south, east, north = end.outline.bounds
    size = battle.setup.field.size
    over = {"west": west < 0, "south": south < 0, "east": east > size[0], "north": north > size[1]}
    if not any(over.values()):
        return end, False
    leads_off = (
        over[lines]
        if isinstance(lines, str)
        else not (0 <= lines[0] <= size[0] and 0 <= lines[1] <= size[1])
    )
    return (end, True) if leads_off else (pose, False)


def _where_it_may_stand(
    battle: Battle, unit: int, start: Pose, end: Pose, way: int, distance: float
) -> Pose:
    """The farthest free place up to *end*: who passes others, or turns among them, ends on none."""
    steps = max(int(distance), 1)
    for step in range(steps, -1, -1):
        pose = end if step == steps else gone(start, way, distance * step / steps)
        if has_room(battle, unit, pose):
            return pose
    return pose_of(battle, unit)


def _nearer_home(battle: Battle, unit: int, before: Pose, after: Pose) -> float:
    lines = battle.setup.lines_of(unit)
    if isinstance(lines, str):
        sign = 1 if lines in {"north", "east"} else -1
        (ax, ay), (bx, by) = before.middle, after.middle
        return sign * ((by - ay) if lines in {"north", "south"} else (bx - ax))
    point = shapely.Point(lines)
    return float(before.outline.distance(point) - after.outline.distance(point))
