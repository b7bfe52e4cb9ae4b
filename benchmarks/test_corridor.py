"""The corridor kernel beside its baselines, which compute the same fractions.

`fractions_by_numpy`: shapely's tree finds what comes near each corridor, and numpy computes the
fractions, thousands at a time. `by_geos`: the same tree, but GEOS overlays every obstacle. Their
answers are compared with the kernel's before anything is timed. Each timing prints a line; `ratio`
says how many times as many pairs the kernel computes in a second on one thread.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
import shapely
from shapely import affinity

from emlia3d.geometry import Bodies, Surface, blocked_fractions, corridor_fractions
from emlia3d.studies.baselines.corridors import (
    CLOSE,
    BenchmarkScene,
    Floats,
    Found,
    corridors_of,
    fractions_by_numpy,
)


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


def scene_of(name: str) -> BenchmarkScene:
    if name == "brigade":
        bodies, units = field(200, 500, 1200, 800), np.arange(200, dtype=np.int32)
        return BenchmarkScene(bodies, units, units, np.arange(700, dtype=np.int32))
    if name == "army":
        bodies, units = field(1000, 2000, 2600, 1800), np.arange(1000, dtype=np.int32)
        return BenchmarkScene(bodies, units[::5], units, np.arange(3000, dtype=np.int32))
    bodies = field(400, 2000, 1700, 1250)
    rows = np.arange(2400, dtype=np.int32)
    return BenchmarkScene(bodies, rows[:200], rows[200:400], rows[400:])


def by_kernel(scene: BenchmarkScene) -> Found:
    pair, obstacle, fraction = corridor_fractions(
        scene.bodies, scene.observers, scene.targets, scene.obstacles
    )
    return pair.astype(np.int64) * len(scene.bodies) + obstacle, fraction


def by_geos(scene: BenchmarkScene) -> Found:
    """Overlay every obstacle near a corridor, and lay perpendiculars through what is left."""
    shapes = scene.bodies.shapes
    tree = shapely.STRtree(shapes[scene.obstacles])
    keys, fractions = [], []
    for row in range(len(scene.observers)):
        for pair, i, j, hull in zip(*corridors_of(scene, row), strict=True):
            a, b = shapes[i], shapes[j]
            near = scene.obstacles[np.sort(tree.query(hull, predicate="intersects"))]
            near = near[(near != i) & (near != j)]
            inside = shapely.intersection(shapes[near], hull)
            inside = shapely.difference(inside, shapely.GeometryCollection([a, b]))
            kept = shapely.area(inside) > CLOSE
            keys.append(pair * len(shapes) + near[kept])
            fractions.append(shares_by_geos(inside[kept], hull, a, b))
    return np.concatenate(keys), np.concatenate(fractions)


def shares_by_geos(inside, hull, a, b) -> Floats:
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


SCENES = ["two hundred a side", "brigade", "army"]
# As many of the observers as a baseline is given time for.
SAMPLE = {fractions_by_numpy: 10, by_geos: 1}


def seconds(way: Callable[[BenchmarkScene], Found], scene: BenchmarkScene, rounds: int) -> float:
    """The least time that a way takes."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        way(scene)
        taken.append(time.perf_counter() - start)
    return min(taken)


def as_one(found: Found) -> dict[int, float]:
    return dict(zip(found[0].tolist(), found[1].tolist(), strict=True))


@pytest.mark.parametrize("baseline", SAMPLE)
@pytest.mark.parametrize("name", SCENES)
def test_the_kernel_and_its_baselines_agree(
    name: str, baseline: Callable[[BenchmarkScene], Found]
) -> None:
    scene = scene_of(name).some(max(1, SAMPLE[baseline] // 2))

    kernel, other = as_one(by_kernel(scene)), as_one(baseline(scene))

    for key in kernel.keys() | other.keys():
        assert kernel.get(key, 0) == pytest.approx(other.get(key, 0), abs=1e-4), key
    assert len(kernel) > 1000


@pytest.mark.parametrize("name", SCENES)
def test_corridors_beside_baselines(benchmark, one_core, capsys, name: str) -> None:
    scene = scene_of(name)
    benchmark.group = f"corridors: {name}, {scene.pairs} pairs, {len(scene.obstacles)} obstacles"

    _, fraction = benchmark.pedantic(by_kernel, (scene,), rounds=1)

    each = seconds(by_kernel, scene, 3) / scene.pairs
    line = [f"{benchmark.group}, {len(fraction) / scene.pairs:.1f} in each"]
    line.append(f"kernel {1e6 * each:.1f} us a pair")
    for baseline, observers in SAMPLE.items():
        some = scene.some(observers)
        other = seconds(baseline, some, 2 if baseline is fractions_by_numpy else 1) / some.pairs
        benchmark.extra_info[f"ratio {baseline.__name__}"] = round(other / each)
        line.append(f"{baseline.__name__} {1e6 * other:.0f} us, {other / each:.0f} times")
    benchmark.extra_info["checksum"] = round(float(fraction.sum()), 2)
    with capsys.disabled():
        sys.stdout.write("\n" + "; ".join(line) + "\n")


def test_two_threads_beside_one(benchmark, monkeypatch, capsys) -> None:
    """One unit in five of an army looks at every other: 200,000 corridors, 3,000 bodies."""
    scene = scene_of("army")
    taken = {}
    for threads in ("1", "2"):
        monkeypatch.setenv("EMLIA3D_THREADS", threads)
        taken[threads] = seconds(by_kernel, scene, 2)

    benchmark.pedantic(by_kernel, (scene,), rounds=1)

    ratio = taken["1"] / taken["2"]
    benchmark.extra_info["ratio"] = round(ratio, 2)
    with capsys.disabled():
        sys.stdout.write(
            f"\narmy: one thread {taken['1']:.1f} s, two {taken['2']:.1f} s, {ratio:.2f} times\n"
        )


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
