"""Columns of numbers as kernels take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from emlia3d.geometry.bodies import Bodies

Floats: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = NDArray[np.int32]


def rows_of(rows: ArrayLike, bodies: Bodies, name: str) -> Rows:
    """Return rows of *bodies* as a column for a kernel; IndexError if there is no such row."""
    column = np.atleast_1d(np.asarray(rows))
    if not len(column):
        return np.empty(0, np.int32)
    if column.ndim != 1 or column.dtype.kind not in "iu":
        raise IndexError(f"{name}: needs a column of row numbers")
    if column.min() < 0 or column.max() >= len(bodies):
        raise IndexError(f"{name}: rows must be from 0 to {len(bodies) - 1}")
    return np.ascontiguousarray(column, dtype=np.int32)
