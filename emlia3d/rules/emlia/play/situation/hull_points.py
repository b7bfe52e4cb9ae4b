"""The outermost members of all units, one unit's after another's: for kernels that ask of many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class HullPoints:
    """The members' positions of each unit that are corners of their convex hull."""

    def __init__(self, units: int) -> None:
        nothing = np.empty((0, 2))
        self._of = [nothing] * units
        self._together = nothing, np.zeros(units + 1, dtype=np.int32)
        self._changed: set[int] = set()

    def forked(self) -> HullPoints:
        """Return a copy that can be changed independently."""
        twin = HullPoints(0)
        twin._of, twin._together, twin._changed = [*self._of], self._together, {*self._changed}
        return twin

    def followed_by(self, others: Sequence[Floats]) -> HullPoints:
        """Return a copy with further rows at its end."""
        corners, starts = self.together()
        twin = self.forked()
        twin._of += others
        ends = starts[-1] + np.cumsum([len(other) for other in others], dtype=np.int32)
        twin._together = np.concatenate([corners, *others]), np.concatenate([starts, ends])
        return twin

    def __getitem__(self, unit: int) -> Floats:
        return self._of[unit]

    def __setitem__(self, unit: int, corners: Floats) -> None:
        self._of[unit] = corners
        self._changed.add(unit)

    def together(self) -> tuple[Floats, NDArray[np.int32]]:
        """Return the corners of all units, (k, 2) GSU, and where each unit's begin, (units + 1,).

        Only changed units are computed again; arrays returned before do not change.
        """
        if self._changed:
            corners, starts = self._together
            counts, done = np.diff(starts), 0
            pieces: list[Floats] = []
            for unit in sorted(self._changed):
                pieces += corners[starts[done] : starts[unit]], self._of[unit]
                counts[unit], done = len(self._of[unit]), unit + 1
            together = np.concatenate([*pieces, corners[starts[done] :]])
            starts = np.concatenate([starts[:1], np.cumsum(counts, dtype=np.int32)])
            self._together, self._changed = (together, starts), set()
        return self._together
