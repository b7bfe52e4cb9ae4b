"""The baselines of `emlia3d bench` give the same answers as the kernels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity

from emlia3d.geometry import Bodies, corridor_fractions, discs_within
from emlia3d.rules.emlia import allocate_hits
from emlia3d.studies.baselines import hits, neighbours
from emlia3d.studies.baselines.corridors import CLOSE, BenchmarkScene, fractions_by_numpy

UNITS = st.lists(
    st.tuples(
        st.lists(st.integers(1, 60), min_size=1, max_size=6),
        st.lists(st.integers(0, 40), min_size=1, max_size=5),
    ),
    min_size=1,
    max_size=8,
)


def army_of(units: list[tuple[list[int], list[int]]]) -> hits.Army:
    columns = []
    for which in (0, 1):
        rows = [unit[which] for unit in units]
        columns.append(np.concatenate(rows).astype(np.int32))
        columns.append(np.concatenate(([0], np.cumsum([*map(len, rows)]))).astype(np.int32))
    members, rows, markers, groups = columns
    return members, rows, markers, groups


def allocated(army: hits.Army) -> list[int]:
    members, rows, markers, groups = army
    # Groups of equal size keep their order, which the kernel takes from their base damage.
    damage = np.concatenate([np.arange(n) for n in np.diff(groups)]).astype(np.int32)
    return allocate_hits(members, rows, damage, markers, groups).tolist()


@given(UNITS)
def test_numpy_and_plain_python_allocate_hits_as_the_kernel_does(units) -> None:
    army = army_of(units)

    expected = allocated(army)

    assert hits.allocate_by_marker(army, len(units)) == expected
    assert hits.allocate_by_numpy(army).tolist() == expected


def test_numpy_allocates_hits_to_units_of_any_shape_in_blocks(monkeypatch) -> None:
    monkeypatch.setattr(hits, "_BLOCK", 3)
    rng = np.random.default_rng(4)
    units = [
        (rng.integers(1, 60, n).tolist(), rng.integers(0, 40, g).tolist())
        for n, g in rng.integers(1, 5, (200, 2))
    ]
    units.append((rng.integers(1, 9, 300).tolist(), rng.integers(1, 9, 300).tolist()))
    army = army_of(units)

    assert hits.allocate_by_numpy(army).tolist() == allocated(army)


@pytest.fixture(scope="module")
def allocate() -> Callable[..., np.ndarray]:
    pytest.importorskip("numba")
    return hits.allocate_by_numba()


@settings(deadline=None)
@given(units=UNITS)
def test_numba_allocates_hits_as_the_kernel_does(allocate, units) -> None:
    army = army_of(units)
    sizes = np.diff(army[1]) * np.diff(army[3])
    starts = np.concatenate(([0], np.cumsum(sizes.astype(np.int64))))

    out = allocate(*army, starts, np.empty(int(starts[-1]), np.int32))

    assert out.tolist() == allocated(army)


@pytest.fixture(scope="module")
def by_grid() -> neighbours.NeighbourSearch:
    pytest.importorskip("numba")
    return neighbours.neighbours_by_grid()


def same_neighbours(search: neighbours.NeighbourSearch, around: float, count: int) -> None:
    """Compare with the kernel, for some points with some neighbours on average."""
    side = 20.0 * (np.pi * count / around) ** 0.5
    x, y = np.random.default_rng(count).uniform(-side / 2, side / 2, (2, count))
    near = discs_within(x, y, 20.0)

    offsets, rows = search(x, y, 20.0)

    assert np.array_equal(offsets, near.offsets)
    assert np.array_equal(rows, near.rows)


CROWDS = [(0.2, 500), (3.0, 1), (3.0, 3_000), (12.0, 3_000), (60.0, 1_000), (400.0, 500)]


@pytest.mark.parametrize(("around", "count"), CROWDS)
def test_shapelys_tree_finds_the_neighbours_that_the_kernel_finds(around, count) -> None:
    same_neighbours(neighbours.neighbours_by_tree, around, count)


@pytest.mark.long
@pytest.mark.parametrize(("around", "count"), CROWDS)
def test_the_grid_in_numba_finds_the_neighbours_that_the_kernel_finds(
    by_grid, around, count
) -> None:
    same_neighbours(by_grid, around, count)


def corridor_scene(seed: int, step: float) -> BenchmarkScene:
    """Twelve units, and obstacles of three to nine corners in their way, some of them concave.

    step : grid on which all corners lie, so that edges are perpendicular to axes; 0 for none
    """
    rng = np.random.default_rng(seed)
    outlines = []
    for row in range(60):
        x, y = rng.uniform(0, 150, 2)
        if row < 12 or row % 2:
            outline = shapely.box(x, y, x + rng.uniform(3, 12), y + rng.uniform(2, 6))
            outline = outline if step else affinity.rotate(outline, rng.uniform(0, 360))
        else:
            corners = int(rng.integers(3, 10))
            angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
            radii = rng.uniform(2, 12, corners)
            places = np.column_stack([x + radii * np.cos(angles), y + radii * np.sin(angles)])
            outline = shapely.Polygon(places)
        if step:
            outline = shapely.transform(outline, lambda xy: np.round(xy / step) * step)
        outlines.append(outline)
    outlines = [one for one in outlines if one.is_valid and one.area > 0]
    n = len(outlines)
    bodies = Bodies(outlines, np.zeros(n), np.ones(n), np.ones(n, dtype=bool))
    rows = np.arange(n, dtype=np.int32)
    return BenchmarkScene(bodies, rows[:6], rows[6:12], rows)


@pytest.mark.parametrize("step", [0.0, 1.0], ids=["anywhere", "on a grid"])
@pytest.mark.parametrize("seed", range(8))
def test_numpy_finds_the_fractions_of_corridors_that_the_kernel_finds(seed, step) -> None:
    scene = corridor_scene(seed, step)
    pair, obstacle, fraction = corridor_fractions(
        scene.bodies, scene.observers, scene.targets, scene.obstacles
    )
    expected = np.zeros((scene.pairs, len(scene.bodies)))
    expected[pair, obstacle] = fraction

    key, found = fractions_by_numpy(scene)

    other = np.zeros_like(expected)
    other.flat[key] = found
    assert np.allclose(other, expected, rtol=0, atol=2 * CLOSE)
    assert (expected > 0).sum() > 50


def test_units_that_all_overlap_have_no_corridor() -> None:
    bodies = Bodies([shapely.box(0, 0, 4, 4), shapely.box(1, 1, 6, 6)], [0, 0], [1, 1], [True] * 2)
    rows = np.arange(2, dtype=np.int32)

    key, found = fractions_by_numpy(BenchmarkScene(bodies, rows, rows, rows))

    assert len(key) == len(found) == 0
