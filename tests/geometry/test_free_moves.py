"""Straight moves, beside shapely's distances along the way."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.force.facing import unit_vector
from emlia3d.geometry.footprints import SLACK
from emlia3d.geometry.free_moves import NO_WALLS, FreeMove, free_moves, walls
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

MOVERS = st.tuples(PLACE, PLACE, FACING, EXTENT, EXTENT, EXTENT).filter(
    lambda shape: min(shape[3], shape[4]) > 4 * SLACK or shape[5] > 4 * SLACK
)


def moved(shape: Shape, move: tuple[float, float], part: float) -> Shape:
    return (shape[0] + move[0] * part, shape[1] + move[1] * part, *shape[2:])


@given(MOVERS, st.lists(SHAPES, max_size=4), st.tuples(PLACE, PLACE))
def test_a_move_is_free_until_it_touches(
    mover: Shape, others: list[Shape], move: tuple[float, float]
) -> None:
    """Nowhere on the free part does it overlap a body, and at its end it touches the one named."""
    apart = [other for other in others if gap_by_shapely(mover, other) > SLACK]

    (free,) = free_moves(of(mover), [move], of(*apart))

    for part in np.linspace(0, 1, 17) * free.part:
        there = moved(mover, move, part)
        depths = [core_of(there).distance(core_of(other)) - there[5] - other[5] for other in apart]
        assert min(depths, default=0.0) >= -1e-6
    if free.body is None:
        assert free == FreeMove(1.0)
    else:
        there = moved(mover, move, free.part)
        assert gap_by_shapely(there, apart[free.body]) == pytest.approx(0, abs=1e-6)


@given(MOVERS, st.integers(0, 23039))
def test_what_touches_may_leave_and_slide_but_not_enter(mover: Shape, facing: int) -> None:
    """A wall of 200 GSU stands right before the mover."""
    east, north = unit_vector(facing)
    reach = -(of(mover).corners()[0] - mover[:2]) @ np.array([east, north])
    ahead = -reach.min() + mover[5] + 0.5
    wall: Shape = (mover[0] + ahead * east, mover[1] + ahead * north, facing, 200.0, 1.0, 0.0)
    away, aside, into = (-9 * east, -9 * north), (9 * north, -9 * east), (9 * east, 9 * north)
    glancing = (9 * north + 0.5 * east, -9 * east + 0.5 * north)

    found = free_moves(of(mover), [away, aside, into, glancing], of(wall))

    assert [free.is_whole for free in found] == [True, True, False, False]
    assert found[2].part == pytest.approx(0, abs=1e-4)
    assert found[3].part * 0.5 <= 1.5 * SLACK


def test_a_body_that_overlaps_another_can_only_leave_it() -> None:
    found = free_moves(
        of((0, 0, 0, 0, 0, 1.0)), [(3, 0), (-3, 0), (0, 0)], of((1, 0.2, 0, 0, 0, 1.0))
    )

    assert [(free.part, free.body) for free in found] == [(0.0, 0), (1.0, None), (1.0, None)]


@pytest.mark.parametrize(
    ("mover", "part"),
    [((0, 0, 0, 0, 0, 1.0), 0.4), ((0, 0, 0, 2.0, 2.0, 0.0), 0.4), ((0, 0, 0, 1.0, 1.0, 0.5), 0.4)],
)
def test_outlines_end_a_move_from_both_sides(mover: Shape, part: float) -> None:
    house = shapely.box(5, -3, 9, 3, ccw=True).difference(shapely.box(6, -1, 8, 1))
    stream = shapely.LineString([(-5, -9), (-5, 9)])

    found = free_moves(
        of(mover), [(10, 0), (-10, 0), (0, 10)], of(), outlines=walls([house, stream])
    )

    assert [free.outline for free in found] == [0, 1, None]
    assert [free.part for free in found] == pytest.approx([part, part, 1.0])


def test_ignored_bodies_and_outlines_of_nothing_end_no_move() -> None:
    bodies = of((0, 0, 0, 0, 0, 1.0), (5, 0, 0, 0, 0, 1.0))

    (past,) = free_moves(bodies.take([0]), [(10, 0)], bodies, ignored=[0, 1])
    (free,) = free_moves(bodies.take([0]), [(10, 0)], bodies, ignored=[0], outlines=NO_WALLS)

    assert past.is_whole
    assert (free.part, free.body) == (pytest.approx(0.3), 1)
    assert len(walls([]).of) == len(walls([shapely.Polygon()]).of) == 0


@given(MOVERS, st.lists(st.tuples(PLACE, PLACE), min_size=3, max_size=7), st.tuples(PLACE, PLACE))
def test_a_move_is_free_until_it_touches_an_outline(
    mover: Shape, corners: list[tuple[float, float]], move: tuple[float, float]
) -> None:
    ring = shapely.LinearRing(corners) if len(set(corners)) > 2 else shapely.LinearRing(
        [(0, 0), (5, 0), (0, 5)]
    )  # fmt: skip
    core = core_of(mover)
    if core.distance(ring) - mover[5] <= SLACK:
        return

    (free,) = free_moves(of(mover), [move], of(), outlines=walls([ring]))

    for part in np.linspace(0, 1, 17) * free.part:
        assert core_of(moved(mover, move, part)).distance(ring) - mover[5] >= -1e-6
    if free.outline is not None:
        end = core_of(moved(mover, move, free.part))
        assert end.distance(ring) - mover[5] == pytest.approx(0, abs=1e-6)
