"""How far a unit would go straight on before it touched an outline."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon

from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.force.formation import Formation, FormationLayout
from emlia3d.rules.emlia.play.situation.allowance import gap_ahead
from emlia3d.rules.emlia.play.situation.pose import Pose

PLACES = st.integers(-24, 24).map(lambda eighths: eighths / 2)


def block(facing: int, formation: Formation = Formation.RANKED) -> Pose:
    drill = FormationLayout(formation=formation, count=12, files=6, width=1.0, depth=1.5)
    return Pose(0.0, 0.0, facing_of_degrees(facing), drill)


def by_shapes_alone(pose: Pose, way: int, outline: Polygon) -> float:
    step, body = np.array(unit_vector(way)), shapely.get_coordinates(pose.outline)
    low = float(pose.outline.distance(outline))
    spots = shapely.get_coordinates(outline)
    high = low + float(np.abs(spots - (pose.x, pose.y)).sum(axis=1).max())
    for _ in range(24):
        middle = (low + high) / 2
        swept = shapely.convex_hull(shapely.multipoints(np.vstack([body, body + middle * step])))
        low, high = (low, middle) if swept.intersects(outline) else (middle, high)
    return low


@given(
    corners=st.lists(st.tuples(PLACES, PLACES), min_size=3, max_size=5),
    facing=st.sampled_from([0, 0, 90, 37, 211]),
    off=st.sampled_from([0, 0, 0, 90, 25]),
    formation=st.sampled_from(Formation),
)
@settings(deadline=None, max_examples=300)
def test_it_is_the_same_to_the_bit_as_found_by_shapes_alone(
    corners: list[tuple[float, float]], facing: int, off: int, formation: Formation
) -> None:
    outline = shapely.convex_hull(shapely.multipoints(corners))
    if not isinstance(outline, Polygon):
        return
    pose, way = block(facing, formation), facing_of_degrees(facing + off)

    assert gap_ahead(pose, way, outline) == by_shapes_alone(pose, way, outline)


@pytest.mark.parametrize(
    ("outline", "gap"),
    [
        pytest.param(shapely.box(-1, 7, 1, 9), 7.0, id="ahead"),
        pytest.param(shapely.box(3, 5, 6, 9), 5.0, id="flank to flank, which touches"),
        pytest.param(Polygon([(0, 4), (2, 6), (-2, 6)]), 4.0, id="with a corner"),
        pytest.param(shapely.box(-9, -9, 9, 9) - shapely.box(-5, -5, 5, 6), 6.0, id="all round"),
    ],
)
def test_a_block_goes_as_far_as_the_first_place_that_it_would_touch(
    outline: Polygon, gap: float
) -> None:
    assert gap_ahead(block(0), 0, outline) == pytest.approx(gap, abs=1e-4)
    assert gap_ahead(block(0), 0, outline) == by_shapes_alone(block(0), 0, outline)


@pytest.mark.parametrize("beside", [-5e-7, 0.0, 5e-7])
@pytest.mark.parametrize("side", [-1, 1])
def test_what_lies_in_line_with_a_flank_but_for_rounding_is_told_by_its_shape(
    beside: float, side: int
) -> None:
    near, far = sorted((side * (3 + beside), side * 6))
    outline = shapely.box(near, 5, far, 9)

    assert gap_ahead(block(0), 0, outline) == by_shapes_alone(block(0), 0, outline)


@pytest.mark.parametrize(
    ("outline", "gap"),
    [
        pytest.param(shapely.box(-0.25, 0.25, 0.25, 0.5), 0.25, id="a post close ahead"),
        pytest.param(shapely.box(-0.25, 0.0625, 0.25, 0.125), 0.0625, id="closer"),
        pytest.param(shapely.box(2.75, 0.25, 3.25, 0.5), 0.25, id="at a corner"),
        pytest.param(shapely.box(-9, 0.25, 9, 0.5), 0.25, id="a wall"),
    ],
)
def test_what_stands_close_ahead_is_met_to_the_bit(outline: Polygon, gap: float) -> None:
    found = gap_ahead(block(0), 0, outline)

    assert found == by_shapes_alone(block(0), 0, outline)
    assert found == pytest.approx(gap, abs=1e-6)


def test_a_body_of_several_parts_is_told_by_its_shape() -> None:
    """One member stands before the middle of a line; bodies beside it are farther ahead."""
    alone = FormationLayout(formation=Formation.CLOSE, count=1, files=1, width=1.0, depth=1.0)
    officer = Pose(0.0, 2.0, 0, alone)
    line = replace(block(0), parts=((1, officer),))
    beside = shapely.box(2.5, 5, 3.0, 6)

    assert gap_ahead(line, 0, beside) == by_shapes_alone(line, 0, beside)


@pytest.mark.parametrize("degrees", [25, 45, 200, 340])
@pytest.mark.parametrize("facing", [0, 63])
@pytest.mark.parametrize("aside", [-2, 0, 1.5])
def test_a_block_that_goes_aslant_meets_things_with_its_own_corners(
    degrees: int, facing: int, aside: float
) -> None:
    way = facing_of_degrees(degrees)
    east, north = unit_vector(way)
    x, y = 9 * east + aside * north, 9 * north - aside * east
    post = shapely.box(x - 0.5, y - 0.5, x + 0.5, y + 0.5)

    assert gap_ahead(block(facing), way, post) == by_shapes_alone(block(facing), way, post)


@pytest.mark.parametrize(("x", "y"), [(40, 25), (7, 90)])
@pytest.mark.parametrize("ahead", [0.5, 6.25])
def test_the_gap_is_the_same_wherever_on_the_field(x: float, y: float, ahead: float) -> None:
    here = replace(block(0), x=x, y=y)
    post = shapely.box(x - 1, y + ahead, x + 2, y + ahead + 1)

    assert gap_ahead(here, 0, post) == by_shapes_alone(here, 0, post)
    assert gap_ahead(here, 0, post) == pytest.approx(ahead, abs=1e-5)


@pytest.mark.parametrize(("x", "y"), [(40, 25), (7, 90)])
def test_what_lies_nearer_beside_the_way_than_on_it_is_met_later(x: float, y: float) -> None:
    """The nearest corner is half a GSU beside the lane; the lane meets a slanting side."""
    here = replace(block(0), x=x, y=y)
    wedge = Polygon([(x + 3.5, y + 1), (x + 2.5, y + 6), (x + 3.5, y + 6)])
    two = shapely.MultiPolygon([wedge, shapely.box(x - 9, y + 4, x - 2, y + 5)])

    for outline, gap in ((wedge, 3.5), (two, 3.5)):
        assert gap_ahead(here, 0, outline) == by_shapes_alone(here, 0, outline)
        assert gap_ahead(here, 0, outline) == pytest.approx(gap, abs=1e-5)
