"""Who lies near whom, as asking each pair says it, without rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.geometry import discs_within, distances, outlines_within
from emlia3d.geometry import neighbours as module
from emlia3d.geometry.bodies import Bodies

Disc = tuple[float, float, float, float]
"""x, y, radius, and how far it looks."""

small = st.integers(0, 12).map(float)
odd = st.floats(-40, 40).filter(lambda number: number == 0 or abs(number) >= 2.0**-300)
lengths = st.one_of(st.integers(0, 6).map(float), odd.map(lambda number: abs(number) / 4))
discs = st.lists(
    st.tuples(st.one_of(small, odd), st.one_of(small, odd), lengths, lengths), max_size=14
)


def asked_pair_by_pair(found: list[Disc]) -> list[list[int]]:
    """Unrounded: whom each has within how far it looks."""
    exact = [[Fraction(number) for number in disc] for disc in found]
    return [
        [
            j
            for j, (c, d, other, _) in enumerate(exact)
            if j != i and (a - c) ** 2 + (b - d) ** 2 <= (radius + other + far) ** 2
        ]
        for i, (a, b, radius, far) in enumerate(exact)
    ]


def asked_of_the_grid(found: list[Disc]) -> list[list[int]]:
    x, y, radius, far = np.array(found, dtype=np.float64).reshape(-1, 4).T
    near = discs_within(x, y, far, radius)
    return [near.neighbours_of(row).tolist() for row in range(len(found))]


@given(discs)
def test_discs_find_whom_asking_each_pair_finds_and_the_border_counts(found: list[Disc]) -> None:
    assert asked_of_the_grid(found) == asked_pair_by_pair(found)


def test_a_point_at_the_distance_is_near_and_one_a_hair_beyond_is_not() -> None:
    beyond = float(np.nextafter(4.0, 5.0))

    near = discs_within([0.0, 3.0, -3.0], [0.0, 4.0, -beyond], 5.0)

    assert near.neighbours_of(0).tolist() == [1]
    assert near.neighbours_of(1).tolist() == [0]
    assert near.neighbours_of(2).tolist() == []


def test_discs_that_touch_are_at_no_distance_although_their_sum_is_rounded() -> None:
    near = discs_within([0.0, 0.75], [0.0, 0.0], 0.0, [0.5 + 2.0**-53, 0.25 - 2.0**-54])

    assert near.neighbours_of(0).tolist() == [1]
    assert discs_within([0.0, 0.1 + 0.2], [0.0, 0.0], 0.0, [0.1, 0.2]).rows.tolist() == []


def test_places_on_a_lattice_find_all_who_stand_exactly_at_the_distance() -> None:
    east, north = (axis.ravel() for axis in np.meshgrid(np.arange(30.0), np.arange(30.0)))
    middle = 15 * 30 + 15

    near = discs_within(east, north, 5.0)

    assert (
        len(near.neighbours_of(middle)) == 80
    )  # lattice points in a circle of radius 5, without its centre
    assert middle + 5 in near.neighbours_of(middle)
    assert middle + 4 * 30 + 3 in near.neighbours_of(middle)


def test_each_disc_looks_as_far_as_it_does_and_may_be_seen_by_one_that_it_does_not_reach() -> None:
    near = discs_within([0.0, 10.0], [0.0, 0.0], [10.0, 9.0])

    assert near.neighbours_of(0).tolist() == [1]
    assert near.neighbours_of(1).tolist() == []


def test_a_giant_among_dwarfs_has_and_is_had_by_all_in_its_reach() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.uniform(0, 150, (2, 150))
    radius = np.where(np.arange(150) == 7, 90.0, rng.uniform(0.01, 1, 150))

    near = discs_within(x, y, 2.0, radius)

    rows = list(zip(x.tolist(), y.tolist(), radius.tolist(), [2.0] * 150, strict=True))
    assert [near.neighbours_of(row).tolist() for row in range(150)] == asked_pair_by_pair(rows)
    assert len(near.neighbours_of(7)) > 50


def test_nobody_one_alone_and_many_on_one_spot_have_the_neighbours_that_they_have() -> None:
    assert discs_within([], [], 3.0).offsets.tolist() == [0]
    assert discs_within([1.0], [1.0], 3.0).rows.tolist() == []
    assert discs_within([2.5] * 4, [1.5] * 4, 0.0).neighbours_of(2).tolist() == [0, 1, 3]


def test_one_who_stands_far_off_does_not_make_the_grid_too_large() -> None:
    near = discs_within([0.0, 0.0, 65536.0], [0.0, 2.0**-20, 65536.0], 2.0**-20)

    assert near.pairs()[0].tolist() == [0, 1]
    assert near.pairs()[1].tolist() == [1, 0]


def test_any_number_of_threads_and_any_room_give_the_same_neighbours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(9)
    x, y = rng.uniform(0, 120, (2, 1000))
    radius = rng.uniform(0, 4, 1000)
    whole = discs_within(x, y, 20.0, radius)
    monkeypatch.setattr(module, "_ASKED_AT_ONCE", 37)

    for threads in ("1", "2", "4"):
        monkeypatch.setenv("EMLIA3D_THREADS", threads)
        near = discs_within(x, y, 20.0, radius)

        assert np.array_equal(near.offsets, whole.offsets)
        assert np.array_equal(near.rows, whole.rows)
    # More than the room that is made at first: the average has over a hundred.
    assert len(whole.rows) > 100 * 1000


shapes = st.lists(
    st.one_of(
        st.builds(shapely.Point, small, small),
        st.builds(lambda a, b, c, d: shapely.box(a, b, a + c, b + d), small, small, *[lengths] * 2),
        st.builds(
            lambda a, b, turn: shapely.affinity.rotate(shapely.box(a, b, a + 9, b + 1), turn),
            small, small, st.integers(0, 179),
        ),
        st.just(shapely.Polygon()),
    ),
    max_size=9,
)  # fmt: skip


@given(shapes, lengths)
def test_outlines_find_whom_the_distance_of_each_pair_finds(
    found: list[shapely.Geometry], far: float
) -> None:
    wanted = [
        [j for j, other in enumerate(found) if j != i and shapely.distance(one, other) <= far]
        for i, one in enumerate(found)
    ]

    near = outlines_within(found, far)

    assert [near.neighbours_of(row).tolist() for row in range(len(found))] == wanted


def test_outlines_reach_as_far_as_each_does() -> None:
    squares = [shapely.box(0, 0, 1, 1), shapely.box(4, 0, 5, 1), shapely.box(0, 8, 1, 9)]

    near = outlines_within(squares, [3.0, 2.999, 8.0])

    assert near.pairs()[0].tolist() == [0, 2, 2]
    assert near.pairs()[1].tolist() == [1, 0, 1]


def test_outlines_are_near_as_the_distances_of_bodies_have_it() -> None:
    rng = np.random.default_rng(2)
    outlines = [shapely.Point(x, y).buffer(3, 4) for x, y in rng.uniform(0, 60, (60, 2))]
    bodies = Bodies(outlines, np.zeros(60), np.ones(60), np.ones(60, dtype=bool))
    every = np.arange(60)
    apart = distances(bodies, every, every)

    near = outlines_within(bodies.shapes, 4.0)

    for row in range(60):
        assert near.neighbours_of(row).tolist() == [
            j for j in range(60) if j != row and apart[row, j] <= 4.0
        ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (([0.0], [0.0, 1.0, 2.0], [1.0] * 2), "distance: expected one number, or 3"),
        (([0.0], [0.0], -1.0), "distance: expected lengths from 0"),
        (([0.0], [0.0], 1.0, float("nan")), "radius: expected lengths from 0"),
        (([float("inf")], [0.0], 1.0), "x and y need places"),
        ((0.0, 0.0, 1.0), "a row of numbers each"),
    ],
)
def test_what_cannot_be_a_place_or_a_length_is_refused(
    arguments: tuple[object, ...], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        discs_within(*arguments)  # type: ignore[arg-type]


def test_an_outline_beyond_the_field_is_refused() -> None:
    with pytest.raises(ValueError, match="shapes need places"):
        outlines_within([shapely.Point(1e6, 0)], 1.0)
