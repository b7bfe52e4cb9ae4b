"""Emlia, chapter 14.5 as play: how each member of an open or close unit runs in a charge.

A ranked unit, a single body and a flyer charge as one. Members that leave their places for this
take them again where the unit is next placed. If the members could not stay in formation, would
stand on another body, or would not reach what the unit's boundary does, the unit runs as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.changes import Change
from emlia3d.force.facing import facing_towards
from emlia3d.force.formation import GRID, Formation, boundary, footprint_corners
from emlia3d.geometry import discs_within
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.play.situation.allowance import (
    mover_of,
    obstacles_to,
    speed_of,
    straight,
)
from emlia3d.rules.emlia.play.situation.footing import among, meet
from emlia3d.rules.emlia.play.situation.going import going_of, mode_of
from emlia3d.rules.emlia.play.situation.march import (
    MarchWay,
    first_of_all,
    member_intervals,
    within_budget,
)
from emlia3d.rules.emlia.play.situation.pose import (
    Pose,
    by_slot,
    pose_of,
    standing,
    turn_cost,
    turned,
)
from emlia3d.rules.emlia.play.situation.reach import own_reach
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.manoeuvres import is_linked
from emlia3d.rules.emlia.tables.modes import FLYING

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

SHORT = 1 / 16
"""GSU by which a charge stops before its enemy, so that outlines never overlap."""

_SKIN = 8 / GRID
"""GSU that rounding may put one footprint into another."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Chargers:
    """The members of one row of the roster as a charge begins.

    spots : (members, 2), by slot, GSU
    radius : of a member's footprint, GSU
    reach : combat range, GSU
    """

    row: int
    pose: Pose
    spots: Floats
    radius: float
    reach: float

    @classmethod
    def of(cls, moment: Moment, row: int, pose: Pose) -> _Chargers:
        radius = max(pose.drill.width, pose.drill.depth) / 2
        return cls(row, pose, pose.own_places, radius, own_reach(situation_of(moment), row))


def run_in(
    moment: Moment, unit: int, target: int, goal: BaseGeometry, start: Pose, end: Pose
) -> tuple[Change, ...]:
    """Return the changes that put members ahead of their places at the end of a charge.

    Each member runs straight at the nearest place of the goal until that is in its reach, or it
    meets another member, another body, or the end of its movement. A member with a shorter way
    is there first.

    goal : the boundary that the charge has reached, GSU
    start, end : the unit before it turned to the goal, and where it ends as one body
    """
    # Free strikes may have removed members since the end was planned.
    end = start.at(end.x, end.y, end.facing)
    if end.drill.formation is Formation.RANKED or situation_of(moment).is_drawn(unit):
        return ()
    if len(end.places) < 2 or mode_of(moment, unit) == FLYING:
        return ()
    facing, speed = end.facing, speed_of(moment, unit)
    turned_to = turned(start, facing)
    way = facing_towards(end.x - turned_to.x, end.y - turned_to.y)
    budget = (speed - turn_cost(start, facing, speed)) / mover_of(turned_to, way).slowness
    bodies = [
        _Chargers.of(moment, row, pose)
        for row, pose in ((unit, turned_to), *turned_to.parts)
        if pose.drill.count
    ]
    places = _own_lines(moment, unit, target, goal, bodies, budget)
    radius = max(body.radius for body in bodies)
    if places is None or not is_linked(np.concatenate(places), radius, end.drill.formation):
        return ()
    if not any(map(partial(_reaches, goal), bodies, places)):
        return ()
    usual = dict(((unit, end), *end.parts))
    return tuple(
        change
        for body, spots in zip(bodies, places, strict=True)
        for change in standing(moment, body.row, spots, usual[body.row].own_places)
    )


def left_after(moment: Moment, unit: int, start: Pose, target: int) -> Floats:
    """Return what the run of a charge has left of the speed of each member, by slot, GSU.

    It may be less than nothing where slow ground lay on a member's own line alone.
    """
    end, speed = pose_of(moment, unit), speed_of(moment, unit)
    first = turned(start, end.facing)
    went = float(np.sqrt((end.x - first.x) ** 2 + (end.y - first.y) ** 2))
    way = facing_towards(end.x - first.x, end.y - first.y)
    run = straight(moment, unit, first, way, went, through=(target,))
    left = np.full(len(end.places), speed - turn_cost(start, end.facing, speed) - run.cost)
    if end.parts or not went or end.drill.formation is Formation.RANKED:
        return left
    own = np.sqrt(((by_slot(moment, unit) - first.own_places) ** 2).sum(axis=1))
    after: Floats = left + (went - own) * run.cost / went
    return after


def _own_lines(
    moment: Moment,
    unit: int,
    target: int,
    goal: BaseGeometry,
    bodies: Sequence[_Chargers],
    budget: float,
) -> list[Floats] | None:
    """Return where the members of each body end; None if any would stand on another."""
    counts = [len(body.spots) for body in bodies]
    spots = np.concatenate([body.spots for body in bodies])
    radii = np.repeat([body.radius for body in bodies], counts)
    reach = np.repeat([max(body.reach - SHORT, 0.0) for body in bodies], counts)
    lines = shapely.shortest_line(np.asarray(shapely.points(spots)), goal)
    away = shapely.get_coordinates(lines)[1::2] - spots
    far = np.sqrt((away**2).sum(axis=1))
    ways = away / np.maximum(far, _SKIN)[:, None]
    wanted = np.maximum(far - radii - reach, 0.0)
    ends = spots + wanted[:, None] * ways
    corners = np.concatenate([spots, ends])
    swept = shapely.box(*(corners.min(axis=0) - radii.max()), *(corners.max(axis=0) + radii.max()))
    obstacles = np.concatenate(
        [
            obstacles_to(moment, unit, (target,), within=swept),
            among(moment, unit, bodies[0].pose, (target,)),
        ]
    )
    obstacles = obstacles[shapely.intersects(obstacles, swept)]
    slow = going_of(moment, unit).slow_near(swept)
    discs = np.concatenate([_discs(body) for body in bodies])
    placed, room = np.empty_like(spots), np.empty(len(spots))
    for count, one in enumerate(np.argsort(wanted, kind="stable").tolist()):
        way, run = MarchWay(*ways[one].tolist()), float(wanted[one])
        if slow:
            (paid,) = member_intervals(way, spots[one : one + 1], slow, run)
            run = within_budget(paid, run, budget)
        run = min(run, budget)
        run = _to_fellow(spots[one], ways[one], run, placed[:count], room[:count] + radii[one])
        run = max(first_of_all(way, discs[one : one + 1], obstacles, run), 0.0)
        ends[one] = np.round((spots[one] + run * ways[one]) * GRID) / GRID
        placed[count], room[count] = ends[one], radii[one]
    if _overlap(ends, radii) or meet(_moved(discs, ends - spots), obstacles):
        return None
    return np.split(ends, np.cumsum(counts)[:-1])


def _reaches(goal: BaseGeometry, body: _Chargers, spots: Floats) -> bool:
    """Return whether the goal is in reach of the boundary round members where they end.

    The boundary between two members may lie nearer to the goal than either of them.
    """
    pose = body.pose
    outline = boundary(pose.drill, pose.x, pose.y, pose.facing, spots)
    return in_reach(float(outline.distance(goal)), body.reach)


def _to_fellow(spot: Floats, way: Floats, run: float, placed: Floats, apart: Floats) -> float:
    """Return how far a member runs before it touches a member that has halted, at most *run*.

    placed : (n, 2) where those stand
    apart : (n,) from centre to centre as the two touch
    """
    beside = placed - spot
    ahead = beside @ way
    off = (beside**2).sum(axis=1) - ahead**2
    touch = np.maximum(apart - _SKIN, 0.0) ** 2
    met = (ahead > 0) & (off < touch)
    if not met.any():
        return run
    return max(min(run, float((ahead[met] - np.sqrt(apart[met] ** 2 - off[met])).min())), 0.0)


def _discs(body: _Chargers) -> NDArray[np.object_]:
    corners = footprint_corners(body.pose.drill, body.spots, body.pose.facing)
    return np.asarray(shapely.polygons(corners))


def _moved(discs: NDArray[np.object_], by: Floats) -> NDArray[np.object_]:
    shift = np.repeat(by, shapely.get_num_coordinates(discs), axis=0)
    return np.asarray(shapely.transform(discs, lambda corners: corners + shift))


def _overlap(spots: Floats, radii: Floats) -> bool:
    """Return whether any two members stand on each other, by more than rounding does."""
    return bool(len(discs_within(spots[:, 0], spots[:, 1], 0.0, radii - _SKIN).rows))
