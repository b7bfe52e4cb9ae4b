"""Paths of single bases: how far they go, what they cost, and where they may end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import hypot, inf

import numpy as np
import shapely
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place, Set
from emlia3d.battle.decisions import Leg, Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.force.facing import facing_towards, unit_vector
from emlia3d.force.formation import snapped
from emlia3d.rulekit.situation.standing import standing_of
from emlia3d.rules.runolfsson.core import SLACK, TOUCH
from emlia3d.rules.runolfsson.events import MetStream, Moved
from emlia3d.rules.runolfsson.models import models_of
from emlia3d.rules.runolfsson.terrain import (
    left_after_stream,
    may_pass_through,
    stream_result,
    terrain_of,
)

Spot = tuple[float, float]

CLEARANCE = 1 / 64
"""Bases may overlap terrain by this much, because places are rounded to a grid, inches."""

IN_THE_WATER = 0.05
"""A base that is swamped stops so far beyond the water's edge, inches."""

Die = Callable[[], float]
"""Gives the share of the rest of a move that a stream leaves: 1, 1/2 or 0."""


@dataclass(slots=True)
class Walk:
    """A move of a base, from where its model stands.

    left : inches of the move that are left
    free : it jumps, flies or hovers, so that terrain neither stops nor slows it
    leaving : it may leave the table
    die : rolls for each stream; None to leave streams out
    path : the places where it starts, bends and ends
    length : inches of the path
    stopped : whether something was in its way
    """

    moment: Moment
    unit: int
    left: float
    free: bool = False
    leaving: bool = False
    die: Die | None = None
    path: list[Spot] = field(default_factory=list)
    length: float = 0.0
    stopped: bool = False
    _waded: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.path.append(models_of(self.moment).spot(self.unit))

    @property
    def end(self) -> Spot:
        """The place where it ends."""
        return self.path[-1]

    @property
    def _radius(self) -> float:
        return float(models_of(self.moment).radius[self.unit])

    def along(self, path: Sequence[Spot]) -> Walk:
        """Go along a path, as far as that leads; return the walk."""
        if self.die is not None and not self.free:
            stream = int(terrain_of(self.moment).stream_at(np.array(self.path))[0])
            if stream >= 0:
                self._wade(stream)
        for place in path:
            if not self._go(place):
                break
        while len(self.path) > 1 and not self._may_end():
            self._back_off()
        return self

    def _may_end(self) -> bool:
        gone = self.leaving and not on_table(self.moment, self.end, self._radius)
        return gone or may_end(self.moment, self.unit, self.end)

    def _wade(self, stream: int) -> None:
        assert self.die is not None
        self._waded.add(stream)
        self.left *= self.die()

    def _go(self, place: Spot) -> bool:
        """Go straight on towards a place; return whether it was reached."""
        start = self.end
        length = hypot(place[0] - start[0], place[1] - start[1])
        if length < SLACK:
            return True
        way = (place[0] - start[0]) / length, (place[1] - start[1]) / length
        line = LineString([start, place])
        limit = self._limit(place, length)
        slow = [] if self.free else _spans(line, start, terrain_of(self.moment).slow)
        at = 0.0
        for edge, stream in [*self._waters(line, start), (inf, -1)]:
            at = self._spend(at, min(edge, limit), slow)
            if stream < 0 or at < edge or edge >= limit:
                break
            self._wade(stream)
            if self.left <= 0:
                at = min(edge + IN_THE_WATER, limit)
                break
        self.length += at
        self.path.append((start[0] + way[0] * at, start[1] + way[1] * at))
        return at >= length - SLACK

    def _limit(self, place: Spot, length: float) -> float:
        """Return how far something lets it go straight on to a place, inches."""
        models, unit = models_of(self.moment), self.unit
        side = int(models.side[unit])
        friends = [row for row, other in enumerate(models.side) if may_pass_through(side, other)]
        outlines = terrain_of(self.moment).outlines_for(self.free, self.leaving)
        standing = standing_of(self.moment)
        if len(self.path) > 1:
            facing = self.moment.state.units.integer("facing", unit)
            standing = standing.with_unit_at(unit, self.end, facing)
        (free,) = standing.free_moves(unit, [place], friends, outlines)
        self.stopped |= not free.is_whole
        return free.part * length

    def _waters(self, line: LineString, start: Spot) -> list[tuple[float, int]]:
        """Return where a straight line enters streams that it has not met before, in order."""
        if self.free or self.die is None:
            return []
        return sorted(
            (span[0], number)
            for number, shape in enumerate(terrain_of(self.moment).waters)
            if number not in self._waded
            for span in _spans(line, start, shape)[:1]
        )

    def _spend(self, at: float, to: float, slow: list[tuple[float, float]]) -> float:
        """Spend the move from one distance to another; return the distance that is reached."""
        for begins, ends in [*slow, (inf, inf)]:
            for edge, cost in ((begins, 1), (ends, 2)):
                stretch = max(min(edge, to) - at, 0.0)
                paid = min(stretch * cost, self.left)
                self.left -= paid
                at += paid / cost
                if paid < stretch * cost - SLACK or at >= to - SLACK:
                    return at
        return at

    def _back_off(self) -> None:
        """Give up the last sixteenth of an inch of a move that may not end where it does."""
        before, end = self.path[-2], self.path[-1]
        length = hypot(end[0] - before[0], end[1] - before[1])
        self.stopped = True
        if length <= 1 / 16:
            self.path.pop()
            self.length -= length
            return
        share = 1 - 1 / 16 / length
        self.path[-1] = (
            before[0] + (end[0] - before[0]) * share,
            before[1] + (end[1] - before[1]) * share,
        )
        self.length -= 1 / 16


def may_end(moment: Moment, unit: int, spot: Spot) -> bool:
    """Return whether a base may stand at a place, for good."""
    models, terrain = models_of(moment), terrain_of(moment)
    radius = float(models.radius[unit])
    if not on_table(moment, spot, radius):
        return False
    gaps = models.gaps(unit, spot)
    gaps[unit] = inf
    if (gaps[models.there] < -CLEARANCE).any():
        return False
    off = terrain.no_standing.distance(np.array([spot]), radius)
    return not (off < radius - CLEARANCE).any()


def on_table(moment: Moment, spot: Spot, radius: float) -> bool:
    """Return whether a base at a place lies wholly on the table."""
    size, edge = moment.setup.field.size, radius - CLEARANCE
    return all(edge <= at <= length - edge for at, length in zip(spot, size, strict=True))


def _spans(line: LineString, start: Spot, area: BaseGeometry) -> list[tuple[float, float]]:
    """Return the parts of a straight line in an area, as distances from its start, in order."""
    if not line.intersects(area):
        return []
    parts = [part for part in shapely.get_parts(line.intersection(area)) if part.length > SLACK]
    ends = [sorted(hypot(x - start[0], y - start[1]) for x, y in part.coords) for part in parts]
    return sorted((each[0], each[-1]) for each in ends)


def sampled(path: Sequence[Spot], step: float) -> list[Spot]:
    """Return places along a path: its start, one every *step* inches, and its end."""
    line = LineString(path) if len(path) > 1 else None
    if line is None or line.length < SLACK:
        return [path[0]]
    count = int((line.length - SLACK) / step)
    spots = [line.interpolate(step * number) for number in range(count + 1)]
    return [*((spot.x, spot.y) for spot in spots), path[-1]]


def way_round(moment: Moment, unit: int, goal: Spot, reach: float) -> list[Spot]:
    """Return the shortest path to a place round what stops a base; [] if there is none.

    reach : obstacles farther off are left out, inches
    """
    models = models_of(moment)
    radius, start = float(models.radius[unit]), models.spot(unit)
    foes = [
        Point(models.spot(foe)).buffer(radius + float(models.radius[foe]) + TOUCH * 2, quad_segs=4)
        for foe in models.foes(unit)
        if models.gap(unit, foe) <= reach
    ]
    walls = terrain_of(moment).obstacles
    near = [wall.buffer(radius) for wall in walls if wall.distance(Point(start)) <= reach + radius]
    shut = shapely.union_all([*foes, *near]).difference(Point(start).buffer(TOUCH * 3))
    rim = shut.buffer(0.1, quad_segs=2).simplify(0.05)
    corners = shapely.get_coordinates(rim)
    spots = [start, goal, *map(tuple, corners.tolist())]
    shapely.prepare(shut)
    best, before = {0: 0.0}, {0: 0}
    queue, settled = [(0.0, 0)], set[int]()
    while queue:
        far, here = heappop(queue)
        if here == 1:
            path = [1]
            while path[-1]:
                path.append(before[path[-1]])
            return [spots[number] for number in path[-2::-1]]
        if here in settled:
            continue
        settled.add(here)
        lines = shapely.linestrings([[spots[here], spot] for spot in spots])
        for other in np.flatnonzero(~shapely.intersects(shut, lines)).tolist():
            there = far + hypot(spots[other][0] - spots[here][0], spots[other][1] - spots[here][1])
            if there < best.get(other, inf):
                best[other], before[other] = there, here
                heappush(queue, (there, other))
    return []


# Moves as they happen


def place(moment: Moment, unit: int, spot: Spot, facing: int | None = None) -> Place:
    """Return the change that puts the centre of a base at a place."""
    units = moment.state.units
    if facing is None:
        x, y = models_of(moment).spot(unit)
        facing = facing_towards(spot[0] - x, spot[1] - y)
    east, north = unit_vector(facing)
    half = float(units.value("depth", unit)) / 2
    x, y = snapped(spot[0] + half * east), snapped(spot[1] + half * north)
    return Place(unit=unit, x=x, y=y, facing=facing, formation=0, files=1)


def centre(moment: Moment, unit: int, leg: Leg) -> Spot:
    """Return the centre of the base at the end of a leg."""
    east, north = unit_vector(leg.facing)
    half = float(moment.state.units.value("depth", unit)) / 2
    return leg.x - half * east, leg.y - half * north


def leg_to(moment: Moment, unit: int, spot: Spot) -> Leg:
    """Return the leg that leads the centre of a base straight to a place."""
    pose = place(moment, unit, spot)
    return Leg(step="march", x=pose.x, y=pose.y, facing=pose.facing)


def waded(
    battle: Battle, unit: int, path: list[Spot], rate: float, free: bool, *, leaving: bool = False
) -> Procedure[Walk]:
    """Walk a path, and roll for the streams in it; see `walk`."""
    faces: list[int] = []

    def die() -> float:
        faces.extend(battle.dice.roll("runolfsson.stream.when", 1, 10))
        return left_after_stream(faces[-1], 1.0)

    done = Walk(battle, unit, rate, free, leaving, die).along(path)
    for face in faces:
        yield Event(
            facts=MetStream(face=face, result=stream_result(face)),
            unit=unit,
            because=("runolfsson.stream.when", "runolfsson.stream.table"),
        )
    return done


def moved(moment: Moment, unit: int, done: Walk, how: str, slug: str) -> Event:
    """Return the event of a move by the rule *slug*."""
    bend = done.path[-2] if len(done.path) > 1 else done.end
    facing = None
    if bend != done.end:
        facing = facing_towards(done.end[0] - bend[0], done.end[1] - bend[1])
    flags = (Set(table="unit", row=unit, column=name, value=1) for name in ("moved", "done"))
    return Event(
        facts=Moved(how=how, inches=round(done.length, 2)),
        unit=unit,
        gesture="march",
        because=(slug,),
        changes=(place(moment, unit, done.end, facing), *flags),
    )


def jumped(moment: Moment, unit: int, end: Spot, left: float) -> Walk:
    """Return a move through the air, or by teleport, straight to a place."""
    done = Walk(moment, unit, left)
    done.length = hypot(end[0] - done.end[0], end[1] - done.end[1])
    done.left -= done.length
    done.path.append(end)
    return done
