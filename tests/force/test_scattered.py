"""The outline round members who stand anywhere, against discs and buffers by shapely."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import LineString, MultiPolygon, Point, Polygon

from emlia3d.force import Formation, FormationLayout
from emlia3d.force.formation import boundary

ROUND = math.cos(math.pi / 16)  # a sixteen-sided disc of radius 1 holds a round one of this radius
CLOSE = 0.02 + 1 / 1024  # each of two buffers simplifies by a hundredth; corners on the grid

SPOTS = st.lists(
    st.tuples(st.integers(-6144, 6144), st.integers(-6144, 6144)), min_size=2, max_size=12
).map(lambda spots: np.array(spots) / 1024)
WIDTHS = st.sampled_from([1.0, 1.5, 3.0])


def outline_round(formation: Formation, spots: np.ndarray, width: float) -> Polygon:
    drill = FormationLayout(
        formation=formation, count=len(spots), files=3, width=width, depth=width
    )
    return boundary(drill, 0.0, 0.0, 0, spots)


def footprints(spots: np.ndarray, radius: float) -> shapely.Geometry:
    return shapely.union_all([Point(spot).buffer(radius, quad_segs=64) for spot in spots])


@settings(max_examples=40, deadline=None)
@given(spots=SPOTS, width=WIDTHS)
def test_an_open_boundary_is_the_hull_wherever_members_stand(
    spots: np.ndarray, width: float
) -> None:
    outline = outline_round(Formation.OPEN, spots, width)

    assert outline.covers(footprints(spots, ROUND * width / 2 - 1e-9).convex_hull)
    assert footprints(spots, width / 2 + 1e-3).convex_hull.covers(outline)


@settings(max_examples=40, deadline=None)
@given(spots=SPOTS, width=WIDTHS)
def test_a_close_boundary_is_the_closing_of_footprints_wherever_members_stand(
    spots: np.ndarray, width: float
) -> None:
    # Rounder tools can only add, and those inside the sixteen-sided ones only leave out.
    least = footprints(spots, ROUND * width / 2).buffer(ROUND, quad_segs=64).buffer(-1)
    most = footprints(spots, width / 2).buffer(1, quad_segs=64).buffer(-ROUND, quad_segs=64)
    assume(isinstance(least, Polygon))

    outline = outline_round(Formation.CLOSE, spots, width)

    assert outline.buffer(CLOSE).covers(least)
    assert most.buffer(CLOSE).covers(outline)
    for a, b in combinations(spots, 2):
        if math.dist(a, b) - width <= 1:
            assert outline.buffer(CLOSE).covers(LineString([a, b]))


@settings(max_examples=40, deadline=None)
@given(spots=SPOTS, width=WIDTHS)
def test_members_too_far_apart_for_a_close_boundary_have_their_hull(
    spots: np.ndarray, width: float
) -> None:
    most = footprints(spots, width / 2).buffer(1, quad_segs=64).buffer(-ROUND, quad_segs=64)
    assume(isinstance(most.buffer(2 * CLOSE), MultiPolygon))

    outline = outline_round(Formation.CLOSE, spots, width)

    assert outline.equals(outline_round(Formation.OPEN, spots, width))
