"""The strip of ground between two units, by boxes: whether others could bear on their sight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# By so much is a box taken to be larger, for what rounding may do: a share, and GSU.
_WIDER, _ROUND_IT = 1 + 2.0**-20, 2.0**-20

Boxes = NDArray[np.float64]
"""(n, 4): west, south, east, north, GSU."""


def between_meets(one: Boxes, other: Boxes, boxes: Boxes) -> NDArray[np.bool_]:
    """(n,) whether the strip round two units and all between them meets any of *boxes*.

    Looked at along the axis between the two, in its lengths, and by north and east: never False
    where what fills a box reaches into the sight corridor between the two.

    one, other : (n, 4) the boxes of the two
    """
    a, b = one.T, other.T
    (west, south), (east, north) = np.minimum(a, b)[:2], np.maximum(a, b)[2:]
    start, way = (a[:2] + a[2:]) / 2, (b[:2] + b[2:] - a[:2] - a[2:]) / 2
    turned = np.abs(np.stack([way, way[::-1]]))
    behind, beyond = (_reaches(end[2:] - end[:2], turned) for end in (a, b))
    far = (way * way).sum(axis=0) + beyond[0]
    met = np.zeros(len(one), dtype=np.bool_)
    for box in boxes:
        x, y = ((box[:2] + box[2:]) / 2)[:, None] - start
        ahead, aside = x * way[0] + y * way[1], np.abs(y * way[0] - x * way[1])
        along, across = _reaches((box[2:] - box[:2])[:, None], turned)
        met |= (
            (west <= box[2]) & (east >= box[0]) & (south <= box[3]) & (north >= box[1])
            & (aside <= np.maximum(behind[1], beyond[1]) + across)
            & (ahead >= -behind[0] - along) & (ahead <= far + along)
        )  # fmt: skip
    return met


def _reaches(
    sides: NDArray[np.float64], turned: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far boxes reach from their middles along ways and across them, in lengths of the ways.

    sides : (2, n) east and north
    turned : (2, 2, n) how far the ways go east and north, and north and east, each above 0
    """
    half = (sides / 2 * _WIDER + _ROUND_IT)[None]
    along, across = (half * turned).sum(axis=1)
    return along, across
