"""The stance of a unit at one moment, kept while its battle goes on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon


@dataclass(frozen=True, slots=True)
class Stance:
    """The place of a unit and of its members, GSU.

    outline : its boundary
    places : (members, 2) float64, where its members stand
    corners : (k, 2) float64, the *places* that are corners of their convex hull
    footing : height units above map level
    """

    outline: Polygon
    places: NDArray[np.float64]
    corners: NDArray[np.float64]
    footing: float
