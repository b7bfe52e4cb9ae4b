"""Points in an arc of facing: exact turn tests, without angles.

An arc is bounded by two directions and goes clockwise from its left border to its right one, as a
facing does; an arc of some degrees to either side has the borders
``unit_vector(facing - degrees)`` and ``unit_vector(facing + degrees)``. Borders count, and so does
the arc's starting point.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.geometry.arrays import Floats, rows_of
from emlia3d.geometry.bodies import Bodies

# Twice what the rounding of two differences, two products and their difference may come to, as a
# share of the products.
_DOUBT = 2.0**-50

Pair = tuple[float, float]


def in_arc(points: ArrayLike, start: Pair, left: Pair, right: Pair) -> NDArray[np.bool_]:
    """Return (n,) bool: whether each point is in an arc, exactly at any distance.

    points : (n, 2) float, GSU
    start : GSU, the apex of the arc
    left, right : directions of its borders, of any length; equal directions are that direction
        alone

    Raises
    ------
    ValueError
        If a direction has no length, or if a number is not finite.
    """
    places = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if not np.isfinite([*start, *left, *right]).all() or not np.isfinite(places).all():
        raise ValueError("in_arc: places and directions need finite numbers")
    if not (any(left) and any(right)):
        raise ValueError("in_arc: a border needs a direction")
    beyond_left, beyond_right = turns(start, left, places), turns(start, right, places)
    span = turns((0.0, 0.0), left, np.array([right]))[0]
    ahead = left[0] * right[0] + left[1] * right[1] > 0
    if span < 0:
        return np.asarray((beyond_left <= 0) & (beyond_right >= 0))
    if span > 0:
        return np.asarray((beyond_left <= 0) | (beyond_right >= 0))
    if not ahead:
        return np.asarray(beyond_left <= 0)
    before = (places - start) @ np.array(left) >= 0
    return np.asarray((beyond_left == 0) & before)


def reach_into_arc(
    bodies: Bodies, rows: ArrayLike, start: Pair, left: Pair, right: Pair
) -> NDArray[np.bool_]:
    """Return (n,) bool: whether any part of each body's outline is in an arc; touching counts.

    A body around the apex of the arc also counts. `in_arc` describes the other parameters.

    rows : (n,) int, rows of *bodies*; IndexError if a row is out of range
    """
    points = np.column_stack([bodies.x, bodies.y])
    inside = in_arc(points, start, left, right)
    crossed = np.zeros(len(points), dtype=bool)
    for border in (left, right):
        crossed[:-1] |= _crossed(points, start, border)
    # The step from one ring to the next is no edge.
    crossed[bodies.rings[1:] - 1] = False
    found = np.zeros(len(bodies), dtype=bool)
    of_point = np.repeat(np.arange(len(bodies)), np.diff(bodies.starts))
    found[of_point[inside | crossed]] = True
    return np.asarray(found[rows_of(rows, bodies, "rows")])


def _crossed(points: Floats, start: Pair, border: Pair) -> NDArray[np.bool_]:
    """Return whether the border runs through each line from a point to the next."""
    side = turns(start, border, points)
    crossed = side[:-1] * side[1:] < 0
    sx, sy = Fraction(start[0]), Fraction(start[1])
    for k in np.flatnonzero(crossed):
        (ax, ay), (bx, by) = ([Fraction(p) for p in point] for point in points[k : k + 2].tolist())
        # At the start or ahead of it: on its right if the line goes from left to right.
        turn = (bx - ax) * (sy - ay) - (by - ay) * (sx - ax)
        crossed[k] = turn * int(side[k + 1]) >= 0
    return np.asarray(crossed)


def turns(start: Pair, direction: Pair, points: Floats) -> NDArray[np.int8]:
    """Return (n,) int8: 1 for a point left of a line, -1 right of it, 0 on it; exactly.

    start, direction : a point of the line, and its direction
    points : (n, 2), all finite
    """
    across = direction[0] * (points[:, 1] - start[1])
    along = direction[1] * (points[:, 0] - start[0])
    side = np.sign(across - along).astype(np.int8)
    for k in np.flatnonzero(np.abs(across - along) <= _DOUBT * (np.abs(across) + np.abs(along))):
        x, y = (Fraction(float(p)) - Fraction(o) for p, o in zip(points[k], start, strict=True))
        exact = Fraction(direction[0]) * y - Fraction(direction[1]) * x
        side[k] = (exact > 0) - (exact < 0)
    return side
