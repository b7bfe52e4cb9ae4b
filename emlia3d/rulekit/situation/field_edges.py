"""Edges of a field: distances from them, and bearings into the field."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.setup import Edge

N = TypeVar("N", float, NDArray[np.float64])

INWARD: dict[Edge, int] = {"south": 0, "west": 90, "north": 180, "east": 270}
"""Bearings from the edges into a field, degrees."""


def distance_from(edge: Edge, place: tuple[N, N], size: tuple[float, float]) -> N:
    """Return the distance of a point from an edge of a field, GSU; negative beyond the edge.

    place : east and north, each a number or an array
    size : of the field, from west to east and from south to north
    """
    (x, y), (east, north) = place, size
    return {"south": y, "north": north - y, "west": x, "east": east - x}[edge]
