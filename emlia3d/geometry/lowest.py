"""The lowest ground about the centres of a raster."""

from __future__ import annotations

import math

import numpy as np

from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.ground_surface import Surface


def lowest_within(surface: Surface, distance: float) -> Floats:
    """Return heights of a surface that lies below all ground about each of its places.

    For each place p between the centres, and each q up to *distance* from p, the surface with
    these heights is at p no higher than the ground at q.

    Parameters
    ----------
    surface : Surface
    distance : float
        GSU, 0 or more.

    Returns
    -------
    (rows, cols) float64
        In the surface's unit of height.

    Raises
    ------
    ValueError
        A distance that is negative or not finite.
    """
    if not (math.isfinite(distance) and distance >= 0):
        raise ValueError("lowest_within: expected a finite distance of 0 or more")
    # The corners of the triangle about p are up to a cell from it each way, and so are those
    # about q.
    beyond = math.ceil(distance / surface.cell) + 2
    return _lowest_rows(_lowest_rows(surface.heights, beyond).T, beyond).T


def _lowest_rows(heights: Floats, beyond: int) -> Floats:
    """Return for each row the lowest of it and of the next rows on both sides."""
    edge = np.full((beyond, heights.shape[1]), np.inf)
    found, rows, wanted = np.concatenate([edge, heights, edge]), 1, 2 * beyond + 1
    while rows < wanted:
        step = min(rows, wanted - rows)
        found = np.minimum(found[:-step], found[step:])
        rows += step
    return found
