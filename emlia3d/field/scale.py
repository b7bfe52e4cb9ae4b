"""The length of a GSU and of a height unit in metres."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import quoted

Figure = TypeVar("Figure", float, NDArray[np.float64])


@dataclass(frozen=True, slots=True)
class Scale:
    """The lengths of one GSU and one height unit in metres.

    The defaults are 2.0 m along the ground and 1.83 m upwards. A conversion takes a number or an
    array and returns the same kind.

    Raises
    ------
    ValueError
        A value that is not above 0 or not finite.
    """

    metres_per_gsu: float = 2.0
    metres_per_height: float = 1.83

    def __post_init__(self) -> None:
        for name in ("metres_per_gsu", "metres_per_height"):
            figure = getattr(self, name)
            if not (math.isfinite(figure) and figure > 0):
                raise ValueError(
                    f"{name}: expected a number of metres above 0, got {quoted(figure)}"
                )

    def gsu_of_metres(self, metres: Figure) -> Figure:
        """Return a length along the ground in GSU."""
        return metres / self.metres_per_gsu

    def metres_of_gsu(self, gsu: Figure) -> Figure:
        """Return a length along the ground in metres."""
        return gsu * self.metres_per_gsu

    def heights_of_metres(self, metres: Figure) -> Figure:
        """Return a height or an elevation in height units."""
        return metres / self.metres_per_height

    def metres_of_heights(self, heights: Figure) -> Figure:
        """Return a height or an elevation in metres."""
        return heights * self.metres_per_height
