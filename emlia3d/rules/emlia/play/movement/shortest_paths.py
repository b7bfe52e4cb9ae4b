"""Ways round what bars the straight one: the shortest, from corner to corner of the obstacles.

A unit is taken as the circle round its boundary, so that it may turn wherever it comes by; the
corners of the obstacles, widened by its radius, are the places between which it goes (a visibility
graph, searched by Dijkstra's algorithm). What a GSU costs on the way counts. A gap through which it
could only go one way round is passed by.

With a `MovingRectangle` the unit keeps its outline instead, and goes only ahead, back and to its
sides: so a line finds its way along a wall, and through a gap that fits it as it stands.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Leg, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import no_room, obstacles_to, speed_of, straight
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.march import MarchWay
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, pose_of, turn_cost, turned

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Spot = tuple[float, float]

_SLACK = 1 / 8
"""GSU that a way keeps from what it goes round, beside the radius of the unit."""

_MOST_CORNERS = 160
_MOST_ENDS = 40
_LEAST_LEG = 1 / 4


@dataclass(frozen=True, slots=True)
class MovingRectangle:
    """The bounding rectangle of a unit that goes along its own axes and never turns.

    middle : of the unit's own rectangle, which the places of a way are of
    course : its axes
    rim : the corners, relative to the middle, (4, 2), GSU
    """

    middle: Spot
    course: MarchWay
    rim: NDArray[np.float64]

    @classmethod
    def of(cls, pose: Pose) -> MovingRectangle:
        """Return the block of a unit at *pose*."""
        course = MarchWay.towards(pose.facing)
        lane = course.swept(pose.outline, 0.0).buffer(_SLACK, join_style="mitre")
        corners = shapely.get_coordinates(lane)[:-1]
        return cls(pose.middle, course, corners - np.array(pose.middle))

    def room(
        self, field: tuple[float, float], obstacles: NDArray[np.object_]
    ) -> tuple[BaseGeometry, BaseGeometry]:
        """Return where the middle may go on a field of this size, and what its way may not touch.

        The obstacles are widened by the block (their Minkowski sums with the mirrored rectangle).
        """
        (west, south), (east, north) = self.rim.min(axis=0), self.rim.max(axis=0)
        inside = shapely.box(-west, -south, field[0] - east, field[1] - north)
        polygons = shapely.get_parts(obstacles)
        rings = shapely.get_rings(polygons)
        spots, ring = shapely.get_coordinates(rings, return_index=True)
        edges = np.stack([spots[:-1], spots[1:]], axis=1)[ring[1:] == ring[:-1]]
        swept = (edges[:, :, None] - self.rim).reshape(-1, 2)
        each = np.repeat(np.arange(len(edges)), 2 * len(self.rim))
        hulls = shapely.convex_hull(shapely.multipoints(swept, indices=each))
        moved = shapely.transform(polygons, lambda points: points - self.rim[0])
        barred = shapely.union_all(np.concatenate([hulls, moved]))
        here = shapely.Point(self.middle).buffer(2 * _SLACK)
        return shapely.difference(inside, barred), barred.buffer(-_SLACK / 2).difference(here)

    def bends(
        self, start: NDArray[np.float64], ends: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where the ways from *start* to each of *ends* bend: ahead first, aside first."""
        axis = np.array([self.course.east, self.course.north])
        ahead = ((ends - start) @ axis)[:, None] * axis
        return start + ahead, ends - ahead


def way_round(
    moment: Moment,
    unit: int,
    goal: Spot | BaseGeometry,
    through: Sequence[int] | None = None,
    *,
    block: MovingRectangle | None = None,
    shunned: Sequence[BaseGeometry] = (),
) -> list[Spot] | None:
    """Return the places that the middle of a unit goes to, one after another, on its shortest way.

    It ends at the goal, or at the nearest place to it where the unit has room; None if there is
    no way.

    goal : a place, or an outline or line of which any place will do
    through : units that are not gone round; enemies that its side does not know of without it
    block : the rectangle that it keeps; without it the unit may turn wherever it comes by
    shunned : polygons that it goes round, too
    """
    start = pose_of(moment, unit).middle if block is None else block.middle
    through = unknown_to(moment, unit) if through is None else through
    barring = obstacles_to(moment, unit, through, passing=True)
    obstacles = np.concatenate([barring, np.array(shunned, object)])
    if block is None:
        room, inner = _room(moment, unit, obstacles)
    else:
        room, inner = block.room(moment.setup.field.size, obstacles)
    if room.is_empty:
        return None
    aim = goal if isinstance(goal, BaseGeometry) else shapely.Point(goal)
    corners = _corners(room, np.array(start), aim)
    ends = _ends(room, np.vstack([start, corners[:_MOST_ENDS]]), aim)
    spots = np.vstack([start, ends, corners])
    search = _shortest(spots, inner, going_of(moment, unit).slow, block)
    return next((_traced(spots, came, here) for here, came in search
                 if 1 <= here <= len(ends)), None)  # fmt: skip


def corners_round(moment: Moment, unit: int, budget: float) -> Iterator[list[Spot]]:
    """Ways to corners of what is near, each the shortest, in the order of what they cost.

    budget : GSU on open ground; corners beyond are left out
    """
    pose = pose_of(moment, unit)
    near = shapely.Point(pose.middle).buffer(budget)
    obstacles = obstacles_to(moment, unit, unknown_to(moment, unit), passing=True)
    room, inner = _room(moment, unit, obstacles[shapely.dwithin(obstacles, near, 0.0)])
    middle = np.array(pose.middle)
    corners = _corners(room, middle, near)
    corners = corners[np.hypot(*(corners - middle).T) < budget]
    if not len(corners):
        return
    spots = np.vstack([middle, corners])
    for here, came in _shortest(spots, inner, going_of(moment, unit).slow):
        if here:
            yield _traced(spots, came, here)


def _room(
    moment: Moment, unit: int, obstacles: NDArray[np.object_]
) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the area for the centre of a unit past obstacles, and the area no line may touch."""
    pose = pose_of(moment, unit)
    rim = shapely.get_coordinates(pose.outline) - np.array(pose.middle)
    radius = float(np.sqrt((rim**2).sum(axis=1)).max()) + _SLACK
    field = shapely.box(0, 0, *moment.setup.field.size).buffer(-radius, join_style="mitre")
    barred = shapely.union_all(shapely.buffer(obstacles, radius, quad_segs=2))
    here = shapely.Point(pose.middle).buffer(radius)
    return shapely.difference(field, barred), barred.buffer(-_SLACK / 2).difference(here)


def _corners(
    room: BaseGeometry, start: NDArray[np.float64], goal: BaseGeometry
) -> NDArray[np.float64]:
    """Return the corners of the room to go through, those least off the way first."""
    corners = np.unique(shapely.get_coordinates(room), axis=0)
    off = np.sqrt(((corners - start) ** 2).sum(axis=1))
    off = off + shapely.distance(np.asarray(shapely.points(corners)), goal)
    kept: NDArray[np.float64] = corners[np.argsort(off, kind="stable")[:_MOST_CORNERS]]
    return kept


def _ends(
    room: BaseGeometry, spots: NDArray[np.float64], goal: BaseGeometry
) -> NDArray[np.float64]:
    """Return the possible ends: points with room next to the goal's point nearest to each spot."""
    lines = shapely.shortest_line(goal, np.asarray(shapely.points(spots)))
    nearest = shapely.get_point(lines, 0)
    ends = shapely.get_point(shapely.shortest_line(room, nearest), 0)
    return np.unique(shapely.get_coordinates(ends), axis=0)


@dataclass(frozen=True, slots=True)
class _Came:
    """The way to each spot: its predecessor, and where the way bends; NaN if straight."""

    before: NDArray[np.intp]
    bends: NDArray[np.float64]


def _shortest(
    spots: NDArray[np.float64],
    barred: BaseGeometry,
    slow: Sequence[tuple[float, BaseGeometry]],
    block: MovingRectangle | None = None,
) -> Iterator[tuple[int, _Came]]:
    """Find the shortest ways from the first spot to all others by lines outside *barred*.

    Nearest spots first, each by its row. The lines are straight, or wide as a block.
    """
    shapely.prepare(barred)
    best = np.full(len(spots), inf)
    came = _Came(np.full(len(spots), -1), np.full((len(spots), 2), np.nan))
    best[0] = 0.0
    done = np.zeros(len(spots), dtype=np.bool_)
    waiting = [(0.0, 0)]
    while waiting:
        spent, here = heapq.heappop(waiting)
        if done[here]:
            continue
        done[here] = True
        yield here, came
        there = np.flatnonzero(~done)
        starts = np.broadcast_to(spots[here], (len(there), 2))
        bent = (None,) if block is None else block.bends(spots[here], spots[there])
        for bends in bent:
            via = [] if bends is None else [bends]
            lines = np.asarray(shapely.linestrings(np.stack([starts, *via, spots[there]], axis=1)))
            costs = np.asarray(spent + shapely.length(lines), dtype=np.float64)
            # The cost of slow ground is expensive to compute, and most lines are no improvement.
            open_to = np.flatnonzero(costs < best[there])
            open_to = open_to[~shapely.intersects(barred, lines[open_to])]
            lines, costs = lines[open_to], costs[open_to]
            for factor, area in slow:
                inside = np.asarray(shapely.length(shapely.intersection(lines, area)))
                costs += (factor - 1) * inside
            better = costs < best[there[open_to]]
            found = there[open_to][better]
            best[found], came.before[found] = costs[better], here
            came.bends[found] = np.nan if bends is None else bends[open_to][better]
            for cost, one in zip(costs[better].tolist(), found.tolist(), strict=True):
                heapq.heappush(waiting, (cost, one))


def _traced(spots: NDArray[np.float64], came: _Came, here: int) -> list[Spot]:
    """Return the way by which one has come to a spot, from the place after the start."""
    path = []
    while here:
        path.append((float(spots[here, 0]), float(spots[here, 1])))
        bend = came.bends[here]
        if not np.isnan(bend).any():
            path.append((float(bend[0]), float(bend[1])))
        here = int(came.before[here])
    return path[::-1]


def follow(
    moment: Moment,
    unit: int,
    places: Sequence[Spot],
    budget: float,
    verb: str,
    through: Sequence[int] | None = None,
) -> Order | None:
    """Return the order to move along some points, as far as speed allows; None if it cannot move.

    through : as `way_round`
    """
    pose, left = pose_of(moment, unit), budget
    hidden = unknown_to(moment, unit) if through is None else through
    speed = speed_of(moment, unit)
    legs: list[Leg] = []
    for x, y in places:
        mx, my = pose.middle
        wanted = float(np.sqrt((x - mx) ** 2 + (y - my) ** 2))
        if wanted < _LEAST_LEG:
            continue
        way = facing_towards(x - mx, y - my)
        facing = turned(pose, way)
        left -= turn_cost(pose, way, speed)
        if left <= 0:
            break
        run = straight(moment, unit, facing, way, wanted, left, through=hidden)
        end = gone(facing, way, run.distance)
        if run.distance <= 0 or no_room(moment, unit, end, hidden) is not None:
            break
        if way != pose.facing:
            legs.append(facing.leg("turn"))
        legs.append(end.leg("march"))
        pose, left = end, left - run.cost
        if run.distance < wanted - _LEAST_LEG:
            break
    return Order(verb=verb, unit=unit, legs=tuple(legs)) if legs else None


def is_barred_by_terrain(moment: Moment, unit: int, way: int, wanted: float) -> bool:
    """Return whether terrain, not others, ends the straight way before *wanted* GSU."""
    pose = turned(pose_of(moment, unit), way)
    everyone = range(len(moment.state.units))
    run = straight(moment, unit, pose, way, wanted, through=tuple(everyone))
    return run.blocked_by == "obstacle"
