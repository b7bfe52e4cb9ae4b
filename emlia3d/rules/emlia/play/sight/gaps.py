"""How far units stand from the bodies of the field, each found when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.rules.emlia.play.sight.lineup import Floats, Numbers

if TYPE_CHECKING:
    from emlia3d.rules.emlia.play.sight.scene import Scene


class Gaps:
    """Distances from units to bodies, by number; kept until either moves.

    What `Scene.between` measures for one corridor, for many at once and to the same bits.
    """

    def __init__(self, units: int, bodies: int) -> None:
        self._depth = _Kept(units, bodies)

    def forget(self, moved: Numbers) -> None:
        """Drop what was measured from and to these bodies."""
        self._depth.forget(moved)

    def depth(self, scene: Scene, units: Numbers, bodies: Numbers) -> Floats:
        """(k,) GSU from each body to the nearest edge of the farthest member of each unit."""

        def measured(ones: Numbers, rows: Numbers) -> Floats:
            pairs = list(zip(ones.tolist(), rows.tolist(), strict=True))
            spots = [scene.candidates(unit, row) for unit, row in pairs]
            counts = [len(some) for some in spots]
            apart = shapely.distance(
                shapely.points(np.concatenate(spots)), np.repeat(scene.outlines[rows], counts)
            )
            farthest = np.maximum.reduceat(apart, np.cumsum([0, *counts[:-1]]))
            radii = [scene.lie.radius(unit) for unit, _ in pairs]
            return np.asarray(np.maximum(farthest - radii, 0.0))

        return self._depth.found(scene, units, bodies, measured)


class _Kept:
    """One number for each unit and body, once it is known."""

    def __init__(self, units: int, bodies: int) -> None:
        self._values = np.empty((units, bodies))
        self._known = np.zeros((units, bodies), dtype=np.bool_)

    def forget(self, moved: Numbers) -> None:
        self._known[moved[moved < len(self._known)]] = False
        self._known[:, moved] = False

    def found(
        self,
        scene: Scene,
        units: Numbers,
        bodies: Numbers,
        measured: Callable[[Numbers, Numbers], Floats],
    ) -> Floats:
        lacking = ~self._known[units, bodies]
        if lacking.any():
            width = self._known.shape[1]
            keys = np.unique(units[lacking] * width + bodies[lacking])
            ones, others = keys // width, keys % width
            self._values[ones, others] = measured(ones, scene.row_of[others])
            self._known[ones, others] = True
        return np.asarray(self._values[units, bodies])
