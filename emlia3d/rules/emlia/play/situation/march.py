"""Distance that a unit covers along a line, and its cost: terrain, obstacles, the field's edge.

Facts for the movement rules of chapters 11 to 13 and for forced movement. A ranked block pays
for terrain while any part of it is inside; every member of another unit pays for its own path,
and the unit goes as far as the slowest (`emlia.terrain.rough`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import GRID
from emlia3d.geometry.lane import Barring, extents, framed, on_the_map

_MUCH, _ROUND = 500, 2.0
"""Points of terrain from which only what is so near a lane is cut, GSU."""

_SLIGHT = 1e-12
"""The proportion of its box that a lane leaves out at most which runs along the axes."""

CLEARANCE = 1 / 64
"""GSU at most left beside a moving body, so that neighbours slide past each other."""

ROUNDED = 2 / GRID
"""GSU by which the rounding of places may shorten a move."""

UNLIMITED = inf
"""The budget of callers that only ask for the cost of a way."""

Interval = tuple[float, float, float]
"""From, to (GSU along the way) and the cost of each GSU between."""


@dataclass(frozen=True, slots=True)
class March:
    """A straight move.

    distance : GSU gone, on the grid
    cost : movement spent
    blocked_by : what ended it: "", "movement", "obstacle" or "edge"
    """

    distance: float
    cost: float
    blocked_by: str


@dataclass(frozen=True, slots=True)
class MarchWay:
    """A straight way before a unit: the frame in which its course is the axis.

    Coordinates in the frame are (across, along): along the course, across to its right.
    """

    east: float
    north: float

    @classmethod
    def towards(cls, facing: int) -> MarchWay:
        """Return the way in the direction of a facing."""
        return cls(*unit_vector(facing))

    def lane(self, left: float, rear: float, right: float, front: float) -> Polygon:
        """Return a rectangle of the frame, on the map."""
        return on_the_map((left, rear, right, front), self.east, self.north)

    def swept(self, body: BaseGeometry, distance: float) -> Polygon:
        """Return the lane that a body takes up which goes so far, from its rear on."""
        left, rear, right, front = _box(self, body)
        return self.lane(left, rear, right, front + distance)

    def points(self, spots: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points in the frame, (n, 2)."""
        return framed(spots, self.east, self.north)

    def bounds(self, shapes: NDArray[np.object_]) -> NDArray[np.float64]:
        """Bounding boxes of shapes in the frame, (n, 4): left, rear, right, front."""
        return extents(shapes, self.east, self.north)


def parts(shapes: Iterable[BaseGeometry]) -> NDArray[np.object_]:
    """Return the single pieces of shapes that are not empty."""
    pieces = shapely.get_parts(np.array(list(shapes), dtype=object))
    kept: NDArray[np.object_] = pieces[~shapely.is_empty(pieces)]
    return kept


def first_contact(
    way: MarchWay, outline: BaseGeometry, obstacles: NDArray[np.object_], distance: float
) -> float:
    """Return how far a body gets before it meets an obstacle, at most *distance*, GSU.

    The body is taken as its bounding rectangle along the way; touching it sideways is no
    contact, nor is what lies behind its front.
    """
    return first_of_all(way, np.array([outline]), obstacles, distance)


def first_of_all(
    way: MarchWay, bodies: NDArray[np.object_], obstacles: NDArray[np.object_], distance: float
) -> float:
    """Return how far several bodies go side by side until the first of them meets an obstacle."""
    if not len(obstacles) or distance <= 0:
        return distance
    left, _, right, front = way.bounds(bodies).T
    beside = clearance(right - left)
    lanes = np.column_stack((left + beside, front, right - beside, front + distance))
    gaps = Barring(obstacles).first_met(lanes, way.east, way.north) - lanes[:, 1]
    return float(gaps.min(initial=distance))


def clearance(width: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what is left on either side of bodies, GSU: `CLEARANCE`, or a quarter if narrow."""
    return np.minimum(CLEARANCE, width / 4)


def _box(way: MarchWay, outline: BaseGeometry) -> tuple[float, float, float, float]:
    """Return a body's bounding rectangle along the way: left, rear, right, front."""
    left, rear, right, front = way.bounds(np.array([outline], dtype=object))[0].tolist()
    return left, rear, right, front


def block_intervals(
    way: MarchWay,
    outline: BaseGeometry,
    going: Sequence[tuple[float, BaseGeometry]],
    distance: float,
) -> list[Interval]:
    """Return where a block that goes *distance* has any part in slow terrain."""
    if not going:
        return []
    left, rear, right, front = _box(way, outline)
    beside = clearance(np.array(right - left)).item()
    lane = way.lane(left + beside, rear, right - beside, front + distance)
    out: list[Interval] = []
    for factor, terrain in going:
        pieces = parts([_cut(terrain, lane)])
        pieces = pieces[shapely.area(pieces) > 0]
        out += [(low - front, high - rear, factor) for _, low, _, high in way.bounds(pieces)]
    return out


def _cut(terrain: BaseGeometry, lane: BaseGeometry) -> BaseGeometry:
    """Return the part of terrain that is in a lane; of much terrain only what is near is cut."""
    if shapely.get_num_coordinates(terrain) < _MUCH:
        return shapely.intersection(terrain, lane)
    west, south, east, north = lane.bounds
    if lane.area >= (east - west) * (north - south) * (1 - _SLIGHT):
        return shapely.clip_by_rect(terrain, west, south, east, north)
    box = (west - _ROUND, south - _ROUND, east + _ROUND, north + _ROUND)
    return shapely.intersection(shapely.clip_by_rect(terrain, *box), lane)


def member_intervals(
    way: MarchWay,
    spots: NDArray[np.float64],
    going: Sequence[tuple[float, BaseGeometry]],
    distance: float,
) -> list[list[Interval]]:
    """For each member, where its path lies in slow terrain; *spots* (n, 2), GSU."""
    out: list[list[Interval]] = [[] for _ in spots]
    if not going:
        return out
    ends = spots + distance * np.array([way.east, way.north])
    paths = np.asarray(shapely.linestrings(np.stack([spots, ends], axis=1)))
    along = way.points(spots)[:, 1]
    for factor, terrain in going:
        # Most paths do not meet it; a prepared shape finds those without cutting it.
        shapely.prepare(terrain)
        crossing = np.flatnonzero(shapely.intersects(terrain, paths))
        inside = shapely.intersection(paths[crossing], terrain)
        pieces, owners = shapely.get_parts(inside, return_index=True)
        kept = shapely.length(pieces) > 0
        owners = crossing[owners[kept]]
        for owner, (_, low, _, high) in zip(owners, way.bounds(pieces[kept]), strict=True):
            out[owner].append((low - along[owner], high - along[owner], factor))
    return out


def within_budget(intervals: Sequence[Interval], distance: float, budget: float) -> float:
    """Return how far a unit gets, at most *distance*, for *budget*; the worst terrain counts."""
    if not intervals:
        return min(distance, budget)
    gone, left = 0.0, budget
    for start, end, factor in _rates(intervals, distance):
        if (end - start) * factor > left:
            return gone + left / factor
        gone, left = end, left - (end - start) * factor
    return gone


def cost_of(intervals: Sequence[Interval], distance: float) -> float:
    """Return the cost of *distance* GSU."""
    if not intervals:
        return distance
    return sum((end - start) * factor for start, end, factor in _rates(intervals, distance))


def _rates(intervals: Sequence[Interval], distance: float) -> list[Interval]:
    """Return the way from 0 to *distance* in pieces of one cost, the worst that overlaps."""
    ends = {0.0, distance}
    for start, end, _ in intervals:
        ends |= {min(max(start, 0.0), distance), min(max(end, 0.0), distance)}
    return [
        (low, high, max((f for a, b, f in intervals if a < high and b > low), default=1.0))
        for low, high in pairwise(sorted(ends))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """A moving unit: one body for obstacles, and one body or many members for terrain.

    members : places of its members, (n, 2), each paying for itself; None for a block
    bodies : its bodies that meet obstacles, computed on demand; its outline if None
    slowness : what each GSU costs on open ground: 1, or 2 at half speed
    """

    outline: BaseGeometry
    members: NDArray[np.float64] | None
    slowness: float = 1.0
    bodies: Callable[[], NDArray[np.object_]] | None = None


def march(
    mover: Mover,
    way: MarchWay,
    distance: float,
    budget: float,
    going: Sequence[tuple[float, BaseGeometry]],
    obstacles: NDArray[np.object_],
) -> March:
    """Return the straight move of *mover* along *way*: as far as wanted, paid for and free.

    distance : GSU wanted
    budget : movement left; `UNLIMITED` to ask only for the cost
    going : slow terrain, (cost of a GSU, outline)
    obstacles : outlines that it may not enter
    """
    free = first_contact(way, mover.outline, obstacles, distance)
    if free < distance and mover.bodies is not None and len(bodies := mover.bodies()) > 1:
        free = first_of_all(way, bodies, obstacles, distance)
    paths: list[Sequence[Interval]]
    if mover.members is None:
        paths = [block_intervals(way, mover.outline, going, free)]
    else:
        # Most members' paths are like others', as they lie in no slow terrain at all.
        found = member_intervals(way, mover.members, going, free)
        paths = [*dict.fromkeys(map(tuple, found))]
    share = budget / mover.slowness
    gone = min((within_budget(path, free, share) for path in paths), default=0.0)
    gone = np.floor(gone * GRID) / GRID
    cost = max((cost_of(path, gone) for path in paths), default=0.0) * mover.slowness
    ended = "obstacle" if free < distance - ROUNDED else ""
    if gone < free - ROUNDED:
        ended = "movement"
    return March(float(gone), cost, ended)
