"""Fixed-radius neighbour search by shapely's tree, and by a counting-sort grid in numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Found: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int32]]
"""The offsets of each point's neighbours, and the neighbours in ascending order."""
NeighbourSearch: TypeAlias = Callable[[Floats, Floats, float], Found]


def neighbours_by_tree(x: Floats, y: Floats, distance: float) -> Found:
    """Return the neighbours of all points by one bulk query of an STRtree."""
    points: Any = shapely.points(x, y)
    one, other = shapely.STRtree(points).query(points, predicate="dwithin", distance=distance)
    apart = one != other
    # One integer sorts faster than two columns.
    pairs = one[apart] * len(x) + other[apart]
    pairs.sort()
    one, other = np.divmod(pairs, len(x))
    counts = np.bincount(one, minlength=len(x))
    return np.concatenate(([0], np.cumsum(counts))), other.astype(np.int32)


def neighbours_by_grid() -> NeighbourSearch:
    """Return a compiled search: points sorted into cells as wide as the distance, by counting.

    Coordinates are copied in the order of the cells, so that three adjacent cells of a row are one
    range. Points are added to the lists of their neighbours in ascending order.
    """
    import numba  # noqa: PLC0415  may be missing

    @numba.njit(cache=False)
    def sort_into_cells(x: Any, y: Any, far: float, shape: Any, order: Any, held: Any) -> Any:
        rows, columns = shape
        west, south, scale = x.min(), y.min(), 1 / far
        cells = np.empty(len(x), np.int32)
        starts = np.zeros(rows * columns + 1, np.int32)
        for i in range(len(x)):
            # The grid has a border of empty cells.
            row, column = int((y[i] - south) * scale) + 1, int((x[i] - west) * scale) + 1
            cells[i] = row * columns + column
            starts[cells[i]] += 1
        total = 0
        for cell in range(len(starts)):
            count = starts[cell]
            starts[cell] = total
            total += count
        for i in range(len(x)):
            at = starts[cells[i]]
            starts[cells[i]] += 1
            order[at], held[0, at], held[1, at] = i, x[i], y[i]
        for cell in range(len(starts) - 1, 0, -1):
            starts[cell] = starts[cell - 1]
        starts[0] = 0
        return cells, starts

    @numba.njit(cache=False)
    def search(x: Any, y: Any, far: float, shape: Any) -> Any:
        count, square, columns = len(x), far * far, shape[1]
        order, held = np.empty(count, np.int32), np.empty((2, count))
        cells, starts = sort_into_cells(x, y, far, shape, order, held)
        offsets, found = np.zeros(count + 1, np.int64), np.empty(16 * count + 64, np.int32)
        total = 0
        for i in range(count):
            cell, east, north = cells[i], x[i], y[i]
            begun = total
            for row in range(-1, 2):
                first = starts[cell + row * columns - 1]
                last = starts[cell + row * columns + 2]
                if total + last - first > len(found):
                    longer = np.empty(2 * len(found) + last - first, np.int32)
                    longer[:total] = found[:total]
                    found = longer
                # Branch-free: each candidate is written, and the count increases if it is near.
                for k in range(first, last):
                    across, along = held[0, k] - east, held[1, k] - north
                    found[total] = order[k]
                    total += (across * across + along * along <= square) & (order[k] != i)
            offsets[i + 1] = total - begun
        for i in range(count):
            offsets[i + 1] += offsets[i]
        # The relation is symmetric, so a point is in as many lists as it has neighbours.
        free, out, at = offsets[:-1].copy(), np.empty(total, np.int32), 0
        for i in range(count):
            for _ in range(offsets[i + 1] - offsets[i]):
                other = found[at]
                out[free[other]] = i
                free[other] += 1
                at += 1
        return offsets, out

    def neighbours(x: Floats, y: Floats, distance: float) -> Found:
        rows = int((y.max() - y.min()) / distance) + 3
        columns = int((x.max() - x.min()) / distance) + 3
        found: Found = search(x, y, distance, (rows, columns))
        return found

    return neighbours
