"""The slow twin of the corridor kernels: shapely and plain Python, sharing no code with them."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import shapely
from shapely import affinity


def stretches(line, shape) -> list[tuple[float, float]]:
    """What of a line along y lies in a shape, from and to."""
    pieces = shapely.get_parts(shapely.intersection(line, shape))
    return [(piece.bounds[1], piece.bounds[3]) for piece in pieces if not piece.is_empty]


def overlap(ones, others) -> float:
    return sum(
        max(0.0, min(stop, end) - max(start, begin))
        for start, stop in ones
        for begin, end in others
    )


def extents(s, a, b, entity, hull) -> tuple[float, float]:
    """What of the entity is in the corridor on the perpendicular at s, and its width."""
    line = shapely.LineString([(s, hull.bounds[1] - 1), (s, hull.bounds[3] + 1)])
    ((low, high),) = stretches(line, hull)
    inside = [
        (max(start, low), min(stop, high))
        for start, stop in stretches(line, entity)
        if start < high and stop > low
    ]
    bodies = stretches(line, a) + stretches(line, b)
    return sum(stop - start for start, stop in inside) - overlap(inside, bodies), high - low


def _fraction_by_shapely(a, b, entity) -> float:
    """The greatest share, from shapely's perpendicular lines through each shape by itself.

    Two perpendiculars inside each strip between neighbouring breakpoints give both extents as
    straight lines, and so their limits at the strip's ends.
    """
    hull = shapely.convex_hull(shapely.GeometryCollection([a, b]))
    if a.intersects(b) or hull.area == 0 or not hull.intersects(entity):
        return 0.0
    start, stop = a.centroid, b.centroid
    angle = -math.atan2(stop.y - start.y, stop.x - start.x)
    if not start.equals_exact(stop, 1e-12):
        a, b, entity, hull = (
            affinity.rotate(shape, angle, origin=start, use_radians=True)
            for shape in (a, b, entity, hull)
        )
    shapes = [a, b, entity, hull]
    crossings = [shapely.intersection(entity.boundary, shape.boundary) for shape in (a, b, hull)]
    places = np.unique(shapely.get_coordinates([*shapes, *crossings])[:, 0])
    places = places[(places >= hull.bounds[0]) & (places <= hull.bounds[2])]
    best = 0.0
    for left, right in pairwise(places):
        # Narrower strips are one breakpoint seen twice.
        if right - left > 1e-7 and left < entity.bounds[2] and right > entity.bounds[0]:
            near, width_near = extents(0.75 * left + 0.25 * right, *shapes)
            far, width_far = extents(0.25 * left + 0.75 * right, *shapes)
            for extent, width in (
                (1.5 * near - 0.5 * far, 1.5 * width_near - 0.5 * width_far),
                (1.5 * far - 0.5 * near, 1.5 * width_far - 0.5 * width_near),
            ):
                if width > 1e-6 * max(width_near, width_far):
                    best = max(best, extent / width)
    return best


@pytest.fixture(scope="session")
def fraction_by_shapely() -> Callable[..., float]:
    """How much of the corridor between two shapes a third covers."""
    return _fraction_by_shapely
