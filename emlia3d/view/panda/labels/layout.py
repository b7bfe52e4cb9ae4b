"""Positions of name tags: near their units, beside figures, without overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Box: TypeAlias = tuple[float, float, float, float]

GAP_PX = 3.0
RISE_PX = 7.0  # from a foot to the tag over it
ASIDE = (0.0, -0.4, 0.4, -0.7, 0.7)  # of its width
STEPS_UP = 5
MOST_SHARE = 0.18  # of the picture that all tags may fill
MANY, MOST_COST = 24, 2.6  # beyond MANY tags, a tag that would stand this far off is left out
CELL_PX = 6
COVERED_COST = 0.8  # a point of a unit that a tag covers, in tag heights of distance


def spread(
    feet: Floats,
    sizes: Floats,
    width: int,
    height: int,
    people: Floats | None = None,
    kept_free: Sequence[Box] = (),
) -> Floats:
    """Return the top left corners (n, 2) of tags, pixels; (-1, -1) if there is no free position.

    In order, each tag gets the position around its foot that overlaps no earlier tag, is near, and
    hides few figures. When tags fill `MOST_SHARE` of the picture, the rest are omitted. With more
    than `MANY` tags, distant positions over other units are also omitted.

    people : (k, 2) points in the picture that should stay free
    kept_free : left, top, right and bottom of rectangles without tags
    """
    corners = np.full((len(feet), 2), -1.0)
    boxes, cost = _places(feet, sizes, width, height)
    crowd = _crowd(np.zeros((0, 2)) if people is None else people, width, height)
    cost += COVERED_COST * _covered(crowd, boxes)
    ends = boxes * _INWARD
    for kept in kept_free:
        cost[_touches(ends, kept)] = np.inf
    most = MOST_COST if len(feet) > MANY else np.inf
    free = MOST_SHARE * width * height
    for row, area in enumerate(sizes.prod(axis=1).tolist()):
        best = int(cost[row].argmin())
        if area <= free and cost[row, best] < most:
            left, top, right, bottom = boxes[:, row, best].tolist()
            corners[row] = left, top
            touched = _touches(ends[:, row + 1 :], (left, top, right, bottom))
            np.copyto(cost[row + 1 :], np.inf, where=touched)
            free -= area
    return corners


_INWARD = np.array([1.0, 1.0, -1.0, -1.0])[:, None, None]


def _touches(ends: Floats, box: Box) -> NDArray[np.bool_]:
    """Return which boxes are too near to a box; ends : (4, ...) left, top, -right and -bottom."""
    left, top, right, bottom = box
    limit = np.array([right + GAP_PX, bottom + GAP_PX, GAP_PX - left, GAP_PX - top])
    return np.asarray((ends < limit[:, None, None]).all(axis=0))


def _crowd(people: Floats, width: int, height: int) -> NDArray[np.int64]:
    """Return the number of points left of and above each corner of a grid of `CELL_PX`."""
    shape = height // CELL_PX + 2, width // CELL_PX + 2
    column, row = np.floor(people.T / CELL_PX).astype(np.int64) + 1
    inside = (column > 0) & (row > 0) & (column < shape[1]) & (row < shape[0])
    cell = row[inside] * shape[1] + column[inside]
    count = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    return np.asarray(count.cumsum(axis=0).cumsum(axis=1))


def _covered(crowd: NDArray[np.int64], boxes: Floats) -> NDArray[np.int64]:
    """Return the number of points that each box of (4, ...) covers, to the nearest cell."""
    rows, columns = crowd.shape
    left, top, right, bottom = np.rint(boxes / CELL_PX).astype(np.int64)
    left, right = np.clip(left, 0, columns - 1), np.clip(right, 0, columns - 1)
    top, bottom = np.clip(top, 0, rows - 1), np.clip(bottom, 0, rows - 1)
    return np.asarray(
        crowd[bottom, right] - crowd[top, right] - crowd[bottom, left] + crowd[top, left]
    )


def _places(feet: Floats, sizes: Floats, width: int, height: int) -> tuple[Floats, Floats]:
    """Return boxes around each of n feet in the picture, and their distances in tag heights.

    The shapes are (4, n, m), for left, top, right and bottom of m boxes, and (n, m).
    """
    up = np.arange(STEPS_UP)
    wide, tall = sizes[:, 0, None], sizes[:, 1, None]
    above = feet[:, 1, None] - RISE_PX - tall - up * (tall + GAP_PX)
    upper = np.concatenate([above, feet[:, 1, None] + RISE_PX + 2 * tall], axis=1)
    aside = np.array(ASIDE)
    left = feet[:, 0, None] - wide / 2 + aside * wide
    off_y = np.concatenate([up * 0.9, [2.2]])
    outside = (upper < 0) | (upper > height - tall)
    cost = np.abs(aside) * 0.6 + (off_y + 3.0 * outside)[:, :, None]
    left = np.clip(left, 0, np.maximum(width - wide, 0))
    upper = np.clip(upper, 0, np.maximum(height - tall, 0))
    boxes = np.empty((4, len(feet), upper.shape[1], left.shape[1]))
    boxes[0], boxes[1] = left[:, None, :], upper[:, :, None]
    boxes[2], boxes[3] = boxes[0] + wide[..., None], boxes[1] + tall[..., None]
    places = len(feet), upper.shape[1] * left.shape[1]
    return boxes.reshape(4, *places), cost.reshape(places)
