"""Distances between bodies, and lengths of straight lines inside them; by shapely.

All lengths are GSU in the plane: height has no part in them.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import ArrayLike

from emlia3d.geometry.arrays import Floats, rows_of
from emlia3d.geometry.bodies import Bodies


def distances(bodies: Bodies, a: ArrayLike, b: ArrayLike) -> Floats:
    """Return the distance between nearest edges of each body in *a* and each body in *b*.

    The distance is 0 if they touch or overlap. A body in a hole of another without contact is as
    far away as the edge of the hole.

    Parameters
    ----------
    a, b : (n,), (m,) int
        Rows of *bodies*.

    Returns
    -------
    (n, m) float64
        GSU.

    Raises
    ------
    IndexError
        If a row is out of range.
    """
    shapes = bodies.shapes
    ones, others = shapes[rows_of(a, bodies, "a")], shapes[rows_of(b, bodies, "b")]
    return np.asarray(shapely.distance(ones[:, None], others[None, :]), dtype=np.float64)


def nearest_points(
    bodies: Bodies, a: int, b: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the points of two bodies that are nearest to each other, GSU.

    If the bodies touch or overlap, return any shared point twice.
    """
    row_a, row_b = rows_of([a, b], bodies, "nearest_points")
    line = shapely.shortest_line(bodies.shapes[row_a], bodies.shapes[row_b])
    (ax, ay), (bx, by) = shapely.get_coordinates(line).tolist()
    return (ax, ay), (bx, by)


def chord_length(bodies: Bodies, rows: ArrayLike, a: ArrayLike, b: ArrayLike) -> Floats:
    """Return (n,) float64, GSU: the length of the line from a to b inside each body.

    A line along an edge counts. A line that only touches a corner, or a body without area, gives
    0.

    rows : (n,) int, rows of *bodies*; IndexError if a row is out of range
    a, b : (2,) or (n, 2) float, GSU, ends of one line for all bodies, or of a line for each
    """
    ends = np.stack(np.broadcast_arrays(np.asarray(a, dtype=np.float64), b), axis=-2)
    inside = shapely.intersection(
        bodies.shapes[rows_of(rows, bodies, "rows")], shapely.linestrings(ends)
    )
    return np.asarray(shapely.length(inside), dtype=np.float64)
