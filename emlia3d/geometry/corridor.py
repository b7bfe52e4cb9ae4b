"""Fractions of sight corridors behind outlines: the typed wrapper for the corridor kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import corridor as _kernel
from emlia3d.geometry.arrays import Floats, Rows, rows_of
from emlia3d.geometry.bodies import Bodies
from emlia3d.geometry.threads import in_chunks

# Number of pairs that a thread takes at once, and of rows that it first has room for.
_PAIRS = 512
_ROOM = 1 << 14
# Number of circles in a block of the kernel.
_BLOCK = 16


def corridor_fractions(
    bodies: Bodies, observers: ArrayLike, targets: ArrayLike, obstacles: ArrayLike
) -> tuple[Rows, Rows, Floats]:
    """Return the fraction of each sight corridor that each obstacle covers.

    The corridor is the convex hull of observer and target without the two. Its axis runs through
    their area centroids (east, if these coincide). The fraction is the maximum, over all points
    of the axis, of the part of the hull's width that the obstacle covers. It is exact, not
    sampled, and at an edge perpendicular to the axis it includes the limits from both sides.

    An obstacle that only touches the corridor, or has no area, has no row. Observer and target
    that touch, overlap or are the same body have no corridor and no rows, unless one is in a hole
    of the other without contact. The two are never their own obstacles. A pair without width (two
    points, or two lines on one axis) has no rows. Heights have no effect; see `sight_matrix`.

    The fractions are bit-identical if observers and targets are swapped, and for any number of
    threads (see `cores`).

    Parameters
    ----------
    bodies : Bodies
    observers, targets : (n,), (m,) int
        Rows of *bodies*.
    obstacles : (h,) int
        Rows of *bodies*. Their order and repetitions have no effect.

    Returns
    -------
    pair : (k,) int32
        i * len(targets) + j for observers[i] and targets[j].
    obstacle : (k,) int32
        Rows of *bodies*.
    fraction : (k,) float64
        Above 0 and at most 1. Rows are in the order of pairs, then of obstacles.

    Raises
    ------
    IndexError
        If a row is out of range.
    ValueError
        If there are more pairs than int32 can number.

    Notes
    -----
    The error of a fraction is at most 1e-9. If an edge is nearly perpendicular to the axis, it is
    at most the change of the exact fraction when each coordinate moves to the next double. An
    obstacle covers nothing if its thickness along the axis is at most 2**-45 of the extent of
    the scene in x or y, because rounding may have caused it.

    Source: emlia.sight.corridor, emlia.sight.corridor.span, emlia.sight.fraction.
    """
    ends = rows_of(observers, bodies, "observers"), rows_of(targets, bodies, "targets")
    return _fractions(_Scene(bodies, *ends, ObstacleIndex(bodies, obstacles)))


def _fractions(scene: _Scene) -> tuple[Rows, Rows, Floats]:
    found: list[list[tuple[Rows, Rows, Floats]]] = [[] for _ in range(-(-scene.pairs // _PAIRS))]
    rows = len(scene.screen.obstacles)

    def work(pair: int, stop: int) -> None:
        chunk, marks, room = found[pair // _PAIRS], scene.marks, max(_ROOM, rows)
        pairs, bodies, fractions = (
            np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room)
        )  # fmt: skip
        while pair < stop:
            pair, count, full = _kernel.fractions(
                *scene.columns, pair, stop, scene.widest, *scene.scratch(marks),
                pairs, bodies, fractions,
            )  # fmt: skip
            chunk.append((pairs[:count].copy(), bodies[:count].copy(), fractions[:count].copy()))
            marks *= 2 if full else 1

    in_chunks(work, scene.pairs, _PAIRS)
    every = [columns for chunk in found for columns in chunk]
    if not every:
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0)
    pair, obstacle, fraction = zip(*every, strict=True)
    return np.concatenate(pair), np.concatenate(obstacle), np.concatenate(fraction)


def sight_matrix(
    bodies: Bodies, observers: ArrayLike, targets: ArrayLike, obstacles: ArrayLike | None = None
) -> Floats:
    """Return the largest fraction of each sight corridor that an obstacle above the line covers.

    The sight line runs from the top of the observer (base + height) to the top of the target. Its
    height is a linear function along the axis of the corridor, from centroid to centroid, and
    continues beyond them. If the centroids coincide, it is level at the mean of the two tops.

    The fraction is that of `corridor_fractions`, but only over the points of the axis at which
    the top of the obstacle is strictly above the line. Obstacles that are below the line or touch
    it hide nothing. 0 is a clear view, and 1 a view that is blocked at some point. For rules that
    require half the width, ``sight_matrix(...) < 0.5`` is a first estimate of sight.

    `blocked_fractions` does the same for the ground. Swapping observers and targets transposes
    the matrix bit by bit.

    Parameters
    ----------
    bodies : Bodies
    observers, targets : (n,), (m,) int
        Rows of *bodies*.
    obstacles : (h,) int
        Rows of *bodies*, solid or sparse; None for all.

    Returns
    -------
    (n, m) float64
        Fractions from 0 to 1. 0 for a body and itself, and for bodies that touch, overlap or
        have a corridor without width.

    Raises
    ------
    IndexError
        If a row is out of range.
    ValueError
        If there are more pairs than int32 can number.
    """
    every = np.arange(len(bodies)) if obstacles is None else obstacles
    ends = rows_of(observers, bodies, "observers"), rows_of(targets, bodies, "targets")
    scene = _Scene(bodies, *ends, ObstacleIndex(bodies, every))
    tops = bodies.base + bodies.height
    out = np.zeros(scene.pairs)

    def work(pair: int, stop: int) -> None:
        marks = scene.marks
        while pair < stop:
            pair = _kernel.greatest(
                *scene.columns, tops, pair, stop, scene.widest, *scene.scratch(marks), out
            )
            marks *= 2

    in_chunks(work, scene.pairs, _PAIRS)
    return out.reshape(len(scene.observers), len(scene.targets))


class ObstacleIndex:
    """Broad-phase obstacle index, which many queries about one scene share.

    obstacles : (h,) int32, rows of the bodies, each once
    farthest : GSU from the centre of the obstacles within which other bodies can enter the scene
    """

    def __init__(self, bodies: Bodies, obstacles: ArrayLike, farthest: float = 0.0) -> None:
        self.obstacles = _by_tiles(bodies, np.unique(rows_of(obstacles, bodies, "obstacles")))
        boxes = bodies.boxes[self.obstacles]
        self.origin = 0.5 * (boxes[:, :2].min(0, initial=0) + boxes[:, 2:].max(0, initial=0))
        # Twice as far as the farthest, so that it serves for others who come into the scene.
        self.reach = 2 * max(self._farthest(bodies.boxes), farthest)
        self._known = len(bodies)
        self.margin = 2.0**-18 * self.reach
        self.blocks, self.circles = _circles(boxes, self.origin, self.margin)
        inner = np.empty(len(boxes))
        _kernel.inner_radii(
            bodies.x, bodies.y, bodies.rings, bodies.bodies, bodies.boxes, self.obstacles, inner
        )
        self.circles[3, : len(boxes)] = inner - self.margin

    def for_others(self, bodies: Bodies) -> ObstacleIndex:
        """Return an index for bodies that begin with the bodies of this one."""
        fits = self._farthest(bodies.boxes[self._known :]) <= self.reach
        return self if fits else ObstacleIndex(bodies, self.obstacles)

    def for_boxes(self, bodies: Bodies, boxes: Floats) -> ObstacleIndex:
        """Return an index that also serves bodies in these bounding boxes: (n, 4), or one box."""
        farthest = self._farthest(boxes)
        return self if farthest <= self.reach else ObstacleIndex(bodies, self.obstacles, farthest)

    def _farthest(self, boxes: Floats) -> float:
        """Return how far boxes reach from the origin, by the greater of east and north."""
        return float(np.abs(boxes.reshape(-1, 2) - self.origin).max(initial=0))

    @property
    def columns(self) -> tuple[Floats, float, NDArray[np.float32], NDArray[np.float32]]:
        """The index in the form for the kernels."""
        return self.origin, self.margin, self.blocks, self.circles


class _Scene:
    """The bodies and questions, in the columns that the kernels share."""

    def __init__(
        self, bodies: Bodies, observers: Rows, targets: Rows, screen: ObstacleIndex
    ) -> None:
        self.observers, self.targets = observers, targets
        self.pairs = len(observers) * len(targets)
        if self.pairs > np.iinfo(np.int32).max:
            raise ValueError("sight corridors: more pairs than an int32 can number")
        self.screen = screen
        self.widest, self.bodies = bodies.widest, len(bodies)
        self.marks = marks_for(bodies)
        self.columns = (
            bodies.x, bodies.y, bodies.rings, bodies.bodies, bodies.boxes, bodies.to_centroids,
            bodies.hull_x, bodies.hull_y, bodies.hulls,
            *screen.columns, observers, targets, screen.obstacles,
        )  # fmt: skip

    def scratch(self, marks: int) -> tuple[Floats, Rows, NDArray[np.uint64]]:
        """Return scratch memory for one thread, with room for *marks* marks."""
        circles = self.screen.circles.shape[1]
        return (
            np.empty(circles + 48 * self.widest + marks),
            np.empty(circles + 2 * self.widest, np.int32),
            np.zeros((2, self.bodies // 64 + 1), np.uint64),
        )


def marks_for(bodies: Bodies) -> int:
    """Return the initial number of marks for which a sweep has room."""
    return 64 + 8 * bodies.widest


def _by_tiles(bodies: Bodies, rows: Rows) -> Rows:
    """Rows in the order of sort-tile-recursive packing: what lies together comes together."""
    west, south, east, north = bodies.boxes[rows].T
    tiles = -(-len(rows) // _BLOCK)
    column = -(-len(rows) // max(1, round(tiles**0.5)))
    by_east = np.argsort(west + east, kind="stable")
    strip = np.empty(len(rows), np.intp)
    strip[by_east] = np.arange(len(rows)) // max(1, column)
    return np.ascontiguousarray(rows[np.lexsort([south + north, strip])])


def _circles(
    boxes: Floats, origin: Floats, margin: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Circles round boxes for the broad phase: one round each block of them, one round each.

    x, y and radius in single precision, wider than the boxes by *margin*: all that rounding to it
    may do to where a circle lies. And room for the radius of a smaller one.
    """
    starts = np.arange(0, len(boxes), _BLOCK)
    blocks = np.empty((len(starts), 4))
    if len(boxes):
        blocks[:, :2] = np.minimum.reduceat(boxes[:, :2], starts)
        blocks[:, 2:] = np.maximum.reduceat(boxes[:, 2:], starts)
    return _round(blocks, origin, margin), _round(boxes, origin, margin)


def _round(boxes: Floats, origin: Floats, margin: float) -> NDArray[np.float32]:
    """(4, n) x, y and radius of the circles round boxes, filled up to whole blocks."""
    west, south, east, north = boxes.T
    circles = np.zeros((4, -(-len(boxes) // _BLOCK) * _BLOCK), np.float32)
    circles[2:] = -np.inf
    circles[0, : len(boxes)] = 0.5 * (west + east) - origin[0]
    circles[1, : len(boxes)] = 0.5 * (south + north) - origin[1]
    circles[2, : len(boxes)] = 0.5 * np.hypot(east - west, north - south) + margin
    return circles
