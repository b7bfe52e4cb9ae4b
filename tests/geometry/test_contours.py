"""Contours: levels of nested outlines, steps of a raster, sections of an outline."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from shapely import Point, Polygon, box

from emlia3d.geometry.contours import nesting_levels, sections, shared_edges, steps


def shapes(*outlines: Polygon) -> np.ndarray[tuple[int, ...], np.dtype[np.object_]]:
    return np.array(outlines, dtype=object)


def test_an_outline_lies_on_all_that_cover_it() -> None:
    outer, inner, apart = box(0, 0, 10, 10), box(2, 2, 8, 8), box(20, 0, 30, 10)

    assert nesting_levels(shapes(inner, apart, outer)).tolist() == [2, 1, 1]
    assert nesting_levels(shapes(outer, outer, outer)).tolist() == [1, 2, 3]
    assert nesting_levels(shapes(outer, box(5, 0, 10, 10))).tolist() == [1, 2]
    assert nesting_levels(shapes()).tolist() == []


def test_edges_that_coincide_are_found() -> None:
    (edge,) = shared_edges(shapes(box(0, 0, 10, 10), box(4, 2, 10, 8), box(20, 0, 21, 1)))

    assert edge.equals(shapely.LineString([(10, 2), (10, 8)]))


@given(arrays(np.int64, (4, 5), elements=st.integers(0, 3)))
def test_a_place_lies_on_as_many_outlines_as_its_cell_is_steps_high(
    levels: np.ndarray[tuple[int, int], np.dtype[np.int64]],
) -> None:
    heights = levels * 1.5 + 100.0

    found = list(steps(heights, 1.5, 2.0, 8.0))

    for row in range(4):
        for column in range(5):
            place = Point(2.0 * column + 1, 8.0 - 2.0 * row - 1)
            on = sum(outline.contains(place) for outline in found)
            assert on == levels[row, column] - levels.min()


@pytest.mark.parametrize(("long", "count"), [(10.0, 5), (9.0, 5), (2.0, 1), (2.01, 1), (0.5, 1)])
def test_sections_are_equal_and_cover_the_outline(long: float, count: int) -> None:
    wall = shapely.affinity.rotate(box(0, 0, long, 0.4), 30, origin=(0, 0))

    found = sections(wall, 2.0)

    assert len(found) == count
    assert sum(part.area for part in found) == pytest.approx(wall.area)
    assert [part.area for part in found] == pytest.approx([wall.area / count] * count)
