"""Footprints at random, and the same by shapely."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import strategies as st

from emlia3d.force.facing import unit_vector
from emlia3d.geometry.footprints import Footprints, footprints

PLACE = st.integers(-20 * 1024, 20 * 1024).map(lambda step: step / 1024)
FACING = st.sampled_from([0, 90, 180, 270, 45, 30, 217]).map(lambda d: d * 64) | st.integers(
    0, 23039
)
EXTENT = st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.0]) | st.integers(1, 8000).map(lambda n: n / 1024)
Shape = tuple[float, float, int, float, float, float]
SHAPES: st.SearchStrategy[Shape] = st.tuples(
    PLACE, PLACE, FACING, EXTENT, EXTENT, st.sampled_from([0.0, 0.5, 1.0]) | EXTENT
)


def of(*shapes: Shape) -> Footprints:
    columns = np.array(shapes, dtype=float).reshape(-1, 6)
    facings = [unit_vector(int(facing)) for facing in columns[:, 2]]
    return footprints(columns[:, :2], facings, *columns[:, 3:].T)


def core_of(shape: Shape) -> shapely.Geometry:
    """The rectangle of a footprint, or the line or the point that is left of it."""
    corners = of(shape).corners()[0]
    _, _, _, width, depth, _ = shape
    if width and depth:
        return shapely.Polygon(corners)
    return (
        shapely.LineString([corners[0], corners[2]])
        if width or depth
        else shapely.Point(corners[0])
    )


def gap_by_shapely(one: Shape, other: Shape) -> float:
    return max(core_of(one).distance(core_of(other)) - one[5] - other[5], 0.0)
