"""Sight over fractal and real ground against a plain walk in whole numbers, and its slabs.

Heights on a grid of 1/1024 are whole numbers, and with the eye above a centre so is all else: the
walk multiplies what it would have to divide by, and rounds nothing.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from emlia3d.field.relief import relief_of as relief_in
from emlia3d.geometry import Surface, lines_of_sight, viewshed
from emlia3d.geometry.sightline import relief_of

REAL = Path(__file__).parents[2].parent / "shared/data/jasper_srtm.tif"
GRID = 1024


def fractal(side: int):
    form = {"kind": "fractal", "seed": 5, "cell": 1.0, "low_m": 0, "high_m": 40, "feature": 60}
    return relief_in(form | {"roughness": 0.6}).ground((side, side)).elevation_m


def real(side: int):
    rasterio = pytest.importorskip("rasterio")
    if not REAL.exists():
        pytest.skip("no real elevation beside the checkout")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with rasterio.open(REAL) as source:
            heights = source.read(1, window=((200, 200 + side), (300, 300 + side))).astype(float)
    return np.round(heights * GRID) / GRID


def seen_in_whole_numbers(heights, row, col, up, lift):
    """(rows, cols) bool: the centres that an eye so high above one of them sees."""
    ground = np.round(heights * GRID).astype(np.int64)
    assert np.array_equal(ground / GRID, heights)
    eye, lift = int(ground[row, col] + up * GRID), int(lift * GRID)
    seen = np.zeros(ground.shape, dtype=bool)
    for i, j in np.ndindex(*ground.shape):
        down, across = i - row, j - col
        top = int(ground[i, j]) + lift
        seen[i, j] = all(
            above_bends(ground, row, col, down, across, eye, top, kind) for kind in range(3)
        )
    return seen


def above_bends(ground, row, col, down, across, eye, top, kind) -> bool:
    """Whether the line is nowhere below the ground at the columns, rows or diagonals it crosses."""
    steps = (across, down, down + across)[kind]
    size = abs(steps)
    passed = np.arange(1, size)
    if kind == 0:
        place = row * size + passed * down
        r0, r1 = place // size, -(-place // size)
        c0 = c1 = col + passed * np.sign(steps)
    else:
        place = col * size + passed * across
        c0, c1 = place // size, -(-place // size)
        at = passed * np.sign(steps)
        r0 = r1 = row + at
        if kind == 2:
            r0, r1 = row + col + at - c0, row + col + at - c1
    share = place % size if size else place
    surface = ground[r0, c0] * (size - share) + ground[r1, c1] * share
    return bool((surface <= eye * size + passed * (top - eye)).all())


@pytest.mark.parametrize("ground", [fractal, real])
@pytest.mark.parametrize(("row", "col", "up"), [(20, 31, 2.5), (0, 47, 9.0), (40, 40, 0.0)])
def test_no_centre_is_seen_otherwise_than_by_a_walk_in_whole_numbers(ground, row, col, up) -> None:
    heights = ground(48)
    surface = Surface(heights=heights, cell=1.0, west=0.0, north=0.0)
    eye = [col, -row, heights[row, col] + up]

    expected = seen_in_whole_numbers(heights, row, col, up, 1.5)

    assert expected.any()
    assert np.array_equal(viewshed(surface, eye, 1.5).identity[0], expected)
    rows, cols = np.indices(heights.shape)
    tops = np.stack([cols, -rows, heights + 1.5], axis=-1).reshape(-1, 3)
    assert np.array_equal(lines_of_sight(surface, eye, tops), expected.ravel())
    assert np.array_equal(lines_of_sight(surface, tops, eye), expected.ravel())


@pytest.mark.slow
@pytest.mark.parametrize("ground", [fractal, real])
def test_no_centre_of_a_wide_ground_is_seen_otherwise_either(ground) -> None:
    heights = ground(200)
    surface = Surface(heights=heights, cell=1.0, west=0.0, north=0.0)

    expected = seen_in_whole_numbers(heights, 90, 70, 12.0, 1.5)

    assert np.array_equal(
        viewshed(surface, [70, -90, heights[90, 70] + 12], 1.5).identity[0], expected
    )


def test_lines_asked_together_are_answered_as_each_alone() -> None:
    rng = np.random.default_rng(4)
    surface = Surface(heights=fractal(150), cell=2.0, west=-7.0, north=300.0)
    places = rng.uniform(-20, 320, (2, 3000, 2))
    z = surface.heights_at(places[..., 0], places[..., 1]) + rng.choice([0.5, 2, 15], (2, 3000))
    a, b = np.concatenate([places, z[..., None]], axis=-1)

    together = lines_of_sight(surface, a, b)

    alone = [lines_of_sight(surface, a[k : k + 100], b[k : k + 100]) for k in range(0, 3000, 100)]
    assert 0.05 < together.mean() < 0.95
    assert np.array_equal(together, np.concatenate(alone))


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (2, 2), (33, 17)])
@pytest.mark.parametrize("level", [0.0, 0.1, -1e300, 12345.678])
def test_on_level_ground_all_is_seen_from_the_ground_up(shape, level) -> None:
    surface = Surface(heights=np.full(shape, level), cell=1.0, west=0.0, north=0.0)
    rows, cols = shape
    corners = [(0, 0), (cols - 1, 1 - rows), ((cols - 1) / 2, (1 - rows) / 2)]
    below = np.nextafter(level, -np.inf)

    for x, y in corners:
        assert viewshed(surface, [x, y, level]).seen.all()
        assert not viewshed(surface, [x, y, below]).seen.any()
        assert lines_of_sight(surface, [x, y, level], [0, 0, level]).all()
        assert not lines_of_sight(surface, [x, y, level], [0, 0, below]).any()


@given(
    arrays(
        np.float64,
        st.tuples(st.integers(1, 30), st.integers(1, 30)),
        elements=st.one_of(
            st.integers(0, 3).map(float),
            st.floats(-1e4, 1e4, width=32),
            st.sampled_from((1e300, -1e300, 1e-300, 0.1)),
        ),
    )
)
@settings(max_examples=60)
def test_all_ground_of_a_block_and_the_two_next_to_it_lies_in_its_slab(heights) -> None:
    relief = relief_of(Surface(heights=heights, cell=1.0, west=0.0, north=0.0))
    block = 2
    for first, rows, cols in relief.levels.tolist():
        for row, col in np.ndindex(rows, cols):
            middle, east, south, half = map(float, relief.slabs[first + row * cols + col])
            part = heights[row * block : (row + 3) * block + 1, col * block : (col + 3) * block + 1]
            i, j = np.indices(part.shape)
            assert (np.abs(part - (middle + east * j + south * i)) <= half).all()
        block *= 2
    assert relief.levels[-1, 1:].tolist() == [1, 1]
