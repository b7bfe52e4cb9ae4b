"""Units and features where they are now: outlines, footings, heights and distances.

All of it is derived from the state. The sight rules are in `emlia3d.rules.emlia.tables.sight`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.battle.derived import Columns, FigureSource, Rows, owned_copy
from emlia3d.battle.spare_rows import rows_before_spares
from emlia3d.battle.unit_outlines import carried
from emlia3d.field import sample_points
from emlia3d.field.ground import median
from emlia3d.force.formation import Formation, FormationLayout, boundary
from emlia3d.rules.emlia.basics.measuring import cells_apart
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.play.situation.hull_points import HullPoints
from emlia3d.rules.emlia.play.situation.parts import entry_of, head_of, parts_of
from emlia3d.rules.emlia.play.situation.raised_ground import RaisedGround
from emlia3d.rules.emlia.play.situation.stances import Stance, hull_corners
from emlia3d.rules.emlia.play.situation.unit_distances import UnitDistances
from emlia3d.rules.emlia.tables.manoeuvres import boundary_of_all
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from emlia3d.battle.moment import Moment

    Floats = NDArray[np.float64]

_NOWHERE = Polygon()
_BODY = (
    "present", "x", "y", "facing", "formation", "files", "members",
    "on_height", "posture", "taking_cover", "parent",
)  # fmt: skip
"""The columns that a unit's position, outline and height follow from."""


class Situation(RaisedGround):
    """Facts about units and features where they are now.

    A mixed unit's head stands for the whole unit; `alone` is about the head's own members.

    versions : (units,) int64, one more each time that a unit's place, outline or height changed
    true : the situation of the true battle, while that of a side's picture is updated from it
    reaches : computed combat ranges, by row and posture
    has_drawn : whether any unit is a body with a boundary of its own
    """

    def __init__(self, moment: Moment) -> None:
        super().__init__(moment)
        self.true: Situation | None = None
        self.versions = np.zeros(len(moment.state.units), dtype=np.int64)
        self.reaches: dict[tuple[int, float], float] = {}
        self.has_drawn = any(unit.outline is not None for unit in moment.setup.units)
        self._entries = [entry_of(moment.setup, row) for row in range(len(moment.state.units))]
        self._centres: dict[int, tuple[float, float]] = {}
        self._bodies: list[tuple[object, ...]] = [()] * len(moment.state.units)
        # Presence of each unit and the stamp of its figures at the last search for members.
        self._found = [(-1, -1)] * len(moment.state.units)
        self._outlines: list[Polygon] = [_NOWHERE] * len(moment.state.units)
        self._footings, self._heights = np.zeros((2, len(moment.state.units)))
        self._places: list[Floats] = [np.empty((0, 2))] * len(moment.state.units)
        self._grounds: dict[int, Floats] = {}
        self._rims = HullPoints(len(moment.state.units))
        self._own: dict[int, tuple[Polygon, Floats]] = {}
        self._parts: dict[int, tuple[int, ...]] = {}
        self._drills: dict[int, FormationLayout] = {}

    def forked(self, moment: Moment) -> Situation:
        """Return a copy for another battle at the same moment: outlines and places are shared."""
        twin = owned_copy(self)
        twin.moment, twin._rims = moment, self._rims.forked()
        return twin

    def stance(self, unit: int) -> Stance:
        """Return where a unit stands now."""
        found = self._outlines[unit], self._places[unit], self._rims[unit]
        return Stance(*found, self.footing(unit))

    def with_stances(self, unit: int, stances: Sequence[Stance]) -> Situation:
        """Return a copy with a further row for each place at which a unit could stand as it is."""
        twin, count = self.forked(self.moment), len(stances)
        twin._outlines += [stance.outline for stance in stances]
        twin._places += [stance.places for stance in stances]
        twin._rims = self._rims.followed_by([stance.corners for stance in stances])
        twin._footings = np.append(self._footings, [stance.footing for stance in stances])
        twin._heights = np.append(self._heights, np.full(count, self._heights[unit]))
        rows = range(len(self._outlines), len(twin._outlines))
        twin._drills |= dict.fromkeys(rows, self.drill(unit))
        return twin

    def renew(self, moment: Moment, rows: Sequence[int]) -> Sequence[int]:
        """Compute these rows and the units of which they are parts; return the rows that differ."""
        state, before = moment.state, self.versions.copy()
        if self.has_other_ground():
            # Any unit may be at another height now.
            self._bodies = [()] * len(self._bodies)
        above = state.units.ints("parent")[list(rows)].tolist()
        parts = [unit for unit, head in zip(rows, above, strict=True) if head >= 0]
        for unit in (*parts, *sorted({*rows, *(head for head in above if head >= 0)})):
            self._look_at(unit, self.true)
        found: list[int] = np.flatnonzero(self.versions != before).tolist()
        return found

    def _look_at(self, unit: int, true: Situation | None) -> None:
        parts = parts_of(self.moment, unit)
        mixed = bool(parts) and parts != (unit,)
        body, spots = self._body(unit), self._spots(unit)
        if mixed:
            body = (*body, parts, *(self.versions[part] for part in parts if part != unit))
        if self._is_as_before(unit, body, spots):
            return
        self._bodies[unit] = body
        self.versions[unit] += 1
        self._centres.pop(unit, None)
        self._grounds.pop(unit, None)
        self._own.pop(unit, None)
        self._drills.pop(unit, None)
        self._parts.pop(unit, None)
        if true is not None and not mixed and self._is_as_in(true, unit, body, spots):
            self._outlines[unit], self._places[unit] = true._outlines[unit], true._places[unit]
            self._rims[unit], self._footings[unit] = true._rims[unit], true._footings[unit]
        else:
            self._work_out(unit, spots)
        if mixed:
            self._parts[unit] = parts
            self._put_together(unit, parts)
        self._heights[unit] = self.height(unit)

    def _body(self, unit: int) -> tuple[object, ...]:
        """Return the values that a unit's position, outline and height follow from."""
        units = self.moment.state.units
        return tuple(units.value(column, unit) for column in _BODY)

    def _spots(self, unit: int) -> Floats:
        """Return the positions of its own standing members."""
        state = self.moment.state
        present = state.units.integer("present", unit)
        found = present, state.figure_stamps.item(unit)
        if found == self._found[unit]:
            return self.alone(unit)[1]
        self._found[unit] = found
        if not present:
            return np.empty((0, 2))
        standing, figures = state.roster.standing(unit), state.figures
        return np.column_stack((figures.floats("x")[standing], figures.floats("y")[standing]))

    def _is_as_before(self, unit: int, body: tuple[object, ...], spots: Floats) -> bool:
        """Return whether body and positions are unchanged: an enveloping unit leaves its place."""
        before = self.alone(unit)[1]
        return body == self._bodies[unit] and (spots is before or np.array_equal(spots, before))

    def _is_as_in(
        self, true: Situation, unit: int, body: tuple[object, ...], spots: Floats
    ) -> bool:
        """Return whether it stands here as it does in another battle, on the same ground."""
        return self._shaped == true._shaped and true._is_as_before(unit, body, spots)

    @rule("emlia.terrain.occupancy", "emlia.entity.formation-attribute")
    @rule("emlia.entity.board-attributes")
    def _work_out(self, unit: int, spots: Floats) -> None:
        state, units = self.moment.state, self.moment.state.units
        self._places[unit] = spots
        if not len(spots):
            self._outlines[unit] = _NOWHERE
            self._rims[unit] = spots
            return
        x, y = float(units.value("x", unit)), float(units.value("y", unit))
        facing = units.integer("facing", unit)
        self._round(unit)
        drawn = self.moment.setup.units[unit].outline
        if drawn is None:
            self._outlines[unit] = boundary(state.roster.drill(unit), x, y, facing, spots)
            stands = spots
        else:
            muster = self.moment.setup.units[unit].muster
            self._outlines[unit] = carried(muster, drawn, (x, y), facing)
            stands = sample_points(self._outlines[unit])
        raised = float(units.value("on_height", unit))
        self._footings[unit] = median(self.ground_at(stands)) + raised

    def _round(self, unit: int) -> None:
        """Compute which of its positions are corners of their convex hull."""
        self._rims[unit] = hull_corners(self._places[unit][None])[0]

    def _put_together(self, unit: int, parts: tuple[int, ...]) -> None:
        """Combine a mixed unit into one body."""
        units = self.moment.state.units
        self._own[unit] = self._outlines[unit], self._places[unit]
        raised = [
            self.ground_at(self._places[part]) + float(units.value("on_height", part))
            for part in parts
        ]
        formation = Formation(units.integer("formation", unit))
        self._outlines[unit] = boundary_of_all([self._outlines[part] for part in parts], formation)
        self._places[unit] = np.concatenate([self._places[part] for part in parts])
        self._round(unit)
        self._footings[unit] = median(np.concatenate(raised))

    def is_drawn(self, unit: int) -> bool:
        """Return whether it is a single body with a boundary of its own."""
        return unit not in self._parts and self.moment.setup.units[unit].outline is not None

    @rule("emlia.entity.boundary", "emlia.entity.position")
    def outline(self, unit: int) -> Polygon:
        """Return the unit's boundary, GSU; empty if it is not on the field."""
        return self._outlines[unit]

    def outlines(self, units: Sequence[int] | NDArray[np.intp]) -> NDArray[np.object_]:
        """Boundaries of several units, as an array of polygons."""
        out = np.empty(len(units), dtype=object)
        out[:] = [self._outlines[unit] for unit in units]
        return out

    def places(self, unit: int) -> Floats:
        """Return where its members stand, (members, 2), GSU."""
        return self._places[unit]

    def ground_under(self, unit: int) -> Floats:
        """Return the ground under each of its members, (members,) height units."""
        if unit not in self._grounds:
            self._grounds[unit] = self.ground_at(self._places[unit])
        return self._grounds[unit]

    def corners(self, unit: int) -> Floats:
        """Return the corners of the convex hull of `places`, in its order."""
        return self._rims[unit]

    def corner_places(self) -> tuple[Floats, NDArray[np.int32]]:
        """Return the `corners` of all units, (k, 2) GSU, and where each unit's begin."""
        return self._rims.together()

    def footing(self, unit: int) -> float:
        """Return the elevation that it stands on, above map level: the median of its members."""
        return float(self._footings[unit])

    @property
    def footings(self) -> Floats:
        """(units,) float64, what each stands on, as now."""
        return self._footings.copy()

    @property
    def heights(self) -> Floats:
        """(units,) float64, what `height` says of each that stands for itself, as now."""
        return self._heights.copy()

    def entry(self, unit: int) -> Entry:
        """Its statistics."""
        return self._entries[unit]

    @rule("emlia.meta.silence")
    def posture(self, unit: int) -> float:
        """Return the factor of its size and height: a half while it is prone."""
        posture = self.moment.state.units.value("posture", head_of(self.moment, unit))
        return 0.5 if posture == 1 else 1.0

    def parts(self, unit: int) -> tuple[int, ...]:
        """Its subunits that have members left; of a plain unit itself."""
        return self._parts.get(unit, (unit,))

    def alone(self, unit: int) -> tuple[Polygon, Floats]:
        """Return the outline and the places of a row's own members, without the parts under it."""
        return self._own.get(unit) or (self._outlines[unit], self._places[unit])

    def drill(self, unit: int) -> FormationLayout:
        """Return how its members stand; all of a mixed unit in the room of its largest."""
        if unit not in self._drills:
            self._drills[unit] = self._drill(unit)
        return self._drills[unit]

    def _drill(self, unit: int) -> FormationLayout:
        roster = self.moment.state.roster
        if unit not in self._parts:
            return roster.drill(unit)
        drills = [roster.drill(part) for part in self._parts[unit]]
        width, depth = max(d.width for d in drills), max(d.depth for d in drills)
        count = sum(d.count for d in drills)
        return replace(roster.drill(unit), count=count, width=width, depth=depth)

    @rule("emlia.mixed.size-height")
    def height(self, unit: int) -> float:
        """Its own height now, height units; of a mixed unit that of its tallest."""
        return self._measures(unit)[1] * self.posture(unit)

    @rule("emlia.move.prone-effects")
    def size(self, unit: int) -> float:
        """Its size now; of a mixed unit that of its largest."""
        return self._measures(unit)[0] * self.posture(unit)

    def _measures(self, unit: int) -> tuple[float, float]:
        """Return the printed size of the largest subunit and height of the tallest."""
        if unit not in self._parts:
            entry = self._entries[unit]
            return entry.size, entry.height
        parts = [self._entries[part] for part in self._parts[unit]]
        return max(part.size for part in parts), max(part.height for part in parts)

    @rule("emlia.measure.any-time", "emlia.measure.closest-edges", "emlia.meta.plan-distance")
    def distance(self, a: int, b: int) -> float:
        """Return the distance between two units' nearest edges, GSU; in whole cells on a board.

        Any player may measure it at any time.
        """
        cells = numbers_of(self.moment).cells
        if cells != "none":
            return float(cells_apart(self._outlines[a], self._outlines[b], cells))
        return self._gap(a, b)

    def distances(self, unit: int, others: Sequence[int]) -> list[float]:
        """Return the distance of each of *others* from a unit."""
        if numbers_of(self.moment).cells != "none":
            return [self.distance(unit, other) for other in others]
        return self._from(unit, others)

    def gaps(self, part: int, others: Sequence[int]) -> list[float]:
        """Return the gap between one subunit alone and each of *others*."""
        if part in self._own:
            return [self.gap(part, other) for other in others]
        return self._from(part, others)

    def _from(self, unit: int, others: Sequence[int]) -> list[float]:
        return APART(self.moment).from_one(unit, others, self._outlines)

    def apart(self, one: int, other: int) -> float:
        """Between the nearest edges of two rows alone, GSU."""
        if one in self._own or other in self._own:
            return float(shapely.distance(self.alone(one)[0], self.alone(other)[0]))
        return self._gap(one, other)

    def gap(self, part: int, other: int) -> float:
        """Between the nearest edges of one subunit alone and another unit, GSU."""
        if part in self._own:
            return float(shapely.distance(self.alone(part)[0], self._outlines[other]))
        return self._gap(part, other)

    def _gap(self, a: int, b: int) -> float:
        return APART(self.moment).between(a, b, self._outlines)

    def radius(self, unit: int) -> float:
        """From the middle of a member's footprint to its edge, GSU."""
        drill = self.drill(unit)
        return max(drill.width, drill.depth) / 2

    def centre(self, unit: int) -> tuple[float, float]:
        """Return the middle of its boundary."""
        if unit not in self._centres:
            point = self._outlines[unit].centroid
            self._centres[unit] = point.x, point.y
        return self._centres[unit]


SITUATION = Rows(
    Columns(*_BODY, "width", "depth", "side"),
    Columns("present", table="feature"),
    FigureSource(),
    start=Situation,
    renew=Situation.renew,
    forks=True,
)


def _apart_of(moment: Moment) -> UnitDistances:
    return UnitDistances(rows_before_spares(moment.setup))


def _measure_again(apart: UnitDistances, moment: Moment, rows: Sequence[int]) -> None:
    present = moment.state.units.ints("present")
    for unit in rows:
        apart.forget(unit, is_there=bool(present[unit]))


APART = Rows(SITUATION, start=_apart_of, renew=_measure_again, forks=True)


situation_of = SITUATION
"""The situation of this moment."""


def situation_after(true: Situation, moment: Moment) -> Situation:
    """Return the situation in what a side knows of a battle, of which *true* is the situation."""
    situation = SITUATION.before(moment)
    situation.true = true
    try:
        return SITUATION(moment)
    finally:
        situation.true = None
