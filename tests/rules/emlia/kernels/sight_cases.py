"""Sight questions for tests: bodies of which the first are obstacles, and who looks at whom."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.geometry import Bodies, ObstacleIndex
from emlia3d.rules.emlia.kernels.corridor_obstacles import ALWAYS, Obstacles, SightQueries


def bodies_of(
    *shapes: shapely.Geometry, height: float | Sequence[float] = 5.0, solid: bool = True
) -> Bodies:
    count = len(shapes)
    return Bodies(
        list(shapes), np.zeros(count), np.broadcast_to(height, count), np.full(count, solid)
    )


def obstacles_of(
    bodies: Bodies,
    count: int,
    *,
    thickness: float = math.nan,
    camouflaged: bool = False,
    counts: int = ALWAYS,
) -> Obstacles:
    """The first so many of these bodies."""
    shapes = bodies.outlines()[:count]
    return Obstacles(
        screen=ObstacleIndex(bodies, np.arange(count)),
        tops=(bodies.base + bodies.height)[:count],
        thickness=np.full(count, thickness),
        convex=shapely.area(shapely.convex_hull(shapes)) <= shapely.area(shapes) * (1 + 1e-12),
        camouflaged=np.full((1, count), camouflaged),
        counts=np.full(count, counts, dtype=np.uint8),
    )


def asked_of(
    ends: Sequence[tuple[int, int]] | NDArray[np.intp],
    heights: Sequence[tuple[float, float]],
    *,
    crouched: bool = False,
    alone: bool = True,
) -> SightQueries:
    """Who look at whom, by rows of bodies, and how tall both are; all of one unit."""
    count = len(ends)
    figures = np.zeros((2, count, 4))
    figures[:, :, 1:] = np.array(heights, dtype=np.float64).reshape(-1, 2).T[:, :, None]
    figures[:, :, 2] /= 2
    return SightQueries(
        ends=np.array(ends, dtype=np.int32).reshape(-1, 2),
        observers=figures[0],
        observed=figures[1],
        crouched=np.full(count, crouched),
        perched=np.zeros(count, dtype=np.bool_),
        units=np.zeros((count, 2), dtype=np.int32),
        alone=np.full((count, 2), alone),
        own=np.full(count, -1, dtype=np.int32),
        floors=np.zeros(count, dtype=np.uint8),
    )
