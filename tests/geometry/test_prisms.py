"""What is seen past upright bodies, against shapely's pieces of the line in each outline."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.geometry import Bodies, min_height_over_bodies

SQUARE = shapely.box(4, -1, 6, 1)


def least_by_shapely(shapes, tops, eye, spot) -> float:
    """From the pieces into which outlines cut the line on the plan, each asked about its middle."""
    line = shapely.LineString([eye[:2], spot])
    least = -math.inf
    if not line.length:
        return least
    for shape, top in zip(shapes, tops, strict=True):
        cuts = shapely.get_coordinates(shapely.intersection(line, shape.boundary))
        parts = [0.0, 1.0, *(line.project(shapely.Point(c), normalized=True) for c in cuts)]
        for first, last in pairwise(sorted(parts)):
            middle = line.interpolate((first + last) / 2, normalized=True)
            if last - first < 1e-7 or not shapely.contains_properly(shape, middle):
                continue
            if first < 1e-9 and top > eye[2]:
                return math.inf
            ends = [part for part in (first, last) if part > 1e-9]
            least = max([least, *(eye[2] + (top - eye[2]) / part for part in ends)])
    return least


def bodies_of(shapes, tops) -> Bodies:
    return Bodies(shapes, np.zeros(len(shapes)), tops, np.ones(len(shapes), bool))


places = st.tuples(st.integers(-12, 12), st.integers(-12, 12))
wholes = st.integers(0, 6)


@st.composite
def outlines(draw) -> shapely.Polygon:
    corners = draw(st.lists(places, min_size=3, max_size=9, unique=True))
    middle = np.mean(corners, axis=0)
    ring = sorted(corners, key=lambda c: math.atan2(c[1] - middle[1], c[0] - middle[0]))
    shape = shapely.Polygon(ring)
    if not shape.is_valid or shape.area == 0:
        shape = shapely.convex_hull(shapely.MultiPoint(corners))
    return shape if shape.area else shapely.box(*corners[0], corners[0][0] + 2, corners[0][1] + 1)


@given(
    shapes=st.lists(outlines(), min_size=1, max_size=4),
    tops=st.lists(wholes, min_size=4, max_size=4),
    eye=st.tuples(st.integers(-12, 12), st.integers(-12, 12), wholes),
    spots=st.lists(places, min_size=1, max_size=5),
)
def test_the_least_height_is_that_of_shapelys_pieces(shapes, tops, eye, spots) -> None:
    tops = tops[: len(shapes)]
    x, y = np.array(spots, dtype=float).T

    least, by = min_height_over_bodies(bodies_of(shapes, tops), range(len(shapes)), eye, x, y)

    expected = [least_by_shapely(shapes, tops, eye, spot) for spot in spots]
    np.testing.assert_allclose(least, expected, rtol=1e-9, atol=1e-9)
    assert ((by >= 0) == (least > -math.inf)).all()


def test_a_wall_hides_what_is_low_behind_it_and_frees_what_is_high() -> None:
    least, by = min_height_over_bodies(
        bodies_of([SQUARE], [3]), [0], (0, 0, 1), [10, 5, 3, 10], [0, 0, 0, 9]
    )

    assert least.tolist() == [1 + 2 / 0.4, 1 + 2 / 0.8, -math.inf, -math.inf]
    assert by.tolist() == [0, 0, -1, -1]


def test_who_looks_down_is_stopped_by_the_far_edge() -> None:
    least, _ = min_height_over_bodies(bodies_of([SQUARE], [3]), [0], (0, 0, 9), [12, 5], [0, 0])

    assert least.tolist() == [9 - 6 / 0.5, 3]


@pytest.mark.parametrize(
    ("eye", "spot"),
    [
        ((0, 1, 1), (10, 1)),
        ((0, -1, 1), (10, -1)),
        ((4, -5, 1), (4, 5)),
        ((3, 0, 1), (5, 2)),
        ((4, 0, 1), (0, 0)),
        ((0, 0, 1), (4, 0)),
    ],
)
def test_a_line_along_a_face_through_a_corner_or_up_to_it_only_touches(eye, spot) -> None:
    least, by = min_height_over_bodies(bodies_of([SQUARE], [3]), [0], eye, *spot)

    assert (float(least), int(by)) == (-math.inf, -1)


def test_from_within_a_taller_body_nothing_is_seen_and_from_its_roof_all() -> None:
    inside, _ = min_height_over_bodies(bodies_of([SQUARE], [3]), [0], (5, 0, 1), 10, 0)
    roof, _ = min_height_over_bodies(bodies_of([SQUARE], [3]), [0], (5, 0, 3), 10, 0)

    assert float(inside) == math.inf
    assert float(roof) == 3


def test_a_courtyard_is_open_and_its_walls_are_not() -> None:
    court = shapely.box(0, 0, 10, 10).difference(shapely.box(2, 2, 8, 8))
    bodies = bodies_of([court], [4])

    across, _ = min_height_over_bodies(bodies, [0], (3, 5, 1), 7, 5)
    out, _ = min_height_over_bodies(bodies, [0], (3, 5, 1), 13, 5)

    assert float(across) == -math.inf
    assert float(out) == 1 + 3 / 0.5


@given(
    shapes=st.lists(outlines(), min_size=2, max_size=6),
    tops=st.lists(wholes, min_size=6, max_size=6),
    groups=st.lists(st.integers(0, 2), min_size=6, max_size=6),
    eye=st.tuples(st.integers(-12, 12), st.integers(-12, 12), wholes),
    spots=st.lists(places, min_size=1, max_size=5),
)
def test_grouping_what_stands_together_alters_nothing(shapes, tops, groups, eye, spots) -> None:
    bodies, x_y = bodies_of(shapes, tops[: len(shapes)]), np.array(spots, dtype=float).T

    alone, _ = min_height_over_bodies(bodies, range(len(shapes)), eye, *x_y)
    together, by = min_height_over_bodies(
        bodies, range(len(shapes)), eye, *x_y, groups=groups[: len(shapes)]
    )

    assert together.tolist() == alone.tolist()
    assert ((by >= 0) == (alone > -math.inf)).all()


@pytest.mark.parametrize("sizes", [(40,), (16, 17, 1), (3, 33, 15, 64), (16,)])
def test_each_body_of_a_large_group_counts(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(sizes))
    labels = np.repeat(np.arange(len(sizes)), sizes)
    middles = rng.uniform(-40, 40, (len(sizes), 2))[labels] + rng.uniform(-9, 9, (sum(sizes), 2))
    shapes = [shapely.box(x - 0.5, y - 0.5, x + 0.5, y + 0.5) for x, y in middles.tolist()]
    bodies, (x, y) = (
        bodies_of(shapes, rng.uniform(0, 9, len(shapes))),
        rng.uniform(-60, 60, (2, 900)),
    )

    alone, one = min_height_over_bodies(bodies, range(len(shapes)), (0.1, 0.2, 4.0), x, y)
    together, by = min_height_over_bodies(
        bodies, range(len(shapes)), (0.1, 0.2, 4.0), x, y, groups=labels
    )

    assert np.count_nonzero(alone > -math.inf) > 10
    assert together.tolist() == alone.tolist()
    assert by.tolist() == one.tolist()


def test_with_nothing_in_the_way_nothing_is_hidden() -> None:
    least, by = min_height_over_bodies(bodies_of([SQUARE], [3]), [], (0, 0, 1), [10, 20], [0, 0])

    assert least.tolist() == [-math.inf] * 2
    assert by.tolist() == [-1, -1]


def test_the_answers_have_the_shape_of_the_places() -> None:
    least, by = min_height_over_bodies(
        bodies_of([SQUARE], [3]), [0], (0, 0, 1), np.zeros((3, 1)), np.ones(4)
    )

    assert least.shape == by.shape == (3, 4)


@pytest.mark.parametrize("flaw", ["row", "eyes", "eye", "spot", "groups"])
def test_what_cannot_be_asked_is_refused(flaw: str) -> None:
    bodies = bodies_of([SQUARE], [3])
    eye = {"eyes": [[0, 0, 1]] * 2, "eye": (0, 0, math.nan)}.get(flaw, (0, 0, 1))

    with pytest.raises(IndexError if flaw == "row" else ValueError):
        min_height_over_bodies(
            bodies,
            [1 if flaw == "row" else 0],
            eye,
            math.inf if flaw == "spot" else 1,
            1,
            groups=[0, 0] if flaw == "groups" else None,
        )
