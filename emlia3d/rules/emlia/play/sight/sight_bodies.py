"""The bodies of the field as they are now, in the form that the sight rules use.

Bodies are numbered: the units, then the features.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.derived import Derived
from emlia3d.field import KINDS
from emlia3d.force.formation import Formation
from emlia3d.geometry import Bodies, Surface
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.play.situation.situation import Situation
from emlia3d.rules.emlia.tables.terrain import kind_of
from emlia3d.rules.emlia.unit_sets.abilities import makes_solid
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


_ROUNDING = 1e-12


class SightScene:
    """All bodies at one moment.

    numbers : of the bodies, in the order of the rows of `bodies`
    row_of : the row of each body by its number; -1 for a body that is not on the field
    convex : (rows,) bool, whether the outline of each is
    """

    @rule("emlia.form.solidity", "emlia.attr.size-height-all", "emlia.entity.definition")
    def __init__(
        self, moment: Moment, situation: Situation, before: SightScene | None = None
    ) -> None:
        self.moment = moment
        self.situation = situation
        units = moment.state.units
        self.units = len(units)
        self.here = on_field(moment)
        features = [
            (row, feature)
            for row, feature in enumerate(moment.setup.field.features)
            if moment.state.features.value("present", row) and feature.height > 0
        ]
        self.numbers = [*self.here, *(self.units + row for row, _ in features)]
        self.outlines = np.empty(len(self.numbers), dtype=object)
        self.outlines[: len(self.here)] = situation.outlines(self.here)
        self.outlines[len(self.here) :] = [feature.outline for _, feature in features]
        own = np.array(self.here, dtype=np.intp)
        base = [situation.feature_footing(row) for row, _ in features]
        height = [feature.height for _, feature in features]
        solid = [feature.body == "solid" for _, feature in features]
        measured, self.convex = self._measured(before)
        self.bodies = measured.with_base(
            np.append(situation.footings[own], base),
            np.append(situation.heights[own], height),
            np.append(units["formation"][own] != Formation.OPEN, np.array(solid, dtype=np.bool_)),
        )
        self.row_of = np.full(self.units + len(moment.setup.field.features), -1, dtype=np.intp)
        self.row_of[self.numbers] = np.arange(len(self.numbers))

    def _measured(self, before: SightScene | None) -> tuple[Bodies, NDArray[np.bool_]]:
        """Return the outlines, and which are convex; measure only new outlines."""
        kept = np.full(len(self.outlines), -1, dtype=np.intp)
        if before is not None and not before.numbers:
            before = None
        if before is not None:
            kept = before.row_of[self.numbers]
            alike = map(operator.is_, before.outlines[kept], self.outlines)
            kept[~np.fromiter(alike, np.bool_, len(kept))] = -1
        fresh = np.flatnonzero(kept < 0)
        shapes, plain = self.outlines[fresh], np.zeros(len(fresh))
        spanned = shapely.area(shapely.convex_hull(shapes))
        measured = Bodies(shapes, plain, plain, plain)
        convex = np.asarray(spanned <= shapely.area(shapes) * (1 + _ROUNDING))
        if before is None:
            return measured, convex
        kept[fresh] = len(before.bodies) + np.arange(len(fresh))
        every = before.bodies.concat(measured)
        return every.take(kept), np.concatenate([before.convex, convex])[kept]

    def name(self, number: int) -> str:
        """Return the name of a body."""
        if number < self.units:
            return self.moment.setup.units[number].name
        return self.moment.setup.field.features[number - self.units].name

    @rule("emlia.sight.corridor.span")
    def areas_round(self, outline: Polygon, other: Polygon) -> Iterator[int]:
        """Rows of the areas of terrain that contain the middle of where two bodies touch."""
        meet = shapely.intersection(outline, other).centroid
        features = self.moment.setup.field.features
        for row in range(len(self.here), len(self.numbers)):
            feature = features[self.numbers[row] - self.units]
            if KINDS[kind_of(feature)].shape == "area" and feature.outline.intersects(meet):
                yield row

    def candidates(self, unit: int, row: int) -> NDArray[np.float64]:
        """Return (k, 2) positions, GSU, one of which is the member farthest from a body."""
        # The member farthest from a convex outline is at a corner of the members' hull.
        return self.situation.corners(unit) if self.convex[row] else self.situation.places(unit)

    def camouflages(self, number: int, unit: int) -> bool:
        """Return whether a body is terrain that conceals a unit as if it were solid."""
        if number < self.units:
            return False
        kind = kind_of(self.moment.setup.field.features[number - self.units])
        parts = self.situation.parts(unit)
        return all(makes_solid(kind, self.situation.entry(part).all_abilities) for part in parts)


def share_surface(moment: Moment, known: Moment) -> None:
    """Let the battle as a side knows it use the ground of the true one."""
    surface_of.put(known, surface_of(moment))


def _surface(moment: Moment) -> Surface | None:
    field = moment.setup.field
    return None if field.ground.is_level else field.surface()


surface_of = Derived(make=_surface)
"""The ground in height units; None where it is level."""
