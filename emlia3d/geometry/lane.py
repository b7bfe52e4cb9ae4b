"""Extents of bodies along straight ways, and where a lane first meets one.

The frame of a way has coordinates (across, along): along it, and across it to its right, GSU. A
lane is a rectangle of the frame: left, front, right and far end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d._ext import lane as _kernel
from emlia3d.geometry.arrays import Floats

Shapes = NDArray[np.object_]


def framed(points: Floats, east: float, north: float) -> Floats:
    """Return (n, 2) points in the frame of a direction, given by its unit vector."""
    # Not a product of matrices: that may round otherwise on another machine.
    x, y = points.T
    return np.stack((x * north - y * east, x * east + y * north), axis=-1)


def on_the_map(lane: Sequence[float], east: float, north: float) -> shapely.Polygon:
    """Return a rectangle of the frame as a polygon; *lane* is left, rear, right and front."""
    left, rear, right, front = lane
    corners = [
        (across * north + along * east, along * north - across * east)
        for across, along in ((left, rear), (right, rear), (right, front), (left, front))
    ]
    only: shapely.Polygon = np.asarray(shapely.polygons([corners])).item()
    return only


def extents(shapes: Shapes, east: float, north: float) -> Floats:
    """Return (n, 4) left, rear, right and front of shapes in the frame; NaN if empty."""
    out = np.empty((len(shapes), 4))
    _kernel.extents(shapely.get_coordinates(shapes), _starts(shapes), east, north, out)
    return out


class Barring:
    """Polygons that can block lanes, for queries in one direction after another."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._starts = _starts(shapes)
        self._points = shapely.get_coordinates(shapes)
        self._have_holes = bool(shapely.get_num_interior_rings(shapes).any())

    def __len__(self) -> int:
        return len(self._shapes)

    def first_met(self, lanes: Floats, east: float, north: float) -> Floats:
        """Return (m,) distances to the nearest polygon in each lane; infinite if there is none.

        The distance is at least the lane's front. A polygon that only touches a lane is not in it.

        lanes : (m, 4) left, front, right and far end, GSU
        """
        out = np.full(len(lanes), np.nan)
        if not self._have_holes:
            boxes = np.empty((len(self), 4))
            # The kernel turns what it is given.
            _kernel.contacts(self._points.copy(), self._starts, east, north, lanes, boxes, out)
        for row in np.flatnonzero(np.isnan(out)).tolist():
            out[row] = _first_met(self._shapes, lanes[row], east, north)
        return out


def _first_met(shapes: Shapes, lane: Floats, east: float, north: float) -> float:
    """Return where one lane first meets a shape, by shapely: exact, and for shapes with holes."""
    whole = on_the_map(lane.tolist(), east, north)
    inside = shapely.intersection(shapes[shapely.intersects(shapes, whole)], whole)
    inside = inside[shapely.area(inside) > 0]
    nearest = extents(inside, east, north)[:, 1].min(initial=np.inf)
    return max(float(nearest), float(lane[1]))


def _starts(shapes: Shapes) -> NDArray[np.int32]:
    """Return (n + 1,) where the points of each shape begin."""
    starts = np.zeros(len(shapes) + 1, dtype=np.int32)
    np.cumsum(shapely.get_num_coordinates(shapes), out=starts[1:])
    return starts
