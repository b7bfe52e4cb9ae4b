"""The slow twin of the corridor kernels: shapely, sharing no code with them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

Shapes = NDArray[np.object_]


def seen_along_the_axis(start, toward, shapes: Shapes) -> Shapes:
    """The shapes with the first centroid in the origin and the second due east of it."""
    coords, row = shapely.get_coordinates(shapes, return_index=True)
    x, y = (coords - start[row]).T
    cos, sin = toward[row].T
    turned = np.column_stack([x * cos + y * sin, y * cos - x * sin])
    return shapely.set_coordinates(shapes.copy(), turned)


def strips_of(a: Shapes, b: Shapes, entity: Shapes, hull: Shapes):
    """Row, left and right of every strip between neighbouring breakpoints."""
    edges = shapely.boundary(entity)
    crossings = [shapely.intersection(edges, shapely.boundary(shape)) for shape in (a, b, hull)]
    every = [
        shapely.get_coordinates(s, return_index=True) for s in (a, b, entity, hull, *crossings)
    ]
    places = np.concatenate([coords[:, 0] for coords, _ in every])
    row = np.concatenate([row for _, row in every])
    order = np.lexsort([places, row])
    places, row = places[order], row[order]
    left, right, row = places[:-1], places[1:], np.where(np.diff(row) == 0, row[1:], -1)
    bounds = shapely.bounds(np.stack([entity, hull]))[:, row]
    # Narrower strips are one breakpoint seen twice.
    kept = (row >= 0) & (right - left > 1e-11 * (bounds[1, :, 2] - bounds[1, :, 0]))
    kept &= (left >= bounds[:, :, 0].max(0) - 1e-9) & (right <= bounds[:, :, 2].min(0) + 1e-9)
    return row[kept], left[kept], right[kept]


def extents_at(s, a: Shapes, b: Shapes, entity: Shapes, hull: Shapes):
    """What of the entity is in the corridor on the perpendicular at s, and the width there."""
    _, low, _, high = shapely.bounds(hull).T
    margin = high - low
    ends = np.stack([np.stack([s, low - margin], -1), np.stack([s, high + margin], -1)], 1)
    across = shapely.intersection(shapely.linestrings(ends), hull)
    covered = shapely.intersection(across, entity)
    extent = shapely.length(covered)
    for shape in (a, b):
        extent = extent - shapely.length(shapely.intersection(covered, shape))
    return extent, shapely.length(across)


def fractions_of(a: Shapes, b: Shapes, entity: Shapes) -> NDArray[np.float64]:
    """The greatest share in each scene, from perpendicular lines through each shape by itself.

    Two perpendiculars inside each strip give both extents as straight lines, and so their limits
    at the strip's ends.
    """
    start, stop = (shapely.get_coordinates(shapely.centroid(shapes)) for shapes in (a, b))
    length = np.hypot(*(stop - start).T)[:, None]
    toward = np.where(length > 1e-12, (stop - start) / np.maximum(length, 1e-12), [1.0, 0.0])
    shapes = [seen_along_the_axis(start, toward, shape) for shape in (a, b, entity)]
    shapes.append(shapely.convex_hull(shapely.geometrycollections(np.stack(shapes[:2], 1))))
    row, left, right = strips_of(*shapes)
    near, width_near = extents_at(0.75 * left + 0.25 * right, *(shape[row] for shape in shapes))
    far, width_far = extents_at(0.25 * left + 0.75 * right, *(shape[row] for shape in shapes))
    best = np.zeros(len(a))
    widest = np.zeros(len(a))
    np.maximum.at(widest, row, np.maximum(width_near, width_far))
    for extent, width in (
        (1.5 * near - 0.5 * far, 1.5 * width_near - 0.5 * width_far),
        (1.5 * far - 0.5 * near, 1.5 * width_far - 0.5 * width_near),
    ):
        # In the point in which a hull may end, a ratio is rounding and nothing else.
        share = np.where(width > 1e-6 * widest[row], extent / np.maximum(width, 1e-300), 0)
        np.maximum.at(best, row, share)
    return np.where(shapely.intersects(a, b), 0, np.minimum(best, 1))


@pytest.fixture(scope="session")
def fractions_by_shapely() -> Callable[..., NDArray[np.float64]]:
    """How much of the corridor between two shapes a third covers, scene by scene."""
    return lambda a, b, entity: fractions_of(*(np.array(s, dtype=object) for s in (a, b, entity)))


@pytest.fixture(scope="session")
def fraction_by_shapely(fractions_by_shapely) -> Callable[..., float]:
    """How much of the corridor between two shapes a third covers."""
    return lambda a, b, entity: float(fractions_by_shapely([a], [b], [entity])[0])
