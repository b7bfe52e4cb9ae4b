"""Sight corridors by shapely and numpy: the same fractions for thousands of obstacles at a time.

For bodies without holes, no two of which have the same centroid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.geometry import Bodies

CLOSE = 1e-6
"""Tolerance for shares and widths."""
_PIECES = 8
"""Number of pieces of a corridor for queries of the tree."""

Floats: TypeAlias = NDArray[np.float64]
Found: TypeAlias = tuple[NDArray[np.int64], Floats]
"""Pair of bodies and obstacle as one integer, and the fraction."""


@dataclass(frozen=True, slots=True)
class BenchmarkScene:
    """Units that observe each other, and all possible obstacles."""

    bodies: Bodies
    observers: NDArray[np.int32]
    targets: NDArray[np.int32]
    obstacles: NDArray[np.int32]

    @property
    def pairs(self) -> int:
        """Corridors."""
        return len(self.observers) * len(self.targets)

    def some(self, observers: int) -> BenchmarkScene:
        """Return a scene with this number of observers, evenly chosen."""
        chosen = np.linspace(0, len(self.observers) - 1, observers).astype(np.int32)
        return BenchmarkScene(self.bodies, self.observers[chosen], self.targets, self.obstacles)


def corridors_of(scene: BenchmarkScene, row: int) -> tuple[Any, ...]:
    """Return one observer's pairs, corridor ends and hulls, and the obstacles near them."""
    shapes, i = scene.bodies.shapes, scene.observers[row]
    pair = row * len(scene.targets) + np.arange(len(scene.targets))
    a, b = np.full(len(scene.targets), i), scene.targets
    apart = ~shapely.intersects(shapes[a], shapes[b])
    pair, a, b = pair[apart], a[apart], b[apart]
    hulls = shapely.convex_hull(shapely.geometrycollections(np.stack([shapes[a], shapes[b]], 1)))
    return pair, a, b, hulls


def fractions_by_numpy(scene: BenchmarkScene) -> Found:
    """Return the fractions, one observer at a time, so that columns fit the cache."""
    shapes = scene.bodies.shapes
    tree = shapely.STRtree(shapes[scene.obstacles])
    outlines, centroids = padded(shapes), shapely.get_coordinates(shapely.centroid(shapes))
    boxes = shapely.bounds(shapes)
    circles = np.column_stack([
        boxes[:, :2] + boxes[:, 2:], np.hypot(*(boxes[:, 2:] - boxes[:, :2]).T)
    ]) / 2  # fmt: skip
    keys, fractions = [np.empty(0, np.int64)], [np.empty(0)]
    for row in range(len(scene.observers)):
        pair, a, b, hulls = corridors_of(scene, row)
        if not len(pair):
            continue
        toward = centroids[b] - centroids[a]
        frame = centroids[a], toward / np.hypot(*toward.T)[:, None]
        hull = along_axis(padded(hulls), *frame)
        ends = [along_axis(outlines[body], *frame) for body in (a, b)]
        sides = sides_of(hull, *ends)
        corridor, place = nearby(tree, hull, *frame)
        near = scene.obstacles[place]
        kept = meets(sides.of(corridor), circles[near], *(part[corridor] for part in frame))
        kept &= (near != a[corridor]) & (near != b[corridor])
        corridor, near = corridor[kept], near[kept]
        entity = along_axis(outlines[near], frame[0][corridor], frame[1][corridor])
        fraction, simple = shares_in_middle(sides.of(corridor), entity)
        rest = np.flatnonzero(~simple)
        beside = np.zeros(len(rest), dtype=bool)
        for end in ends:
            beside |= ~clear_of(entity[rest], end[corridor[rest]])
        for some, others in ((rest[~beside], []), (rest[beside], ends)):
            if len(some):
                of = corridor[some]
                fraction[some] = shares(entity[some], hull[of], [other[of] for other in others])
        # The results of the tree are already sorted.
        found = fraction > CLOSE
        keys.append(pair[corridor[found]] * len(shapes) + near[found])
        fractions.append(fraction[found])
    return np.concatenate(keys), np.concatenate(fractions)


def nearby(
    tree: Any, hull: Floats, start: Floats, toward: Floats
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return pairs of corridor and row of the tree whose bounding boxes overlap, sorted.

    One bulk query with the boxes of eight pieces of each corridor costs 50 times less than one with
    the hulls and a predicate.
    """
    low, high = hull.min(1), hull.max(1)
    piece = (high[:, 0] - low[:, 0]) / _PIECES
    s = low[:, :1] + (np.arange(_PIECES) + 0.5) * piece[:, None]
    t = (low[:, 1:] + high[:, 1:]) / 2
    half_s, half_t = piece[:, None] / 2, (high[:, 1:] - low[:, 1:]) / 2
    (x, y), (cos, sin) = start.T[:, :, None], toward.T[:, :, None]
    east, north = x + s * cos - t * sin, y + s * sin + t * cos
    wide = np.abs(cos) * half_s + np.abs(sin) * half_t + CLOSE
    deep = np.abs(sin) * half_s + np.abs(cos) * half_t + CLOSE
    boxes = shapely.box(east - wide, north - deep, east + wide, north + deep)
    box, found = tree.query(boxes.ravel())
    both = np.unique(box // _PIECES * len(tree) + found)
    corridor, row = np.divmod(both, len(tree))
    return corridor, row


@dataclass(frozen=True, slots=True)
class Sides:
    """The longest straight sides of each corridor, at lower and higher t.

    low, high : (3, m) s and t of a point, and slope
    reach : (2, m) extent of the hull along the axis
    straight : (2, m) range along the axis in which both sides are straight
    """

    low: Floats
    high: Floats
    reach: Floats
    straight: Floats

    def of(self, rows: NDArray[np.intp]) -> Sides:
        """Return the shares of some corridors."""
        columns = (self.low, self.high, self.reach, self.straight)
        return Sides(*(column[:, rows] for column in columns))

    def heights(self, s: Floats, t: Floats) -> tuple[Floats, Floats]:
        """Return the distances of points (..., m) above the lower side and below the upper side."""
        low, high = self.low, self.high
        return t - (low[1] + (s - low[0]) * low[2]), high[1] + (s - high[0]) * high[2] - t


def sides_of(hull: Floats, start: Floats, stop: Floats) -> Sides:
    """Return the sides of corridors from their hulls and ends, all in the axis frame."""
    run, row = np.diff(hull[..., 0], axis=1), np.arange(len(hull))
    found, spans = [], [np.stack([start[..., 0].max(1), stop[..., 0].min(1)])]
    # A ring follows the axis on one side, and runs against it on the other.
    for edge in (run.argmin(1), run.argmax(1)):
        one, other = hull[row, edge].T, hull[row, edge + 1].T
        found.append(np.stack([*one, (other[1] - one[1]) / (other[0] - one[0])]))
        spans.append(np.sort(np.stack([one[0], other[0]]), axis=0))
    straight = np.stack([np.max([x[0] for x in spans], 0), np.min([x[1] for x in spans], 0)])
    first, second = (side[1] + (straight[0] - side[0]) * side[2] for side in found)
    low, high = (np.where(first < second, *two) for two in (found, found[::-1]))
    return Sides(low, high, np.stack([hull[..., 0].min(1), hull[..., 0].max(1)]), straight)


def meets(sides: Sides, circles: Floats, start: Floats, toward: Floats) -> NDArray[np.bool_]:
    """Return whether circles (n, 3) can overlap corridors, row by row."""
    (x, y, radius), (from_x, from_y), (cos, sin) = circles.T, start.T, toward.T
    east, north = x - from_x, y - from_y
    s, radius = east * cos + north * sin, radius + CLOSE
    above, below = sides.heights(s, north * cos - east * sin)
    inside: NDArray[np.bool_] = above >= -radius * np.hypot(1, sides.low[2])
    inside &= below >= -radius * np.hypot(1, sides.high[2])
    inside &= (s >= sides.reach[0] - radius) & (s <= sides.reach[1] + radius)
    return inside


def shares_in_middle(sides: Sides, entity: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the fractions of entities between straight sides, and a mask of these entities.

    Extents are continuous there, so each corner in the corridor and each crossing with a side is
    evaluated once, unless an edge is perpendicular to the axis.
    """
    # Corners in rows: numpy is fast along the many bodies, not along the few corners.
    s, t = np.ascontiguousarray(entity.T)
    above, below = sides.heights(s, t)
    run = s[1:] - s[:-1]
    real = (run != 0) | (t[1:] != t[:-1])
    outside = (above.max(0) <= 0) | (below.max(0) <= 0)
    simple = (s.min(0) >= sides.straight[0]) & (s.max(0) <= sides.straight[1])
    simple &= ~(real & (np.abs(run) < CLOSE)).any(0)
    look = real & (simple & ~outside)
    slope = (above[1:] - above[:-1]) / np.where(run == 0, 1, run)
    places = []
    inside = np.nonzero(look & (above[:-1] >= 0) & (below[:-1] >= 0))
    places.append((inside[1], s[inside]))
    for height in (above, below):
        crossed = np.nonzero(look & ((height[:-1] < 0) != (height[1:] < 0)))
        one, other = height[crossed], height[crossed[0] + 1, crossed[1]]
        places.append((crossed[1], s[crossed] + run[crossed] * (one / (one - other))))
    row, at = (np.concatenate(part) for part in zip(*places, strict=True))
    width = sum(sides.of(row).heights(at, np.zeros(len(at))))
    extent, started = np.zeros(len(row)), s[0, row] <= at
    for edge in range(len(run)):
        up = above[edge, row] + (at - s[edge, row]) * slope[edge, row]
        begun, started = started, s[edge + 1, row] <= at
        extent += np.clip(up, 0, width) * (begun * 1.0 - started)
    fraction = np.zeros(len(simple))
    np.maximum.at(fraction, row, np.abs(extent) / width)
    simple |= outside
    return np.minimum(fraction, 1), simple


def padded(shapes: NDArray[np.object_]) -> Floats:
    """Return rings as (n, maximum number of points, 2); shorter ones repeat their last point."""
    coords, row = shapely.get_coordinates(shapes, return_index=True)
    ends = np.searchsorted(row, np.arange(1, len(shapes) + 1))
    starts = np.concatenate([[0], ends[:-1]])
    widest = (ends - starts).max()
    rings: Floats = coords[np.minimum(starts[:, None] + np.arange(widest), ends[:, None] - 1)]
    return rings


def along_axis(rings: Floats, start: Floats, toward: Floats) -> Floats:
    """Return s and t of rings, (2, n, points)."""
    x, y = np.moveaxis(rings - start[:, None], 2, 0)
    cos, sin = toward.T[:, :, None]
    return np.stack([x * cos + y * sin, y * cos - x * sin], -1)


def clear_of(rings: Floats, others: Floats) -> NDArray[np.bool_]:
    """Return whether the bounding boxes of two rings are disjoint."""
    apart: NDArray[np.bool_] = rings.min(1) >= others.max(1) - CLOSE
    apart |= others.min(1) >= rings.max(1) - CLOSE
    return np.asarray(apart.any(1))


def crossings(rings: Floats, others: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Return row and s of every crossing of edges of two rings."""
    p, r = rings[:, :-1, None], np.diff(rings, axis=1)[:, :, None]
    q, d = others[:, None, :-1], np.diff(others, axis=1)[:, None]
    gap_s, gap_t = q[..., 0] - p[..., 0], q[..., 1] - p[..., 1]
    bottom = r[..., 0] * d[..., 1] - r[..., 1] * d[..., 0]
    along = gap_s * d[..., 1] - gap_t * d[..., 0]
    beside = gap_s * r[..., 1] - gap_t * r[..., 0]
    inside = (along * bottom > 0) & (along * (along - bottom) < 0)
    inside &= (beside * bottom > 0) & (beside * (beside - bottom) < 0)
    row, edge, other = np.nonzero(inside)
    part = along[row, edge, other] / bottom[row, edge, other]
    return row, rings[row, edge, 0] + part * np.diff(rings[..., 0], axis=1)[row, edge]


def edges_at(rings: Floats, places: tuple[Floats, Floats]) -> tuple[Any, ...]:
    """Return sign and t of the edges over a strip's centre, at its centre, left and right."""
    s, t = rings[..., 0], rings[..., 1]
    run = np.diff(s, axis=1)
    slope = np.diff(t, axis=1) / np.where(run == 0, 1, run)
    left, right = places
    middle = 0.5 * (left + right)[:, None]
    sign = (s[:, :-1] < middle) * 1.0 - (s[:, 1:] < middle)
    return sign, *(
        t[:, :-1] + (x - s[:, :-1]) * slope for x in (middle, left[:, None], right[:, None])
    )


def shares(entity: Floats, hull: Floats, ends: list[Floats]) -> Floats:
    """Return the maximum extent over width at both ends of every strip between breakpoints."""
    n, k = entity.shape[:2]
    marks = [(np.repeat(np.arange(n), k), entity[..., 0].ravel())]
    for ring in (hull, *ends):
        marks.append((np.repeat(np.arange(n), ring.shape[1]), ring[..., 0].ravel()))
        marks.append(crossings(entity, ring))
    row, place = (np.concatenate(part) for part in zip(*marks, strict=True))
    least = np.maximum(entity[..., 0].min(1), hull[..., 0].min(1))
    most = np.minimum(entity[..., 0].max(1), hull[..., 0].max(1))
    inside = (place >= least[row]) & (place <= most[row])
    row, place = row[inside], place[inside]
    order = np.lexsort([place, row])
    row, place = row[order], place[order]
    strip = (row[1:] == row[:-1]) & (np.diff(place) > 1e-9)
    row, places = row[:-1][strip], (place[:-1][strip], place[1:][strip])
    sign, *sides = edges_at(hull[row], places)
    low = [np.where(sign, t, np.inf).min(1)[:, None] for t in sides]
    high = [np.where(sign, t, -np.inf).max(1)[:, None] for t in sides]
    sign, middle, *at = edges_at(entity[row], places)
    clipped = [np.clip(middle, low[0], high[0])]
    clipped += [
        np.where(middle < low[0], low[x], np.where(middle > high[0], high[x], at[x - 1]))
        for x in (1, 2)
    ]
    extents = [np.abs((sign * t).sum(1)) for t in clipped[1:]]
    for ring in ends:
        other, middle, *at = edges_at(ring[row], places)
        both = sign[:, :, None] * other[:, None]
        under = clipped[0][:, :, None] < middle[:, None]
        for x in (0, 1):
            least = np.where(under, clipped[x + 1][:, :, None], at[x][:, None])
            extents[x] -= np.abs((both * least).sum((1, 2)))
    best = np.zeros(n)
    for x in (0, 1):
        width = (high[x + 1] - low[x + 1])[:, 0]
        # Not at a point where the hull ends.
        share = np.where(width > CLOSE, extents[x] / np.maximum(width, CLOSE), 0)
        np.maximum.at(best, row, share)
    return np.minimum(best, 1)
