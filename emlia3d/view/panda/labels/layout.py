"""Where name tags stand in a picture: near their units, over nobody, never over one another."""

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
    """Top left corners (n, 2) for tags over their feet, pixels; (-1, -1) where none is free.

    The first come first: each tag takes, of the places about its foot where it covers no tag
    before it, the one that is nearest and hides the fewest people. When the tags fill
    `MOST_SHARE` of the picture, the rest have none.

    people : (k, 2) places in the picture that are better left free
    kept_free : left, top, right and bottom of boxes over which no tag may come
    """
    corners = np.full((len(feet), 2), -1.0)
    taken = np.array(kept_free, np.float64).reshape(-1, 4)
    free = MOST_SHARE * width * height
    crowd = _crowd(np.zeros((0, 2)) if people is None else people, width, height)
    for row, (foot, size) in enumerate(zip(feet, sizes, strict=True)):
        if size[0] * size[1] > free:
            continue
        boxes, cost = _places(foot, size, width, height)
        low, high = boxes[:, None, :2], boxes[:, None, 2:]
        clash = np.all((taken[:, :2] < high + GAP_PX) & (taken[:, 2:] > low - GAP_PX), axis=2)
        cost = cost + COVERED_COST * _covered(crowd, boxes)
        cost[np.any(clash, axis=1)] = np.inf
        best = int(cost.argmin())
        if np.isfinite(cost[best]):
            corners[row] = boxes[best, :2]
            taken = np.concatenate([taken, boxes[best : best + 1]])
            free -= float(size[0] * size[1])
    return corners


def _crowd(people: Floats, width: int, height: int) -> NDArray[np.int64]:
    """How many people are seen left of and above each corner of a grid of `CELL_PX`."""
    shape = height // CELL_PX + 2, width // CELL_PX + 2
    column, row = np.floor(people.T / CELL_PX).astype(np.int64) + 1
    inside = (column > 0) & (row > 0) & (column < shape[1]) & (row < shape[0])
    count = np.zeros(shape, np.int64)
    np.add.at(count, (row[inside], column[inside]), 1)
    return np.asarray(count.cumsum(axis=0).cumsum(axis=1))


def _covered(crowd: NDArray[np.int64], boxes: Floats) -> NDArray[np.int64]:
    """How many people each box covers, (m,), to the nearest cell."""
    rows, columns = crowd.shape
    corner = np.rint(boxes / CELL_PX).astype(np.int64)
    left, right = np.clip(corner[:, [0, 2]], 0, columns - 1).T
    top, bottom = np.clip(corner[:, [1, 3]], 0, rows - 1).T
    return np.asarray(
        crowd[bottom, right] - crowd[top, right] - crowd[bottom, left] + crowd[top, left]
    )


def _places(foot: Floats, size: Floats, width: int, height: int) -> tuple[Floats, Floats]:
    """Boxes (m, 4) about a foot, within the picture, and how far off they are in tag heights."""
    up = np.arange(STEPS_UP)
    above = foot[1] - RISE_PX - size[1] - up * (size[1] + GAP_PX)
    below = np.array([foot[1] + RISE_PX + 2 * size[1]])
    top = np.concatenate([above, below])
    off_y = np.concatenate([up * 0.9, [2.2]])
    aside = np.array(ASIDE)
    x = foot[0] - size[0] / 2 + aside * size[0]
    left, upper = (grid.ravel() for grid in np.meshgrid(x, top))
    cost = (np.abs(aside)[None] * 0.6 + off_y[:, None]).ravel()
    left = np.clip(left, 0, max(width - size[0], 0))
    outside = (upper < 0) | (upper > height - size[1])
    upper = np.clip(upper, 0, max(height - size[1], 0))
    boxes = np.stack([left, upper, left + size[0], upper + size[1]], axis=1)
    return boxes, cost + 3.0 * outside
