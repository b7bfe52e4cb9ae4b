"""All bodies on the field as solids, for geometric sight.

All lengths and heights are in metres. The data are facts alone: positions, spaces and heights of
figures, areas of features, and which body stands on which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.unit_outlines import outline_of, places_of
from emlia3d.field import Field, sample_points
from emlia3d.force.formation import footprint_corners
from emlia3d.geometry import Bodies, Surface

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

# A feature's top and the foot of a body on it are at one height, except for rounding; metres.
_LEVEL_M = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solids:
    """The bodies of one moment, metres.

    bodies : members of units, one body each, then features that rise above the ground
    units : (bodies,) int, the unit of each body; -1 for features
    features : (bodies,) int, the feature of each body; -1 for members
    places : (bodies, 2), the centre of each body
    surface : the ground; None if it is level
    """

    bodies: Bodies
    units: Rows
    features: Rows
    places: Floats
    surface: Surface | None

    def members(self, unit: int) -> Rows:
        """Return the bodies of a unit."""
        return np.flatnonzero(self.units == unit)

    def eyes(self, unit: int) -> Floats:
        """Return (members, 3) the tops of a unit's members, above their centres."""
        rows = self.members(unit)
        tops = self.bodies.base[rows] + self.bodies.height[rows]
        return np.column_stack((self.places[rows], tops))

    def stood_in(self, unit: int) -> list[int]:
        """Return the features in which, rather than on which, a member of a unit stands."""
        rows = self.members(unit)
        return [
            int(self.features[body])
            for body in np.flatnonzero(self.features >= 0).tolist()
            if (
                shapely.contains_xy(self.bodies.shapes[body], self.places[rows])
                & (self.bodies.base[rows] < self._top(body) - _LEVEL_M)
            ).any()
        ]

    def _top(self, body: int) -> float:
        return float(self.bodies.base[body] + self.bodies.height[body])


def solids_of(moment: Moment) -> Solids:
    """Return every member of every unit, and every feature, as bodies.

    A member is as wide as its space, and stands on the ground or hill under it. A feature stands on
    the median elevation under it. A drawn unit is one body. Hollows, such as the beds of rivers,
    count as level.
    """
    field, state = moment.setup.field, moment.state
    metres, upright = field.scale.metres_per_gsu, field.scale.metres_per_height
    carrying = _Carrying(moment)
    shapes: list[shapely.Geometry] = []
    base: list[float] = []
    height: list[float] = []
    units: list[int] = []
    features: list[int] = []
    places: list[Floats] = []
    for unit in range(len(moment.setup.units)):
        outlines, middles, feet = _members(moment, unit, carrying)
        shapes += [shapely.transform(outline, lambda spots: spots * metres) for outline in outlines]
        raised = float(state.units.value("on_height", unit))
        base += ((feet + raised) * upright).tolist()
        height += [moment.system.height(moment, unit) * upright] * len(outlines)
        units += [unit] * len(outlines)
        places += list(middles * metres)
    count = len(shapes)
    for row, feature in enumerate(field.features):
        if feature.height > 0 and state.features.value("present", row):
            shapes.append(shapely.transform(feature.outline, lambda spots: spots * metres))
            base.append(carrying.footing(row) * upright)
            height.append(feature.height * upright)
            features.append(row)
            places.append(shapely.get_coordinates(feature.outline.centroid)[0] * metres)
    return Solids(
        bodies=Bodies(shapes, base, height, np.ones(len(shapes), dtype=bool)),
        units=np.array(units + [-1] * len(features), dtype=np.intp),
        features=np.array([-1] * count + features, dtype=np.intp),
        places=np.array(places).reshape(-1, 2),
        surface=_surface(field),
    )


def footings_m(moment: Moment, spots: Floats) -> Floats:
    """Return (n,) the base elevation of a body at each point, on the ground or a hill; metres.

    spots : (n, 2) GSU
    """
    carrying = _Carrying(moment)
    return carrying.under(spots, carrying.hills) * moment.setup.field.scale.metres_per_height


class _Carrying:
    """The ground and the hills on which bodies stand; height units."""

    def __init__(self, moment: Moment) -> None:
        self.field = moment.setup.field
        present = moment.state.features
        self.hills = [
            row
            for row, feature in enumerate(self.field.features)
            if feature.facts.stood_on and feature.height > 0 and present.value("present", row)
        ]
        self._tops: dict[int, float] = {}
        for row in self.hills:
            self._tops[row] = self.footing(row) + self.field.features[row].height

    def under(self, spots: Floats, hills: list[int]) -> Floats:
        """Return the elevation at each point of the ground or, if higher, of these hills."""
        ground = self.field.footing(spots[:, 0], spots[:, 1])
        for row in hills:
            covered = shapely.intersects_xy(self.field.features[row].outline, spots)
            ground = np.where(covered, np.maximum(ground, self._tops[row]), ground)
        return np.asarray(ground)

    def footing(self, row: int) -> float:
        """Return the base elevation of a feature; a hill stands only on earlier hills."""
        spots = sample_points(self.field.features[row].outline)
        below = [hill for hill in self.hills if hill < row] if row in self.hills else self.hills
        return float(np.median(self.under(spots, below)))


def _members(
    moment: Moment, unit: int, carrying: _Carrying
) -> tuple[list[shapely.Geometry], Floats, Floats]:
    """Return the outlines, centres and base elevations of a unit's bodies; GSU and height units."""
    state = moment.state
    spots = places_of(state, unit)
    if not len(spots):
        return [], spots, np.empty(0)
    if moment.setup.units[unit].outline is not None:
        outline = outline_of(moment.setup, state, unit)
        foot = np.median(carrying.under(sample_points(outline), carrying.hills))
        return [outline], shapely.get_coordinates(outline.point_on_surface()), np.array([foot])
    facing = state.units.integer("facing", unit)
    corners = footprint_corners(state.roster.drill(unit), spots, facing)
    return [shapely.Polygon(ring) for ring in corners], spots, carrying.under(spots, carrying.hills)


def _surface(field: Field) -> Surface | None:
    """Return the ground in metres; None if it is level."""
    ground, metres = field.ground, field.scale.metres_per_gsu
    if ground.is_level:
        return None
    return Surface(
        heights=ground.elevation_m,
        cell=ground.cell * metres,
        west=ground.cell / 2 * metres,
        north=(ground.size[1] - ground.cell / 2) * metres,
    )
