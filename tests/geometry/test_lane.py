"""How far bodies reach along a straight way, and where one first stands in a lane."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emlia3d.geometry.lane import Barring, extents, framed, on_the_map

NORTH, EAST, SLANTING = (0.0, 1.0), (1.0, 0.0), (0.6, 0.8)
Shapes = NDArray[np.object_]

WAYS = st.sampled_from([NORTH, EAST, (0.0, -1.0), (-1.0, 0.0), SLANTING])
SPOTS = st.tuples(st.integers(-12, 12), st.integers(-12, 12))
LANES = st.tuples(
    st.integers(-8, 4), st.integers(-8, 4), st.integers(1, 9), st.integers(1, 12)
).map(lambda lane: (lane[0], lane[1], lane[0] + lane[2], lane[1] + lane[3]))


@st.composite
def outlines(draw: st.DrawFn) -> Shapes:
    """A few polygons with corners on a grid, convex or not, some with a hole."""
    found = []
    for _ in range(draw(st.integers(1, 4))):
        spots = draw(st.lists(SPOTS, min_size=3, max_size=7, unique=True))
        shape = shapely.Polygon(spots)
        if not shape.is_valid or not shape.area:
            shape = shapely.convex_hull(shape)
        if draw(st.integers(0, 5)) == 0:
            shape = shape.difference(shape.centroid.buffer(1 / 2))
        found += [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]
    return np.array(found, dtype=object)


def in_frame(shapes: Shapes, east: float, north: float) -> Shapes:
    return np.asarray(shapely.transform(shapes, lambda spots: framed(spots, east, north)))


@given(outlines(), WAYS)
def test_shapes_reach_as_far_as_their_outermost_corners(
    shapes: Shapes, way: tuple[float, float]
) -> None:
    assert (extents(shapes, *way) == shapely.bounds(in_frame(shapes, *way))).all()


def test_what_is_empty_reaches_nowhere() -> None:
    shapes = np.array([shapely.box(0, 0, 1, 2), shapely.Polygon(), shapely.box(3, 3, 4, 4)])

    found = extents(shapes, *NORTH)

    assert found[0].tolist() == [0, 0, 1, 2]
    assert np.isnan(found[1]).all()
    assert found[2].tolist() == [3, 3, 4, 4]


@given(outlines(), LANES, WAYS)
@settings(max_examples=400)
def test_the_nearest_in_a_lane_is_where_shapely_finds_it(
    shapes: Shapes, lane: tuple[int, int, int, int], way: tuple[float, float]
) -> None:
    inside = shapely.intersection(in_frame(shapes, *way), shapely.box(*lane))
    inside = inside[shapely.area(inside) > 1e-9]

    found = Barring(shapes).first_met(np.array([lane], dtype=np.float64), *way)[0]

    nearest = min((shape.bounds[1] for shape in inside), default=np.inf)
    assert found == pytest.approx(nearest, abs=1e-6)


@given(outlines(), st.lists(LANES, min_size=1, max_size=4), WAYS)
def test_each_lane_is_looked_at_by_itself(
    shapes: Shapes, lanes: list[tuple[int, int, int, int]], way: tuple[float, float]
) -> None:
    rows = np.array(lanes, dtype=np.float64)

    barring = Barring(shapes)
    together = barring.first_met(rows, *way)

    assert together.tolist() == [barring.first_met(row[None], *way)[0] for row in rows]


@pytest.mark.parametrize(
    "outline",
    [
        pytest.param(shapely.box(2, 0, 3, 9), id="alongside"),
        pytest.param(shapely.box(0, -3, 2, 0), id="behind"),
        pytest.param(shapely.box(0, 5, 2, 6), id="where it ends"),
        pytest.param(shapely.Polygon([(1, 0), (0, -2), (2, -2)]), id="with a corner at its front"),
    ],
)
def test_what_only_touches_a_lane_is_not_in_it(outline: shapely.Polygon) -> None:
    lane = np.array([(0.0, 0.0, 2.0, 5.0)])

    assert Barring(np.array([outline])).first_met(lane, *NORTH)[0] == np.inf


@pytest.mark.parametrize(
    "outline",
    [
        pytest.param(shapely.box(-9, -9, 9, 9), id="that holds all of it"),
        pytest.param(shapely.box(-9, 0, 9, 1), id="that touches its front from ahead"),
        pytest.param(shapely.box(1, -1, 1.5, 1), id="across its front"),
    ],
)
def test_a_body_at_the_front_of_a_lane_is_met_there(outline: shapely.Polygon) -> None:
    lane = np.array([(0.0, 0.0, 2.0, 5.0)])

    assert Barring(np.array([outline])).first_met(lane, *NORTH)[0] == 0


def test_a_lane_in_a_hole_meets_its_rim() -> None:
    ring = shapely.box(-9, -9, 9, 9).difference(shapely.box(-4, -4, 4, 4))
    lane = np.array([(0.0, 0.0, 2.0, 20.0)])

    assert Barring(np.array([ring])).first_met(lane, *NORTH)[0] == 4


@given(st.tuples(*[st.integers(-9, 9)] * 2, *[st.integers(1, 9)] * 2), WAYS)
def test_a_rectangle_of_the_frame_lies_there_on_the_map(
    given_box: tuple[int, int, int, int], way: tuple[float, float]
) -> None:
    left, rear, wide, deep = given_box
    box = left, rear, left + wide, rear + deep

    shape = np.array([on_the_map(box, *way)])

    assert extents(shape, *way)[0] == pytest.approx(box)
    assert shape[0].area == pytest.approx(wide * deep)
