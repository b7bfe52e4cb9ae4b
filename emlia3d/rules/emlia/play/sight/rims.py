"""The outermost members of all units, one unit's after another's: for kernels that ask of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Rims:
    """Of each unit those of its members' places that are corners of their convex hull."""

    def __init__(self, units: int) -> None:
        self._of = [np.empty((0, 2))] * units
        self._together = np.empty((0, 2)), np.zeros(units + 1, dtype=np.int32)
        self._changed: set[int] = set()

    def __getitem__(self, unit: int) -> Floats:
        return self._of[unit]

    def __setitem__(self, unit: int, corners: Floats) -> None:
        self._of[unit] = corners
        self._changed.add(unit)

    def together(self) -> tuple[Floats, NDArray[np.int32]]:
        """Those of all units, (k, 2) GSU, and where those of each begin, (units + 1,).

        Who has as many as before is put in their place: most who move do.
        """
        corners, starts = self._together
        if any(len(self._of[unit]) != starts[unit + 1] - starts[unit] for unit in self._changed):
            starts = np.cumsum([0, *map(len, self._of)], dtype=np.int32)
            corners = np.concatenate(self._of)
        elif self._changed:
            # Whoever holds what was told before goes on with that.
            corners = corners.copy()
            for unit in self._changed:
                corners[starts[unit] : starts[unit + 1]] = self._of[unit]
        self._together, self._changed = (corners, starts), set()
        return self._together
