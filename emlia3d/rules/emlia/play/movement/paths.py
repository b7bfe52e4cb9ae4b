"""Ways round what bars the straight one: the shortest, from corner to corner of the obstacles.

A unit is taken as the circle round its boundary, so that it may turn wherever it comes by; the
corners of the obstacles, widened by its radius, are the places between which it goes (a visibility
graph, searched by Dijkstra's algorithm). What a GSU costs on the way counts. A gap through which it
could only go one way round is passed by.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Leg, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rules.emlia.play.movement.allowance import no_room, obstacles_to, speed_of, straight
from emlia3d.rules.emlia.play.movement.going import going_of
from emlia3d.rules.emlia.play.movement.pose import gone, pose_of, turn_cost, turned
from emlia3d.rules.emlia.play.sight.awareness import unknown_to

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

Spot = tuple[float, float]

_SLACK = 1 / 8
"""GSU that a way keeps from what it goes round, beside the radius of the unit."""

_MOST_CORNERS = 160
_MOST_ENDS = 40
_LEAST_LEG = 1 / 4


def way_round(
    battle: Battle,
    unit: int,
    goal: Spot | BaseGeometry,
    through: Sequence[int] | None = None,
) -> list[Spot] | None:
    """The places that the middle of a unit goes to, one after another, on its shortest way.

    It ends at the goal, or at the nearest place to it where the unit has room; None if there is
    no way.

    goal : a place, or an outline or line of which any place will do
    through : units that are not gone round; enemies that its side does not know of without it
    """
    start = pose_of(battle, unit).middle
    through = unknown_to(battle, unit) if through is None else through
    room, inner = _room(battle, unit, obstacles_to(battle, unit, through, passing=True))
    if room.is_empty:
        return None
    aim = goal if isinstance(goal, BaseGeometry) else shapely.Point(goal)
    corners = _corners(room, np.array(start), aim)
    ends = _ends(room, np.vstack([start, corners[:_MOST_ENDS]]), aim)
    spots = np.vstack([start, ends, corners])
    search = _shortest(spots, inner, going_of(battle, unit).slow)
    return next((_traced(spots, before, here) for here, before in search
                 if 1 <= here <= len(ends)), None)  # fmt: skip


def corners_round(battle: Battle, unit: int, budget: float) -> Iterator[list[Spot]]:
    """Ways to corners of what is near, each the shortest, in the order of what they cost.

    budget : GSU on open ground; corners beyond are left out
    """
    pose = pose_of(battle, unit)
    near = shapely.Point(pose.middle).buffer(budget)
    obstacles = obstacles_to(battle, unit, unknown_to(battle, unit), passing=True)
    room, inner = _room(battle, unit, obstacles[shapely.dwithin(obstacles, near, 0.0)])
    within = shapely.intersection(room, near)
    middle = np.array(pose.middle)
    corners = _corners(room, middle, near)
    corners = corners[np.hypot(*(corners - middle).T) < budget]
    if within.is_empty or not len(corners):
        return
    spots = np.vstack([middle, corners])
    for here, before in _shortest(spots, inner, going_of(battle, unit).slow):
        if here:
            yield _traced(spots, before, here)


def _room(
    battle: Battle, unit: int, obstacles: NDArray[np.object_]
) -> tuple[BaseGeometry, BaseGeometry]:
    """Where the middle of a unit may go past obstacles, and what no line of its way may touch."""
    pose = pose_of(battle, unit)
    rim = shapely.get_coordinates(pose.outline) - np.array(pose.middle)
    radius = float(np.sqrt((rim**2).sum(axis=1)).max()) + _SLACK
    field = shapely.box(0, 0, *battle.setup.field.size).buffer(-radius, join_style="mitre")
    barred = shapely.union_all(shapely.buffer(obstacles, radius, quad_segs=2))
    here = shapely.Point(pose.middle).buffer(radius)
    return shapely.difference(field, barred), barred.buffer(-_SLACK / 2).difference(here)


def _corners(
    room: BaseGeometry, start: NDArray[np.float64], goal: BaseGeometry
) -> NDArray[np.float64]:
    """The corners of the room to go through, those least off the way first."""
    corners = np.unique(shapely.get_coordinates(room), axis=0)
    off = np.sqrt(((corners - start) ** 2).sum(axis=1))
    off = off + shapely.distance(np.asarray(shapely.points(corners)), goal)
    kept: NDArray[np.float64] = corners[np.argsort(off, kind="stable")[:_MOST_CORNERS]]
    return kept


def _ends(
    room: BaseGeometry, spots: NDArray[np.float64], goal: BaseGeometry
) -> NDArray[np.float64]:
    """Where one may end: the places with room next to that of the goal nearest to each spot."""
    lines = shapely.shortest_line(goal, np.asarray(shapely.points(spots)))
    nearest = shapely.get_point(lines, 0)
    ends = shapely.get_point(shapely.shortest_line(room, nearest), 0)
    return np.unique(shapely.get_coordinates(ends), axis=0)


def _shortest(
    spots: NDArray[np.float64],
    barred: BaseGeometry,
    slow: Sequence[tuple[float, BaseGeometry]],
) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """From the first of some spots to all others by lines outside *barred*, the nearest first.

    Each by its row, with the row from which each is come to.
    """
    shapely.prepare(barred)
    best = np.full(len(spots), inf)
    before = np.full(len(spots), -1)
    best[0] = 0.0
    done = np.zeros(len(spots), dtype=np.bool_)
    waiting = [(0.0, 0)]
    while waiting:
        spent, here = heapq.heappop(waiting)
        if done[here]:
            continue
        done[here] = True
        yield here, before
        there = np.flatnonzero(~done)
        ends = np.stack([np.broadcast_to(spots[here], (len(there), 2)), spots[there]], axis=1)
        lines = np.asarray(shapely.linestrings(ends))
        costs = np.asarray(spent + shapely.length(lines), dtype=np.float64)
        # What slow ground adds is dear to find, and most lines lead nowhere sooner, or not at all.
        open_to = np.flatnonzero(costs < best[there])
        open_to = open_to[~shapely.intersects(barred, lines[open_to])]
        lines, costs, there = lines[open_to], costs[open_to], there[open_to]
        for factor, area in slow:
            inside = np.asarray(shapely.length(shapely.intersection(lines, area)))
            costs += (factor - 1) * inside
        better = costs < best[there]
        for one, cost in zip(there[better].tolist(), costs[better].tolist(), strict=True):
            best[one], before[one] = cost, here
            heapq.heappush(waiting, (cost, one))


def _traced(spots: NDArray[np.float64], before: NDArray[np.intp], here: int) -> list[Spot]:
    """The way by which one has come to a spot, from the place after the start."""
    path = []
    while here:
        path.append((float(spots[here, 0]), float(spots[here, 1])))
        here = int(before[here])
    return path[::-1]


def follow(
    battle: Battle,
    unit: int,
    places: Sequence[Spot],
    budget: float,
    verb: str,
    through: Sequence[int] | None = None,
) -> Order | None:
    """The order that takes a unit along some places, as far as it has movement; None if nowhere.

    through : as `way_round`
    """
    pose, left = pose_of(battle, unit), budget
    hidden = unknown_to(battle, unit) if through is None else through
    speed = speed_of(battle, unit)
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
        run = straight(battle, unit, facing, way, wanted, left, through=hidden)
        end = gone(facing, way, run.distance)
        if run.distance <= 0 or no_room(battle, unit, end, hidden) is not None:
            break
        if way != pose.facing:
            legs.append(facing.leg("turn"))
        legs.append(end.leg("march"))
        pose, left = end, left - run.cost
        if run.distance < wanted - _LEAST_LEG:
            break
    if legs and legs[-1].step == "turn":
        legs.pop()
    return Order(verb=verb, unit=unit, legs=tuple(legs)) if legs else None


def is_barred_by_terrain(battle: Battle, unit: int, way: int, wanted: float) -> bool:
    """Whether terrain, not others, ends the straight way before so many GSU."""
    pose = turned(pose_of(battle, unit), way)
    everyone = range(len(battle.state.units))
    run = straight(battle, unit, pose, way, wanted, through=tuple(everyone))
    return run.blocked_by == "obstacle"
