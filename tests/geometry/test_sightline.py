"""Lines of sight against a walk over every bend of the ground in fractions, without rounding."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from emlia3d.geometry import Surface, lines_of_sight
from tests.geometry.exact_sight import seen_by_fractions

CELLS = (1.0, 0.5, 5.0, 0.3, 30.87)


def surface_of(heights, cell=1.0, west=0.0, north=0.0) -> Surface:
    return Surface(heights=np.array(heights, dtype=float), cell=cell, west=west, north=north)


@st.composite
def scenes(draw, *, whole=None):
    """A small raster and pairs of places on and about it; whole ones touch and graze a lot."""
    shape = draw(st.tuples(st.integers(1, 9), st.integers(1, 9)))
    whole = draw(st.booleans()) if whole is None else whole
    level = st.integers(0, 3).map(float) if whole else st.floats(0, 3, width=32)
    surface = surface_of(
        draw(arrays(np.float64, shape, elements=level)),
        1.0 if whole else draw(st.sampled_from(CELLS)),
        *draw(st.tuples(*[st.sampled_from((0.0, 2.5, 0.1))] * 2)) if not whole else (0.0, 8.0),
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    places = rng.uniform(-2, 11, (2, 12, 3))
    if whole:
        places = np.round(places * 2) / 2
    x, y = (
        surface.west + places[..., 0] * surface.cell,
        surface.north - places[..., 1] * surface.cell,
    )
    if draw(st.booleans()):
        z = surface.heights_at(x, y) + rng.integers(0, 2, x.shape)
    else:
        z = rng.integers(0, 5, x.shape) if whole else rng.uniform(0, 4, x.shape)
    return surface, *np.stack([x, y, z], axis=-1)


@given(scenes())
@settings(max_examples=60)
def test_a_line_is_blocked_where_the_ground_rises_above_it(scene) -> None:
    surface, a, b = scene

    seen = lines_of_sight(surface, a, b)

    assert seen.tolist() == [seen_by_fractions(surface, *pair) for pair in zip(a, b, strict=True)]


@given(scenes())
def test_a_sees_b_if_and_only_if_b_sees_a(scene) -> None:
    surface, a, b = scene

    assert np.array_equal(lines_of_sight(surface, a, b), lines_of_sight(surface, b, a))


@given(scenes(whole=True), st.integers(-9, 9), st.integers(-9, 9))
def test_a_shift_by_whole_cells_changes_nothing(scene, east, north) -> None:
    surface, a, b = scene
    moved = replace(surface, west=surface.west + east, north=surface.north + north)
    shift = np.array([east, north, 0])

    assert np.array_equal(
        lines_of_sight(surface, a, b), lines_of_sight(moved, a + shift, b + shift)
    )


@given(scenes(whole=True))
def test_half_a_turn_changes_nothing(scene) -> None:
    surface, a, b = scene
    rows, cols = surface.heights.shape
    turned = surface_of(
        surface.heights[::-1, ::-1], west=-(cols - 1.0), north=-(surface.north - rows + 1)
    )
    turn = np.array([-1, -1, 1])

    assert np.array_equal(lines_of_sight(surface, a, b), lines_of_sight(turned, a * turn, b * turn))


@given(scenes(whole=True))
def test_a_mirror_along_the_diagonal_changes_nothing(scene) -> None:
    surface, a, b = scene
    rows, cols = surface.heights.shape
    south = surface.north - (rows - 1)
    mirrored = surface_of(surface.heights[::-1, ::-1].T, west=south, north=cols - 1.0)

    assert np.array_equal(
        lines_of_sight(surface, a, b),
        lines_of_sight(mirrored, a[:, [1, 0, 2]], b[:, [1, 0, 2]]),
    )


@given(scenes(), st.floats(0, 3), st.floats(0, 3))
def test_raising_an_end_never_loses_sight(scene, raise_a, raise_b) -> None:
    surface, a, b = scene

    before = lines_of_sight(surface, a, b)
    after = lines_of_sight(surface, a + np.array([0, 0, raise_a]), b + np.array([0, 0, raise_b]))

    assert not (before & ~after).any()


@given(scenes(), st.integers(0, 8), st.integers(0, 8), st.floats(0, 3))
def test_raising_the_ground_never_gains_sight(scene, row, col, rise) -> None:
    surface, a, b = scene
    heights = surface.heights.copy()
    heights[row % heights.shape[0], col % heights.shape[1]] += rise

    before = lines_of_sight(surface, a, b)
    after = lines_of_sight(replace(surface, heights=heights), a, b)

    assert not (after & ~before).any()


def test_ground_that_touches_the_line_does_not_block() -> None:
    ridge = surface_of([[0, 0, 2, 0, 0]] * 3)

    assert lines_of_sight(ridge, [0, 0, 2], [4, -2, 2]).tolist() == [True]
    assert lines_of_sight(ridge, [0, 0, 1], [4, -2, 3]).tolist() == [True]
    assert lines_of_sight(ridge, [0, 0, 1], [4, -2, math.nextafter(3, 0)]).tolist() == [False]


def test_the_ground_bends_along_the_diagonal_from_south_west_to_north_east() -> None:
    cell = surface_of([[0, 1], [1, 0]])

    assert lines_of_sight(cell, [0, 0, 0.9], [1, -1, 0.9]).tolist() == [False]
    assert lines_of_sight(surface_of([[1, 0], [0, 1]]), [0, -1, 0], [1, 0, 0]).tolist() == [True]


def test_a_place_below_the_ground_sees_nothing_but_one_on_it_does() -> None:
    slope = surface_of([[0, 1, 2]] * 2)

    seen = lines_of_sight(
        slope, [[1, 0, 0.5], [1, 0, 1], [1, 0, 1]], [[0, 0, 3], [0, 0, 3], [1, 0, 1]]
    )

    assert seen.tolist() == [False, True, True]


def test_two_places_above_each_other_see_each_other_unless_one_is_buried() -> None:
    flat = surface_of([[1]])

    assert lines_of_sight(flat, [3, 4, 1], [[3, 4, 9], [3, 4, 0.5]]).tolist() == [True, False]


def test_beyond_the_raster_the_ground_goes_on_level() -> None:
    wall = surface_of([[5], [0], [0]])

    assert lines_of_sight(wall, [-9, 1, 4], [9, 1, 4]).tolist() == [False]
    assert lines_of_sight(wall, [-9, -2, 0], [9, -8, 0]).tolist() == [True]
    assert lines_of_sight(wall, [-9, 0.25, 5], [9, -2, 0]).tolist() == [False]


def test_the_number_of_threads_changes_nothing(monkeypatch) -> None:
    rng = np.random.default_rng(7)
    surface = surface_of(rng.uniform(0, 3, (40, 60)))
    a, b = (rng.uniform([0, -40, 1], [60, 0, 5], (20_000, 3)) for _ in range(2))

    monkeypatch.setenv("EMLIA3D_THREADS", "1")
    alone = lines_of_sight(surface, a, b)
    monkeypatch.setenv("EMLIA3D_THREADS", "3")

    assert 0.1 < alone.mean() < 0.9
    assert np.array_equal(alone, lines_of_sight(surface, a, b))


def test_a_long_line_over_broken_ground_is_that_of_fractions() -> None:
    rng = np.random.default_rng(11)
    surface = surface_of(rng.integers(0, 4, (150, 130)), cell=5.0, north=750.0)
    a, b = (rng.integers(0, [125, 145, 1], (60, 3)) * [5.0, 5.0, 1.0] for _ in range(2))
    a, b = a + np.array([0, 5, 3]), b + np.array([0, 5, 3])

    seen = lines_of_sight(surface, a, b)

    assert seen.tolist() == [seen_by_fractions(surface, *pair) for pair in zip(a, b, strict=True)]


def test_a_line_is_answered_the_same_whoever_is_asked_with_it() -> None:
    rng = np.random.default_rng(17)
    surface = surface_of(rng.uniform(0, 3, (90, 70)), north=90.0)
    a, b = (rng.uniform([-9, -9, 2], [80, 99, 5], (333, 3)) for _ in range(2))

    together = lines_of_sight(surface, a, b)

    assert 0.1 < together.mean() < 0.9
    alone = [lines_of_sight(surface, one, other)[0] for one, other in zip(a, b, strict=True)]
    assert together.tolist() == alone


@pytest.mark.parametrize("lift", [2.0**13, 2.0**20, 2.0**40])
def test_however_high_the_ground_lies_its_lines_are_the_same(lift: float) -> None:
    rng = np.random.default_rng(5)
    heights = rng.integers(0, 4, (150, 170)) + np.arange(170) // 20
    a, b = (rng.integers(0, 149, (3000, 2)).astype(float) for _ in range(2))
    low, high = surface_of(heights, north=149.0), surface_of(heights + lift, north=149.0)
    a, b = (np.column_stack([p, low.heights_at(*p.T) + rng.integers(0, 3, 3000)]) for p in (a, b))

    seen = lines_of_sight(low, a, b)

    assert 0.05 < seen.mean() < 0.95
    up = np.array([0, 0, lift])
    assert np.array_equal(seen, lines_of_sight(high, a + up, b + up))


def test_a_line_that_lies_on_flat_ground_is_free_however_long_it_is() -> None:
    flat = surface_of(np.full((700, 900), 0.1), cell=0.3)
    a, b = (np.random.default_rng(2).uniform([0, -200, 0.1], [260, 0, 0.1], (500, 3)) for _ in "ab")

    assert lines_of_sight(flat, a, b).all()
    assert not lines_of_sight(flat, a, b - np.array([0, 0, 1e-9])).any()


def test_a_peak_on_a_plain_hides_every_line_that_ends_in_it() -> None:
    rng = np.random.default_rng(23)
    for row, col in [(0, 0), (8, 8), (8, 13), (16, 47), (63, 64), (64, 63), (129, 129), (71, 128)]:
        heights = np.zeros((130, 130))
        heights[row, col] = 1
        plain, peak = surface_of(heights, north=129.0), np.array([col, 129 - row])
        flank = np.clip(peak + rng.uniform(-0.2, 0.2, (500, 2)), 0, 129)
        reach = rng.choice([3, 20, 129], (500, 1))
        beside = np.clip(peak + rng.uniform(-1, 1, (500, 2)) * reach, 0, 129)

        seen = lines_of_sight(
            plain, np.insert(beside, 2, 0.5, axis=1), np.insert(flank, 2, 0.5, axis=1)
        )

        assert not seen.any()


@pytest.mark.parametrize("turned", [False, True])
def test_a_wall_across_a_plain_hides_one_side_from_the_other(turned: bool) -> None:
    rng = np.random.default_rng(29)
    for row in (1, 31, 40, 64, 77, 96, 128):
        heights = np.zeros((130, 130))
        heights[row] = 1
        plain = surface_of(heights.T if turned else heights, north=129.0)
        u, v = rng.uniform(0, 129, (2, 500)), rng.uniform([[0], [row]], [[row], [129]], (2, 500))
        x, y = (v, 129 - u) if turned else (u, 129 - v)

        seen = lines_of_sight(plain, *np.stack([x, y, np.full_like(x, 0.5)], axis=-1))

        assert not seen.any()


def test_lines_higher_than_single_precision_can_say_are_hidden_by_what_is_higher() -> None:
    wall = surface_of(np.full((3, 5), [0, 0, 1e300, 0, 0]))
    a, b = np.array([0, 0, 1.0]), np.array([4, -2, 1.0])

    seen = [lines_of_sight(wall, a * [1, 1, up], b * [1, 1, up])[0] for up in (1e39, 9e299, 2e300)]

    assert seen == [False, False, True]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ([0, 0, math.nan], "a: needs finite numbers"),
        ([math.inf, 0, 0], "a: needs finite numbers"),
        ([0, 0], "a: needs rows of x, y and z"),
    ],
)
def test_what_is_no_place_is_refused(place, message) -> None:
    with pytest.raises(ValueError, match=message):
        lines_of_sight(surface_of([[0]]), place, [0, 0, 0])


def test_threads_want_a_whole_number(monkeypatch) -> None:
    monkeypatch.setenv("EMLIA3D_THREADS", "many")

    with pytest.raises(ValueError, match="EMLIA3D_THREADS: expected a whole number"):
        lines_of_sight(surface_of([[0]]), np.zeros((9000, 3)), [0, 0, 0])
