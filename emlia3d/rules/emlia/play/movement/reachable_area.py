"""The ground on which a unit's centre may end one move.

The paths tried are the paths that a player may point at: turned and straight on, as it faces,
straight on and then to a side, and round the corners of obstacles. Each is measured as it
would be gone; between two neighbouring ones the border is taken as straight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import dist, inf
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.force.facing import FULL_CIRCLE, facing_towards, unit_vector
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.movement.shortest_paths import Spot, corners_round
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import mover_of, obstacles_to, speed_of
from emlia3d.rules.emlia.play.situation.footing import (
    bodies_of,
    low_bodies,
    meet,
)
from emlia3d.rules.emlia.play.situation.free_places import to_free_places
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.march import March, MarchWay, march
from emlia3d.rules.emlia.play.situation.pose import (
    QUARTER,
    Pose,
    gone,
    pose_of,
    turn_cost,
    turned,
)

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_BEARINGS, _FEWER = 36, 20
"""Directions that are tried from where the unit is, and from a corner."""

_RUNGS = 8
_MOST_CORNERS = 16
_LEAST = 1 / 16
_APART, _LEFT = 1 / 50, 1 / 10
"""Fractions of the budget: the gap between corners, and the rest required to go on from one."""


def extents(moment: Moment, unit: int, budget: float) -> Iterator[BaseGeometry]:
    """Yield the ground on which a unit's centre may end a move of that cost, growing.

    Found out little by little: what straight ways lead to, coarsely and then finer, and what one
    comes to round one corner after another. The last is all of it.

    budget : movement that it has
    """
    pose, near = pose_of(moment, unit), _Near(moment, unit, budget)
    yield near.free(near.fan(pose, budget, _BEARINGS // 3))
    straight_on = [near.fan(pose, budget, _BEARINGS), *near.ladder(pose, budget)]
    reached = near.free(shapely.union_all(straight_on))
    yield reached
    used: list[Spot] = []
    for path in corners_round(moment, unit, budget):
        corner = path[-1]
        if any(dist(corner, other) < _APART * budget for other in used):
            continue
        end, left = near.along(pose, path, budget)
        if left < _LEFT * budget or reached.covers(near.free(_round(end.middle, left))):
            continue
        used.append(corner)
        reached = reached.union(near.free(near.fan(end, left, _FEWER)))
        yield reached
        if len(used) == _MOST_CORNERS:
            return


def _round(middle: Spot, radius: float) -> BaseGeometry:
    return shapely.Point(middle).buffer(radius, quad_segs=4)


class _Near:
    """The obstacles near enough to a unit to affect its move."""

    def __init__(self, moment: Moment, unit: int, budget: float) -> None:
        self._moment, self._unit = moment, unit
        self._hidden = unknown_to(moment, unit)
        self._speed = speed_of(moment, unit)
        self._known: dict[tuple[Pose, int, float], float] = {}
        pose = pose_of(moment, unit)
        wide = shapely.bounds(pose.outline.buffer(budget + pose.outline.length / 2))
        box = shapely.box(*wide)
        obstacles = obstacles_to(moment, unit, self._hidden, within=box, passing=True)
        self._obstacles: NDArray[np.object_] = obstacles[shapely.intersects(obstacles, box)]
        low = low_bodies(moment, unit, self._hidden, box)
        self._slow = going_of(moment, unit).slow_near(box)
        self._field = shapely.box(0, 0, *moment.setup.field.size)
        self._taken = shapely.union_all(np.concatenate([self._obstacles, low]))
        shapely.prepare([area for _, area in self._slow])
        shapely.prepare(self._obstacles)

    def free(self, ground: BaseGeometry) -> BaseGeometry:
        """Without what lies beyond the field or under what may not be entered."""
        return ground.intersection(self._field).difference(self._taken)

    def fan(self, pose: Pose, left: float, count: int) -> BaseGeometry:
        """Return the ground that is reached from a pose by straight ways."""
        ends = []
        for step in range(count):
            way = (pose.facing + step * FULL_CIRCLE // count) % FULL_CIRCLE
            far = self._far(pose, way, left)
            east, north = unit_vector(way)
            ends.append((pose.middle[0] + far * east, pose.middle[1] + far * north))
        return shapely.Polygon(ends).buffer(0)

    def ladder(self, pose: Pose, budget: float) -> Iterator[BaseGeometry]:
        """Yield the ground that a ranked unit reaches straight on or back, and then to a side."""
        if pose.drill.formation is not Formation.RANKED:
            return
        for back in (0, 2 * QUARTER):
            way = (pose.facing + back) % FULL_CIRCLE
            price = 2.0 if back else 1.0
            furthest = self._run(pose, way, budget)
            for hand in (-QUARTER, QUARTER):
                aside = (pose.facing + hand) % FULL_CIRCLE
                rim = [pose.middle]
                for far in np.linspace(0.0, furthest, _RUNGS).tolist():
                    stands = gone(pose, way, far)
                    to_side = self._run(stands, aside, budget - price * far)
                    rim.append(gone(stands, aside, to_side).middle)
                yield shapely.Polygon([*rim, gone(pose, way, furthest).middle]).buffer(0)

    def along(self, pose: Pose, path: list[Spot], budget: float) -> tuple[Pose, float]:
        """Return its pose after a path and the budget left; negative if it does not get so far."""
        for x, y in path:
            east, north = x - pose.middle[0], y - pose.middle[1]
            way, wanted = facing_towards(east, north), float(np.hypot(east, north))
            budget -= turn_cost(pose, way, self._speed)
            pose = turned(pose, way)
            if budget <= 0:
                return pose, -inf
            run = self._march(pose, way, wanted, budget)
            if run.distance < wanted - 1 / 4:
                return pose, -inf
            pose, budget = gone(pose, way, run.distance), budget - run.cost
        return pose, budget

    def _far(self, pose: Pose, way: int, left: float) -> float:
        """Return how far one gets that way, turned to it or as one faces."""
        key = pose, way, left
        if key not in self._known:
            far = self._turned(pose, way, left)
            if far <= _LEAST or pose.drill.formation is Formation.RANKED:
                far = max(far, self._as_it_faces(pose, way, left), _LEAST)
            self._known[key] = far
        return self._known[key]

    def _turned(self, pose: Pose, way: int, left: float) -> float:
        left -= turn_cost(pose, way, self._speed)
        if left <= 0:
            return 0.0
        towards = turned(pose, way)
        if way != pose.facing:
            met = self._obstacles[shapely.intersects(self._obstacles, towards.outline)]
            if meet(bodies_of(towards), met):
                return 0.0
        return self._run(towards, way, left)

    def _as_it_faces(self, pose: Pose, way: int, left: float) -> float:
        """Without a turn: ranks only at right angles; open formation turns for nothing."""
        askew = (way - pose.facing) % QUARTER
        formation = pose.drill.formation
        if formation is Formation.OPEN or (formation is Formation.RANKED and askew):
            return 0.0
        return self._run(pose, way, left)

    def _run(self, pose: Pose, way: int, left: float) -> float:
        """Return how far it goes straight on for a budget, with no part beyond the field's edge."""
        if left <= 0:
            return 0.0
        wanted = min(left, self._to_edge(pose, way))
        far = self._march(pose, way, wanted, left).distance
        return to_free_places(self._moment, self._unit, pose, way, far, self._hidden)

    def _march(self, pose: Pose, way: int, wanted: float, left: float) -> March:
        """Return the straight way, past what lies on it alone: nothing does for most ways."""
        end = gone(pose, way, wanted)
        rims = [shapely.get_coordinates(each.outline) for each in (pose, end)]
        swept = shapely.convex_hull(shapely.multipoints(np.concatenate(rims)))
        slow = [(cost, area) for cost, area in self._slow if area.intersects(swept)]
        met = self._obstacles[shapely.intersects(self._obstacles, swept)]
        mover = mover_of(pose, way)
        if not slow:
            mover = replace(mover, members=None)
        return march(mover, MarchWay.towards(way), wanted, left, slow, met)

    def _to_edge(self, pose: Pose, way: int) -> float:
        west, south, east, north = pose.outline.bounds
        size, ahead = self._moment.setup.field.size, unit_vector(way)
        room = (
            ((size[0] - east) if ahead[0] > 0 else west, abs(ahead[0])),
            ((size[1] - north) if ahead[1] > 0 else south, abs(ahead[1])),
        )
        return max(min((gap / part for gap, part in room if part > 1e-9), default=inf), 0.0)
