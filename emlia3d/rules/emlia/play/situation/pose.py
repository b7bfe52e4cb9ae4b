"""Poses of units: as they stand, and after a move, a turn, a wheel or a change of formation.

Shapes of chapter 13; what they cost and whether there is room is in
`emlia3d.rules.emlia.play.situation.allowance`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from itertools import chain
from math import hypot
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.changes import Change, Place, Set, Stand
from emlia3d.battle.decisions import Leg
from emlia3d.force.facing import FULL_CIRCLE, turn_between, unit_vector
from emlia3d.force.formation import (
    GRID,
    Formation,
    FormationLayout,
    boundary,
    centre,
    front_of,
    places,
    snapped,
)
from emlia3d.rules.emlia.play.situation.going import modes_of
from emlia3d.rules.emlia.play.situation.parts import parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.manoeuvres import (
    boundary_of_all,
    close_turn_cost,
    formation_of,
    ranked_turn_cost,
)
from emlia3d.rules.emlia.tables.modes import FLYING

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

QUARTER = FULL_CIRCLE // 4
_SLACK = 2 / GRID
"""By so little bodies may overlap that are side by side, as their places are rounded, GSU."""

_FIXED = 2 / GRID
"""GSU by which the middle of a unit may move that turns on it, as its place is rounded."""


@dataclass(frozen=True, slots=True)
class Pose:
    """The pose of a unit: the centre of its front line, its facing and its formation.

    parts : where the subunits under it stand, (row, pose)
    altitude : height units above the ground
    """

    x: float
    y: float
    facing: int
    drill: FormationLayout
    parts: tuple[tuple[int, Pose], ...] = ()
    altitude: float = 0.0

    @property
    def outline(self) -> Polygon:
        """Its boundary there."""
        return _outline(self)

    @property
    def places(self) -> NDArray[np.float64]:
        """The positions of its members at the pose, members of parts after its own."""
        return np.concatenate([self.own_places, *(part.places for _, part in self.parts)])

    @property
    def own_places(self) -> NDArray[np.float64]:
        """The positions at the pose of members that belong to no part."""
        return places(self.drill, self.x, self.y, self.facing)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its rectangle."""
        return centre(self.drill, self.x, self.y, self.facing)

    def changes(self, unit: int) -> tuple[Place, ...]:
        """Return the changes that put a unit there, and all its parts with it."""
        place = Place(
            unit=unit, x=self.x, y=self.y, facing=self.facing,
            formation=int(self.drill.formation), files=self.drill.files,
        )  # fmt: skip
        return (place, *(change for row, part in self.parts for change in part.changes(row)))

    def at(self, x: float, y: float, facing: int) -> Pose:
        """Return the pose with the centre of its front line elsewhere, parts in their places."""
        if not self.parts:
            return replace(self, x=x, y=y, facing=facing)
        turn = (facing - self.facing) % FULL_CIRCLE
        east, north = unit_vector(turn)
        parts = []
        for row, part in self.parts:
            across, along = part.x - self.x, part.y - self.y
            moved = part.at(
                snapped(x + across * north + along * east),
                snapped(y + along * north - across * east),
                (part.facing + turn) % FULL_CIRCLE,
            )
            parts.append((row, moved))
        return replace(self, x=x, y=y, facing=facing, parts=tuple(parts))

    def leg(self, step: str, mode: str = "") -> Leg:
        """Return the leg of an order that ends here."""
        form = step == "form"
        return Leg(
            step=step,  # type: ignore[arg-type]  # one of the four, by its callers
            x=self.x, y=self.y, facing=self.facing,
            formation=int(self.drill.formation) if form else -1,
            files=self.drill.files if form else -1,
            mode=mode, altitude=self.altitude,
        )  # fmt: skip


@functools.lru_cache(maxsize=1024)
def _outline(pose: Pose) -> Polygon:
    """Return the boundary at a pose, which the checks of one move ask for again and again."""
    outline = boundary(pose.drill, pose.x, pose.y, pose.facing)
    if not pose.parts:
        return outline
    outlines = [outline] if pose.drill.count else []
    outlines += [part.outline for _, part in pose.parts]
    return boundary_of_all(outlines, pose.drill.formation)


def pose_of(moment: Moment, unit: int) -> Pose:
    """Return where a unit stands now, with all its parts."""
    units = moment.state.units
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    parts = tuple((p, pose_of(moment, p)) for p in parts_of(moment, unit) if p != unit)
    altitude = float(units.value("on_height", unit))
    drill = moment.state.roster.drill(unit)
    return Pose(x, y, units.integer("facing", unit), drill, parts, altitude)


def keeps_places(moment: Moment, unit: int) -> bool:
    """Return whether every member stands in its place of the formation, and none by itself."""
    slots = moment.state.figures.ints("slot")[moment.state.roster.standing(unit)]
    return np.array_equal(situation_of(moment).places(unit), pose_of(moment, unit).places[slots])


def placed(
    moment: Moment, unit: int, pose: Pose, *, members_go: bool = False
) -> tuple[Change, ...]:
    """Return the changes that put a unit with all its parts at a pose, at its altitude.

    A unit that cannot fly and moves comes down from what it stood on, which stays behind.

    members_go : each to a position of its own, even if the pose is unchanged
    """
    now = moment.state.units.floats("on_height")
    flies = {row: FLYING in modes_of(moment, row) for row, _ in ((unit, pose), *pose.parts)}
    heights = {
        row: part.altitude if flies[row] or (not members_go and _stays(moment, row, part)) else 0.0
        for row, part in ((unit, pose), *pose.parts)
    }
    raised = [
        Set(table="unit", row=row, column="on_height", value=height)
        for row, height in heights.items()
        if height != now[row]
    ]
    return (*pose.changes(unit), *raised)


def by_slot(moment: Moment, row: int) -> NDArray[np.float64]:
    """Return where the members of a row stand now, (members, 2), by slot, GSU."""
    slots = moment.state.figures.ints("slot")[moment.state.roster.standing(row)]
    spots = situation_of(moment).alone(row)[1]
    out = np.empty_like(spots)
    out[slots] = spots
    return out


def standing(
    moment: Moment, row: int, spots: NDArray[np.float64], usual: NDArray[np.float64]
) -> tuple[Change, ...]:
    """Return the change that puts members elsewhere than in their places; none if all stand there.

    spots, usual : (members, 2), where each stands and its place in the formation, by slot, GSU
    """
    moved = np.flatnonzero((spots != usual).any(axis=1))
    if not len(moved):
        return ()
    men = moment.state.roster.standing(row)
    slots = moment.state.figures.ints("slot")[men]
    of_slot = dict(zip(slots.tolist(), men.tolist(), strict=True))
    return (
        Stand(
            unit=row,
            figures=tuple(of_slot[slot] for slot in moved.tolist()),
            east=tuple(round(float(x) * GRID) for x in spots[moved, 0]),
            north=tuple(round(float(y) * GRID) for y in spots[moved, 1]),
        ),
    )


def out_of_places(moment: Moment, unit: int, pose: Pose) -> dict[int, NDArray[np.float64]]:
    """Return where the members stand of each row that are not all in their places, by slot, GSU.

    pose : of the unit where it stands, with its parts
    """
    rows = ((unit, replace(pose, parts=())), *pose.parts)
    spots = {row: (by_slot(moment, row), part.own_places) for row, part in rows}
    return {row: now for row, (now, usual) in spots.items() if (now != usual).any()}


def carried(moment: Moment, unit: int, end: Pose) -> tuple[Change, ...]:
    """Return the changes that move a unit as a body, with every member as it stands.

    end : the pose of the unit moved straight on, with its facing and formation as they are
    """
    start = pose_of(moment, unit)
    gone_by = np.array([end.x - start.x, end.y - start.y])
    usual = {unit: end.own_places, **{row: part.own_places for row, part in end.parts}}
    stands = (
        standing(moment, row, spots + gone_by, usual[row])
        for row, spots in out_of_places(moment, unit, start).items()
    )
    return (*placed(moment, unit, end), *chain.from_iterable(stands))


def _stays(moment: Moment, row: int, end: Pose) -> bool:
    """Return whether a row only turns or changes formation about a fixed centre or front."""
    start = pose_of(moment, row)
    (x, y), (end_x, end_y) = start.middle, end.middle
    turns = max(abs(end_x - x), abs(end_y - y)) <= _FIXED
    return turns or (start.x, start.y) == (end.x, end.y)


def at_altitude(pose: Pose, altitude: float) -> Pose:
    """Return the pose, with all its parts, at another altitude."""
    parts = tuple((row, at_altitude(part, altitude)) for row, part in pose.parts)
    return replace(pose, altitude=altitude, parts=parts)


@functools.lru_cache(maxsize=64)
def radius_of(drill: FormationLayout) -> float:
    """Return the greatest distance from the centre of ranks and files to a corner, GSU.

    After members turn by a right angle, ranks become files; both layouts are covered.
    """
    by_files = replace(drill, files=max(drill.ranks, 1))
    return max(hypot(one.frontage, one.length) for one in (drill, by_files)) / 2


def gone(pose: Pose, way: int, distance: float) -> Pose:
    """Return the pose *distance* further towards facing *way*."""
    east, north = unit_vector(way)
    x, y = snapped(pose.x + distance * east), snapped(pose.y + distance * north)
    return pose.at(x, y, pose.facing)


def turned(pose: Pose, facing: int) -> Pose:
    """Return the pose after turning in place.

    By a multiple of 90 degrees each member of a ranked block turns in place, and its sides
    swap their roles; by any other angle the block turns on its centre (`emlia.form.ranked.turn`).
    """
    quarter_turns, rest = divmod(facing - pose.facing, QUARTER)
    if pose.drill.formation is not Formation.RANKED or rest:
        return turned_on_centre(pose, facing)
    drill = pose.drill
    if quarter_turns % 2:
        drill = replace(drill, files=max(drill.ranks, 1))
    x, y = front_of(drill, *pose.middle, facing)
    parts = tuple(
        (row, turned(part, (part.facing + facing - pose.facing) % FULL_CIRCLE))
        for row, part in pose.parts
    )
    return replace(pose, x=x, y=y, facing=facing % FULL_CIRCLE, drill=drill, parts=parts)


def turned_on_centre(pose: Pose, facing: int) -> Pose:
    """Return the block rotated about its centre as a body, whatever the angle (`emlia.align`)."""
    x, y = front_of(pose.drill, *pose.middle, facing)
    return pose.at(x, y, facing % FULL_CIRCLE)


def wheeled(pose: Pose, facing: int) -> Pose:
    """Return the pose after one end of the front line has swung round the other.

    A wheel to the right pivots on the right end.
    """
    turn = turn_between(pose.facing, facing)
    half = pose.drill.frontage / 2 * (1 if turn > 0 else -1)
    east, north = unit_vector(pose.facing)
    pivot_x, pivot_y = pose.x + half * north, pose.y - half * east
    east, north = unit_vector(facing)
    x, y = snapped(pivot_x - half * north), snapped(pivot_y + half * east)
    return pose.at(x, y, facing % FULL_CIRCLE)


def turn_cost(pose: Pose, facing: int, speed: float) -> float:
    """Movement that turning in place costs, by formation; nothing in open formation."""
    angle = abs(turn_between(pose.facing, facing)) / 64
    match pose.drill.formation:
        case Formation.RANKED:
            return ranked_turn_cost(angle, speed)
        case Formation.CLOSE:
            return close_turn_cost(angle)
        case Formation.OPEN:
            return 0.0


def reformed(pose: Pose, formation: Formation, files: int) -> Pose:
    """Return the pose in another formation, the middle of the front line where it was.

    Every part of a mixed unit takes the formation too, in the place that it has; or just beside
    it, where the body has grown over it.
    """
    whole = replace(
        pose,
        drill=replace(pose.drill, formation=formation, files=files),
        parts=tuple(
            (row, reformed(part, formation_of(formation, part.drill.count), part.drill.files))
            for row, part in pose.parts
        ),
    )
    return replace(whole, parts=_making_room(whole)) if whole.parts else whole


def _making_room(pose: Pose) -> tuple[tuple[int, Pose], ...]:
    """Return the parts of a body, each moved outwards until none overlap."""
    own = [_extent(pose, replace(pose, parts=()))] if pose.drill.count else []
    placed = dict(pose.parts)
    nearest_first = sorted(
        pose.parts,
        key=lambda each: (hypot(each[1].x - pose.x, each[1].y - pose.y), each[0]),
    )
    for row, part in nearest_first:
        extent = _extent(pose, part)
        way = _outwards(own[0] if own else extent, extent)
        steps = 0.0
        while others := [each for each in own if each.overlaps(extent.moved(way, steps))]:
            steps = max(other.beyond(way) - extent.within(way) for other in others) + _SLACK
        if steps:
            east, north = unit_vector((pose.facing + way) % FULL_CIRCLE)
            x, y = snapped(part.x + steps * east), snapped(part.y + steps * north)
            placed[row] = part.at(x, y, part.facing)
        own.append(extent.moved(way, steps))
    return tuple(placed.items())


@dataclass(frozen=True, slots=True)
class _Extent:
    """The extent of a body, measured from the front line of the unit that it belongs to, GSU."""

    left: float
    right: float
    rear: float
    front: float

    def overlaps(self, other: _Extent) -> bool:
        """Return whether two bodies share more than an edge."""
        across = min(self.right, other.right) - max(self.left, other.left)
        along = min(self.front, other.front) - max(self.rear, other.rear)
        return min(across, along) > _SLACK

    def moved(self, way: int, steps: float) -> _Extent:
        """Return the extent moved ahead, to the right, to the rear or to the left."""
        along, across = ((steps, 0.0), (0.0, steps), (-steps, 0.0), (0.0, -steps))[way // QUARTER]
        return _Extent(
            self.left + across, self.right + across, self.rear + along, self.front + along
        )

    def beyond(self, way: int) -> float:
        """Return how far it reaches that way."""
        return (self.front, self.right, -self.rear, -self.left)[way // QUARTER]

    def within(self, way: int) -> float:
        """Return where it begins, that way."""
        return (self.rear, self.left, -self.front, -self.right)[way // QUARTER]


def _extent(frame: Pose, pose: Pose) -> _Extent:
    east, north = unit_vector(frame.facing)
    corners = shapely.get_coordinates(pose.outline) - (frame.x, frame.y)
    along = corners[:, 0] * east + corners[:, 1] * north
    across = corners[:, 0] * north - corners[:, 1] * east
    bounds = (across.min(), across.max(), along.min(), along.max())
    return _Extent(*(float(bound) for bound in bounds))


def _outwards(body: _Extent, part: _Extent) -> int:
    """Return which way a part lies of a body: ahead, right, rear or left of it."""
    gaps = {way: part.within(way) - body.beyond(way) for way in range(0, FULL_CIRCLE, QUARTER)}
    return max(gaps, key=lambda way: gaps[way])
