"""What is measured of an outline once, against shapely."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.geometry import Bodies

PLACES = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=3, max_size=9, unique=True
)


def bodies_of(outlines) -> Bodies:
    n = len(outlines) if isinstance(outlines, list) else len(outlines[-1]) - 1
    return Bodies(outlines, np.zeros(n), np.ones(n), np.ones(n, dtype=bool))


def hull_of(bodies: Bodies, row: int) -> shapely.Geometry:
    corners = slice(*bodies.hulls[row : row + 2])
    return shapely.Polygon(np.column_stack([bodies.hull_x[corners], bodies.hull_y[corners]]))


@given(ring=PLACES)
def test_boxes_centroids_and_hulls_match_shapely(ring) -> None:
    shape = shapely.Polygon(ring)
    shape = shape if shape.is_valid else shape.convex_hull

    bodies = bodies_of([shape])

    assert tuple(bodies.boxes[0]) == shape.bounds
    np.testing.assert_allclose(bodies.centroids[0], shapely.get_coordinates(shape.centroid)[0])
    if shape.area:
        assert shapely.equals(hull_of(bodies, 0), shape.convex_hull)
        assert hull_of(bodies, 0).exterior.is_ccw
        assert bodies.hulls[1] == len(shape.convex_hull.normalize().simplify(0).exterior.coords) - 1


def test_holes_and_parts_weigh_in_the_centroid() -> None:
    pierced = shapely.box(0, 0, 10, 10).difference(shapely.box(1, 1, 3, 9))
    parts = shapely.MultiPolygon([pierced, shapely.box(20, 0, 24, 4)])

    bodies = bodies_of([pierced, parts])

    for row, shape in enumerate((pierced, parts)):
        centroid = shapely.get_coordinates(shape.centroid)[0]
        np.testing.assert_allclose(bodies.centroids[row], centroid, rtol=1e-14)


def test_a_body_far_from_the_origin_keeps_its_centroid() -> None:
    corner = 2.0**15 - 64 + 1 / 1024

    bodies = bodies_of([shapely.box(corner, corner, corner + 3, corner + 5)])

    assert tuple(bodies.centroids[0]) == (corner + 1.5, corner + 2.5)


def test_lines_and_points_have_centroids_without_area() -> None:
    bent = shapely.LineString([(0, 0), (4, 0), (4, 2)])

    bodies = bodies_of([shapely.Point(3, 4), bent])

    assert tuple(bodies.centroids[0]) == (3, 4)
    np.testing.assert_allclose(bodies.centroids[1], shapely.get_coordinates(bent.centroid)[0])


def test_ragged_arrays_and_shapes_make_the_same_columns() -> None:
    shapes = [
        shapely.box(0, 0, 10, 10).difference(shapely.box(2, 2, 4, 4)),
        shapely.Polygon([(20, 0), (30, 0), (22, 8)]),
    ]
    _, coords, offsets = shapely.to_ragged_array(shapes)

    ragged = bodies_of((coords, *offsets))

    plain = bodies_of(shapes)
    for name in ("x", "y", "rings", "bodies", "holes", "boxes", "centroids", "hull_x", "hulls"):
        np.testing.assert_array_equal(getattr(ragged, name), getattr(plain, name))
    assert shapely.equals(ragged.shapes, plain.shapes).all()


def test_open_rings_are_closed() -> None:
    bodies = bodies_of(([[0, 0], [4, 0], [0, 4], [9, 9], [8, 9], [8, 8], [9, 9]], [0, 3, 7]))

    assert bodies.x.tolist() == [0, 4, 0, 0, 9, 8, 8, 9]
    assert bodies.rings.tolist() == [0, 4, 8]
    assert [shape.wkt for shape in bodies.shapes] == [
        "POLYGON ((0 0, 4 0, 0 4, 0 0))",
        "POLYGON ((9 9, 8 9, 8 8, 9 9))",
    ]


def test_columns_are_read_only() -> None:
    bodies = bodies_of([shapely.box(0, 0, 1, 1)])

    for name in ("x", "rings", "boxes", "centroids", "hull_x", "base", "height", "solid"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(bodies, name)[0] = 0


def test_no_bodies_at_all_are_bodies() -> None:
    bodies = bodies_of([])

    assert len(bodies) == 0
    assert bodies.boxes.shape == (0, 4)


SQUARE = [[0, 0], [1, 0], [1, 1], [0, 1]]


@pytest.mark.parametrize(
    ("outlines", "complaint"),
    [
        pytest.param([shapely.Polygon()], "not empty", id="an empty outline"),
        pytest.param([None], "not empty", id="no outline"),
        pytest.param(
            [shapely.from_wkt("MULTIPOLYGON (((0 0, 1 0, 0 1, 0 0)), EMPTY)")],
            "polygons, lines or points only", id="an empty part",
        ),
        pytest.param(
            [shapely.GeometryCollection([shapely.MultiPoint([(0, 0), (1, 1)])])],
            "polygons, lines or points only", id="a collection in a collection",
        ),
        pytest.param(([[0, 0], [np.nan, 1], [1, 1]], [0, 3]), "finite", id="nowhere"),
        pytest.param([shapely.Point(np.inf, 0)], "finite", id="infinitely far"),
        pytest.param([shapely.box(0, 0, 2**16 + 1, 1)], "65536 at most", id="too far"),
        pytest.param((SQUARE, [0, 0, 4]), "must rise", id="a ring without points"),
        pytest.param((SQUARE, [0, 2, 4]), "ring 0 needs three", id="two points"),
        pytest.param((SQUARE, [0, 5]), "from 0 to 4", id="offsets beyond the points"),
        pytest.param(([0, 1, 2, 3], [0, 2]), "of x and one of y", id="a row of numbers"),
        pytest.param(([[0, 0], [1, 1], [0, 0], [1, 1]], [0, 4]), "an area", id="there and back"),
        pytest.param(([[0, 0], [1, 0], [2, 0]], [0, 3]), "an area", id="all on one line"),
        pytest.param(
            ([*SQUARE, [0, 0], [2, 2], [2, 0], [0, 2]], [0, 4, 8]),
            "outline 1 .*Self-intersection", id="a bow",
        ),
        pytest.param(
            [shapely.Polygon([(0, 0), (1, 1), (2, 2), (2, 0), (1, 1), (0, 2)])],
            "Self-intersection", id="a bow that crosses in a corner",
        ),
        pytest.param(
            [shapely.Polygon([(0, 0), (9, 0), (9, 9)], [[(7, 1), (12, 1), (12, 2)]])],
            "outline 0", id="a hole that sticks out",
        ),
        pytest.param(
            [shapely.MultiPolygon([shapely.box(0, 0, 2, 2), shapely.box(1, 1, 3, 3)])],
            "outline 0", id="parts that overlap",
        ),
    ],
)  # fmt: skip
def test_what_is_no_outline_is_refused(outlines, complaint) -> None:
    with pytest.raises(ValueError, match=complaint):
        bodies_of(outlines)


@pytest.mark.parametrize("column", ["base", "height"])
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_height_that_is_no_number_is_refused(column: str, wrong: float) -> None:
    columns = {"base": [0.0], "height": [1.0], "solid": [True], column: [wrong]}

    with pytest.raises(ValueError, match=f"every {column} must be a finite number"):
        Bodies([shapely.box(0, 0, 1, 1)], **columns)


def test_a_column_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="height needs 1 values"):
        Bodies([shapely.box(0, 0, 1, 1)], [0], [1, 2], [True])
