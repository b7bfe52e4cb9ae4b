"""Outlines on the board, from the three shapes that a scenario writes.

Every outline is one simple polygon without holes, corners counter-clockwise and on the grid of
1/1024 GSU, so that what is computed from it is the same on every machine. Only ``+ - * /``,
``sqrt`` and overlays on that grid make them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.errors import quoted

GRID = 1024
"""Steps of the position grid in one GSU."""

FARTHEST = 2**15
"""Coordinates stay within this many GSU of the origin, so that turn tests are exact."""

Points = Sequence[Sequence[float]]

# Places to each side of the box round an outline.
_SPREAD = 24

# Sines of the eighth parts of a right angle, rounded so that no libm's last bit shows.
_SINES = tuple(round(math.sin(math.radians(90 * step / 8)) * 2**30) / 2**30 for step in range(9))

# A mitre reaches at most twice the half width from its corner; sharper turns are bevelled.
_SHARPEST = -0.5


def snapped(points: Points) -> NDArray[np.float64]:
    """Return points rounded to 1/1024 GSU; (n, 2) float64, GSU.

    Raises
    ------
    ValueError
        If they are not pairs of finite numbers, or farther than 2^15 GSU from the origin.
    """
    try:
        pairs = np.asarray(points, dtype=np.float64)
    except (TypeError, ValueError):
        pairs = np.empty(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError("points are pairs of numbers: [[x, y], [x, y], ...]")
    if not np.isfinite(pairs).all() or (np.abs(pairs) > FARTHEST).any():
        raise ValueError(f"coordinates are numbers between -{FARTHEST} and {FARTHEST} GSU")
    grid: NDArray[np.float64] = np.round(pairs * GRID) / GRID + 0.0
    return grid


def outline_of_points(points: Points) -> Polygon:
    """Return the polygon with these corners, in either direction, the last joined to the first.

    Repeated corners count once, and so does a last corner that equals the first.

    Raises
    ------
    ValueError
        If there are fewer than three corners, no area, or edges that cross or touch one another.
    """
    corners = snapped(points)
    fresh = (corners != np.roll(corners, 1, axis=0)).any(axis=1)
    corners = corners[fresh] if fresh.any() else corners[:1]
    if len(corners) < 3:
        raise ValueError("an outline needs at least three different corners")
    polygon = Polygon(corners)
    if polygon.convex_hull.area == 0:
        raise ValueError("an outline needs an area; these corners lie on one line")
    if not polygon.is_valid:
        raise ValueError("the outline crosses or touches itself")
    return _counter_clockwise(polygon)


def outline_of_circle(x: float, y: float, radius: float) -> Polygon:
    """Return a regular polygon of 32 corners on a circle, the first due east.

    Raises
    ------
    ValueError
        If the radius is too small for the grid or not a number.
    """
    if not (math.isfinite(radius) and radius * 8 >= 1):
        raise ValueError(
            f"a circle's radius: expected a number from 1/8 GSU up, got {quoted(radius)}"
        )
    quarter = [(_SINES[8 - step], _SINES[step]) for step in range(8)]
    corners = []
    for _ in range(4):
        corners += [[x + east * radius, y + north * radius] for east, north in quarter]
        quarter = [(-north, east) for east, north in quarter]
    return outline_of_points(corners)


def outline_of_path(points: Points, width: float) -> Polygon:
    """Return the strip of a width along a path, with square ends and mitred corners.

    Raises
    ------
    ValueError
        If there are fewer than two points, if the width is too small for the grid, or if the path
        returns to itself, so that the strip encloses other ground.
    """
    if not (math.isfinite(width) and width * 64 >= 1):
        raise ValueError(f"a path's width: expected a number from 1/64 GSU up, got {quoted(width)}")
    line = snapped(points)
    fresh = np.append(True, (line[1:] != line[:-1]).any(axis=1))
    line = line[fresh]
    if len(line) < 2:
        raise ValueError("a path needs at least two different points")
    along = line[1:] - line[:-1]
    length = np.sqrt(along[:, :1] * along[:, :1] + along[:, 1:] * along[:, 1:])
    left = np.column_stack([-along[:, 1], along[:, 0]]) / length * (width / 2)
    # Both sides snap alike, so that each piece's end still passes through the path's own corner.
    left = np.round(left * GRID) / GRID
    pieces = [
        Polygon([a + n, a - n, b - n, b + n])
        for a, b, n in zip(line[:-1], line[1:], left, strict=True)
    ]
    bends = [
        Polygon(_corner(place, before, after, width / 2))
        for place, before, after in zip(line[1:-1], left[:-1], left[1:], strict=True)
        if before[0] * after[1] != before[1] * after[0]
    ]
    # A bend too slight for the grid has no area, and nothing to fill.
    pieces += [bend for bend in bends if bend.is_valid]
    strip = shapely.union_all(pieces, grid_size=1 / GRID)
    if not isinstance(strip, Polygon) or strip.is_empty:
        raise ValueError(
            "the path crosses itself or is too narrow for its turns; write it as two paths"
        )
    if strip.interiors:
        raise ValueError("the path closes a ring; leave a gap, or write it as two paths")
    return _counter_clockwise(strip)


def sample_points(outline: Polygon) -> NDArray[np.float64]:
    """Return points spread evenly over an outline, (n, 2); along its edge if it is too thin."""
    west, south, east, north = outline.bounds
    share = (np.arange(_SPREAD) + 0.5) / _SPREAD
    across, along = np.meshgrid(west + share * (east - west), south + share * (north - south))
    inside = shapely.contains_xy(outline, across, along)
    if inside.sum() >= _SPREAD:
        return np.column_stack((across[inside], along[inside]))
    edge = shapely.line_interpolate_point(outline.exterior, share, normalized=True)
    return shapely.get_coordinates(edge)


def _corner(
    place: NDArray[np.float64],
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    half: float,
) -> list[NDArray[np.float64]]:
    """Return the corner that fills the outer side of a bend between two strips."""
    if before[0] * after[1] > before[1] * after[0]:
        before, after = -before, -after
    closeness = (before[0] * after[0] + before[1] * after[1]) / (half * half)
    if closeness < _SHARPEST:
        return [place, place + before, place + after]
    tip = place + np.round((before + after) / (1 + closeness) * GRID) / GRID
    return [place, place + before, tip, place + after]


def _counter_clockwise(polygon: Polygon) -> Polygon:
    ring = polygon.exterior
    return polygon if ring.is_ccw else Polygon(ring.coords[::-1])
