"""Which pieces of the ground are drawn how finely: pure numbers, no window.

The ground's corners form a lattice: the cell centres, and the field's edges about them. A piece
of level n is a square of `STEPS` steps each way, each step 2^n corners long. It is cut into four
finer ones wherever its error, seen from the eye, would be larger than a share of a pixel; so the
number of triangles follows the picture and not the size of the ground.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.moment.scene import Terrain
from emlia3d.view.panda.eyesight import Eyesight

Floats: TypeAlias = NDArray[np.float32]
Rows: TypeAlias = NDArray[np.int64]
Corners: TypeAlias = NDArray[np.float64]
Test: TypeAlias = Callable[[Corners, Corners], NDArray[np.bool_]]
Measure: TypeAlias = Callable[[Corners, Corners], Corners]

STEPS = 32
MOST_ERROR_PX = 0.75
LEAST_AWAY_M = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """All pieces of one size, (rows, columns) from south and west.

    error : (r, c) float32, by how much a piece lies off the finest ground at most, metres
    low, high : (r, c) float32, between which heights it lies, metres
    """

    error: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Every piece of a ground that could be drawn.

    levels : the finest first; the last is one piece
    cell_m : from corner to corner, east and north, metres; size_m : of the field
    """

    levels: tuple[Level, ...]
    cell_m: tuple[float, float]
    size_m: tuple[float, float]

    def seen(self, sight: Eyesight) -> Floats:
        """What is drawn for a camera, (n, 4) float32: first corner east and north, step, drop.

        drop : how far the skirts round a piece reach down, so that no crack shows between pieces
        """
        eye, planes = sight.eye, _planes(sight)
        most = MOST_ERROR_PX / sight.pixels_a_radian

        def in_view(low: Corners, high: Corners) -> NDArray[np.bool_]:
            middle, half = (low + high) / 2 - eye, (high - low) / 2
            return np.asarray((middle @ planes.T + half @ np.abs(planes).T > 0).all(axis=1))

        def allowed(low: Corners, high: Corners) -> Corners:
            away = np.linalg.norm(np.maximum(np.maximum(low - eye, eye - high), 0), axis=1)
            return np.asarray(most * np.maximum(away, LEAST_AWAY_M))

        return self._chosen(in_view, allowed)

    def about(self, middle: tuple[float, float], reach_m: float, error_m: float) -> Floats:
        """What is drawn of the ground near a place, as in `seen`, none of it farther off."""
        centre = np.array(middle)

        def near(low: Corners, high: Corners) -> NDArray[np.bool_]:
            off = np.maximum(np.maximum(low[:, :2] - centre, centre - high[:, :2]), 0)
            return np.asarray(np.hypot(*off.T) <= reach_m)

        def allowed(low: Corners, high: Corners) -> Corners:
            return np.full(len(low), error_m)

        return self._chosen(near, allowed)

    def _chosen(self, in_view: Test, allowed: Measure) -> Floats:
        found = []
        place = np.zeros((1, 2), np.int64)
        worst = 0.0
        for number in range(len(self.levels) - 1, -1, -1):
            level = self.levels[number]
            step = STEPS << number
            at = place[:, 0], place[:, 1]
            low, high = np.empty((len(place), 3)), np.empty((len(place), 3))
            for axis, index in ((0, 1), (1, 0)):
                start = (place[:, index] * step - 0.5) * self.cell_m[axis]
                low[:, axis] = np.maximum(start, 0)
                high[:, axis] = np.minimum(start + step * self.cell_m[axis], self.size_m[axis])
            low[:, 2], high[:, 2] = level.low[at], level.high[at]
            error = level.error[at]
            keep = in_view(low, high)
            split = keep & (error > allowed(low, high)) & (number > 0)
            leaf = keep & ~split
            if leaf.any():
                corner = place[leaf] * step
                rows = np.empty((len(corner), 4), np.float32)
                rows[:, 0], rows[:, 1], rows[:, 2] = corner[:, 1], corner[:, 0], 1 << number
                found.append(rows)
                worst = max(worst, float(error[leaf].max()))
            if number > 0:
                place = _quarters(place[split], self.levels[number - 1].error.shape)
        chosen = np.concatenate(found) if found else np.zeros((0, 4), np.float32)
        # A gap is at most as wide as the errors on either side of it.
        chosen[:, 3] = 2 * worst + 0.1 * max(self.cell_m)
        return chosen


def pieces_of(terrain: Terrain) -> Pieces:
    """All pieces of a ground: about a third more work than looking at each cell once."""
    corners = np.pad(terrain.elevation_m[::-1].astype(np.float32, copy=False), 1, "edge")
    low, high = _by_blocks(np.minimum, corners), _by_blocks(np.maximum, corners)
    levels = [Level(np.zeros_like(low), low, high)]
    while low.size > 1:
        corners, bent = _coarser(corners)
        before = levels[-1]
        low, high = _four(np.minimum, before.low), _four(np.maximum, before.high)
        error = _four(np.maximum, before.error) + bent[: low.shape[0], : low.shape[1]]
        levels.append(Level(error, low, high))
    return Pieces(tuple(levels), terrain.cell_m, terrain.size_m)


def _planes(sight: Eyesight) -> NDArray[np.float64]:
    """The sides of what a camera sees, (5, 3): normals inward, all through the eye."""
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


def _quarters(place: Rows, shape: tuple[int, ...]) -> Rows:
    """The four finer pieces of each, (4n, 2); those that lie beyond the ground left out."""
    four = (place[:, None] * 2 + np.array([[0, 0], [0, 1], [1, 0], [1, 1]])).reshape(-1, 2)
    return np.asarray(four[(four < shape).all(axis=1)])


def _by_blocks(most: np.ufunc, corners: Floats) -> Floats:
    """The least or greatest of each finest piece, its far edges included, (r, c)."""
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
    """The least or greatest of each two by two, (r, c)."""
    values = np.pad(values, [(0, size % 2) for size in values.shape], "edge")
    return np.asarray(most.reduce([values[a::2, b::2] for a in (0, 1) for b in (0, 1)], axis=0))


def _coarser(corners: Floats) -> tuple[Floats, Floats]:
    """Every other corner; and by how much the others lie off, at most, in each coarser piece."""
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
