"""Arcs of facing, against bearings in degrees, shapely, and figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st

from emlia3d.geometry import Bodies, in_arc, reach_into_arc

GRID = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
DIRECTION = GRID.filter(any)
NORTH_WEST, NORTH_EAST, SOUTH = (-1.0, 1.0), (1.0, 1.0), (0.0, -1.0)


def bearing(east, north):
    """Degrees clockwise from north, [0, 360)."""
    return np.degrees(np.arctan2(east, north)) % 360


@given(place=GRID, start=GRID, left=DIRECTION, right=DIRECTION)
def test_in_arc_matches_bearings_in_degrees(place, start, left, right) -> None:
    east, north = place[0] - start[0], place[1] - start[1]
    span = round((bearing(*right) - bearing(*left)) % 360, 9) % 360
    turn = round((bearing(east, north) - bearing(*left)) % 360, 9) % 360
    expected = (east == north == 0) or turn <= span

    assert in_arc([place], start, left, right).tolist() == [expected]


def test_borders_and_the_start_count_and_a_hair_beyond_does_not() -> None:
    far = 2.0**15
    hair = np.nextafter(far, 0)
    points = [(far, far), (far, hair), (-far, far), (-far, hair), (0, 0), (0, -(2.0**-40))]

    found = in_arc(points, (0, 0), NORTH_WEST, NORTH_EAST)

    assert found.tolist() == [True, False, True, False, True, False]


def test_a_turn_too_fine_for_float64_is_told_exactly() -> None:
    """(1 + 2^-30) squared less 1 + 2^-29 is 2^-60, of which a rounded product knows nothing."""
    step = 1 + 2.0**-30
    point = (step, (1 + 2.0**-29))

    left = in_arc([point], (0, 0), (1.0, step), SOUTH)

    assert left.tolist() == [True]
    assert in_arc([point], (0, 0), SOUTH, (1.0, step)).tolist() == [False]


def test_an_arc_of_half_the_compass_and_of_three_quarters() -> None:
    points = [(1, 0), (-1, 0), (0, 1), (0, -1)]

    assert in_arc(points, (0, 0), (-1, 0), (1, 0)).tolist() == [True, True, True, False]
    assert in_arc(points, (0, 0), (0, -1), (1, 0)).tolist() == [True, True, True, True]
    assert in_arc(points, (0, 0), (0, 1), (-1, 0)).tolist() == [True, True, True, True]
    assert in_arc(points, (0, 0), (1, 1), (0, -1)).tolist() == [True, False, False, True]


@given(
    corners=st.lists(GRID, min_size=3, max_size=6, unique=True),
    start=GRID,
    left=DIRECTION,
    right=DIRECTION,
)
@example(corners=[(0, 0), (0, -2), (2, 0)], start=(1, -1), left=(1, 0), right=(0, -1))
def test_what_reaches_into_an_arc_matches_shapely(corners, start, left, right) -> None:
    shape = shapely.Polygon(corners).convex_hull
    if shape.area == 0 or left[0] * right[1] - left[1] * right[0] >= 0:
        return
    # Less than half the compass: a triangle far larger than the grid, with exact corners.
    wedge = shapely.Polygon(
        [start, *((start[0] + 99 * x, start[1] + 99 * y) for x, y in (left, right))]
    )
    bodies = Bodies([shape], [0], [1], [True])

    found = reach_into_arc(bodies, [0], start, left, right)

    assert found.tolist() == [shapely.intersects(shape, wedge)]


def test_only_the_bodies_asked_about_are_answered() -> None:
    outlines = [shapely.box(-9, 5, 9, 6), shapely.box(-1, -3, 1, -2), shapely.box(-5, -5, 5, 5)]
    bodies = Bodies(outlines, [0] * 3, [1] * 3, [True] * 3)

    found = reach_into_arc(bodies, [1, 0, 2, 1], (0, 0), (-0.1, 1), (0.1, 1))

    assert found.tolist() == [False, True, True, False]


def test_rings_that_follow_one_another_have_no_edge_between_them() -> None:
    """From the western box to the eastern one a line would run across the arc to the north."""
    outlines = [shapely.box(-9, 5, -8, 6), shapely.box(8, 5, 9, 6)]
    bodies = Bodies(outlines, [0] * 2, [1] * 2, [True] * 2)

    assert not reach_into_arc(bodies, [0, 1], (0, 0), (-0.1, 1), (0.1, 1)).any()


@pytest.mark.parametrize(
    ("start", "left", "complaint"),
    [
        ((0, 0), (0, 0), "direction"),
        ((np.nan, 0), (0, 1), "finite"),
        ((0, 0), (np.inf, 1), "finite"),
    ],
)
def test_what_bounds_no_arc_is_refused(start, left, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        in_arc([(1, 1)], start, left, (1, 0))
