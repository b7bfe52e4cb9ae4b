"""Outlines in columns, and where many straight lines cross them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.geometry.arrays import Floats

Bools = NDArray[np.bool_]

SHORTEST = 2.0**-20
"""GSU that a line may run in an outline and only touch it."""


@dataclass(frozen=True, slots=True)
class Crossings:
    """Crossings of lines with outlines, (lines, outlines) float64, GSU from the start of a line.

    near, far : ends of the part of the line in the outline; inf and -inf if no length of it is
    first, last : crossings of the edge; inf and -inf if there is none
    """

    near: Floats
    far: Floats
    first: Floats
    last: Floats

    @property
    def through(self) -> Bools:
        """True if a line runs through an outline for a positive length."""
        return self.far > self.near


class Outlines:
    """Polygons, with their corners in columns.

    shapes : (outlines,) object array of polygons
    """

    def __init__(self, shapes: Sequence[BaseGeometry]) -> None:
        self.shapes = np.array(shapes, dtype=object)
        rings, of = shapely.get_rings(self.shapes, return_index=True)
        self._corners, ring = shapely.get_coordinates(rings, return_index=True)
        self._edges = np.flatnonzero(ring[1:] == ring[:-1])
        owner = of[ring[self._edges]] if len(of) else np.empty(0, dtype=np.intp)
        self._first = np.searchsorted(owner, np.arange(len(self.shapes)))
        self._counts = np.bincount(owner, minlength=len(self.shapes))
        bounds = shapely.bounds(self.shapes).reshape(-1, 4)
        self._middle = (bounds[:, :2] + bounds[:, 2:]) / 2
        self._reach = np.hypot(*(bounds[:, 2:] - bounds[:, :2]).T) / 2
        self._edge = shapely.boundary(self.shapes)

    def __len__(self) -> int:
        return len(self.shapes)

    def holds(self, spots: Floats) -> Bools:
        """Return (spots, outlines): whether each point is in each outline."""
        held: Bools = shapely.contains_xy(self.shapes[None], spots[:, :1], spots[:, 1:])
        return held

    def distance(self, spots: Floats, near: float, *, to_edge: bool = False) -> Floats:
        """Return (spots, outlines) distances, GSU; inf if they certainly exceed *near*.

        to_edge : whether points inside have the distance to the edge instead of 0
        """
        off = np.hypot(*np.moveaxis(spots[:, None] - self._middle[None], 2, 0))
        spot, shape = np.nonzero(off - self._reach <= near)
        found = np.full(off.shape, np.inf)
        targets = self._edge if to_edge else self.shapes
        found[spot, shape] = shapely.distance(shapely.points(spots[spot]), targets[shape])
        return found

    def crossed(self, start: Floats, end: Floats) -> Crossings:
        """Return the crossings of lines, from (lines, 2) *start* to *end*, with the outlines."""
        found = [np.full((len(start), len(self)), value) for value in (1.0, 0.0, np.inf, -np.inf)]
        way = end - start
        length = np.hypot(way[:, 0], way[:, 1])
        way = way / np.maximum(length, SHORTEST)[:, None]
        line, shape = self._near(start, way, length)
        if len(line):
            cells = self._crossed(start[line], way[line], length[line], shape)
            for whole, part in zip(found, cells, strict=True):
                whole[line, shape] = part
        near, far, first, last = found
        through = far - near > SHORTEST
        return Crossings(
            np.where(through, near, np.inf), np.where(through, far, -np.inf), first, last
        )

    def _near(
        self, start: Floats, way: Floats, length: Floats
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the lines and outlines that come near each other, in two columns."""
        x, y = (self._middle[None] - start[:, None]).transpose(2, 0, 1)
        along, off = x * way[:, :1] + y * way[:, 1:], y * way[:, :1] - x * way[:, 1:]
        beyond = np.maximum(np.maximum(-along, along - length[:, None]), 0.0)
        line, shape = np.nonzero(off * off + beyond * beyond <= (self._reach + SHORTEST) ** 2)
        return line, shape

    def _crossed(
        self, start: Floats, way: Floats, length: Floats, shape: NDArray[np.intp]
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Return near, far, first and last of pairs of a line and an outline."""
        counts = self._counts[shape]
        begins = np.cumsum(counts) - counts
        pair = np.repeat(np.arange(len(shape)), counts)
        edge = self._edges[np.arange(len(pair)) - begins[pair] + self._first[shape][pair]]
        x, y = start[pair].T
        east, north = way[pair].T
        (x0, y0), (x1, y1) = self._corners[edge].T, self._corners[edge + 1].T
        side0, side1 = east * (y0 - y) - north * (x0 - x), east * (y1 - y) - north * (x1 - x)
        along0, along1 = east * (x0 - x) + north * (y0 - y), east * (x1 - x) + north * (y1 - y)
        crosses = (side0 > 0) != (side1 > 0)
        at = along0 + (along1 - along0) * side0 / np.where(crosses, side0 - side1, 1.0)
        far_end = length[pair]
        on = crosses & (at >= 0) & (at <= far_end)
        first = np.minimum.reduceat(np.where(on, at, np.inf), begins)
        last = np.maximum.reduceat(np.where(on, at, -np.inf), begins)
        # A place lies in an outline if a ray from it crosses the edge an odd number of times.
        before = np.add.reduceat(crosses & (at < 0), begins, dtype=np.int64)
        after = np.add.reduceat(crosses & (at > far_end), begins, dtype=np.int64)
        near = np.where(before % 2 == 1, 0.0, first)
        far = np.where(after % 2 == 1, length, last)
        return near, far, first, last
