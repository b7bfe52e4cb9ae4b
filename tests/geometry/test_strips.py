"""The strips between two bodies, which other bodies must meet to stand between them."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import affinity

from emlia3d.geometry import corridor_may_intersect, pairs_met

BODIES = st.tuples(
    st.integers(-60, 60), st.integers(-60, 60), st.integers(1, 40), st.integers(1, 8),
    st.integers(0, 359),
)  # fmt: skip


def body(x: int, y: int, width: int, depth: int, turn: int) -> shapely.Polygon:
    return affinity.rotate(shapely.box(x, y, x + width, y + depth), turn)


def boxes(*shapes: shapely.Polygon) -> NDArray[np.float64]:
    return np.array([shape.bounds for shape in shapes], dtype=np.float64).reshape(-1, 4)


@settings(max_examples=300, deadline=None)
@given(one=BODIES, other=BODIES, third=BODIES)
def test_whoever_reaches_into_a_corridor_meets_its_strip(
    one: tuple[int, ...], other: tuple[int, ...], third: tuple[int, ...]
) -> None:
    near, far, between = body(*one), body(*other), body(*third)

    (met,) = corridor_may_intersect(boxes(near), boxes(far), boxes(between))

    corridor = shapely.convex_hull(shapely.union(near, far))
    assert met or not corridor.intersects(between)


def test_who_is_beside_a_slanting_strip_or_behind_its_ends_does_not_meet_it() -> None:
    near, far = shapely.box(0, 0, 2, 2), shapely.box(50, 50, 52, 52)
    places = [(40, 8), (8, 40), (-8, -8), (60, 60), (20, 20), (28, 24)]

    met = [
        bool(
            corridor_may_intersect(boxes(near), boxes(far), boxes(shapely.box(x, y, x + 2, y + 2)))[
                0
            ]
        )
        for x, y in places
    ]

    assert met == [False, False, False, False, True, True]


def test_one_box_of_many_is_enough_and_of_none_nobody_meets_a_strip() -> None:
    ends = boxes(shapely.box(0, 0, 2, 2)), boxes(shapely.box(50, 0, 52, 2))
    off, on = shapely.box(20, 30, 22, 32), shapely.box(20, 0, 22, 2)

    assert corridor_may_intersect(*ends, boxes(off, off, on)).tolist() == [True]
    assert corridor_may_intersect(*ends, boxes(off, off)).tolist() == [False]
    assert corridor_may_intersect(*ends, boxes()).tolist() == [False]
    assert corridor_may_intersect(boxes(), boxes(), boxes(on)).tolist() == []


def test_a_box_that_only_touches_meets_the_strip() -> None:
    near, far = shapely.box(0, 0, 2, 2), shapely.box(50, 0, 52, 2)

    assert corridor_may_intersect(boxes(near), boxes(far), boxes(shapely.box(20, 2, 22, 9))).all()


def test_what_is_nowhere_meets_nothing_and_has_nothing_between() -> None:
    nowhere = boxes(shapely.Polygon())
    here, there = boxes(shapely.box(0, 0, 2, 2)), boxes(shapely.box(50, 0, 52, 2))

    assert not corridor_may_intersect(here, there, nowhere).any()
    assert not corridor_may_intersect(here, nowhere, here).any()
    assert not corridor_may_intersect(nowhere, there, there).any()


@pytest.mark.parametrize(("one", "other", "wide"), [(2, 1, 4), (1, 2, 4), (1, 1, 3)])
def test_boxes_that_do_not_fit_together_are_refused(one: int, other: int, wide: int) -> None:
    with pytest.raises(ValueError, match="as many of one as of the other"):
        corridor_may_intersect(np.zeros((one, 4)), np.zeros((other, 4)), np.zeros((5, wide)))


@settings(max_examples=100, deadline=None)
@given(
    bodies=st.lists(BODIES, min_size=1, max_size=8),
    others=st.lists(BODIES, max_size=3),
    data=st.data(),
)
def test_pairs_are_met_as_their_strips_are(
    bodies: list[tuple[int, ...]], others: list[tuple[int, ...]], data: st.DataObject
) -> None:
    count = len(bodies)
    cells = data.draw(st.lists(st.booleans(), min_size=count**2, max_size=count**2))
    wanted = np.array(cells).reshape(count, count)
    all_boxes = boxes(*(body(*each) for each in bodies))
    all_boxes[data.draw(st.integers(0, count - 1))] = np.nan
    between = boxes(*(body(*each) for each in others))

    met = pairs_met(wanted, all_boxes, between)

    one, other = np.nonzero(np.triu(wanted, 1))
    expected = corridor_may_intersect(all_boxes[one], all_boxes[other], between)
    assert met.tolist() == np.column_stack((one, other))[expected].tolist()


def test_a_square_of_pairs_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="a cell for each two bodies"):
        pairs_met(np.ones((2, 3), dtype=bool), boxes(shapely.box(0, 0, 1, 1)), boxes())
