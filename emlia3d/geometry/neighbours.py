"""Fixed-radius neighbour search: all pairs within a distance, without testing each pair.

The search is in the plane, without heights. A shape exactly at the distance is a neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import neighbours as _kernel
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.bodies import FARTHEST
from emlia3d.geometry.threads import in_chunks

Shapes: TypeAlias = Sequence[shapely.Geometry] | NDArray[np.object_]

_ASKED_AT_ONCE = 16384
_CELLS_EACH, _CELLS_MORE = 64, 1024
_AT_ONCE = 16
_LEAST = 2.0**-300
_SLACK = 1e-9
"""Tolerance of the sieve of boxes beyond the distance, because outlines are rounded."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The neighbours of all shapes, in one array.

    Shape i has the neighbours rows[offsets[i] : offsets[i + 1]], in ascending order.

    offsets : (n + 1,) int64
    rows : (k,) int32
    """

    offsets: NDArray[np.int64]
    rows: NDArray[np.int32]

    def neighbours_of(self, row: int) -> NDArray[np.int32]:
        """Return the rows of the neighbours of a shape."""
        return self.rows[self.offsets[row] : self.offsets[row + 1]]

    def pairs(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """(k,), (k,): rows of shapes, and rows of their neighbours."""
        owners = np.arange(len(self.offsets) - 1, dtype=np.int32)
        return np.repeat(owners, np.diff(self.offsets)), self.rows


def discs_within(
    x: ArrayLike, y: ArrayLike, distance: ArrayLike, radius: ArrayLike = 0.0
) -> Neighbours:
    """Return the discs within a distance of each disc, from edge to edge.

    The result is exact. If distances differ, the relation need not be mutual.

    Parameters
    ----------
    x, y : (n,) float
        Centres, GSU.
    distance : () or (n,) float
        Maximum distance of all or of each, GSU; at least 0.
    radius : () or (n,) float
        Radii, GSU; 0 for points. A length below 2^-300 counts as 0.

    Raises
    ------
    ValueError
        If columns have different lengths, or if a value is not finite, negative or beyond
        `FARTHEST`.
    """
    places = np.broadcast_arrays(x, y)
    if places[0].ndim != 1:
        raise ValueError("x and y need a row of numbers each")
    count = len(places[0])
    shapes = np.zeros((6, count))
    shapes[:2] = places
    shapes[4] = _lengths("radius", radius, count)
    shapes[5] = _lengths("distance", distance, count)
    if not count:
        return Neighbours(np.zeros(1, np.int64), np.empty(0, np.int32))
    survey = _Survey(*_kernel.survey(shapes, _LEAST))
    _check_lengths("radius", survey.low[4], survey.high[4])
    _check_lengths("distance", survey.low[5], survey.high[5])
    if not all(-FARTHEST <= survey.low[row] <= survey.high[row] <= FARTHEST for row in (0, 1)):
        raise ValueError(f"x and y need places no farther than {FARTHEST} GSU")
    return _near(shapes, survey, boxes=False)


def outlines_within(shapes: Shapes, distance: ArrayLike) -> Neighbours:
    """Return the outlines within a distance of each outline, between nearest edges.

    Parameters
    ----------
    shapes : (n,) shapely geometries
        An empty shape has no neighbours.
    distance : () or (n,) float
        Maximum distance of all or of each, GSU; at least 0.

    Raises
    ------
    ValueError
        As in `discs_within`.
    """
    outlines = np.asarray(shapes, dtype=np.object_)
    reaches = _lengths("distance", distance, len(outlines))
    _check_lengths("distance", *((reaches.min(), reaches.max()) if len(reaches) else (0.0, 0.0)))
    reaches = reaches * (reaches >= _LEAST)
    boxes = shapely.bounds(outlines).reshape(-1, 4)
    there = ~np.isnan(boxes).any(axis=1)
    rows = np.flatnonzero(there).astype(np.int32)
    if not (np.abs(boxes[there]) <= FARTHEST).all():
        raise ValueError(f"shapes need places no farther than {FARTHEST} GSU")
    west, south, east, north = boxes[there].T
    sieve = np.zeros((6, len(rows)))
    sieve[0], sieve[1] = (west + east) / 2, (south + north) / 2
    sieve[2], sieve[3] = (east - west) / 2, (north - south) / 2
    sieve[5] = reaches[rows] * (1 + _SLACK) + _SLACK
    if not len(rows):
        return Neighbours(np.zeros(len(outlines) + 1, np.int64), np.empty(0, np.int32))
    found = _near(sieve, _Survey(*_kernel.survey(sieve, 0.0)), boxes=True)
    ones, others = (rows[column] for column in found.pairs())
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
        raise ValueError(f"{name}: expected one number, or {count}")
    return np.broadcast_to(given, (count,))


def _check_lengths(name: str, low: float, high: float) -> None:
    if not 0 <= low <= high <= FARTHEST:
        raise ValueError(f"{name}: expected lengths from 0 to {FARTHEST} GSU")


@dataclass(frozen=True, slots=True)
class _Survey:
    """The bounds of each row of shapes, and of the reach of each in all."""

    low: list[float]
    high: list[float]
    nearest: float
    farthest: float


@dataclass(frozen=True, slots=True)
class _Grid:
    """A grid of shapes with similar reach, cell by cell.

    order : their rows; held : their shapes, in that order; starts : where each cell begins
    """

    order: NDArray[np.int32]
    held: NDArray[np.float32]
    starts: NDArray[np.int32]
    west: float
    south: float
    scale: float
    columns: int
    lines: int
    farthest: float
    extent: float


@dataclass(frozen=True, slots=True)
class _Found:
    """Neighbours in a grid of the shapes from *begin* to *end*, with the number of each."""

    begin: int
    end: int
    rows: NDArray[np.int32]
    counts: NDArray[np.int32]


def _near(shapes: Floats, survey: _Survey, *, boxes: bool) -> Neighbours:
    """Return the neighbours of each shape within its reach.

    shapes : (6, n), as the kernel has it, n above 0
    """
    count = shapes.shape[1]
    if survey.farthest <= 2 * survey.nearest:
        who = np.arange(count, dtype=np.int32)
        found = _sought(shapes, _grid(shapes, who, survey), boxes)
    else:
        found = []
        # A grid for each power of 2 of the reach.
        sizes = np.frexp(shapes[4] + shapes[5] + np.maximum(shapes[2], shapes[3]))[1]
        for size in np.unique(sizes):
            who = np.flatnonzero(sizes == size).astype(np.int32)
            own = _Survey(*_kernel.survey(np.ascontiguousarray(shapes[:, who]), 0.0))
            found += _sought(shapes, _grid(shapes, who, own), boxes)
    offsets = np.zeros(count + 1, dtype=np.int64)
    for part in found:
        _kernel.tally(part.rows, offsets)
    np.cumsum(offsets, out=offsets)
    out = np.empty(int(offsets[-1]), dtype=np.int32)
    next_free = offsets[:-1].copy()
    for part in found:
        _kernel.turn(part.rows, part.counts, part.begin, part.end, next_free, out)
    return Neighbours(offsets, out)


def _grid(shapes: Floats, who: NDArray[np.int32], survey: _Survey) -> _Grid:
    """Return a grid of these, in cells as wide as the search, or half as wide where they are many.

    The kernel looks at one row of cells at a time, and at sixteen shapes at once. There are not too
    many cells.
    """
    count, farthest = len(who), survey.farthest
    west, south = survey.low[:2]
    width, depth = survey.high[0] - west, survey.high[1] - south
    most = _CELLS_EACH * count + _CELLS_MORE
    dense = 3 * count * farthest**2 > 1.5 * _AT_ONCE * width * depth
    cell = farthest / 2 if dense else farthest
    cell = max(cell, 2 * (width + depth) / most, (width * depth / most) ** 0.5) or 1.0
    columns, lines = int(width / cell) + 1, int(depth / cell) + 1
    # The kernel reads beyond the last.
    order = np.zeros(count + _AT_ONCE, dtype=np.int32)
    held = np.zeros((5, count + _AT_ONCE), dtype=np.float32)
    starts, cells = np.zeros(columns * lines + 1, np.int32), np.empty(count, np.int32)
    place = west, south, 1 / cell, columns, lines
    _kernel.sort_into_cells(shapes, who, *place, cells, starts, order, held)
    return _Grid(order, held, starts, *place, farthest, max(width, depth))


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
                grid.scale, grid.columns, grid.lines, grid.farthest, grid.extent,
                at, end, written, rows, counts,
            )  # fmt: skip
            if at == end:
                break
            longer = np.empty(2 * len(rows), dtype=np.int32)
            longer[:written] = rows[:written]
            rows = longer
        parts[begin] = _Found(begin, end, rows[:written], counts)

    in_chunks(ask, count, _ASKED_AT_ONCE)
    return [parts[begin] for begin in sorted(parts)]
