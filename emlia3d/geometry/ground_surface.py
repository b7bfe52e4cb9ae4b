"""The ground as a surface of triangles, and how much of a sight corridor it blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from emlia3d._ext import ground as _kernel
from emlia3d.geometry.arrays import Floats, rows_of
from emlia3d.geometry.threads import cores, in_chunks
from emlia3d.geometry.tops import bounds_of

if TYPE_CHECKING:
    from emlia3d.geometry.bodies import Bodies

BLOCK_BYTES = 2**22
"""Temporary arrays about large rasters have about this size."""

_PAIRS, _MOST_PAIRS, _SHARES = 32, 1024, 8
"""Pairs that a thread takes at once: an eighth of its share of many, as memory for corridors takes
longer to get than few of them to measure. Even, as two who look at each other come together."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surface:
    """A triangulated raster: the surface for positions, for sight and for drawing.

    The cell between four neighbouring centres is split along its diagonal from south-west to
    north-east. Beyond the outermost centres the ground continues at the height of the nearest one.

    heights : (rows, cols) float64, any unit of height, row 0 the northernmost; kept read-only,
        copied unless it is so already
    cell : GSU between neighbouring centres, both ways
    west, north : GSU, x of the first column's centres and y of the first row's
    highest : the greatest height

    ValueError where a height is not finite, there is none, or the cell is not above 0.
    """

    heights: Floats
    cell: float
    west: float
    north: float
    highest: float = field(init=False)

    def __post_init__(self) -> None:
        heights = read_only(self.heights)
        if heights.ndim != 2 or not heights.size or not all_finite(heights):
            raise ValueError("surface: heights needs rows and columns of finite numbers")
        if not (self.cell > 0 and np.isfinite([self.cell, self.west, self.north]).all()):
            raise ValueError("surface: cell needs a number of GSU above 0, its corner a place")
        object.__setattr__(self, "heights", heights)
        object.__setattr__(self, "highest", float(heights.max()))

    def heights_at(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """Return heights of the surface at points, exact except for the last rounding.

        x, y : float, GSU, of shapes that broadcast; the result has their common shape
        """
        east = (np.asarray(x, dtype=np.float64) - self.west) / self.cell
        south = (self.north - np.asarray(y, dtype=np.float64)) / self.cell
        return triangulated(self.heights, east, south)


def read_only(heights: ArrayLike) -> Floats:
    """Return heights as read-only float64 in C order; a copy unless they are that already."""
    found = np.asarray(heights, dtype=np.float64)
    memory = found if found.base is None else found.base
    if (
        not isinstance(memory, np.ndarray)
        or memory.flags.writeable
        or memory.base is not None
        or not found.flags.c_contiguous
    ):
        found = np.array(found, dtype=np.float64, order="C")
    found.flags.writeable = False
    return found


def all_finite(heights: Floats) -> bool:
    """Return whether all numbers of an array are finite."""
    return all(
        bool(np.isfinite(heights[first:end]).all())
        for first, end in blocks_of(len(heights), heights[:1].size)
    )


def blocks_of(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """Yield the first and end row of blocks of `BLOCK_BYTES` of float64, at least one row each."""
    step = max(1, BLOCK_BYTES // (8 * max(columns, 1)))
    for first in range(0, rows, step):
        yield first, min(rows, first + step)


def triangulated(heights: Floats, east: ArrayLike, south: ArrayLike) -> Floats:
    """Return heights of the triangulated surface over a raster, at points between its centres.

    heights : (rows, cols) float64, row 0 the northernmost
    east, south : from the north-west centre, in cells, of shapes that broadcast; beyond the
        outermost centres the surface continues level
    """
    right, down = np.asarray(east, dtype=np.float64), np.asarray(south, dtype=np.float64)
    if right.shape != down.shape:
        right, down = np.broadcast_arrays(right, down)
    out = np.empty(right.shape)
    raster = np.ascontiguousarray(heights, dtype=np.float64)
    _kernel.heights_at(raster, right.ravel(), down.ravel(), out.ravel())
    return out


def blocked_fractions(
    surface: Surface,
    bodies: Bodies,
    pairs: ArrayLike,
    eyes: ArrayLike,
    marks: ArrayLike,
    *,
    enough: float = math.inf,
) -> Floats:
    """Return the fraction of each sight corridor in which the ground rises above the sight line.

    The sight line's height is a linear function along the corridor's axis: *eyes* at the first
    body's centroid, *marks* at the second's, and on as it goes beyond them. Where the centroids
    coincide it is level, midway between the two. The places where the ground is strictly above it
    are polygons, and their fraction is taken as an obstacle's is by `corridor_fractions`: exact,
    the greatest share at any place of the axis. Ground that touches the line does not block.

    Swapping the bodies of a pair together with their two heights changes no bit. Several marks of
    one pair, and a pair that follows itself or its reverse, have their corridor laid out once, and
    what the first mark of the one has is not looked for again by the other.

    Parameters
    ----------
    surface : Surface
    bodies : Bodies
    pairs : (n, 2) int, rows of *bodies*
    eyes : (n,) float, or one for all: heights in the surface's unit and from its zero
    marks : (n,) float, or one for all; or (n, m), several heights of each
    enough : a fraction. A share that reaches it may be reported as any number from it to the
        share, and is also reported for all later marks of the pair, which are skipped

    Returns
    -------
    (n,) float64, or (n, m)
        From 0 to 1; 0 for bodies that touch, overlap or leave no width between them.

    Raises
    ------
    IndexError
        A row that *bodies* does not have.
    ValueError
        A height that is not finite.

    Notes
    -----
    Source: emlia.sight.raster-ground, emlia.sight.fraction.

    Ground that rises above the line by less than 2**-42 of the heights involved touches it. These
    heights are counted from zero, but from the eye's if all of them differ by less than 1/1024 of
    it. Measured error for ground with a relief of 8: 9e-10 at heights of 1024, 5e-12 at 1e6.
    """
    both = rows_of(np.ravel(pairs), bodies, "pairs").reshape(-1, 2)
    heights = np.asarray(marks, dtype=np.float64)
    columns = heights if heights.ndim > 1 else heights.reshape(-1, 1)
    eye, mark = np.empty(len(both)), np.empty((len(both), columns.shape[1]))
    eye[:], mark[:] = eyes, columns
    if not (np.isfinite(eye).all() and np.isfinite(mark).all()):
        raise ValueError("blocked_fractions: the ends of a sight line need finite heights")
    rows, cols = surface.heights.shape
    widest, places = bodies.widest, _kernel.places_for(rows)
    bounds, out = bounds_of(surface), np.empty(mark.shape)

    def measure(begin: int, stop: int) -> None:
        room = 4 * (rows + cols) + 64
        while begin < stop:
            some = slice(begin, stop)
            begin += _kernel.fractions(
                surface.heights, surface.cell, surface.west, surface.north, surface.highest,
                *bounds, bodies.x, bodies.y, bodies.rings, bodies.bodies, bodies.boxes,
                bodies.to_centroids, bodies.hull_x, bodies.hull_y, bodies.hulls,
                both[some], eye[some], mark[some], enough, widest, room,
                np.empty(40 * widest + 8 * room + 2 * (cols + 4) + 4 * room + 8 * widest),
                np.empty(2 * room + places, dtype=np.int32), out[some],
            )  # fmt: skip
            room *= 2

    at_once = len(both) // (2 * _SHARES * cores()) * 2
    in_chunks(measure, len(both), min(max(at_once, _PAIRS), _MOST_PAIRS))
    return out if heights.ndim > 1 else out[:, 0]
