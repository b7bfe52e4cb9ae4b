"""Distances from units to the bodies of the field, each computed on first use."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.rules.emlia.play.sight.sight_pairs import Floats, Numbers

if TYPE_CHECKING:
    from emlia3d.rules.emlia.play.sight.sight_bodies import SightScene


class BodyDistances:
    """Distances from units to bodies, by number; each is kept until one of the two moves."""

    def __init__(self) -> None:
        self._depths: defaultdict[int, dict[int, float]] = defaultdict(dict)

    def forget(self, moved: Numbers) -> None:
        """Delete the distances from and to these bodies."""
        gone = moved.tolist()
        for unit in gone:
            self._depths.pop(unit, None)
        for known in self._depths.values():
            for body in gone:
                known.pop(body, None)

    def depth(self, scene: SightScene, units: Numbers, bodies: Numbers) -> Floats:
        """(k,) GSU from each body to the nearest edge of the farthest member of each unit."""
        pairs = list(zip(units.tolist(), bodies.tolist(), strict=True))
        lacking = sorted({pair for pair in pairs if pair[1] not in self._depths[pair[0]]})
        if lacking:
            measured = self._measured(scene, *np.array(lacking).T).tolist()
            for (unit, body), depth in zip(lacking, measured, strict=True):
                self._depths[unit][body] = depth
        return np.array([self._depths[unit][body] for unit, body in pairs])

    @staticmethod
    def _measured(scene: SightScene, units: Numbers, bodies: Numbers) -> Floats:
        rows = scene.row_of[bodies]
        spots = [
            scene.candidates(unit, row)
            for unit, row in zip(units.tolist(), rows.tolist(), strict=True)
        ]
        counts = [len(some) for some in spots]
        apart = shapely.distance(
            shapely.points(np.concatenate(spots)), np.repeat(scene.outlines[rows], counts)
        )
        farthest = np.maximum.reduceat(apart, np.cumsum([0, *counts[:-1]]))
        radii = [scene.situation.radius(unit) for unit in units.tolist()]
        return np.asarray(np.maximum(farthest - radii, 0.0))
