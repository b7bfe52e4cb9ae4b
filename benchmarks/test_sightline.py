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
from emlia3d.studies.baselines.rays import lines_by_embree

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


def by_kernel(surface: Surface, a, b) -> Callable[[], NDArray[np.bool_]]:
    return lambda: lines_of_sight(surface, a, b)


@pytest.mark.usefixtures("one_core")
@pytest.mark.parametrize("way", [lines_by_embree, by_kernel])
@pytest.mark.parametrize("up", [2.0, 40.0], ids=["eyes at 2", "eyes at 40"])
@pytest.mark.parametrize("reach", [None, 200.0, 30.0], ids=["anywhere", "to 200", "to 30"])
def test_lines_between_places(
    benchmark, ground, up: float, reach: float | None, way: Way, ratio_lines
) -> None:
    name, surface = ground
    a, b = ends(surface, up, reach)
    if way is lines_by_embree:
        pytest.importorskip("embreex")
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
        baseline = lines_per_second.get(("lines_by_embree", scene))
        if way is by_kernel and baseline:
            info["ratio"] = round(lines_per_second["by_kernel", scene] / baseline, 2)
            ratio_lines.append(f"{scene}: {info['ratio']} times Embree, seen {info['seen']}")
