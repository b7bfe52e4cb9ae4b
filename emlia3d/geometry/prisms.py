"""Sight of an eye over upright bodies: the typed wrapper for the prism kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import prisms as _kernel
from emlia3d.geometry.arrays import Floats, Rows, rows_of
from emlia3d.geometry.bodies import Bodies
from emlia3d.geometry.sightline import places
from emlia3d.geometry.threads import in_chunks

TOUCH = 2.0**-30
"""GSU that a line may be in a body and yet only touch it: what rounding may add."""

_SPOTS_AT_ONCE = 2048

_TOGETHER = 16
"""Bodies of a group that a line may miss at a glance."""


def min_height_over_bodies(
    bodies: Bodies,
    obstacles: ArrayLike,
    eye: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
) -> tuple[Floats, Rows]:
    """Return the minimum height at which points are visible from an eye past upright bodies.

    Each body is a prism over its outline, from far below up to its base plus height. A straight
    line is blocked where it is within one, and below its top; along a face, through a corner or
    along the top it only touches, and is free. From within a body that is taller than the eye
    nothing is seen.

    Parameters
    ----------
    bodies : Bodies
    obstacles : (h,) int, rows of *bodies*, each once
    groups : (h,) int, the same for obstacles that stand close together, such as the members of a
        unit: lines clear of the whole group are tested once; the lowest height is
        the same without it
    eye : x and y in GSU, z in the bodies' unit of height and from their zero
    x, y : float, GSU, with shapes that broadcast; the answers have their common shape

    Returns
    -------
    least : float64
        Minus infinity without an obstacle; infinite if no height is enough.
    by : int32
        The row of *bodies* that sets it, -1 if none does; of equal rows the first, in the
        order of groups and then of *obstacles*.

    Raises
    ------
    IndexError
        A row that *bodies* does not have.
    ValueError
        A value that is not finite, or groups for other obstacles.

    Notes
    -----
    Source: design, units of measure. Exact but for the last rounding, not sampled.
    """
    between, around, nodes = _grouped(bodies, rows_of(obstacles, bodies, "obstacles"), groups)
    origin = places(eye, "eye")
    if len(origin) != 1:
        raise ValueError("min_height_over_bodies: needs one eye")
    east, north = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
    spots = np.stack([east.ravel(), north.ravel()], axis=-1)
    if not np.isfinite(spots).all():
        raise ValueError("min_height_over_bodies: needs finite numbers")
    tops = bodies.base + bodies.height
    widest = int(np.diff(bodies.starts).max(initial=1))
    out, by = np.empty(len(spots)), np.empty(len(spots), dtype=np.int32)

    def settle(begin: int, end: int) -> None:
        parts = np.empty((2, 2 * widest))
        _kernel.least(
            bodies.x, bodies.y, bodies.rings, bodies.bodies, bodies.boxes, tops, between,
            around, nodes, origin[0], spots[begin:end], TOUCH, parts, out[begin:end], by[begin:end],
        )  # fmt: skip

    in_chunks(settle, len(out), _SPOTS_AT_ONCE)
    return out.reshape(east.shape), by.reshape(east.shape)


def _grouped(bodies: Bodies, rows: Rows, groups: ArrayLike | None) -> tuple[Rows, Floats, Rows]:
    """Return rows group by group, and nodes for the kernel: their boxes and what they stand for.

    A group of more than a few bodies has a node for all of them and one for each few after it.
    """
    labels = np.arange(len(rows)) if groups is None else np.asarray(groups)
    if labels.shape != rows.shape:
        raise ValueError(f"min_height_over_bodies: needs a group for each of {len(rows)} obstacles")
    if not len(rows):
        return rows, np.empty((0, 4)), np.empty((0, 3), dtype=np.int32)
    order = np.argsort(labels, kind="stable")
    rows, labels = rows[order], labels[order]
    starts = np.flatnonzero(np.r_[True, labels[1:] != labels[:-1]])
    ends = np.append(starts[1:], len(rows))
    few = -(-(ends - starts) // _TOGETHER)
    whole = np.flatnonzero(few > 1)
    size = few + (few > 1)
    at = np.cumsum(size) - size
    of = np.repeat(np.arange(len(starts)), few)
    number = np.arange(len(of)) - np.repeat(np.cumsum(few) - few, few)
    first = starts[of] + number * _TOGETHER
    leaves = at[of] + (few > 1)[of] + number
    around, nodes = np.empty((size.sum(), 4)), np.zeros((size.sum(), 3), dtype=np.int32)
    boxes = bodies.boxes[rows]
    around[at[whole]] = _boxes_of(boxes, starts)[whole]
    nodes[at[whole], 0] = (at + size)[whole]
    around[leaves] = _boxes_of(boxes, first)
    nodes[leaves] = np.stack([leaves + 1, first, np.minimum(first + _TOGETHER, ends[of])], axis=1)
    return rows, around, nodes


def _boxes_of(boxes: Floats, starts: NDArray[np.intp]) -> Floats:
    """Return the boxes about runs of boxes that begin at *starts*."""
    return np.hstack(
        [np.minimum.reduceat(boxes[:, :2], starts), np.maximum.reduceat(boxes[:, 2:], starts)]
    )
