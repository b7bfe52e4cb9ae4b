"""Narrow openings between discs and outlines, and lines through them."""

from __future__ import annotations

from math import hypot

import numpy as np
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point, box

from emlia3d.geometry.openings import openings

PLACES = st.tuples(st.integers(-8, 8), st.integers(-8, 8)).map(lambda p: (p[0] / 2, p[1] / 2))


@given(st.lists(PLACES, min_size=2, max_size=6, unique=True))
def test_openings_are_the_gaps_below_the_width_that_shapely_finds(
    places: list[tuple[float, float]],
) -> None:
    block = box(-1.25, -1.25, -0.25, 0.75)
    shapes = np.array([block, *map(Point, places)], dtype=object)
    radius = np.array([0.0, *[0.4] * len(places)])

    found = openings(shapes, radius, 0.6)

    bodies = [block, *(Point(place).buffer(0.4, quad_segs=64) for place in places)]
    expected = {
        (a, b)
        for b in range(len(bodies))
        for a in range(b)
        if 0.002 < bodies[a].distance(bodies[b]) < 0.598
    }
    rows = {(int(min(a, b)), int(max(a, b))) for a, b in found.between}
    assert expected <= rows
    for (one, other), (start, end) in zip(found.between, found.ends, strict=True):
        length = hypot(*(end - start))
        assert abs(length - bodies[one].distance(bodies[other])) < 0.002
        assert length < 0.6


@given(PLACES, PLACES)
def test_a_line_crosses_an_opening_where_shapely_finds_it(
    one: tuple[float, float], other: tuple[float, float]
) -> None:
    shapes = np.array([Point(0, 0.9), Point(0.25, -0.6)], dtype=object)
    found = openings(shapes, np.array([0.5, 0.5]), 1.0)
    gap = LineString(found.ends[0])

    at = found.crossed(np.array([one]), np.array([other])).item()

    line = LineString([one, other])
    if line.crosses(gap) and gap.distance(Point(one)) > 1e-6 < gap.distance(Point(other)):
        assert abs(at - Point(one).distance(shapely.intersection(line, gap))) < 1e-6
    if line.distance(gap) > 1e-6:
        assert at == np.inf


def test_bodies_that_touch_have_no_opening() -> None:
    shapes = np.array([box(0, 0, 1, 1), box(1, 0, 2, 1), box(2.5, 0, 3, 1)], dtype=object)

    found = openings(shapes, np.zeros(3), 1.0)

    assert found.between.tolist() == [[1, 2]]
    assert len(openings(shapes[:0], np.zeros(0), 1.0)) == 0
