"""Emlia, chapters 18 and 19.5: the ground with the hills and beds that stand on it now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.field import KINDS, sample_points
from emlia3d.field.ground import median
from emlia3d.rules.emlia.tables.terrain import kind_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from emlia3d.battle.moment import Moment

    Floats = NDArray[np.float64]


class RaisedGround:
    """Heights of the ground, with features that raise or lower it while they stand."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self._shaping = [
            row
            for row, feature in enumerate(moment.setup.field.features)
            if KINDS[kind_of(feature)].stood_on or feature.height < 0
        ]
        self._shaped: list[int] = []
        self._feature_footings: dict[int, float] = {}

    def has_other_ground(self) -> bool:
        """Take over the features that stand now; return whether they are others than before."""
        present = self.moment.state.features.ints("present")
        shaped = [row for row in self._shaping if present[row]]
        if shaped == self._shaped:
            return False
        self._shaped = shaped
        self._feature_footings.clear()
        return True

    @rule("emlia.terrain.standing-on", "emlia.terrain.depression", "emlia.meta.metric-scale")
    def ground_at(self, spots: Floats, but: int | None = None) -> Floats:
        """Height units above map level at places: the raster, and hills and beds on top of it.

        but : a feature that is left out
        """
        field = self.moment.setup.field
        ground = field.footing(spots[:, 0], spots[:, 1])
        raising = [field.features[row] for row in self._shaped if row != but]
        points = shapely.points(spots) if raising else None
        for feature in raising:
            ground = ground + shapely.covers(feature.outline, points) * feature.height
        return ground

    @rule("emlia.sight.raster-features")
    def feature_footing(self, row: int) -> float:
        """Return the median of the ground under a feature, height units."""
        if row not in self._feature_footings:
            spots = sample_points(self.moment.setup.field.features[row].outline)
            self._feature_footings[row] = median(self.ground_at(spots, but=row))
        return self._feature_footings[row]

    def hill_under(self, outline: Polygon) -> Polygon | None:
        """Return the outline of the hill that a body stands on; None if there is none."""
        return next((hill for hill in self.hills() if hill.intersects(outline)), None)

    def hills(self) -> list[Polygon]:
        """Return the outlines of all that can be stood on and could itself be seen."""
        features = self.moment.setup.field.features
        return [features[row].outline for row in self._shaped if features[row].height > 0]
