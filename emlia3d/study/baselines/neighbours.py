"""Neighbours by a tree of shapely's, and by a grid in numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Found: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int32]]
"""Where each one's neighbours begin, and who they are, rising."""


def neighbours_by_tree(x: Floats, y: Floats, distance: float) -> Found:
    """Points in an STRtree, asked for all within the distance of each."""
    points: Any = shapely.points(x, y)
    one, other = shapely.STRtree(points).query(points, predicate="dwithin", distance=distance)
    apart = one != other
    one, other = one[apart], other[apart]
    order = np.lexsort((other, one))
    counts = np.bincount(one, minlength=len(x))
    return np.concatenate(([0], np.cumsum(counts))), other[order].astype(np.int32)


def neighbours_by_grid() -> Callable[[Floats, Floats, float], Found]:
    """Cells as wide as the distance, in chains, and the nine around each point; by numba."""
    import numba  # noqa: PLC0415  may be missing

    @numba.njit(cache=False)
    def sweep(x: Any, y: Any, far: float, grid: Any, cells: Any, out: Any) -> Any:
        head, chain = grid
        count, columns = len(x), head.shape[1]
        found = 0
        for i in range(count):
            cells[i + 1] = found
            for row in range(int(y[i] / far), int(y[i] / far) + 3):
                for column in range(int(x[i] / far), int(x[i] / far) + 3):
                    if row < head.shape[0] and column < columns:
                        j = head[row, column]
                        while j >= 0:
                            east, north = x[j] - x[i], y[j] - y[i]
                            if j != i and east * east + north * north <= far * far:
                                if found < len(out):
                                    out[found] = j
                                found += 1
                            j = chain[j]
            if found <= len(out):
                out[cells[i + 1] : found].sort()
            cells[i + 1] = found
        return found

    @numba.njit(cache=False)
    def link(x: Any, y: Any, far: float, head: Any, chain: Any) -> None:
        for i in range(len(x)):
            row, column = int(y[i] / far) + 1, int(x[i] / far) + 1
            chain[i] = head[row, column]
            head[row, column] = i

    def search(x: Floats, y: Floats, distance: float) -> Found:
        west, south = x - x.min(), y - y.min()
        shape = (int(south.max() / distance) + 3, int(west.max() / distance) + 3)
        head, chain = np.full(shape, -1, dtype=np.int32), np.empty(len(x), dtype=np.int32)
        link(west, south, distance, head, chain)
        starts, out = np.zeros(len(x) + 1, dtype=np.int64), np.empty(16 * len(x), dtype=np.int32)
        found = sweep(west, south, distance, (head, chain), starts, out)
        if found > len(out):
            out = np.empty(found, dtype=np.int32)
            sweep(west, south, distance, (head, chain), starts, out)
        return starts, out[:found]

    return search
