"""The coordinates of a side's advance: across its front and along its direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.force.facing import unit_vector
from emlia3d.rulekit.commander.plan import Spot


@dataclass(frozen=True, slots=True)
class Frame:
    """Coordinates of a side that faces one way: (across, along), GSU.

    "Across" increases to its right, and "along" in the direction that it faces.

    facing : of the side, 64ths of a degree clockwise from north
    """

    facing: int

    def of(self, x: float, y: float) -> Spot:
        """Return a point of the field as (across, along)."""
        east, north = unit_vector(self.facing)
        return x * north - y * east, x * east + y * north

    def of_all(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, 2) points of the field as (across, along), bit-identical to `of`."""
        (x, y), (east, north) = places.T, unit_vector(self.facing)
        return np.column_stack((x * north - y * east, x * east + y * north))

    def on_field(self, across: float, along: float) -> Spot:
        """Return the point of the field at (across, along)."""
        east, north = unit_vector(self.facing)
        return across * north + along * east, along * north - across * east

    def bounds(
        self, west: float, south: float, east: float, north: float
    ) -> tuple[float, float, float, float]:
        """Return the left, rear, right and front bounds of a bounding box on the field, GSU."""
        corners = ((west, south), (west, north), (east, south), (east, north))
        across, along = zip(*(self.of(*corner) for corner in corners), strict=True)
        return min(across), min(along), max(across), max(along)

    def line(self, left: float, right: float, along: float) -> tuple[Spot, Spot]:
        """Return the left and the right end of a line across, as points on the field."""
        return self.on_field(left, along), self.on_field(right, along)
