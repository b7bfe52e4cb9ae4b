"""Sight corridors by shapely and numpy: the same fractions, thousands of obstacles at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.geometry import Bodies

CLOSE = 1e-6
"""Shares and widths below are rounding."""

Floats: TypeAlias = NDArray[np.float64]
Found: TypeAlias = tuple[NDArray[np.int64], Floats]
"""Pair by number of bodies and obstacle, in one number, and the fraction."""


@dataclass(frozen=True, slots=True)
class BenchmarkScene:
    """Units that look at one another, and everything that may stand between."""

    bodies: Bodies
    observers: NDArray[np.int32]
    targets: NDArray[np.int32]
    obstacles: NDArray[np.int32]

    @property
    def pairs(self) -> int:
        """Corridors."""
        return len(self.observers) * len(self.targets)

    def some(self, observers: int) -> BenchmarkScene:
        """The same with a few of the observers."""
        chosen = np.linspace(0, len(self.observers) - 1, observers).astype(np.int32)
        return BenchmarkScene(self.bodies, self.observers[chosen], self.targets, self.obstacles)


def corridors_of(scene: BenchmarkScene, row: int) -> tuple[Any, ...]:
    """Of one observer: its corridors' pairs, ends and hulls, and what its tree finds near them."""
    shapes, i = scene.bodies.shapes, scene.observers[row]
    pair = row * len(scene.targets) + np.arange(len(scene.targets))
    a, b = np.full(len(scene.targets), i), scene.targets
    apart = ~shapely.intersects(shapes[a], shapes[b])
    pair, a, b = pair[apart], a[apart], b[apart]
    hulls = shapely.convex_hull(shapely.geometrycollections(np.stack([shapes[a], shapes[b]], 1)))
    return pair, a, b, hulls


def fractions_by_numpy(scene: BenchmarkScene) -> Found:
    """Corridors of one observer at a time, so that the columns fit the cache."""
    shapes = scene.bodies.shapes
    tree = shapely.STRtree(shapes[scene.obstacles])
    outlines, centroids = padded(shapes), shapely.get_coordinates(shapely.centroid(shapes))
    keys, fractions = [], []
    for row in range(len(scene.observers)):
        pair, a, b, hulls = corridors_of(scene, row)
        corridor, near = tree.query(hulls, predicate="intersects")
        near = scene.obstacles[near]
        kept = (near != a[corridor]) & (near != b[corridor])
        corridor, near = corridor[kept], near[kept]
        toward = centroids[b] - centroids[a]
        frame = centroids[a], toward / np.hypot(*toward.T)[:, None]
        hull = along_axis(padded(hulls), *frame)
        ends = [along_axis(outlines[body], *frame) for body in (a, b)]
        entity = along_axis(outlines[near], frame[0][corridor], frame[1][corridor])
        fraction = np.empty(len(near))
        beside = np.zeros(len(near), dtype=bool)
        for end in ends:
            beside |= ~clear_of(entity, end[corridor])
        for some, others in ((~beside, []), (beside, ends)):
            of = corridor[some]
            fraction[some] = shares(entity[some], hull[of], [other[of] for other in others])
        order = np.lexsort([near, corridor])
        order = order[fraction[order] > CLOSE]
        keys.append(pair[corridor[order]] * len(shapes) + near[order])
        fractions.append(fraction[order])
    return np.concatenate(keys), np.concatenate(fractions)


def padded(shapes: NDArray[np.object_]) -> Floats:
    """Rings as (n, most points, 2), the last point again and again where there are fewer."""
    coords, row = shapely.get_coordinates(shapes, return_index=True)
    ends = np.searchsorted(row, np.arange(1, len(shapes) + 1))
    starts = np.concatenate([[0], ends[:-1]])
    widest = (ends - starts).max()
    rings: Floats = coords[np.minimum(starts[:, None] + np.arange(widest), ends[:, None] - 1)]
    return rings


def along_axis(rings: Floats, start: Floats, toward: Floats) -> Floats:
    """S and t of rings, (2, n, points)."""
    x, y = np.moveaxis(rings - start[:, None], 2, 0)
    cos, sin = toward.T[:, :, None]
    return np.stack([x * cos + y * sin, y * cos - x * sin], -1)


def clear_of(rings: Floats, others: Floats) -> NDArray[np.bool_]:
    """Whether the boxes of two rings have nothing in common."""
    apart: NDArray[np.bool_] = rings.min(1) >= others.max(1) - CLOSE
    apart |= others.min(1) >= rings.max(1) - CLOSE
    return np.asarray(apart.any(1))


def crossings(rings: Floats, others: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Row and s of every place where an edge of one ring crosses an edge of another."""
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
    """Sign and t of the edges over a strip's middle, at its middle, left and right."""
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
    """Greatest extent over width, at both ends of every strip between breakpoints."""
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
        # Not in the point in which the hull may end.
        share = np.where(width > CLOSE, extents[x] / np.maximum(width, CLOSE), 0)
        np.maximum.at(best, row, share)
    return np.minimum(best, 1)
