"""Crossings of lines and outlines, against shapely."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon

from emlia3d.geometry.outline_crossings import Outlines

PLACES = st.tuples(st.integers(-40, 40), st.integers(-40, 40)).map(lambda p: (p[0] / 4, p[1] / 4))
CORNERS = [(-4, -3), (5, -4), (6, 2), (1, 0), (-2, 5)]
DENT = Polygon(CORNERS)
RING = Point(0, 0).buffer(9).difference(Point(1, 1).buffer(3))
SHAPES = (DENT, RING, shapely.box(8, 8, 9, 10))


@given(st.lists(st.tuples(PLACES, PLACES), min_size=1, max_size=8))
def test_a_line_is_in_an_outline_as_far_as_shapely_finds(
    ends: list[tuple[tuple[float, float], tuple[float, float]]],
) -> None:
    start, end = np.array(ends).transpose(1, 0, 2)

    found = Outlines(SHAPES).crossed(start, end)

    for row, (one, other) in enumerate(ends):
        for column, shape in enumerate(SHAPES):
            line = LineString([one, other])
            # The middle of a shape is left, so that a line along an edge is no matter of rounding.
            inner = line.intersection(shape.buffer(-1e-6))
            outer = line.intersection(shape.buffer(1e-6))
            if inner.length > 1e-3:
                assert found.through[row, column]
                span = [Point(one).distance(Point(c)) for c in shapely.get_coordinates(outer)]
                assert abs(found.near[row, column] - min(span)) < 2e-3
                assert abs(found.far[row, column] - max(span)) < 2e-3
            if outer.length < 1e-9:
                assert not found.through[row, column]


def test_a_line_that_touches_a_corner_does_not_go_through() -> None:
    found = Outlines([shapely.box(0, 0, 1, 1)]).crossed(
        np.array([[-1.0, 1.0]]), np.array([[1.0, 3.0]])
    )

    assert not found.through.any()


def test_distances_are_those_of_shapely_where_they_are_near() -> None:
    spots = np.array([[0.0, 0.0], [7.0, 0.0], [30.0, 30.0]])
    outlines = Outlines(SHAPES)

    found = outlines.distance(spots, 4.0)
    to_edge = outlines.distance(spots, 4.0, to_edge=True)

    true = shapely.distance(shapely.points(spots)[:, None], np.array(SHAPES, dtype=object))
    assert np.allclose(found[true <= 4], true[true <= 4])
    assert (found[true > 4] > 4).all()
    assert to_edge[0, 0] == DENT.exterior.distance(Point(0, 0))


def test_no_outlines_are_crossed_by_nothing() -> None:
    found = Outlines([]).crossed(np.zeros((3, 2)), np.ones((3, 2)))

    assert found.through.shape == (3, 0)
