"""Shortest paths of a point around shapes."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

Place = tuple[float, float]

ROOM = 0.1
"""Distance from the shapes at which a path bends, GSU."""


def shortest_way(start: Place, goal: Place, shut: BaseGeometry) -> list[Place]:
    """Return the bends of the shortest path to a goal, and the goal; [] if there is no path.

    The path bends at corners of an outline `ROOM` outside the shapes, so it is slightly longer than
    the true shortest path. If the start is inside a shape, there is no path.

    shut : shapes that the path must not touch
    """
    rim = shapely.get_coordinates(shut.buffer(ROOM, quad_segs=2).simplify(ROOM / 2))
    spots = np.concatenate(([start, goal], rim))
    shapely.prepare(shut)
    best, before = {0: 0.0}, {0: 0}
    queue = [(0.0, 0)]
    settled: set[int] = set()
    while queue:
        far, here = heappop(queue)
        if here == 1:
            return list(_traced(spots, before))
        if here in settled:
            continue
        settled.add(here)
        for other, length in _seen_from(spots, here, shut):
            if far + length < best.get(other, inf):
                best[other], before[other] = far + length, here
                heappush(queue, (far + length, other))
    return []


def _seen_from(
    spots: NDArray[np.float64], here: int, shut: BaseGeometry
) -> Iterator[tuple[int, float]]:
    """Yield each point that a straight line reaches, and its distance."""
    ends = np.stack((np.broadcast_to(spots[here], spots.shape), spots), axis=1)
    lines = shapely.linestrings(ends)
    lengths: NDArray[np.float64] = np.atleast_1d(shapely.length(lines))
    for other in np.flatnonzero(~shapely.intersects(shut, lines)).tolist():
        yield other, float(lengths[other])


def _traced(spots: NDArray[np.float64], before: dict[int, int]) -> Iterator[Place]:
    """Yield the path to the goal, from its first bend."""
    path = [1]
    while before[path[-1]]:
        path.append(before[path[-1]])
    for number in reversed(path):
        yield spots.item(number, 0), spots.item(number, 1)
