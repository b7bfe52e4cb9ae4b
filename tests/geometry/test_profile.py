"""The ground along a line: its profile, the least height seen and the place that blocks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.geometry import Surface, blocking_place, lines_of_sight, min_visible_height, profile


def surface_of(heights, cell=1.0, west=0.0) -> Surface:
    """A surface whose last row of centres lies at y = 0."""
    heights = np.array(heights, dtype=float)
    return Surface(heights=heights, cell=cell, west=west, north=cell * (len(heights) - 1))


@st.composite
def scenes(draw):
    """A small raster and two places on and about it, above the ground at the first."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows, cols = draw(st.tuples(st.integers(1, 9), st.integers(1, 9)))
    heights = (
        rng.integers(0, 4, (rows, cols)) if draw(st.booleans()) else rng.uniform(0, 3, (rows, cols))
    )
    surface = surface_of(heights, draw(st.sampled_from((1.0, 5.0, 0.3))))
    places = rng.uniform(-2, 11, (2, 2))
    if draw(st.booleans()):
        places = np.round(places * 2) / 2
    (ax, ay), (bx, by) = (places * surface.cell).tolist()
    z = float(surface.heights_at(ax, ay)) + draw(st.sampled_from((0.001, 1.0, 2.5)))
    return surface, (ax, ay, z), (bx, by)


def test_a_profile_bends_at_rows_columns_and_diagonals() -> None:
    hill = surface_of([[0, 0, 0], [0, 4, 0], [0, 0, 0]])

    distances, heights = profile(hill, 0, 1, 2, 0)

    # The middle column at x = 1, and a diagonal before and after it.
    assert distances / math.sqrt(5) * 2 == pytest.approx([0, 2 / 3, 1, 4 / 3, 2])
    assert heights == pytest.approx([0, 8 / 3, 2, 0, 0])
    distances, heights = profile(hill, 0, 1.5, 2, 1.5)
    assert distances == pytest.approx([0, 0.5, 1, 1.5, 2])
    assert heights == pytest.approx([0, 0, 2, 2, 0])


def test_a_profile_goes_on_level_beyond_the_raster() -> None:
    step = surface_of([[1, 3]])

    distances, heights = profile(step, -2, 0, 4, 0)

    assert distances.tolist() == [0, 2, 3, 6]
    assert heights.tolist() == [1, 1, 3, 3]


def test_a_profile_of_one_place_is_its_height_twice() -> None:
    distances, heights = profile(surface_of([[1, 3]]), 0.5, 0, 0.5, 0)

    assert distances.tolist() == [0, 0]
    assert heights.tolist() == [2, 2]


@given(scenes(), st.floats(0, 1))
def test_between_its_places_a_profile_is_straight(scene, part) -> None:
    surface, (ax, ay, _), (bx, by) = scene

    distances, heights = profile(surface, ax, ay, bx, by)

    between = float(surface.heights_at(ax + part * (bx - ax), ay + part * (by - ay)))
    assert np.interp(part * distances[-1], distances, heights) == pytest.approx(between, abs=1e-9)


@given(scenes())
def test_a_profile_is_the_same_from_both_ends(scene) -> None:
    surface, (ax, ay, _), (bx, by) = scene

    distances, heights = profile(surface, ax, ay, bx, by)
    back, heights_back = profile(surface, bx, by, ax, ay)

    assert distances == pytest.approx(back[-1] - back[::-1], abs=1e-9)
    assert heights == pytest.approx(heights_back[::-1], abs=1e-9)


def test_behind_a_ridge_the_least_height_grows_with_the_distance() -> None:
    ridge = surface_of([[0, 0, 3, 0, 0, 0, 0]] * 2)

    least = min_visible_height(ridge, [0, 1, 1], [1, 2, 3, 4, 6], 1)

    assert least.tolist() == [0, 3, 4, 5, 7]


@given(scenes())
def test_at_the_least_height_a_place_is_seen_and_just_below_it_is_not(scene) -> None:
    surface, eye, (x, y) = scene

    least = float(min_visible_height(surface, eye, x, y))

    seen = lines_of_sight(surface, eye, [[x, y, least], [x, y, math.nextafter(least, -math.inf)]])
    assert seen.tolist() == [True, False]
    assert least >= float(surface.heights_at(x, y)) - 1e-9


def test_under_the_ground_no_height_is_seen() -> None:
    flat = surface_of([[2, 2], [2, 2]])

    assert min_visible_height(flat, [0, 0, 1], [0, 1], [[0], [1]]).tolist() == [[math.inf] * 2] * 2
    assert min_visible_height(flat, [0, 0, 2], [0, 1], 0).tolist() == [2, 2]


@given(scenes(), st.floats(-1, 4))
def test_a_blocking_place_is_where_the_ground_is_most_above_the_line(scene, z) -> None:
    surface, a, (bx, by) = scene
    b = (bx, by, z)

    found = blocking_place(surface, a, b)

    assert (found is None) == lines_of_sight(surface, a, b)[0]
    if found:
        parts = np.linspace(0, 1, 97)[:, None]
        x, y, line = (np.array(a) + parts * (np.array(b) - a)).T
        assert found.excess >= (surface.heights_at(x, y) - line).max() - 1e-9
        run = np.array([bx - a[0], by - a[1]])
        part = ((found.x - a[0]) * run[0] + (found.y - a[1]) * run[1]) / max(run @ run, 1e-300)
        here = float(surface.heights_at(found.x, found.y)) - (a[2] + part * (z - a[2]))
        if run.any():
            assert here == pytest.approx(found.excess, abs=1e-9)


def test_a_ridge_blocks_at_its_crest() -> None:
    ridge = surface_of([[0, 0, 3, 0, 0]] * 2)

    assert blocking_place(ridge, [0, 1, 1], [4, 1, 1]) == (2, 1, 2)
    assert blocking_place(ridge, [0, 1, 3], [4, 1, 3]) is None
    assert blocking_place(ridge, [0, 1, 1], [4, 1, -1]) == (2, 1, 3)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda s: profile(s, 0, 0, math.nan, 0), "profile: needs finite numbers"),
        (lambda s: min_visible_height(s, [0, 0, math.inf], 0, 0), "eye: needs finite numbers"),
        (lambda s: min_visible_height(s, np.zeros((2, 3)), 0, 0), "needs one eye"),
        (
            lambda s: min_visible_height(s, [0, 0, 0], math.nan, 0),
            "min_visible_height: needs finite",
        ),
        (lambda s: blocking_place(s, np.zeros((2, 3)), [0, 0, 0]), "one a and one b"),
    ],
)
def test_what_is_no_place_is_refused(question, message) -> None:
    with pytest.raises(ValueError, match=message):
        question(surface_of([[0]]))
