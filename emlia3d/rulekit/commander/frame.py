"""The frame of a side's advance: across its front and along its way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.force.facing import unit_vector
from emlia3d.rulekit.commander.plan import Spot


@dataclass(frozen=True, slots=True)
class Frame:
    """Coordinates as a side that looks one way has them: (across, along), GSU.

    Across grows to its right, along grows the way that it looks.

    facing : the way that it looks, 64ths of a degree clockwise from north
    """

    facing: int

    def of(self, x: float, y: float) -> Spot:
        """Return a place of the field as (across, along)."""
        east, north = unit_vector(self.facing)
        return x * north - y * east, x * east + y * north

    def of_all(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (n, 2) places of the field as (across, along), bit for bit as `of` has each."""
        (x, y), (east, north) = places.T, unit_vector(self.facing)
        return np.column_stack((x * north - y * east, x * east + y * north))

    def on_field(self, across: float, along: float) -> Spot:
        """Return the place of the field that is at (across, along)."""
        east, north = unit_vector(self.facing)
        return across * north + along * east, along * north - across * east

    def bounds(
        self, west: float, south: float, east: float, north: float
    ) -> tuple[float, float, float, float]:
        """Return the left, rear, right and front end of a box of the field, GSU."""
        corners = ((west, south), (west, north), (east, south), (east, north))
        across, along = zip(*(self.of(*corner) for corner in corners), strict=True)
        return min(across), min(along), max(across), max(along)

    def line(self, left: float, right: float, along: float) -> tuple[Spot, Spot]:
        """Return the ends on the field of a line across, from its left to its right."""
        return self.on_field(left, along), self.on_field(right, along)
