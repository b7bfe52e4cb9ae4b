from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Polygon

from emlia3d.field import (
    outline_of_circle,
    outline_of_path,
    outline_of_points,
    scatter,
    snapped,
)


def corners(polygon: Polygon) -> set[tuple[float, float]]:
    return set(polygon.exterior.coords)


def on_the_grid(polygon: Polygon) -> bool:
    coordinates = np.array(polygon.exterior.coords) * 1024
    return bool((coordinates == np.round(coordinates)).all())


def test_corners_in_either_direction_give_the_same_counter_clockwise_outline() -> None:
    square = [[0, 0], [4, 0], [4, 3], [0, 3]]

    forwards, backwards = outline_of_points(square), outline_of_points(square[::-1])

    assert forwards.exterior.is_ccw
    assert backwards.exterior.is_ccw
    assert forwards.equals(backwards)
    assert forwards.area == 12


def test_corners_written_twice_count_once() -> None:
    polygon = outline_of_points([[0, 0], [0, 0], [4, 0], [4, 3], [4, 3], [0, 0]])

    assert len(polygon.exterior.coords) == 4


def test_points_are_rounded_to_the_grid() -> None:
    assert snapped([[1 / 3, -0.0]]).tolist() == [[341 / 1024, 0.0]]


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ([[0, 0], [1, 1]], "three different corners"),
        ([[0, 0], [0, 0], [0, 0]], "three different corners"),
        ([[0, 0], [1, 1], [2, 2]], "one line"),
        ([[0, 0], [2, 2], [2, 0], [0, 2]], "crosses or touches itself"),
        ([[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]], "crosses or touches itself"),
        ([[0, 0], [4, 0], [math.nan, 4]], "between"),
        ([[0, 0], [4, 0], [4, 1e9]], "between"),
        ([0, 1, 2], "pairs of numbers"),
        ([[0, 0], [1]], "pairs of numbers"),
        ([], "pairs of numbers"),
    ],
)
def test_an_outline_that_is_no_simple_polygon_is_refused(points, why) -> None:
    with pytest.raises(ValueError, match=why):
        outline_of_points(points)


def test_a_circle_has_32_corners_at_its_radius() -> None:
    circle = outline_of_circle(100, 50, 20)

    assert len(corners(circle)) == 32
    away = [math.dist(corner, (100, 50)) for corner in corners(circle)]
    assert away == pytest.approx([20] * 32, abs=1e-3)
    assert (120, 50) in corners(circle)
    assert on_the_grid(circle)


def test_a_circle_about_the_origin_is_the_same_in_every_quarter() -> None:
    found = corners(outline_of_circle(0, 0, 7))

    assert {(-y, x) for x, y in found} == found
    assert {(y, x) for x, y in found} == found


@pytest.mark.parametrize("radius", [0, -1, math.nan, 0.1])
def test_a_circle_too_small_for_the_grid_is_refused(radius: float) -> None:
    with pytest.raises(ValueError, match="radius"):
        outline_of_circle(0, 0, radius)


def test_a_straight_path_is_a_rectangle_with_square_ends() -> None:
    strip = outline_of_path([[0, 0], [10, 0]], 4)

    assert corners(strip) == {(0, -2), (10, -2), (10, 2), (0, 2)}


def test_a_right_angle_is_mitred_on_its_outer_side() -> None:
    strip = outline_of_path([[0, 0], [10, 0], [10, 10]], 4)

    assert (12, -2) in corners(strip)
    assert (8, 2) in corners(strip)
    assert strip.area == 4 * 12 + 4 * 8


def test_a_sharp_turn_is_bevelled_and_does_not_spike() -> None:
    strip = outline_of_path([[0, 0], [20, 0], [0, 4]], 2)

    assert strip.bounds[2] < 22


def test_a_path_back_to_its_own_start_is_refused_as_a_ring() -> None:
    with pytest.raises(ValueError, match="closes a ring"):
        outline_of_path([[0, 0], [20, 0], [20, 20], [0, 20], [0, 0]], 2)


@pytest.mark.parametrize(
    ("points", "width", "why"),
    [
        ([[0, 0]], 2, "two different points"),
        ([[3, 3], [3, 3]], 2, "two different points"),
        ([[0, 0], [9, 0]], 0, "width"),
        ([[0, 0], [9, 0]], math.nan, "width"),
    ],
)
def test_a_path_without_length_or_width_is_refused(points, width, why) -> None:
    with pytest.raises(ValueError, match=why):
        outline_of_path(points, width)


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=2, max_size=6),
    st.sampled_from([0.5, 1.3, 4.0]),
)
def test_every_strip_is_simple_lies_on_the_grid_and_covers_its_path(points, width) -> None:
    told, strip = "", None
    try:
        strip = outline_of_path([list(point) for point in points], width)
    except ValueError as refused:
        told = str(refused)

    if strip is None:
        assert told.startswith(
            ("the path closes a ring", "the path crosses itself", "a path needs at least two")
        )
        return

    assert strip.is_valid
    assert not strip.interiors
    assert strip.exterior.is_ccw
    assert on_the_grid(strip)
    for piece in itertools.pairwise(points):
        stretch = LineString(piece).buffer(width / 2, cap_style="flat")
        assert stretch.difference(strip.buffer(1e-2)).is_empty
    assert LineString(points).buffer(width + 1e-2).covers(strip)


def test_scattered_points_lie_inside_and_on_the_grid_and_are_about_as_dense_as_asked() -> None:
    wood = outline_of_circle(100, 100, 50)

    points = scatter(wood, 5, seed=1)

    assert shapely.contains_xy(wood, points).all()
    assert (points * 1024 == np.round(points * 1024)).all()
    assert len(points) == pytest.approx(math.pi * 50 * 50 / 25, rel=0.05)


def test_no_two_scattered_points_stand_on_each_other() -> None:
    points = scatter(outline_of_circle(0, 0, 60), 5, seed=4)

    apart = np.hypot(*(points[:, None] - points[None]).T) + 99 * np.eye(len(points))

    assert apart.min() > 5 * 0.3 - 0.01


def test_a_tree_stays_where_it_is_when_its_wood_grows() -> None:
    small = outline_of_points([[10, 10], [40, 10], [40, 40], [10, 40]])
    large = outline_of_points([[-7, 3], [80, 10], [70, 60], [0, 55]])

    grown = {tuple(point) for point in scatter(large, 4, seed=9).tolist()}

    assert {tuple(point) for point in scatter(small, 4, seed=9).tolist()} <= grown


def test_another_seed_scatters_otherwise() -> None:
    wood = outline_of_circle(0, 0, 30)

    assert scatter(wood, 4, seed=1).tolist() != scatter(wood, 4, seed=2).tolist()


def test_these_trees_stand_in_the_same_places_on_every_machine() -> None:
    points = scatter(outline_of_points([[0, 0], [12, 0], [12, 12], [0, 12]]), 6, seed=7)

    assert (points * 1024).tolist() == [[2619, 3534], [8253, 4454], [4213, 10305], [10809, 9844]]


@pytest.mark.parametrize("spacing", [0, -2, math.nan, 1e-6])
def test_a_spacing_that_is_none_is_refused(spacing: float) -> None:
    with pytest.raises(ValueError, match="spacing"):
        scatter(outline_of_circle(0, 0, 30), spacing, seed=1)
