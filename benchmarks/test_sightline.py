"""The ray kernel beside Embree, which asks the same triangles in single precision.

Each group is one ground, one height of the eyes and one reach; its rows settle the same lines,
which the share seen shows. A line at the end says how many times as many the kernel settles in a
second.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.geometry import Surface, lines_of_sight

LINES = 100_000
lines_per_second: dict[tuple[str, str], float] = {}

Way = Callable[[Surface, NDArray[np.float64], NDArray[np.float64]], Callable[[], NDArray[np.bool_]]]


def ends(surface: Surface, up: float, reach: float | None) -> NDArray[np.float64]:
    """(2, LINES, 3): an eye so high above the ground, and what it looks at two above it.

    reach : how many cells away at most, each way; anywhere without it
    """
    rng = np.random.default_rng(1815)
    last = len(surface.heights) - 2
    places = rng.uniform(1, last, (2, LINES, 2))
    if reach is not None:
        places[0] = np.clip(places[1] + rng.uniform(-reach, reach, (LINES, 2)), 1, last)
    places *= surface.cell
    z = surface.heights_at(places[..., 0], places[..., 1]) + np.array([[up], [2.0]])
    return np.concatenate([places, z[..., None]], axis=-1)


def by_embree(surface: Surface, a, b) -> Callable[[], NDArray[np.bool_]]:
    scenes = pytest.importorskip("embreex.rtcore_scene")
    meshes = pytest.importorskip("embreex.mesh_construction")
    rows, cols = surface.heights.shape
    row, col = np.indices((rows, cols))
    x, y = surface.cell * col, surface.north - surface.cell * row
    corners = np.stack([x, y, surface.heights], axis=-1).reshape(-1, 3)
    first = (np.arange(rows - 1)[:, None] * cols + np.arange(cols - 1)).ravel()
    triangles = np.concatenate([
        np.stack([first, first + cols, first + 1], axis=-1),
        np.stack([first + 1, first + cols, first + cols + 1], axis=-1),
    ])  # fmt: skip
    scene = scenes.EmbreeScene()
    meshes.TriangleMesh(scene, corners.astype(np.float32), triangles.astype(np.int32))
    origins, runs = a.astype(np.float32), (b - a).astype(np.float32)

    def ask() -> NDArray[np.bool_]:
        far = np.ones(len(origins), dtype=np.float32)
        return np.asarray(scene.run(origins, runs, dists=far, query="OCCLUDED") < 0)

    return ask


def by_kernel(surface: Surface, a, b) -> Callable[[], NDArray[np.bool_]]:
    return lambda: lines_of_sight(surface, a, b)


@pytest.mark.usefixtures("one_core")
@pytest.mark.parametrize("way", [by_embree, by_kernel])
@pytest.mark.parametrize("up", [2.0, 40.0], ids=["eyes at 2", "eyes at 40"])
@pytest.mark.parametrize("reach", [None, 200.0, 30.0], ids=["anywhere", "to 200", "to 30"])
def test_lines_between_places(
    benchmark, ground, up: float, reach: float | None, way: Way, ratio_lines
) -> None:
    name, surface = ground
    a, b = ends(surface, up, reach)
    ask = way(surface, a, b)
    assert np.mean(ask() == lines_of_sight(surface, a, b)) > 0.9995
    scene = f"{LINES} lines {f'to {reach:g} cells' if reach else 'anywhere'} over {name}, {up:g} up"
    benchmark.group = scene

    seen = benchmark.pedantic(ask, rounds=10, warmup_rounds=1)

    info = benchmark.extra_info
    info["seen"] = round(float(seen.mean()), 4)
    if benchmark.stats is not None:
        lines_per_second[way.__name__, scene] = LINES / benchmark.stats.stats.min
        info["lines_per_second"] = round(lines_per_second[way.__name__, scene])
        rival = lines_per_second.get(("by_embree", scene))
        if way is by_kernel and rival:
            info["ratio"] = round(lines_per_second["by_kernel", scene] / rival, 2)
            ratio_lines.append(f"{scene}: {info['ratio']} times Embree, seen {info['seen']}")
