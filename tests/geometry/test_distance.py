"""Distances and chords, by figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from emlia3d.geometry import Bodies, chord_length, distances, nearest_points

RING = shapely.box(0, 0, 30, 30).difference(shapely.box(10, 10, 20, 20))


@pytest.fixture
def bodies() -> Bodies:
    outlines = [
        shapely.box(0, 0, 10, 10),
        shapely.box(13, 14, 20, 20),
        shapely.box(10, 10, 12, 12),
        shapely.Point(5, -7),
    ]
    return Bodies(outlines, np.zeros(4), np.ones(4), np.ones(4, dtype=bool))


def test_distance_is_between_nearest_edges(bodies: Bodies) -> None:
    assert distances(bodies, [0, 2], [1, 3, 0]).tolist() == [
        [5, 7, 0],
        [pytest.approx(5**0.5), pytest.approx((17**2 + 5**2) ** 0.5), 0],
    ]


def test_nearest_points_lie_on_the_facing_corners(bodies: Bodies) -> None:
    assert nearest_points(bodies, 0, 1) == ((10, 10), (13, 14))
    assert nearest_points(bodies, 0, 2) == ((10, 10), (10, 10))


def test_a_line_through_a_ring_leaves_out_the_hole() -> None:
    wood = Bodies([RING, shapely.box(40, 0, 50, 30)], [0, 0], [1, 1], [True, False])

    assert chord_length(wood, [0, 1], (-10, 15), (44, 15)).tolist() == [20, 4]


def test_each_body_may_have_its_own_line() -> None:
    wood = Bodies([RING], [0], [1], [True])

    found = chord_length(wood, [0, 0, 0], [(0, 0), (-5, 5), (12, 12)], [(30, 0), (5, -5), (18, 12)])

    assert found.tolist() == [30, 0, 0]


def test_a_row_that_is_not_there_is_refused(bodies: Bodies) -> None:
    with pytest.raises(IndexError):
        distances(bodies, [0], [4])
