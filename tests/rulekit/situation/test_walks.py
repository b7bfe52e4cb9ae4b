"""Walks of single bases, and ways round shapes."""

from __future__ import annotations

from itertools import pairwise
from math import hypot, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point, box, union_all

from emlia3d.geometry.footprints import footprints
from emlia3d.geometry.free_moves import walls
from emlia3d.rulekit.situation.base_shapes import UnitFootprints
from emlia3d.rulekit.situation.detours import shortest_way
from emlia3d.rulekit.situation.walks import Walk, WalkConditions, sampled

HERE = (10.0, 10.0)


def standing(*others: tuple[float, float]) -> UnitFootprints:
    """A disc of radius 0.5 at (10, 10), and others like it."""
    places = [HERE, *others]
    return UnitFootprints(np.arange(len(places)), footprints(places, radius=0.5))


def walk(left: float = 6.0, *others: tuple[float, float], **way: object) -> Walk:
    return Walk(standing(*others), 0, left, WalkConditions(**way))  # type: ignore[arg-type]


def test_a_walk_bends_and_ends_when_its_length_is_spent() -> None:
    done = walk().along([(13, 10), (13, 20)])

    assert done.path == [(10, 10), (13, 10), (13, 13)]
    assert (done.length, done.left) == (6.0, 0.0)
    assert not done.is_stopped


def test_slow_ground_costs_double() -> None:
    assert walk(slow=box(12, 0, 30, 20)).along([(30, 10)]).end == (14.0, 10.0)
    assert walk(slow=box(11, 0, 12, 20)).along([(30, 10)]).end == (15.0, 10.0)


def test_a_body_stops_a_walk_unless_it_is_passed() -> None:
    stopped = walk(6.0, (14, 10)).along([(16, 10)])

    assert stopped.end[0] == pytest.approx(13.0, abs=0.01)
    assert stopped.is_stopped
    assert walk(6.0, (14, 10), passed=[1]).along([(16, 10)]).end == (16.0, 10.0)


def test_an_outline_stops_a_walk_also_after_a_bend() -> None:
    rock = walls([box(0, 14, 20, 15)])

    done = walk(9.0, outlines=rock).along([(12, 10), (12, 20)])

    assert done.end == pytest.approx((12.0, 13.5), abs=0.01)


@pytest.mark.parametrize(("share", "x"), [(0.5, 14.0), (0.0, 12.05), (1.0, 16.0)])
def test_an_area_leaves_a_share_of_the_rest_once(share: float, x: float) -> None:
    asked: list[float] = []

    def leaves() -> float:
        asked.append(share)
        return share

    done = walk(areas=[box(12, 0, 30, 20)], share=leaves).along([(13, 10), (30, 10)])

    assert done.end[0] == pytest.approx(x)
    assert len(asked) == 1


def test_a_walk_that_starts_in_an_area_is_asked_at_once() -> None:
    done = walk(areas=[box(0, 0, 30, 20)], share=lambda: 0.5).along([(30, 10)])

    assert done.end == (13.0, 10.0)


def test_a_walk_steps_back_until_it_may_end() -> None:
    done = walk(may_end=lambda at: at[0] < 14).along([(16, 10)])
    never = walk(may_end=lambda at: False).along([(16, 10)])

    assert 13.9 < done.end[0] < 14
    assert done.length == pytest.approx(done.end[0] - 10)
    assert never.path == [HERE]
    assert never.length == pytest.approx(0)


def test_straight_goes_through_everything() -> None:
    done = walk(6.0, (14, 10)).straight((15, 10))

    assert (done.end, done.left, done.length) == ((15, 10), 1.0, 5.0)


@given(st.floats(0.05, 20), st.floats(0.1, 3))
def test_samples_are_a_step_apart_and_keep_both_ends(length: float, step: float) -> None:
    spots = sampled([(0.0, 0.0), (length, 0.0)], step)

    assert (spots[0], spots[-1]) == ((0, 0), (length, 0))
    gaps = [b[0] - a[0] for a, b in pairwise(spots)]
    assert all(0 < gap <= step + 1e-9 for gap in gaps)
    assert sampled([(2.0, 3.0)], step) == [(2.0, 3.0)]


# Ways round shapes


def length_of(start: tuple[float, float], way: list[tuple[float, float]]) -> float:
    points = [start, *way]
    return sum(hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairwise(points))


def test_a_way_is_straight_if_nothing_is_in_it() -> None:
    assert shortest_way((0, 0), (9, 0), box(3, 1, 4, 5)) == [(9, 0)]


def test_a_way_round_a_disc_is_little_longer_than_the_shortest() -> None:
    way = shortest_way((-4.0, 0.0), (4.0, 0.0), Point(0, 0).buffer(2, quad_segs=32))

    assert 2 * 12**0.5 + 2 * pi / 3 <= length_of((-4.0, 0.0), way) < 9.3


def test_there_is_no_way_out_of_a_ring() -> None:
    ring = Point(0, 0).buffer(5).difference(Point(0, 0).buffer(3))

    assert shortest_way((0, 0), (9, 0), ring) == []
    assert shortest_way((4, 0), (9, 0), ring) == []


@given(
    st.lists(st.tuples(st.integers(-6, 6), st.integers(-4, 4)), max_size=5),
    st.integers(-6, 6),
)
def test_a_way_touches_no_shape_and_is_no_shorter_than_straight(
    corners: list[tuple[int, int]], y: int
) -> None:
    shut = union_all([box(a, b, a + 1.5, b + 1.5) for a, b in corners])
    start, goal = (-9.0, 0.0), (9.0, float(y))

    way = shortest_way(start, goal, shut)

    assert way[-1] == goal
    assert not LineString([start, *way]).intersects(shut)
    assert length_of(start, way) >= hypot(18, y) - 1e-9
