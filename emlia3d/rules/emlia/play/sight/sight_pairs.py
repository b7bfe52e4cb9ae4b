"""Sight questions in columns: the units at the ends of corridors and how much they see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.geometry import Bodies
from emlia3d.rules.emlia.kernels.corridor_obstacles import CorridorHits

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.intp]
Levels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SightEndpoints:
    """The ends of sight corridors: units as a whole, or single members of them.

    unit : (m,) the unit that each end belongs to
    row : (m,) its row in *bodies*
    footing : (m,) float64
    alone : (m,) bool, whether the end is one member, even the only one of its unit
    """

    bodies: Bodies
    unit: Numbers
    row: Numbers
    footing: Floats
    alone: Flags

    def outlines(self, places: Numbers) -> NDArray[np.object_]:
        """Return the boundaries at these places of the line-up, as polygons."""
        return self.bodies.outlines(self.row[places])


@dataclass(frozen=True, slots=True)
class Strangers:
    """Ends of corridors that are not whole units, in columns: figures, subunits, features.

    build : (n, 3) float64, height and size in height units, own combat range in GSU
    like : (n,) the units that they are in, whose posture, hill and equipment they share; -1 for
        none, and then the other columns count
    raised : (n,) bool, stands on something that can be seen separately
    hills : (n,) the outlines of the hills that they stand on, or None
    own : (n,) the row of each in the scene; -1 for none
    """

    build: Floats
    like: Numbers
    raised: Flags
    hills: NDArray[np.object_]
    own: Numbers


@dataclass(frozen=True, slots=True)
class SightPairs:
    """Pairs of observer and observed, by their rows in a line-up.

    clear : (n,) whether the ground is known to leave each corridor free; None if unknown for all
    """

    endpoints: SightEndpoints
    near: Numbers
    far: Numbers
    clear: NDArray[np.bool_] | None = None

    @property
    def ends(self) -> Numbers:
        """(n, 2) the place of each observer and that of the observed."""
        return np.stack((self.near, self.far), axis=1)


@dataclass(frozen=True, slots=True)
class SightLevels:
    """The answers to n sight questions.

    levels : (n,) uint8, how much of the observed is concealed
    screens : (n,) int, what alone hides any observed unit totally: the number of a
        body, BY_GROUND or NOTHING_ALONE
    found : the bodies between
    measures : (5, k) of each row of *found*, as in `classify_occlusion.Occlusion`
    """

    levels: Levels
    screens: Numbers
    found: CorridorHits
    measures: Floats
