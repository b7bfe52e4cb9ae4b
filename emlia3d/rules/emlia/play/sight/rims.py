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

        Only who has changed is put in place anew; what was told before stays as it is.
        """
        corners, starts = self._together
        for unit in self._changed:
            before, after = corners[: starts[unit]], corners[starts[unit + 1] :]
            corners, starts = np.concatenate([before, self._of[unit], after]), starts.copy()
            starts[unit + 1 :] += len(corners) - starts[-1]
        self._together, self._changed = (corners, starts), set()
        return self._together
