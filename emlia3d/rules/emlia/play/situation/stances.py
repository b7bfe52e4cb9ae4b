"""Where a unit stands at one moment, whatever the battle it belongs to does next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon


@dataclass(frozen=True, slots=True)
class Stance:
    """Where a unit stands, GSU.

    outline : its boundary
    places : (members, 2) float64, where its members stand
    corners : (k, 2) float64, those of *places* that are corners of their convex hull
    footing : height units above map level
    """

    outline: Polygon
    places: NDArray[np.float64]
    corners: NDArray[np.float64]
    footing: float
