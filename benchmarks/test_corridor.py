"""The corridor kernel beside vectorised shapely, which computes the same fractions.

Each group is one scene; its rows do the same work, which the checksums show. `ratio` in the
kernel's row is how many times as many pairs it settles in a second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from shapely import affinity

from emlia3d.geometry import Bodies, Surface, blocked_fractions, corridor_fractions

CLOSE = 1e-6
pairs_per_second: dict[tuple[str, str], float] = {}


@dataclass(frozen=True, slots=True)
class Scene:
    """Units that look at one another, and everything that may stand between."""

    bodies: Bodies
    observers: NDArray[np.int32]
    targets: NDArray[np.int32]

    @property
    def pairs(self) -> int:
        return len(self.observers) * len(self.targets)


def field(units: int, features: int, east: float, north: float) -> Bodies:
    """Ranked units facing anywhere, and terrain features of nine corners."""
    rng = np.random.default_rng(1815)
    outlines = []
    for _ in range(units):
        x, y = rng.uniform(0, east), rng.uniform(0, north)
        files, ranks = rng.integers(4, 16), rng.integers(1, 6)
        block = shapely.box(x, y, x + files, y + ranks)
        outlines.append(affinity.rotate(block, rng.uniform(0, 360)))
    for _ in range(features):
        x, y, size = rng.uniform(0, east), rng.uniform(0, north), rng.uniform(3, 20)
        angles = 2 * np.pi * (np.arange(9) + rng.uniform(0, 0.9, 9)) / 9
        radii = size * rng.uniform(0.5, 1, 9)
        corners = np.column_stack([x + radii * np.cos(angles), y + radii * np.sin(angles)])
        outlines.append(shapely.Polygon(corners))
    n = len(outlines)
    return Bodies(outlines, np.zeros(n), np.ones(n), np.ones(n, dtype=bool))


def scene_of(name: str) -> Scene:
    if name == "skirmish":
        bodies = field(20, 50, 160, 110)
        return Scene(bodies, np.arange(20, dtype=np.int32), np.arange(20, dtype=np.int32))
    bodies = field(200, 500, 1200, 800)
    observers = 2 if name == "brigade, a sample" else 200
    targets = np.arange(50 if name == "brigade, a sample" else 200, dtype=np.int32)
    return Scene(bodies, np.arange(observers, dtype=np.int32), targets)


def by_kernel(scene: Scene) -> dict[tuple[int, int], float]:
    rows = np.arange(len(scene.bodies), dtype=np.int32)
    pair, obstacle, fraction = corridor_fractions(
        scene.bodies, scene.observers, scene.targets, rows
    )
    return dict(
        zip(zip(pair.tolist(), obstacle.tolist(), strict=True), fraction.tolist(), strict=True)
    )


def by_shapely(scene: Scene) -> dict[tuple[int, int], float]:
    """Overlay every obstacle near a corridor, and lay perpendiculars through what is left."""
    shapes = scene.bodies.shapes
    tree = shapely.STRtree(shapes)
    found: dict[tuple[int, int], float] = {}
    for pair in range(scene.pairs):
        i = scene.observers[pair // len(scene.targets)]
        j = scene.targets[pair % len(scene.targets)]
        a, b = shapes[i], shapes[j]
        if i == j or shapely.intersects(a, b):
            continue
        hull = shapely.convex_hull(shapely.GeometryCollection([a, b]))
        near = np.sort(tree.query(hull, predicate="intersects"))
        near = near[(near != i) & (near != j)]
        inside = shapely.intersection(shapes[near], hull)
        inside = shapely.difference(inside, shapely.GeometryCollection([a, b]))
        kept = shapely.area(inside) > CLOSE
        fractions = shares(inside[kept], hull, a, b)
        found |= {
            (pair, int(row)): float(share) for row, share in zip(near[kept], fractions, strict=True)
        }
    return found


def shares(inside, hull, a, b) -> NDArray[np.float64]:
    """Greatest extent over width, for many shapes in one corridor at once."""
    if not len(inside):
        return np.empty(0)
    start, stop = (shapely.get_coordinates(shape.centroid)[0] for shape in (a, b))
    cos, sin = (stop - start) / math.dist(start, stop)
    shapes = shapely.transform(
        np.append(inside, hull), lambda xy: (xy - start) @ np.array([[cos, -sin], [sin, cos]])
    )
    hull = shapes[-1]
    corners, row = shapely.get_coordinates(shapes[:-1], return_index=True)
    bends = np.unique(shapely.get_coordinates(hull)[:, 0])
    places = np.concatenate([corners[:, 0], np.tile(bends, len(inside))])
    row = np.concatenate([row, np.repeat(np.arange(len(inside)), len(bends))])
    order = np.lexsort([places, row])
    places, row = places[order], row[order]
    strip = (np.diff(row) == 0) & (np.diff(places) > CLOSE)
    left, right, row = places[:-1][strip], places[1:][strip], row[:-1][strip]
    low, high = hull.bounds[1] - 1, hull.bounds[3] + 1
    extents, widths = [], []
    for part in (0.25, 0.75):
        s = left + part * (right - left)
        ends = np.stack([np.stack([s, np.full_like(s, y)], -1) for y in (low, high)], 1)
        lines = shapely.linestrings(ends)
        extents.append(shapely.length(shapely.intersection(lines, shapes[row])))
        widths.append(shapely.length(shapely.intersection(lines, hull)))
    best = np.zeros(len(inside))
    for near, far in ((0, 1), (1, 0)):
        extent = 1.5 * extents[near] - 0.5 * extents[far]
        width = 1.5 * widths[near] - 0.5 * widths[far]
        np.maximum.at(best, row, extent / np.maximum(width, CLOSE))
    return best


@pytest.mark.parametrize("name", ["skirmish", "brigade, a sample"])
def test_kernel_and_rival_agree(name: str) -> None:
    scene = scene_of(name)

    kernel, rival = by_kernel(scene), by_shapely(scene)

    for key in kernel.keys() | rival.keys():
        assert kernel.get(key, 0) == pytest.approx(rival.get(key, 0), abs=1e-4), key
    assert len(kernel) > 300


@pytest.mark.parametrize("name", ["skirmish", "brigade, a sample"])
@pytest.mark.parametrize("way", [by_shapely, by_kernel])
def test_corridors(benchmark, way, name: str) -> None:
    scene = scene_of(name)
    benchmark.group = f"corridors of a {name}: {scene.pairs} pairs, {len(scene.bodies)} bodies"

    found = benchmark.pedantic(way, (scene,), rounds=2 if way is by_shapely else 20)

    info = benchmark.extra_info
    info["checksum"] = round(sum(found.values()), 2)
    if benchmark.stats is not None:
        pairs_per_second[way.__name__, name] = scene.pairs / benchmark.stats.stats.min
        info["pairs_per_second"] = round(pairs_per_second[way.__name__, name])
        rival = pairs_per_second.get(("by_shapely", name))
        if way is by_kernel and rival:
            info["ratio"] = round(pairs_per_second["by_kernel", name] / rival)


def test_all_corridors_of_a_brigade(benchmark) -> None:
    """Every unit looks at every unit: 40,000 corridors, 700 bodies, the kernel alone."""
    scene = scene_of("brigade")
    rows = np.arange(len(scene.bodies))

    _, _, fraction = benchmark.pedantic(
        corridor_fractions, (scene.bodies, scene.observers, scene.targets, rows), rounds=3
    )

    benchmark.extra_info["rows"] = len(fraction)
    benchmark.extra_info["checksum"] = round(float(fraction.sum()), 2)


@pytest.mark.parametrize("height", [0.0, 5.0, 20.0], ids=["deep in", "along", "above"])
def test_ground_in_a_corridor(benchmark, height: float) -> None:
    """A corridor of 100 by 300 GSU over 300 by 300 rough cells, seen at three heights."""
    rng = np.random.default_rng(7)
    step = np.arange(300)
    waves = 5 * np.add.outer(np.sin(step / 20), np.cos(step / 15))
    surface = Surface(
        heights=waves + rng.normal(size=(300, 300)) / 2, cell=1.0, west=0.0, north=299.0
    )
    outlines = [shapely.box(100, 0, 200, 5), shapely.box(100, 290, 200, 295)]
    bodies = Bodies(outlines, [0, 0], [1, 1], [True, True])
    benchmark.group = "ground in one corridor"

    found = benchmark(blocked_fractions, surface, bodies, [[0, 1]], height, height)

    benchmark.extra_info["checksum"] = round(float(found[0]), 6)
