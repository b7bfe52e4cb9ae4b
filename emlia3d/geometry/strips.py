"""The strip of ground between two bodies, by boxes: whether others could bear on their sight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emlia3d._ext import strips as _kernel
from emlia3d.geometry.arrays import Floats


def corridor_may_intersect(one: Floats, other: Floats, boxes: Floats) -> NDArray[np.bool_]:
    """Return (n,): whether the strip around two bodies, and between them, meets any of *boxes*.

    Looked at along the axis between the two, in its lengths, and by north and east: never False
    where what fills a box reaches into the sight corridor between the two, or touches it. A box
    of NaN is nowhere: it meets nothing, and there is nothing between it and another.

    one, other : (n, 4) float64, GSU, the boxes of the two: west, south, east, north
    boxes : (m, 4) float64
    """
    columns = [np.ascontiguousarray(each, dtype=np.float64) for each in (one, other, boxes)]
    if any(each.shape[1:] != (4,) for each in columns) or len(one) != len(other):
        raise ValueError("boxes are rows of 4, as many of one as of the other")
    out = np.empty(len(one), dtype=np.uint8)
    _kernel.corridor_may_intersect(columns[0], columns[1], columns[2], out)
    met: NDArray[np.bool_] = out.view(np.bool_)
    return met


def pairs_met(wanted: NDArray[np.bool_], bodies: Floats, boxes: Floats) -> NDArray[np.int32]:
    """Return (k, 2): the pairs of bodies that `corridor_may_intersect`, the lower row first.

    wanted : (n, n) bool, the pairs that are asked about: the cells above the diagonal count
    bodies : (n, 4) float64, GSU, boxes
    boxes : (m, 4) float64, none of NaN
    """
    ends, others = (np.ascontiguousarray(each, dtype=np.float64) for each in (bodies, boxes))
    if any(each.shape[1:] != (4,) for each in (ends, others)):
        raise ValueError("pairs_met: boxes are rows of 4")
    if wanted.shape != (len(ends), len(ends)):
        raise ValueError("pairs_met: a cell for each two bodies")
    if not len(others):
        return np.empty((0, 2), dtype=np.int32)
    round_all = np.concatenate([others[:, :2].min(axis=0), others[:, 2:].max(axis=0)])
    asked = np.ascontiguousarray(wanted).view(np.uint8)
    out = np.empty((np.count_nonzero(asked), 2), dtype=np.int32)
    return out[: _kernel.pairs_met(asked, ends, others, round_all, out)]
