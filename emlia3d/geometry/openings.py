"""Narrow openings between round bodies and outlines, and lines that lead through them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.geometry.arrays import Floats

SMALLEST = 2.0**-20
"""GSU of an opening that is none: the two touch."""


@dataclass(frozen=True, slots=True, eq=False)
class Openings:
    """Openings, each between two bodies.

    ends : (openings, 2, 2) float64, GSU, the shortest line across each
    between : (openings, 2) int64, the rows of the bodies
    """

    ends: Floats
    between: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.between)

    def crossed(self, start: Floats, end: Floats) -> Floats:
        """Return (lines, openings): the distance from the start of each line to each opening.

        It is inf if the line does not cross the opening.

        start, end : (lines, 2) float64, GSU
        """
        way = end - start
        length = np.hypot(way[:, 0], way[:, 1])[:, None]
        east, north = (way / np.maximum(length, SMALLEST)).T[:, :, None]
        x, y = (self.ends[None] - start[:, None, None]).transpose(3, 2, 0, 1)
        side, along = east * y - north * x, east * x + north * y
        crosses = (side[0] > 0) != (side[1] > 0)
        span = np.where(crosses, side[0] - side[1], 1.0)
        at = along[0] + (along[1] - along[0]) * side[0] / span
        return np.where(crosses & (at > 0) & (at < length), at, np.inf)


def openings(shapes: NDArray[np.object_], radius: Floats, width: float) -> Openings:
    """Return the openings between bodies that are narrower than a width.

    Parameters
    ----------
    shapes
        Polygons, and points for discs.
    radius
        (n,) float64, GSU, of discs; 0 for polygons.
    width
        GSU.
    """
    reach = width + radius + radius.max(initial=0.0)
    one, other = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=reach)
    one, other = one[one < other], other[one < other]
    lines = shapely.shortest_line(shapes[one], shapes[other])
    gap = shapely.length(lines) - radius[one] - radius[other]
    keep = (gap > SMALLEST) & (gap < width - SMALLEST)
    ends = shapely.get_coordinates(lines[keep]).reshape(-1, 2, 2)
    one, other = one[keep], other[keep]
    way = ends[:, 1] - ends[:, 0]
    way = way / np.hypot(way[:, 0], way[:, 1])[:, None]
    ends[:, 0] += way * radius[one, None]
    ends[:, 1] -= way * radius[other, None]
    return Openings(ends, np.column_stack((one, other)).astype(np.int64))
