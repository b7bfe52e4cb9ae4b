"""How much of a sight corridor stands behind an outline: the typed front of the corridor kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from emlia3d._ext import corridor as _kernel
from emlia3d.geometry.bodies import Bodies, Floats, Rows

_ROWS_AT_ONCE = 1 << 16


def corridor_fractions(
    bodies: Bodies, observers: ArrayLike, targets: ArrayLike, obstacles: ArrayLike
) -> tuple[Rows, Rows, Floats]:
    """The fraction of every sight corridor that each obstacle covers, where it covers any.

    The corridor is the convex hull of observer and target without the two; its axis runs through
    their area centroids (east, where these coincide). The fraction is the greatest share, over
    all places of the axis, that the obstacle has in the hull's width there: exact, not sampled,
    and taken from both sides where an edge is perpendicular to the axis.

    Touching is not covering: an obstacle that only touches the corridor, or has no area, has no
    row. Observer and target that touch or overlap (or are one) have no corridor and no rows; one
    that stands free in a hole of the other has. The two are never their own obstacles. A pair
    without width (two points, or two lines on one axis) has no rows.

    Swapping observers and targets gives the same fractions to the last bit.

    Parameters
    ----------
    bodies : Bodies
    observers, targets : (n,), (m,) int, rows of *bodies*
    obstacles : (h,) int, rows of *bodies*; their order and repeats do not matter

    Returns
    -------
    pair : (k,) int32, i * len(targets) + j for observers[i] and targets[j]
    obstacle : (k,) int32, row of *bodies*
    fraction : (k,) float64, above 0 and at most 1
        Ordered by pair, then obstacle.

    Raises
    ------
    IndexError
        A row that *bodies* does not have.
    ValueError
        More pairs than int32 can number.

    Notes
    -----
    Source: emlia.sight.corridor, emlia.sight.corridor.span, emlia.sight.fraction.
    """
    seers, seen = rows_of(observers, bodies, "observers"), rows_of(targets, bodies, "targets")
    between = np.unique(rows_of(obstacles, bodies, "obstacles"))
    if len(seers) * len(seen) > np.iinfo(np.int32).max:
        raise ValueError("corridor_fractions: more pairs than an int32 can number")
    widest = int(np.diff(bodies.starts).max(initial=1))
    marks = 64 + 8 * widest
    places = np.empty(2 * widest, dtype=np.int32)
    numbers = np.empty(48 * widest + marks)
    size = max(_ROWS_AT_ONCE, len(between))
    out = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size)
    found: list[tuple[Rows, Rows, Floats]] = []
    pair = 0
    while pair < len(seers) * len(seen):
        pair, count, full = _kernel.fractions(
            bodies.x, bodies.y, bodies.rings, bodies.bodies, bodies.boxes, bodies.centroids,
            bodies.hull_x, bodies.hull_y, bodies.hulls,
            seers, seen, between, pair, widest, numbers, places, *out,
        )  # fmt: skip
        found.append((out[0][:count].copy(), out[1][:count].copy(), out[2][:count].copy()))
        if full:
            marks *= 2
            numbers = np.empty(48 * widest + marks)
    if not found:
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0)
    pairs, rows, fractions = zip(*found, strict=True)
    return np.concatenate(pairs), np.concatenate(rows), np.concatenate(fractions)


def rows_of(rows: ArrayLike, bodies: Bodies, name: str) -> Rows:
    """Rows of *bodies* as a column for a kernel; IndexError where there is no such row."""
    column = np.atleast_1d(np.asarray(rows))
    if not len(column):
        return np.empty(0, np.int32)
    if column.ndim != 1 or column.dtype.kind not in "iu":
        raise IndexError(f"{name}: wants a column of row numbers")
    if column.min() < 0 or column.max() >= len(bodies):
        raise IndexError(f"{name}: rows must be from 0 to {len(bodies) - 1}")
    return np.ascontiguousarray(column, dtype=np.int32)
