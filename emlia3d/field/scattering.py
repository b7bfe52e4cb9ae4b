"""Positions of single things inside an outline: trees in a wood, houses in a village."""

from __future__ import annotations

import math

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.field.noise import hashed, shares
from emlia3d.field.outline import GRID

# Far enough from its cell's middle to break the rows, near enough to keep neighbours apart.
_STRAY = 0.7

# A slip of the keyboard in a scenario should not fill the memory.
_MOST = 2**22


def scatter(outline: Polygon, spacing: float, seed: int) -> NDArray[np.float64]:
    """Return points about `spacing` apart in an outline; (n, 2) float64, GSU on the 1/1024 grid.

    There is one point in each cell of a lattice that is fixed to the field, displaced by a hash of
    the cell. A point therefore keeps its position if the outline changes. The order is from south
    to north, then from west to east. Points on the border are omitted.

    Raises
    ------
    ValueError
        If the spacing is not above 0, or so small that there would be millions of points.
    """
    if not (math.isfinite(spacing) and spacing > 0):
        raise ValueError(f"a spacing is a number of GSU above 0, not {spacing!r}")
    west, south, east, north = (math.floor(edge / spacing) for edge in outline.bounds)
    if (east - west + 1) * (north - south + 1) > _MOST:
        raise ValueError(f"a spacing of {spacing:g} GSU is too small for so large an outline")
    rows, columns = np.mgrid[south : north + 1, west : east + 1]
    columns, rows = columns.ravel(), rows.ravel()
    words = hashed(seed, columns, rows)
    x = (columns + 0.5 + _STRAY * (shares(words, 0) - 0.5)) * spacing
    y = (rows + 0.5 + _STRAY * (shares(words, 1) - 0.5)) * spacing
    points = np.round(np.column_stack([x, y]) * GRID) / GRID
    inside: NDArray[np.float64] = points[shapely.contains_xy(outline, points)]
    return inside
