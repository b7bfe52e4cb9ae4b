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
    """(n, m) float64, GSU: from each of a to each of b, nearest edges.

    0 where they touch or overlap. What stands free in a hole is as far as the hole's edge.

    a, b : (n,), (m,) int, rows of *bodies*; IndexError where there is no such row
    """
    shapes = bodies.shapes
    ones, others = shapes[rows_of(a, bodies, "a")], shapes[rows_of(b, bodies, "b")]
    return np.asarray(shapely.distance(ones[:, None], others[None, :]), dtype=np.float64)


def nearest_points(
    bodies: Bodies, a: int, b: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the point of body a and that of body b that lie nearest each other, GSU.

    One shared point twice where the two touch or overlap; which one is of no meaning.
    """
    row_a, row_b = rows_of([a, b], bodies, "nearest_points")
    line = shapely.shortest_line(bodies.shapes[row_a], bodies.shapes[row_b])
    (ax, ay), (bx, by) = shapely.get_coordinates(line).tolist()
    return (ax, ay), (bx, by)


def chord_length(bodies: Bodies, rows: ArrayLike, a: ArrayLike, b: ArrayLike) -> Floats:
    """(n,) float64, GSU: how much of the straight line from a to b is in each body.

    What runs along an edge counts; a line that only touches a corner, or a body without area that
    it crosses, gives 0.

    rows : (n,) int, rows of *bodies*; IndexError where there is no such row
    a, b : (2,) or (n, 2) float, GSU, the ends of one line for all bodies or of a line for each
    """
    ends = np.stack(np.broadcast_arrays(np.asarray(a, dtype=np.float64), b), axis=-2)
    inside = shapely.intersection(
        bodies.shapes[rows_of(rows, bodies, "rows")], shapely.linestrings(ends)
    )
    return np.asarray(shapely.length(inside), dtype=np.float64)
