"""Shapes of features and areas in their tables: outlines, handles and moves, in GSU."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon

from emlia3d.view.editing.edited_scenario import Place

SHAPES = ("outline", "circle", "path")
"""Keys of a table that define its shape by points."""

ARC = 8
"""Corners in a quarter of a drawn circle."""


def shape_key(values: Mapping[str, Any]) -> str | None:
    """Return the key of `SHAPES` in a table; None if it has no valid one."""
    for key in SHAPES:
        if key in values and _is_usable(values, key):
            return key
    return None


def _is_usable(values: Mapping[str, Any], key: str) -> bool:
    try:
        points = np.array(values[key], np.float64)
    except (TypeError, ValueError):
        return False
    if not np.isfinite(points).all():
        return False
    if key == "circle":
        return bool(points.shape == (3,) and points[2] > 0)
    least = 3 if key == "outline" else 2
    return points.ndim == 2 and points.shape[1] == 2 and len(points) >= least


def outline_of_table(
    values: Mapping[str, Any], size: tuple[float, float]
) -> NDArray[np.float64] | None:
    """Return the outline (n, 2) of a table's shape on a field of *size*; None if it has none."""
    key = shape_key(values)
    if key == "outline":
        return np.array(values[key], np.float64)
    if key == "circle":
        x, y, radius = values[key]
        return _ring(Point(x, y).buffer(radius, quad_segs=ARC))
    if key == "path":
        width = values.get("width", 1.0)
        if not isinstance(width, int | float) or not width > 0:
            return None
        return _ring(LineString(values[key]).buffer(width / 2, cap_style="flat"))
    return _strip(values.get("edge"), values.get("depth"), size)


def _ring(shape: Any) -> NDArray[np.float64] | None:
    """Return the outer ring of a polygon, not closed; None if it has none."""
    if not isinstance(shape, Polygon) or shape.is_empty:
        return None
    return np.asarray(shape.exterior.coords, np.float64)[:-1]


def _strip(edge: object, depth: object, size: tuple[float, float]) -> NDArray[np.float64] | None:
    """Return the strip along an edge of the field."""
    if not isinstance(depth, int | float) or not depth > 0:
        return None
    east, north = size
    boxes = {
        "north": (0.0, north - depth, east, north),
        "south": (0.0, 0.0, east, depth),
        "west": (0.0, 0.0, depth, north),
        "east": (east - depth, 0.0, east, north),
    }
    return _ring(shapely.box(*boxes[edge])) if isinstance(edge, str) and edge in boxes else None


def handles_of(values: Mapping[str, Any]) -> list[Place]:
    """Return the handles of a shape.

    Corners are first. For outlines and paths, the midpoints between corners follow; a midpoint that
    is dragged becomes a corner. A circle has its centre and a point on its edge.
    """
    key = shape_key(values)
    if key is None:
        return []
    if key == "circle":
        x, y, radius = map(float, values[key])
        return [(x, y), (x + radius, y)]
    corners = [(float(x), float(y)) for x, y in values[key]]
    after = [*corners[1:], corners[0]] if key == "outline" else corners[1:]
    middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(corners, after, strict=False)]
    return corners + middles


def moved(values: Mapping[str, Any], east: float, north: float) -> dict[str, Any]:
    """Return the changed values of a shape that was moved."""
    key = shape_key(values)
    if key is None:
        return {}
    if key == "circle":
        x, y, radius = values[key]
        return {key: [x + east, y + north, radius]}
    return {key: [[x + east, y + north] for x, y in values[key]]}


def shape_turned(values: Mapping[str, Any], about: Place, degrees: float) -> dict[str, Any]:
    """Return the changed values of a shape that was turned clockwise around a point."""
    key = shape_key(values)
    if key is None:
        return {}
    points = [values[key][:2]] if key == "circle" else values[key]
    found = turned(np.array(points, np.float64), about, degrees, about).tolist()
    return {key: [*found[0], values[key][2]] if key == "circle" else found}


def reshaped(
    values: Mapping[str, Any], handle: int, place: Place, slack: float = 0.0
) -> dict[str, Any]:
    """Return the changed values of a shape after a drag of a handle to a point.

    slack : distance at which a corner that is dragged onto the next one is removed, GSU
    """
    key = shape_key(values)
    if key is None:
        return {}
    if key == "circle":
        x, y, radius = values[key]
        if handle == 0:
            return {key: [*place, radius]}
        return {key: [x, y, max(math.dist((x, y), place), 0.1)]}
    corners = [list(corner) for corner in values[key]]
    if handle >= len(corners):
        at = handle - len(corners) + 1
        corners.insert(at, list(place))
        return {key: corners}
    corners[handle] = list(place)
    least = 3 if key == "outline" else 2
    neighbours = [handle - 1, handle + 1]
    if key == "outline":
        neighbours = [at % len(corners) for at in neighbours]
    near = [
        at for at in neighbours if 0 <= at < len(corners) and math.dist(corners[at], place) <= slack
    ]
    if near and len(corners) > least:
        del corners[handle]
    return {key: corners}


def holds(outline: NDArray[np.float64], place: Place, slack: float) -> bool:
    """Return whether a point is in an outline, or at most *slack* from it."""
    shape = Polygon(outline)
    return bool(shapely.distance(shape if shape.is_valid else shape.convex_hull, Point(place))
                <= slack)  # fmt: skip


def turned(
    outline: NDArray[np.float64], about: Place, degrees: float, to: Place
) -> NDArray[np.float64]:
    """Return an outline, turned clockwise around a point that then moves to another."""
    angle = math.radians(degrees)
    east, north = (outline - np.array(about)).T
    turned_east = east * math.cos(angle) + north * math.sin(angle)
    turned_north = north * math.cos(angle) - east * math.sin(angle)
    return np.stack([turned_east + to[0], turned_north + to[1]], axis=1)


def bearing(start: Place, end: Place) -> float:
    """Return the bearing from one point to another, degrees from 0 to 360."""
    return math.degrees(math.atan2(end[0] - start[0], end[1] - start[1])) % 360
