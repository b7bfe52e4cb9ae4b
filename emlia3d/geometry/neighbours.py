"""Who lies near whom: everyone within a distance of everyone, without asking each pair.

In the plane: height has no part in it. What lies exactly at the distance is near.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import neighbours as _kernel
from emlia3d.geometry.bodies import FARTHEST, Floats
from emlia3d.geometry.threads import in_chunks

Shapes: TypeAlias = Sequence[shapely.Geometry] | NDArray[np.object_]

_ASKED_AT_ONCE = 16384
_CELLS_EACH, _CELLS_MORE = 64, 1024
_LEAST = 2.0**-300
_SLACK = 1e-9
"""What the sieve of boxes lets through beyond the distance, as outlines are measured rounded."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Everyone's neighbours, flat: those of i are rows[offsets[i] : offsets[i + 1]], rising.

    offsets : (n + 1,) int64
    rows : (k,) int32
    """

    offsets: NDArray[np.int64]
    rows: NDArray[np.int32]

    def of(self, row: int) -> NDArray[np.int32]:
        """The neighbours of one, by number."""
        return self.rows[self.offsets[row] : self.offsets[row + 1]]

    def pairs(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """(k,), (k,): who has a neighbour, and the neighbour."""
        owners = np.arange(len(self.offsets) - 1, dtype=np.int32)
        return np.repeat(owners, np.diff(self.offsets)), self.rows


def discs_within(
    x: ArrayLike, y: ArrayLike, distance: ArrayLike, radius: ArrayLike = 0.0
) -> Neighbours:
    """Whom each disc has within a distance, edge to edge; exact, and the border counts.

    With a distance for each, some may have others within theirs who have not them in their own.

    x, y : (n,) float, GSU, centres
    distance : () or (n,) float, GSU, 0 or more
    radius : () or (n,) float, GSU, 0 or more; 0 for points
    A length below 2^-300 is taken for 0.

    Raises
    ------
    ValueError
        Columns of different lengths, or a number that is not finite, negative where it may not
        be, or beyond `FARTHEST`.
    """
    places = np.broadcast_arrays(x, y)
    if places[0].ndim != 1:
        raise ValueError("x and y want a row of numbers each")
    count = len(places[0])
    shapes = np.zeros((6, count))
    shapes[:2] = places
    shapes[4] = _lengths("radius", radius, count)
    shapes[5] = _lengths("distance", distance, count)
    size = np.abs(shapes[:2])
    if not (size <= FARTHEST).all():
        raise ValueError(f"x and y want places no farther than {FARTHEST} GSU")
    shapes[:2] *= size >= _LEAST
    return _near(shapes, boxes=False)


def outlines_within(shapes: Shapes, distance: ArrayLike) -> Neighbours:
    """Whom each outline has within a distance, nearest edges; as `distances` measures, closed.

    shapes : (n,) shapely geometries; an empty one is near nobody
    distance : () or (n,) float, GSU, 0 or more: with a distance for each, of those that it reaches

    Raises
    ------
    ValueError
        As in `discs_within`.
    """
    outlines = np.asarray(shapes, dtype=np.object_)
    reaches = _lengths("distance", distance, len(outlines))
    boxes = shapely.bounds(outlines).reshape(-1, 4)
    there = ~np.isnan(boxes).any(axis=1)
    rows = np.flatnonzero(there).astype(np.int32)
    if not (np.abs(boxes[there]) <= FARTHEST).all():
        raise ValueError(f"shapes want places no farther than {FARTHEST} GSU")
    west, south, east, north = boxes[there].T
    sieve = np.zeros((6, len(rows)))
    sieve[0], sieve[1] = (west + east) / 2, (south + north) / 2
    sieve[2], sieve[3] = (east - west) / 2, (north - south) / 2
    sieve[5] = reaches[rows] * (1 + _SLACK) + _SLACK
    ones, others = (rows[found] for found in _near(sieve, boxes=True).pairs())
    # Each two once, however often they ask about each other.
    both = np.minimum(ones, others).astype(np.int64) * len(outlines) + np.maximum(ones, others)
    asked, places = np.unique(both, return_inverse=True)
    first, second = np.divmod(asked, max(len(outlines), 1))
    gaps = shapely.distance(outlines[first], outlines[second])[places]
    near = gaps <= reaches[ones]
    counts = np.bincount(ones[near], minlength=len(outlines))
    return Neighbours(np.concatenate(([0], np.cumsum(counts))), others[near])


def _lengths(name: str, lengths: ArrayLike, count: int) -> Floats:
    given = np.asarray(lengths, dtype=np.float64)
    if given.shape not in {(), (count,)}:
        raise ValueError(f"{name} wants one number, or {count}")
    if not ((given >= 0) & (given <= FARTHEST)).all():
        raise ValueError(f"{name} wants lengths from 0 to {FARTHEST} GSU")
    return np.broadcast_to(given * (given >= _LEAST), (count,))


@dataclass(frozen=True, slots=True)
class _Grid:
    """Those who reach about equally far, cell by cell.

    order : who they are; held : their shapes, in that order; starts : where each cell begins
    """

    order: NDArray[np.int32]
    held: Floats
    starts: NDArray[np.int32]
    west: float
    south: float
    cell: float
    columns: int
    lines: int
    farthest: float


@dataclass(frozen=True, slots=True)
class _Found:
    """Who in a grid has those from *begin* to *end* in reach, for each of them how many."""

    begin: int
    end: int
    rows: NDArray[np.int32]
    counts: NDArray[np.int32]


def _near(shapes: Floats, *, boxes: bool) -> Neighbours:
    """Whom each has in its reach.

    shapes : (6, n), as the kernel has it
    """
    count = shapes.shape[1]
    found: list[_Found] = []
    if count:
        farthest = shapes[4] + shapes[5]
        if boxes:
            farthest += np.maximum(shapes[2], shapes[3])
        for who in _alike(farthest):
            found += _sought(shapes, _grid(shapes, who, float(farthest[who].max())), boxes)
    offsets = np.zeros(count + 1, dtype=np.int64)
    for part in found:
        _kernel.tally(part.rows, offsets)
    np.cumsum(offsets, out=offsets)
    out = np.empty(int(offsets[-1]), dtype=np.int32)
    next_free = offsets[:-1].copy()
    for part in found:
        _kernel.turn(part.rows, part.counts, part.begin, part.end, next_free, out)
    return Neighbours(offsets, out)


def _alike(farthest: Floats) -> list[NDArray[np.int32]]:
    """Who reach about equally far: all of them, or by powers of 2."""
    if farthest.max() <= 2 * farthest.min():
        return [np.arange(len(farthest), dtype=np.int32)]
    sizes = np.frexp(farthest)[1]
    return [np.flatnonzero(sizes == size).astype(np.int32) for size in np.unique(sizes)]


def _grid(shapes: Floats, who: NDArray[np.int32], farthest: float) -> _Grid:
    """A grid of these, in cells half as wide as the search, but not too many of them."""
    count = len(who)
    x, y = shapes[:2] if count == shapes.shape[1] else shapes[:2, who]
    west, south = float(x.min()), float(y.min())
    width, depth = float(x.max()) - west, float(y.max()) - south
    most = _CELLS_EACH * count + _CELLS_MORE
    cell = max(farthest / 2, 2 * (width + depth) / most, (width * depth / most) ** 0.5) or 1.0
    columns, lines = int(width / cell) + 1, int(depth / cell) + 1
    order, held = np.empty(count, dtype=np.int32), np.empty((5, count))
    starts = np.zeros(columns * lines + 1, dtype=np.int32)
    _kernel.sort_into_cells(shapes, who, west, south, cell, columns, lines, starts, order, held)
    return _Grid(order, held, starts, west, south, cell, columns, lines, farthest)


def _sought(shapes: Floats, grid: _Grid, boxes: bool) -> list[_Found]:
    """Ask the grid about everyone."""
    count = shapes.shape[1]
    counts = np.empty(count, dtype=np.int32)
    parts: dict[int, _Found] = {}

    def ask(begin: int, end: int) -> None:
        rows = np.empty(16 * (end - begin), dtype=np.int32)
        at, written = begin, 0
        while True:
            at, written = _kernel.who_reaches(
                shapes, boxes, grid.held, grid.order, grid.starts, grid.west, grid.south,
                grid.cell, grid.columns, grid.lines, grid.farthest, at, end, written, rows, counts,
            )  # fmt: skip
            if at == end:
                break
            longer = np.empty(2 * len(rows), dtype=np.int32)
            longer[:written] = rows[:written]
            rows = longer
        parts[begin] = _Found(begin, end, rows[:written], counts)

    in_chunks(ask, count, _ASKED_AT_ONCE)
    return [parts[begin] for begin in sorted(parts)]
