"""How the field lies at this moment: outlines, footings, heights, distances, who sees whom.

Everything here is worked out from the state and kept beside it: outlines and footings by each
unit's stamp, the rest until anything changes. Nothing here is a rule of its own; the sight
rules are in `emlia3d.rules.emlia.sight`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.battle.standing import carried
from emlia3d.field import spread_over
from emlia3d.force.formation import boundary
from emlia3d.force.roster import Condition
from emlia3d.rules.emlia.unit_set import Entry
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from emlia3d.battle.battle import Battle

_NOWHERE = Polygon()


class Lie:
    """Facts about units and features where they are now.

    versions : (units,) int64, one more each time that a unit's place, outline or height changed
    """

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self._clock = -1
        self.versions = np.zeros(len(battle.state.units), dtype=np.int64)
        self._bodies: list[tuple[object, ...]] = [()] * len(battle.state.units)
        self._stamps = np.full(len(battle.state.units), -1, dtype=np.int64)
        self._outlines: list[Polygon] = [_NOWHERE] * len(battle.state.units)
        self._footings = np.zeros(len(battle.state.units))
        self._places: list[NDArray[np.float64]] = [np.empty((0, 2))] * len(battle.state.units)
        self._points = [np.empty(0, dtype=object)] * len(battle.state.units)
        self._corners = list(self._points)
        self._feature_footings: dict[int, float] = {}
        self._shaping = [
            row
            for row, feature in enumerate(battle.setup.field.features)
            if feature.kind == "hill" or feature.height < 0
        ]
        self._shaped: list[int] = []

    def refresh(self) -> Lie:
        """Up to date with the state; only what changed is worked out."""
        state = self.battle.state
        if state.clock == self._clock:
            return self
        self._clock = state.clock
        shaped = [row for row in self._shaping if state.features.value("present", row)]
        if shaped != self._shaped:
            self._shaped = shaped
            # What stands anywhere on them may be at another height now.
            self._feature_footings.clear()
            self._stamps[:] = -1
            self._bodies = [()] * len(self._bodies)
        for unit in np.flatnonzero(self._stamps != state.stamps).tolist():
            self._stamps[unit] = state.stamps[unit]
            body = self._body(unit)
            if body != self._bodies[unit]:
                self._bodies[unit] = body
                self.versions[unit] += 1
                self._work_out(unit)
        return self

    def _body(self, unit: int) -> tuple[object, ...]:
        """All that a unit's place, outline and height follow from."""
        units = self.battle.state.units
        columns = (
            "present", "x", "y", "facing", "formation", "files", "members",
            "on_height", "posture", "taking_cover",
        )  # fmt: skip
        return tuple(units.value(column, unit) for column in columns)

    def _work_out(self, unit: int) -> None:
        state = self.battle.state
        units, figures = state.units, state.figures
        first = units.integer("first", unit)
        span = slice(first, first + units.integer("strength", unit))
        standing = figures["condition"][span] == Condition.STANDING
        if not units.value("present", unit) or not standing.any():
            self._outlines[unit] = _NOWHERE
            self._places[unit] = np.empty((0, 2))
            self._points[unit] = self._corners[unit] = np.empty(0, dtype=object)
            return
        spots = np.column_stack((figures["x"][span][standing], figures["y"][span][standing]))
        x, y = float(units.value("x", unit)), float(units.value("y", unit))
        facing = units.integer("facing", unit)
        self._places[unit] = spots
        self._points[unit] = np.asarray(shapely.points(spots))
        hull = shapely.convex_hull(shapely.multipoints(spots))
        self._corners[unit] = np.asarray(shapely.points(shapely.get_coordinates(hull)))
        drawn = self.battle.setup.units[unit].outline
        if drawn is None:
            self._outlines[unit] = boundary(state.roster.drill(unit), x, y, facing, spots)
            stands = spots
        else:
            muster = self.battle.setup.units[unit].muster
            self._outlines[unit] = carried(muster, drawn, (x, y), facing)
            stands = spread_over(self._outlines[unit])
        raised = float(units.value("on_height", unit))
        self._footings[unit] = float(np.median(self.ground_at(stands))) + raised

    @rule("emlia.terrain.standing-on", "emlia.terrain.depression", "emlia.terrain.occupancy")
    def ground_at(self, spots: NDArray[np.float64], but: int | None = None) -> NDArray[np.float64]:
        """Height units above map level at places: the raster, and hills and beds on top of it.

        but : a feature that is left out
        """
        field = self.battle.setup.field
        ground = field.footing(spots[:, 0], spots[:, 1])
        points = shapely.points(spots)
        for row in self._shaped:
            feature = field.features[row]
            if row != but:
                ground = ground + shapely.covers(feature.outline, points) * feature.height
        return ground

    def feature_footing(self, row: int) -> float:
        """What a feature stands on: the median of the ground over its footprint."""
        if row not in self._feature_footings:
            spots = spread_over(self.battle.setup.field.features[row].outline)
            self._feature_footings[row] = float(np.median(self.ground_at(spots, but=row)))
        return self._feature_footings[row]

    def is_drawn(self, unit: int) -> bool:
        """Whether it is a single body with a boundary of its own."""
        return self.battle.setup.units[unit].outline is not None

    def hill_under(self, outline: Polygon) -> Polygon | None:
        """The outline of the hill that a body stands on; None if there is none."""
        return next((hill for hill in self.hills() if hill.intersects(outline)), None)

    def hills(self) -> list[Polygon]:
        """The outlines of all that can be stood on and could itself be seen."""
        features = self.battle.setup.field.features
        return [features[row].outline for row in self._shaped if features[row].height > 0]

    def outline(self, unit: int) -> Polygon:
        """The unit's boundary, GSU; empty if it is not on the field."""
        return self._outlines[unit]

    def outlines(self, units: Sequence[int] | NDArray[np.intp]) -> NDArray[np.object_]:
        """Boundaries of several units, as an array of polygons."""
        out = np.empty(len(units), dtype=object)
        out[:] = [self._outlines[unit] for unit in units]
        return out

    def places(self, unit: int) -> NDArray[np.float64]:
        """Where its members stand, (members, 2), GSU."""
        return self._places[unit]

    def points(self, unit: int) -> NDArray[np.object_]:
        """Where its members stand, (members,), as points."""
        return self._points[unit]

    def corners(self, unit: int) -> NDArray[np.object_]:
        """Those of `points` that are corners of their convex hull, in its order."""
        return self._corners[unit]

    def footing(self, unit: int) -> float:
        """What it stands on, above map level: the median of its members."""
        return float(self._footings[unit])

    def entry(self, unit: int) -> Entry:
        """Its statistics."""
        entry = self.battle.setup.units[unit].entry
        assert isinstance(entry, Entry)
        return entry

    def posture(self, unit: int) -> float:
        """What its size and height are multiplied with: a half while it is prone."""
        return 0.5 if self.battle.state.units.value("posture", unit) == 1 else 1.0

    def height(self, unit: int) -> float:
        """Its own height now, height units."""
        return self.entry(unit).height * self.posture(unit)

    def size(self, unit: int) -> float:
        """Its size now."""
        return self.entry(unit).size * self.posture(unit)

    def distance(self, a: int, b: int) -> float:
        """Between the nearest edges of two units, GSU (`emlia.measure.closest-edges`)."""
        return float(shapely.distance(self._outlines[a], self._outlines[b]))

    def radius(self, unit: int) -> float:
        """From the middle of a member's footprint to its edge, GSU."""
        drill = self.battle.state.roster.drill(unit)
        return max(drill.width, drill.depth) / 2

    def centre(self, unit: int) -> tuple[float, float]:
        """The middle of its boundary."""
        point = self._outlines[unit].centroid
        return point.x, point.y


def lie_of(battle: Battle) -> Lie:
    """The lie of the field in *battle*, up to date."""
    lie: Lie | None = battle.beside.get("emlia.lie")
    if lie is None:
        lie = battle.beside["emlia.lie"] = Lie(battle)
    return lie.refresh()
