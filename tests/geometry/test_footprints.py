"""Discs and rectangles as they are, beside shapely's distances and exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import hypot

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.force.facing import unit_vector
from emlia3d.geometry.footprints import (
    OUTSIDE,
    PARTLY,
    SLACK,
    TOLERANCE,
    WHOLLY,
    Part,
    chords,
    contacts,
    crossed,
    edge_gaps,
    footprints,
    lie_in_arcs,
)
from emlia3d.geometry.free_moves import free_moves
from tests.geometry.footprint_shapes import (
    EXTENT,
    FACING,
    PLACE,
    SHAPES,
    Shape,
    core_of,
    gap_by_shapely,
    of,
)


@given(st.lists(SHAPES, min_size=1, max_size=5))
def test_gaps_are_those_of_shapely(shapes: list[Shape]) -> None:
    expected = [[gap_by_shapely(one, other) for other in shapes] for one in shapes]
    np.fill_diagonal(whole := np.array(expected), 0.0)

    np.testing.assert_allclose(edge_gaps(of(*shapes)), whole, atol=1e-9)
    np.testing.assert_allclose(edge_gaps(of(shapes[0]), of(*shapes)), expected[:1], atol=1e-9)


@given(PLACE, PLACE, PLACE, PLACE, EXTENT, EXTENT)
def test_discs_are_apart_as_their_centres_less_both_radii(
    ax: float, ay: float, bx: float, by: float, one: float, other: float
) -> None:
    (gap,) = edge_gaps(of((ax, ay, 0, 0, 0, one)), of((bx, by, 0, 0, 0, other))).ravel()

    square = (Fraction(ax) - Fraction(bx)) ** 2 + (Fraction(ay) - Fraction(by)) ** 2
    both = Fraction(one) + Fraction(other)
    if square <= both**2:
        assert gap <= 1e-12
    else:
        assert abs((Fraction(gap) + both) ** 2 - square) <= Fraction(1, 10**11) * (1 + square)


@given(PLACE, PLACE, PLACE, PLACE)
def test_turned_rectangles_are_apart_as_exact_fractions_say(
    ax: float, ay: float, bx: float, by: float
) -> None:
    """Both face along (3/5, 4/5), so that every corner is a fraction."""
    one, other = ((x, y) for x, y in ((ax, ay), (bx, by)))
    found = edge_gaps(
        footprints([one], [(3, 4)], width=2, depth=1),
        footprints([other], [(3, 4)], width=4, depth=3),
    ).item()

    dx, dy = Fraction(bx) - Fraction(ax), Fraction(by) - Fraction(ay)
    aside = max(abs(dx * Fraction(4, 5) - dy * Fraction(3, 5)) - 3, 0)
    ahead = max(abs(dx * Fraction(3, 5) + dy * Fraction(4, 5)) - 2, 0)
    assert found == pytest.approx(float(aside**2 + ahead**2) ** 0.5, abs=1e-12)


def test_identical_and_empty_footprints() -> None:
    point: Shape = (1.0, 2.0, 0, 0.0, 0.0, 0.0)

    assert edge_gaps(of(point, point)).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert edge_gaps(of()).shape == (0, 0)
    assert not crossed(of(point), [[0, 0]], [[2, 4]]).any(), "a point is not crossed"


ROW = ((0.0, 0.0, 0, 2.0, 1.0, 0.0), (2.0, 0.0, 0, 2.0, 1.0, 0.0))
"""Two rectangles that stand side by side, 2 GSU wide, and face north."""


@pytest.mark.parametrize("degrees", [0, 90, 180, 33, 151.5])
def test_rectangles_touch_by_a_side_or_a_corner_however_they_are_turned(degrees: float) -> None:
    facing = round(degrees * 64)
    east, north = unit_vector(facing)

    def turned(x: float, y: float, more: int, width: float = 2.0, depth: float = 1.0) -> Shape:
        place = (x * north + y * east, y * north - x * east)
        return (*place, (facing + more * 64) % 23040, width, depth, 0.0)

    bodies = of(
        turned(0, 0, 0),
        turned(2, 0, 0),  # to the right, flush
        turned(0.5, 1, 180),  # in front, face to face, half a GSU to the right
        turned(-2, -1, 0),  # corner to corner, behind to the left
        turned(0, -2.0, 90, 3.0, 2.0),  # behind, with its right side
        turned(9, 9, 0),
    )

    found = contacts(bodies)

    assert found.of(0) == [1, 2, 3, 4]
    assert [found.between(0, other) for other in range(1, 6)] == [
        Part.RIGHT,
        Part.FRONT,
        Part.REAR_LEFT,
        Part.REAR,
        Part.NONE,
    ]
    assert [found.between(other, 0) for other in range(1, 5)] == [
        Part.LEFT,
        Part.FRONT,
        Part.FRONT_RIGHT,
        Part.LEFT,
    ]
    np.testing.assert_allclose(found.edge[0, :5], [0, 1, 1.5, 0, 2], atol=1e-6)
    np.testing.assert_allclose(found.edge, found.edge.T, atol=1e-6)


def test_a_disc_touches_a_side_or_a_corner_with_its_rim() -> None:
    far = 0.5**0.5
    bodies = of(
        (0, 0, 0, 4.0, 2.0, 0.0), (1, 2, 0, 0, 0, 1.0), (2 + far, -1 - far, 0, 0, 0, 1.0),
        (-3, 0.5, 0, 0, 0, 1.0),
    )  # fmt: skip

    found = contacts(bodies)

    assert [found.between(0, disc) for disc in (1, 2, 3)] == [
        Part.FRONT,
        Part.REAR_RIGHT,
        Part.LEFT,
    ]
    assert {found.between(disc, 0) for disc in (1, 2, 3)} == {Part.RIM}
    assert not found.edge.any()


def test_a_corner_touches_a_side() -> None:
    bodies = of((0, 0, 0, 4.0, 2.0, 0.0), (0.5, 1 + 2**0.5 / 2, 45 * 64, 1.0, 1.0, 0.0))

    found = contacts(bodies)

    assert found.between(0, 1) is Part.FRONT
    assert found.between(1, 0).is_corner
    assert found.between(0, 1).is_side
    assert found.edge[0, 1] == 0


@given(SHAPES, SHAPES)
def test_bodies_touch_if_their_gap_is_within_the_slack(one: Shape, other: Shape) -> None:
    found = contacts(of(one, other))

    near = edge_gaps(of(one), of(other)).item() <= SLACK
    assert (found.part[0, 1] != Part.NONE) == (found.part[1, 0] != Part.NONE) == near
    assert found.part[0, 0] == Part.NONE


def test_a_cross_touches_by_its_sides() -> None:
    found = contacts(of((0, 0, 0, 10.0, 1.0, 0.0), (0, 3, 0, 1.0, 10.0, 0.0)))

    assert found.between(0, 1) is Part.FRONT
    assert found.between(1, 0).is_side


LINES = st.tuples(PLACE, PLACE, PLACE, PLACE)


@given(SHAPES, LINES)
def test_a_line_is_in_a_body_between_where_it_enters_and_leaves(
    shape: Shape, line: tuple[float, float, float, float]
) -> None:
    start, end = np.array(line[:2]), np.array(line[2:])
    enter, leave = chords(of(shape), [start], [end])[0, 0]
    core, radius = core_of(shape), shape[5]

    def depth_at(part: float) -> float:
        """How deep a point of the line is in the body, GSU; below 0 outside."""
        point = shapely.Point(start + part * (end - start))
        outside = core.distance(point) - radius
        inside = shapely.boundary(core).distance(point) if shape[3] and shape[4] else 0.0
        return inside + radius if core.distance(point) == 0 else -outside

    parts = np.linspace(0, 1, 33)
    if np.isnan(enter):
        assert max(map(depth_at, parts)) <= 2 * TOLERANCE
        return
    assert 0 <= enter < leave <= 1
    assert enter == 0 or depth_at(enter) == pytest.approx(TOLERANCE, abs=1e-6)
    assert leave == 1 or depth_at(leave) == pytest.approx(TOLERANCE, abs=1e-6)
    assert all(depth_at(part) > 0 for part in parts if enter < part < leave)
    assert all(depth_at(part) <= 2 * TOLERANCE for part in parts if part < enter or part > leave)


@pytest.mark.parametrize("facing", [0, 64 * 33, 64 * 90])
def test_a_line_along_an_edge_or_through_a_corner_crosses_nothing(facing: int) -> None:
    bodies = of((3.0, 2.0, facing, 2.0, 1.0, 0.0))
    right_front, right_rear, _, left_front = bodies.corners()[0]
    out = right_front - left_front

    assert not crossed(bodies, [right_front + out], [left_front - out]).any()
    assert not crossed(bodies, [right_rear - out + (right_rear - right_front) * 2],
                       [right_rear + out - (right_rear - right_front) * 2]).any()  # fmt: skip
    assert crossed(bodies, [right_front + out], [right_rear - 3 * out]).all()


def wedge(point: np.ndarray, left: tuple[float, float], right: tuple[float, float]):
    """An arc as a polygon that is large enough."""
    middle = np.add(left, right)
    if hypot(*middle) < 1e-9:
        middle = np.array([left[1], -left[0]])
    far = 1e4
    ends = [point + far * np.array(way) for way in (left, middle / hypot(*middle) * 2, right)]
    return shapely.Polygon([point, *ends])


@given(SHAPES, PLACE, PLACE, FACING, st.integers(1, 180))
def test_a_body_lies_in_an_arc_as_shapely_says(
    shape: Shape, x: float, y: float, facing: int, width: int
) -> None:
    left, right = unit_vector(facing - width * 32), unit_vector(facing + width * 32)
    found = lie_in_arcs(of(shape), [[x, y]], [left], [right]).item()
    arc, core, radius = wedge(np.array([x, y]), left, right), core_of(shape), shape[5]
    border = shapely.LineString(
        [np.array([x, y]) + 1e4 * np.array(left), (x, y), np.array([x, y]) + 1e4 * np.array(right)]
    )

    inside = core.distance(arc) - radius
    if core.distance(border) - radius > 1e-5:
        assert found == (WHOLLY if inside < 0 or arc.intersects(core) else OUTSIDE)
    elif border.distance(core) - radius < -1e-5 or (
        radius == 0 and border.intersection(core).length > 1e-3 and shape[3] and shape[4]
        and 1e-3 < arc.intersection(core).area < core.area - 1e-3
    ):  # fmt: skip
        assert found == PARTLY


def test_borders_belong_to_both_sides_of_an_arc() -> None:
    """Two discs that touch the borders of the quarter to the north-east, within and without."""
    bodies = of((1, 5, 0, 0, 0, 1.0), (5, 1, 0, 0, 0, 1.0), (-1, 5, 0, 0, 0, 1.0))

    assert lie_in_arcs(bodies, [[0, 0]], [[0, 1]], [[1, 0]]).tolist() == [[WHOLLY, WHOLLY, OUTSIDE]]
    assert lie_in_arcs(bodies, [[0.5, 0]], [[0, 1]], [[1, 0]]).tolist() == [
        [PARTLY, WHOLLY, OUTSIDE]
    ]


def test_a_moved_footprint_keeps_its_measures() -> None:
    there = of(*ROW).moved(1, 7.0, 8.0, (2.0, 0.0))

    assert there.columns.tolist() == [[7.0, 8.0, 1.0, 0.0, 1.0, 0.5, 0.0]]


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ({"places": [[0, float("nan")]]}, "places"),
        ({"places": [[0, 1e9]]}, "places"),
        ({"places": [[0, 0]], "facings": [(0, 0)]}, "facings"),
        ({"places": [[0, 0]], "width": -1}, "width"),
        ({"places": [[0, 0]], "radius": float("inf")}, "radius"),
        ({"places": [[0, 0]], "depth": [1, 2]}, "broadcast"),
    ],
)
def test_what_is_no_footprint_is_refused(given_: dict, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        footprints(**given_)


def test_questions_that_cannot_be_answered_are_refused() -> None:
    bodies = of(*ROW)

    with pytest.raises(ValueError, match="one footprint"):
        free_moves(bodies, [(1, 0)], bodies)
    with pytest.raises(ValueError, match="half a circle"):
        lie_in_arcs(bodies, [[0, 0]], [[0, 1]], [[-1, 0]])
    with pytest.raises(ValueError, match="finite"):
        chords(bodies, [[0, 0]], [[0, float("inf")]])
    with pytest.raises(IndexError):
        free_moves(bodies.take([0]), [(1, 0)], bodies, ignored=[2])
