"""Shortest ways of a point round shapes."""

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
"""Distance from the shapes at which a way bends, GSU."""


def shortest_way(start: Place, goal: Place, shut: BaseGeometry) -> list[Place]:
    """Return the bends of the shortest way to a goal, and the goal; [] if there is no way.

    The way bends at corners of an outline `ROOM` outside the shapes, so it is longer than the
    shortest of all ways by little. If the start lies in a shape, there is no way.

    shut : shapes that the way does not touch
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
    """Yield each place that a straight line reaches, and its distance."""
    ends = np.stack((np.broadcast_to(spots[here], spots.shape), spots), axis=1)
    lines = shapely.linestrings(ends)
    lengths: NDArray[np.float64] = np.atleast_1d(shapely.length(lines))
    for other in np.flatnonzero(~shapely.intersects(shut, lines)).tolist():
        yield other, float(lengths[other])


def _traced(spots: NDArray[np.float64], before: dict[int, int]) -> Iterator[Place]:
    """Yield the way to the goal, from its first bend on."""
    path = [1]
    while before[path[-1]]:
        path.append(before[path[-1]])
    for number in reversed(path):
        yield spots.item(number, 0), spots.item(number, 1)
