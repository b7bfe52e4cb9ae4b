"""Levels of detail of the ground, computed without a window.

The ground's vertices form a lattice: the cell centres, and points on the field's edges. A piece of
level n is a square of `STEPS` by `STEPS` steps, each 2^n vertices long. It is divided into four
finer pieces if its error on the screen would exceed a fraction of a pixel. Therefore the number of
triangles depends on the picture and not on the size of the ground.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.camera.eyesight import Eyesight
from emlia3d.view.moment.scene import DrawnGround

Floats: TypeAlias = NDArray[np.float32]
Rows: TypeAlias = NDArray[np.intp]
Columns: TypeAlias = NDArray[np.float64]
Test: TypeAlias = Callable[[Columns, Columns], NDArray[np.bool_]]
Measure: TypeAlias = Callable[[Columns, Columns], Columns]

STEPS = 32
MOST_ERROR_PX = 0.75
LEAST_AWAY_M = 1.0
ASKED_AT_ONCE = 2048  # pieces: fewer than that cost no more than one level of them does
NONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class DetailLevel:
    """All pieces of one size, (rows, columns) from south and west.

    error : (r, c) float32, maximum deviation of a piece from the finest ground, metres
    low, high : (r, c) float32, its lowest and highest elevation, metres
    """

    error: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """All possible pieces of a ground, the coarsest first; n is their number.

    middle, half : (3, n) float64, centre and half size of the bounding box of a piece, metres
    error : (n,) float32, maximum deviation from the finest ground, metres
    corner : (n, 3) float32, its first vertex east and north, and the length of a step in vertices
    above : (n,) its parent, for the first piece itself; below : (n, 4) its quarters, `NONE` beyond
        the ground and for the finest pieces
    asked : number of the coarsest pieces that are tested at once
    slack_m : extra depth of skirts beyond the errors on both sides of a gap
    """

    middle: Columns
    half: Columns
    error: Floats
    corner: Floats
    above: Rows
    below: Rows
    asked: int
    slack_m: float

    def seen(self, sight: Eyesight) -> Floats:
        """Return the pieces for a camera, (n, 4) float32: first corner east and north, step, drop.

        drop : depth of the skirts around a piece, which hide cracks between pieces
        """
        planes = _planes(sight)
        outward, behind = np.abs(planes), (planes @ sight.eye)[:, None]
        eye, most = sight.eye[:, None], MOST_ERROR_PX / sight.pixels_a_radian

        def in_view(middle: Columns, half: Columns) -> NDArray[np.bool_]:
            return np.asarray((planes @ middle + outward @ half > behind).all(axis=0))

        def allowed(middle: Columns, half: Columns) -> Columns:
            off = np.maximum(np.abs(middle - eye) - half, 0)
            return np.asarray(most * np.maximum(np.sqrt((off * off).sum(axis=0)), LEAST_AWAY_M))

        return self._chosen(in_view, allowed)

    def about(self, middle: tuple[float, float], reach_m: float, error_m: float) -> Floats:
        """Return the pieces near a point, in the form of `seen`."""
        centre = np.array(middle)[:, None]

        def near(middle: Columns, half: Columns) -> NDArray[np.bool_]:
            off = np.maximum(np.abs(middle[:2] - centre) - half[:2], 0)
            return np.asarray((off * off).sum(axis=0) <= reach_m * reach_m)

        def allowed(middle: Columns, half: Columns) -> Columns:
            return np.full(middle.shape[1], error_m)

        return self._chosen(near, allowed)

    def _chosen(self, in_view: Test, allowed: Measure) -> Floats:
        rows = np.arange(self.asked)
        leaf, split = self._cut(rows, in_view, allowed)
        # A cut piece is a quarter of a cut one: errors and boxes only grow with the size.
        leaf &= split[self.above[: self.asked]] | (rows == 0)
        found = [rows[leaf]]
        rows = self._quarters(rows[split])
        rows = rows[rows >= self.asked]
        while len(rows):
            leaf, split = self._cut(rows, in_view, allowed)
            found.append(rows[leaf])
            rows = self._quarters(rows[split])
        drawn = np.concatenate(found)
        chosen = np.empty((len(drawn), 4), np.float32)
        chosen[:, :3] = self.corner[drawn]
        # A gap is at most as wide as the errors on either side of it.
        chosen[:, 3] = 2 * self.error[drawn].max(initial=0.0) + self.slack_m
        return chosen

    def _cut(
        self, rows: Rows, in_view: Test, allowed: Measure
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which of these pieces are drawn, and which are divided."""
        middle, half = self.middle[:, rows], self.half[:, rows]
        keep = in_view(middle, half)
        split = keep & (self.error[rows] > allowed(middle, half))
        return keep & ~split, split

    def _quarters(self, rows: Rows) -> Rows:
        below = self.below[rows].ravel()
        return np.asarray(below[below != NONE])


def pieces_of(terrain: DrawnGround) -> Pieces:
    """Return all pieces of a ground, at the cost of about 1.3 passes over the cells."""
    levels = _levels(terrain)
    starts = np.cumsum([0, *(level.error.size for level in levels)])
    middle, half = np.empty((2, 3, starts[-1]))
    corner = np.empty((starts[-1], 3), np.float32)
    above = np.zeros(starts[-1], np.intp)
    below = np.full((starts[-1], 4), NONE, np.intp)
    for number, level in enumerate(levels):
        own = np.arange(starts[number], starts[number + 1])
        step = 1 << (len(levels) - 1 - number)
        row, column = np.indices(level.error.shape).reshape(2, -1)
        for axis, place in enumerate((column, row)):
            cell, size = terrain.cell_m[axis], terrain.size_m[axis]
            start = (place * step * STEPS - 0.5) * cell
            ends = np.maximum(start, 0), np.minimum(start + step * STEPS * cell, size)
            middle[axis, own], half[axis, own] = _box(*ends)
            corner[own, axis] = place * step * STEPS
        middle[2, own], half[2, own] = _box(level.low.ravel(), level.high.ravel())
        corner[own, 2] = step
        if number > 0:
            wide = levels[number - 1].error.shape[1]
            above[own] = starts[number - 1] + row // 2 * wide + column // 2
            below[above[own], row % 2 * 2 + column % 2] = own
    return Pieces(
        middle=middle,
        half=half,
        error=np.concatenate([level.error.ravel() for level in levels]),
        corner=corner,
        above=above,
        below=below,
        asked=int(starts[1:][starts[1:] <= ASKED_AT_ONCE][-1]),
        slack_m=0.1 * max(terrain.cell_m),
    )


def _box(low: NDArray[np.floating], high: NDArray[np.floating]) -> tuple[Columns, Columns]:
    """Return the centre and the half length of an interval."""
    low, high = low.astype(np.float64), high.astype(np.float64)
    return (low + high) / 2, (high - low) / 2


def _levels(terrain: DrawnGround) -> list[DetailLevel]:
    """Return the levels from one coarsest piece to the finest, which have no error."""
    corners = np.pad(terrain.elevation_m[::-1].astype(np.float32, copy=False), 1, "edge")
    low, high = _by_blocks(np.minimum, corners), _by_blocks(np.maximum, corners)
    levels = [DetailLevel(np.zeros_like(low), low, high)]
    while low.size > 1:
        corners, bent = _coarser(corners)
        before = levels[-1]
        low, high = _four(np.minimum, before.low), _four(np.maximum, before.high)
        error = _four(np.maximum, before.error) + bent[: low.shape[0], : low.shape[1]]
        levels.append(DetailLevel(error, low, high))
    return levels[::-1]


def _planes(sight: Eyesight) -> NDArray[np.float64]:
    """Return the planes of a camera's view frustum, (5, 3): normals inward, all through the eye."""
    right, up, ahead = sight.axes
    wide, tall = sight.half * sight.size[0] / sight.size[1], sight.half
    return np.array(
        [
            ahead,
            ahead * wide - right,
            ahead * wide + right,
            ahead * tall - up,
            ahead * tall + up,
        ]
    )


def _by_blocks(most: np.ufunc, corners: Floats) -> Floats:
    """Return the minimum or maximum of each finest piece, including its far edges, (r, c)."""
    for axis in (0, 1):
        starts = np.arange(0, max(corners.shape[axis] - 1, 1), STEPS)
        blocks = most.reduceat(corners, starts, axis=axis)
        edge = np.take(corners, starts[1:], axis=axis)
        inner = np.take(blocks, np.arange(len(starts) - 1), axis=axis)
        joined = most(inner, edge)
        last = np.take(blocks, [len(starts) - 1], axis=axis)
        corners = np.concatenate([joined, last], axis=axis)
    return corners


def _four(most: np.ufunc, values: Floats) -> Floats:
    """Return the minimum or maximum of each block of two by two, (r, c)."""
    values = np.pad(values, [(0, size % 2) for size in values.shape], "edge")
    return np.asarray(most.reduce([values[a::2, b::2] for a in (0, 1) for b in (0, 1)], axis=0))


def _coarser(corners: Floats) -> tuple[Floats, Floats]:
    """Return every other vertex, and the maximum deviation of the others in each coarser piece."""
    corners = np.pad(corners, [(0, 1 - size % 2) for size in corners.shape], "edge")
    kept = corners[::2, ::2]
    along = np.abs(corners[::2, 1::2] - (kept[:, :-1] + kept[:, 1:]) / 2)
    up = np.abs(corners[1::2, ::2] - (kept[:-1] + kept[1:]) / 2)
    across = np.abs(corners[1::2, 1::2] - (kept[:-1, :-1] + kept[1:, 1:]) / 2)
    bent = np.maximum(np.maximum(along[:-1], along[1:]), across)
    bent = np.maximum(bent, np.maximum(up[:, :-1], up[:, 1:]))
    for axis in (0, 1):
        bent = np.maximum.reduceat(bent, np.arange(0, bent.shape[axis], STEPS), axis=axis)
    return kept, bent
