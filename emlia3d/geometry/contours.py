"""Contours: outlines of ground that rises in steps, nested in each other."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, hypot

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.geometry.arrays import Floats


def nesting_levels(shapes: NDArray[np.object_]) -> NDArray[np.int64]:
    """Return (outlines,) the number of outlines that cover each one, itself included.

    If outlines are equal, each covers the outlines before it.
    """
    covers = shapely.covers(shapes[None], shapes[:, None])
    covers &= ~(covers.T & np.triu(np.ones(covers.shape, dtype=np.bool_), 1))
    return np.asarray(covers.sum(axis=1), dtype=np.int64)


def shared_edges(shapes: NDArray[np.object_]) -> Iterator[BaseGeometry]:
    """Yield the lines on which the edges of two outlines coincide."""
    edges = shapely.boundary(shapes)
    for number, edge in enumerate(edges):
        for other in edges[:number]:
            shared = shapely.intersection(edge, other)
            if shared.length > 0:
                yield shared


def steps(heights: Floats, step: float, cell: float, north: float) -> Iterator[BaseGeometry]:
    """Yield the outlines at which a raster rises from step to step above its lowest cell.

    heights : (rows, columns) float64, row 0 northernmost
    step : in the unit of *heights*
    cell : length of a cell, GSU
    north : of the northern edge, GSU; the western edge is at 0
    """
    levels = np.floor((heights - heights.min()) / step).astype(np.int64)
    for level in range(1, int(levels.max()) + 1):
        boxes = []
        for row, on in enumerate(levels >= level):
            turns = np.flatnonzero(np.diff(on, prepend=False, append=False)) * cell
            top = north - row * cell
            boxes += [
                shapely.box(west, top - cell, east, top)
                for west, east in zip(turns[::2], turns[1::2], strict=True)
            ]
        yield from shapely.get_parts(shapely.union_all(boxes))


def sections(outline: Polygon, length: float) -> list[Polygon]:
    """Return an outline cut across its longer extent into equal sections of a maximum length.

    A length can exceed the maximum by a hundredth. A section with several parts becomes several.
    """
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(outline))[:4]
    sides = [hypot(*(corners[i + 1] - corners[i])) for i in (0, 1)]
    if sides[1] > sides[0]:
        corners = np.roll(corners, -1, axis=0)
    count = max(1, ceil(max(sides) / length - 0.01))
    ends = np.linspace(0, 1, count + 1)[:, None]
    left = corners[0] + (corners[1] - corners[0]) * ends
    right = corners[3] + (corners[2] - corners[3]) * ends
    cells = [Polygon([left[i], left[i + 1], right[i + 1], right[i]]) for i in range(count)]
    parts = [shapely.intersection(outline, cell) for cell in cells]
    return [part for whole in parts for part in shapely.get_parts(whole) if part.area > 0]
