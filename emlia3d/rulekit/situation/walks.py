"""Moves of single bases along a path, with a cost, until an obstacle stops them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from math import hypot, inf

import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from emlia3d.geometry.free_moves import NO_WALLS, Walls
from emlia3d.rulekit.situation.base_shapes import UnitFootprints

Place = tuple[float, float]

SLACK = 1e-6
"""Tolerance for equal lengths, GSU."""

BEYOND = 0.05
"""Distance inside an area at which it stops a walk, GSU."""

STEP_BACK = 1 / 16
"""Step by which a walk retreats from an illegal end, GSU."""


@dataclass(frozen=True, slots=True, eq=False)
class WalkConditions:
    """The conditions of a walk.

    passed : rows of the units that it can pass through
    outlines : edges that end it
    slow : ground with double cost
    areas : ground on which `share` is called at the first entry
    share : returns the part of the remaining length that an area leaves; None to ignore areas
    may_end : returns whether a walk can end at a point
    """

    passed: Collection[int] = ()
    outlines: Walls = NO_WALLS
    slow: BaseGeometry = field(default_factory=Point)
    areas: Sequence[BaseGeometry] = ()
    share: Callable[[], float] | None = None
    may_end: Callable[[Place], bool] = lambda _: True


class Walk:
    """A walk of a unit from its position, up to its current end.

    path : its start, bends and end, GSU
    left : remaining length, GSU
    length : of the path, GSU
    is_stopped : whether an obstacle stopped it
    """

    def __init__(
        self, standing: UnitFootprints, unit: int, left: float, way: WalkConditions | None = None
    ) -> None:
        self._standing, self._unit, self._way = (
            standing,
            unit,
            WalkConditions() if way is None else way,
        )
        self._met: set[int] = set()
        self.path: list[Place] = [standing.centre(unit)]
        self.left, self.length, self.is_stopped = left, 0.0, False

    @property
    def end(self) -> Place:
        """The point at which it ends."""
        return self.path[-1]

    def along(self, path: Sequence[Place]) -> Walk:
        """Walk along a path as far as possible; return the walk."""
        start = Point(self.end)
        for number, area in enumerate(self._way.areas if self._way.share else ()):
            if area.contains(start):
                self._enter(number)
        for place in path:
            if not self._go(place):
                break
        while len(self.path) > 1 and not self._way.may_end(self.end):
            self._step_back()
        return self

    def straight(self, place: Place) -> Walk:
        """Walk straight to a point, without regard to obstacles; return the walk."""
        length = hypot(place[0] - self.end[0], place[1] - self.end[1])
        self.length, self.left = self.length + length, self.left - length
        self.path.append(place)
        return self

    def _enter(self, area: int) -> None:
        assert self._way.share is not None
        self._met.add(area)
        self.left *= self._way.share()

    def _go(self, place: Place) -> bool:
        """Walk straight towards a point; return whether it was reached."""
        start = self.end
        length = hypot(place[0] - start[0], place[1] - start[1])
        if length < SLACK:
            return True
        line = LineString([start, place])
        limit = self._limit(place, length)
        slow = spans(line, self._way.slow)
        at = 0.0
        for edge, area in [*self._entries(line), (inf, -1)]:
            at = self._spend(at, min(edge, limit), slow)
            if area < 0 or at < edge or edge >= limit:
                break
            self._enter(area)
            if self.left <= 0:
                at = min(edge + BEYOND, limit)
                break
        self.length += at
        self.path.append(_between(start, place, at / length))
        return at >= length - SLACK

    def _limit(self, place: Place, length: float) -> float:
        """Return how far obstacles let it walk straight towards a point, GSU."""
        standing = self._standing
        if len(self.path) > 1:
            standing = standing.with_unit_at(self._unit, self.end, 0)
        (free,) = standing.free_moves(self._unit, [place], self._way.passed, self._way.outlines)
        self.is_stopped |= not free.is_whole
        return free.part * length

    def _entries(self, line: LineString) -> list[tuple[float, int]]:
        """Return the distances at which a straight line first enters areas."""
        if self._way.share is None:
            return []
        return sorted(
            (span[0], number)
            for number, area in enumerate(self._way.areas)
            if number not in self._met
            for span in spans(line, area)[:1]
        )

    def _spend(self, at: float, to: float, slow: list[tuple[float, float]]) -> float:
        """Pay for the walk from one distance to another; return the distance that is reached."""
        for begins, ends in [*slow, (inf, inf)]:
            for edge, cost in ((begins, 1), (ends, 2)):
                stretch = max(min(edge, to) - at, 0.0)
                paid = min(stretch * cost, self.left)
                self.left -= paid
                at += paid / cost
                if paid < stretch * cost - SLACK or at >= to - SLACK:
                    return at
        return at

    def _step_back(self) -> None:
        before, end = self.path[-2], self.path[-1]
        length = hypot(end[0] - before[0], end[1] - before[1])
        self.is_stopped = True
        self.length -= min(length, STEP_BACK)
        if length <= STEP_BACK:
            self.path.pop()
        else:
            self.path[-1] = _between(before, end, 1 - STEP_BACK / length)


def sampled(path: Sequence[Place], step: float) -> list[Place]:
    """Return points along a path: its start, one every *step* GSU, and its end."""
    line = LineString(path) if len(path) > 1 else None
    if line is None or line.length < SLACK:
        return [path[0]]
    count = int((line.length - SLACK) / step)
    spots = [line.interpolate(step * number) for number in range(count + 1)]
    return [*((spot.x, spot.y) for spot in spots), path[-1]]


def _between(start: Place, end: Place, part: float) -> Place:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def spans(line: LineString, area: BaseGeometry, least: float = SLACK) -> list[tuple[float, float]]:
    """Return the segments of a straight line inside an area, as distances from its start.

    least : minimum length of a segment, GSU
    """
    if not line.intersects(area):
        return []
    (east, north), *_ = line.coords
    parts = [part for part in shapely.get_parts(line.intersection(area)) if part.length > least]
    ends = [sorted(hypot(x - east, y - north) for x, y in part.coords) for part in parts]
    return sorted((each[0], each[-1]) for each in ends)
