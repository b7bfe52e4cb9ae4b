"""How far a unit gets straight on, against whole GSU counted one after another in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import Polygon, box
from shapely.affinity import rotate

from emlia3d.force import facing_of_degrees
from emlia3d.rules.emlia.play.situation.march import (
    UNLIMITED,
    MarchWay,
    Mover,
    first_contact,
    march,
    member_intervals,
    within_budget,
)

Edges = tuple[int, int, int, int]
"""West, south, east and north of a box on a way that leads north, whole GSU."""

STEP = 1 / 1024
"""GSU of the grid on which a move ends."""

BLOCK: Edges = (-3, -2, 3, 0)
NORTH = MarchWay.towards(0)


def edges(most_north: int = 24) -> st.SearchStrategy[Edges]:
    return st.tuples(
        st.integers(-7, 6), st.integers(-6, most_north), st.integers(1, 9), st.integers(1, 9)
    ).map(lambda drawn: (drawn[0], drawn[1], drawn[0] + drawn[2], drawn[1] + drawn[3]))


TERRAIN = st.lists(st.tuples(edges(), st.sampled_from([2, 4])), max_size=4)


def as_shapes(boxes: Sequence[Edges], turn: int) -> NDArray[np.object_]:
    """The boxes on a way that leads *turn* degrees to the right of north."""
    out = np.empty(len(boxes), dtype=object)
    out[:] = [rotate(box(*each), -turn, origin=(0, 0)) for each in boxes]
    return out


def room(body: Edges, obstacles: Sequence[Edges], distance: int) -> int:
    """GSU before a body meets what lies ahead of its front; what it only touches is not met."""
    west, _, east, front = body
    gaps = [
        max(south - front, 0)
        for left, south, right, north in obstacles
        if left < east and right > west and north > front and south < front + distance
    ]
    return min([*gaps, distance])


def price(body: Edges, going: Sequence[tuple[Edges, int]], step: int) -> int:
    """What the GSU after *step* others costs a body that pays while any part of it is inside."""
    west, rear, east, front = body
    return max(
        (
            cost
            for (left, south, right, north), cost in going
            if left < east and right > west and south < front + step + 1 and north > rear + step
        ),
        default=1,
    )


def spent(prices: Sequence[int], distance: Fraction) -> Fraction:
    """What so many GSU cost, of which each whole one has its price."""
    whole = floor(distance)
    rest = (distance - whole) * prices[whole] if whole < len(prices) else Fraction(0)
    return sum(prices[:whole], Fraction(0)) + rest


def as_far_as_it_lasts(prices: Sequence[int], budget: Fraction) -> Fraction:
    for step, each in enumerate(prices):
        if budget < each:
            return step + budget / each
        budget -= each
    return Fraction(len(prices))


@pytest.mark.rule("emlia.terrain.rough", "emlia.move.speed-stack", "emlia.move.blocked-by-object")
@given(
    TERRAIN,
    st.lists(edges(), max_size=3),
    st.integers(0, 20),
    st.integers(0, 120),
    st.sampled_from([1, 2]),
    st.sampled_from([0, 90, 180, 270]),
)
@settings(max_examples=80, deadline=None)
def test_a_block_goes_as_far_as_its_movement_and_the_obstacles_let_it(
    going: list[tuple[Edges, int]],
    obstacles: list[Edges],
    distance: int,
    quarters: int,
    slowness: int,
    turn: int,
) -> None:
    slow = [(float(cost), as_shapes([each], turn).item()) for each, cost in going]
    mover = Mover(
        outline=as_shapes([BLOCK], turn).item(), members=None, slowness=float(slowness)
    )  # fmt: skip
    way = MarchWay.towards(facing_of_degrees(turn))

    found = march(mover, way, distance, quarters / 4, slow, as_shapes(obstacles, turn))

    free = room(BLOCK, obstacles, distance)
    prices = [price(BLOCK, going, step) for step in range(free)]
    far = as_far_as_it_lasts(prices, Fraction(quarters, 4 * slowness))
    assert far - Fraction(1, 1024) <= found.distance <= far
    assert found.cost == pytest.approx(float(spent(prices, far)) * slowness, abs=0.01)
    assert found.blocked_by == ("movement" if far < free else "obstacle" * (free < distance))


@pytest.mark.rule("emlia.terrain.rough")
@given(
    TERRAIN,
    st.lists(st.tuples(st.integers(-3, 2), st.integers(-2, 0)), min_size=1, max_size=5),
    st.integers(0, 20),
    st.integers(0, 120),
    st.sampled_from([0, 90, 180, 270]),
)
@settings(max_examples=60, deadline=None)
def test_a_loose_unit_goes_as_far_as_the_slowest_of_its_members(
    going: list[tuple[Edges, int]],
    members: list[tuple[int, int]],
    distance: int,
    quarters: int,
    turn: int,
) -> None:
    spots = [(x, y, x + 1, y) for x, y in members]
    places = [rotate(box(x, y, x + 1, y), -turn, (0, 0)).centroid.coords[0] for x, y in members]
    mover = Mover(outline=as_shapes([BLOCK], turn).item(), members=np.array(places))
    slow = [(float(cost), as_shapes([each], turn).item()) for each, cost in going]

    found = march(
        mover, MarchWay.towards(facing_of_degrees(turn)), distance, quarters / 4, slow,
        as_shapes([], turn),
    )  # fmt: skip

    prices = [[price(spot, going, step) for step in range(distance)] for spot in spots]
    far = min(as_far_as_it_lasts(each, Fraction(quarters, 4)) for each in prices)
    assert far - Fraction(1, 1024) <= found.distance <= far
    most = max(float(spent(each, far)) for each in prices)
    assert found.cost == pytest.approx(most, abs=0.01)


@pytest.mark.rule("emlia.move.blocked-by-object")
@pytest.mark.parametrize(
    ("count", "goes"), [(1, 6.0), (2, 9.0)], ids=["its outline", "each of its bodies"]
)
def test_what_passes_between_the_bodies_of_a_loose_unit_does_not_bar_it(
    count: int, goes: float
) -> None:
    """A post of 2 GSU stands 6 ahead between two men, and another 9 ahead of one of them."""
    men = as_shapes([(-5, -1, -4, 0), (4, -1, 5, 0)][:count], 0)
    mover = Mover(outline=box(-5, -1, 5, 0), members=None, bodies=lambda: men)

    found = march(mover, NORTH, 20, UNLIMITED, (), as_shapes([(-1, 6, 1, 8), (3, 9, 5, 11)], 0))

    assert found.distance == goes


def test_the_first_of_two_bodies_that_meets_something_halts_both() -> None:
    men = as_shapes([(-5, -4, -4, -3), (4, -1, 5, 0)], 0)
    mover = Mover(outline=box(-5, -4, 5, 0), members=None, bodies=lambda: men)
    ahead = as_shapes([(-5, 4, -4, 5), (4, 8, 5, 9)], 0)

    assert march(mover, NORTH, 20, UNLIMITED, (), ahead).distance == 7
    assert march(mover, NORTH, 6, UNLIMITED, (), ahead).distance == 6


@pytest.mark.parametrize(
    ("short", "by", "ended"),
    [
        (2 * STEP, "movement", ""),
        (3 * STEP, "movement", "movement"),
        (2 * STEP, "obstacle", ""),
        (3 * STEP, "obstacle", "obstacle"),
        (0.0, "obstacle", ""),
    ],
)
def test_what_two_steps_of_the_grid_are_short_is_rounding(
    short: float, by: str, ended: str
) -> None:
    body = Mover(outline=box(*BLOCK), members=None)
    budget = 10 - short if by == "movement" else UNLIMITED
    ahead = [box(-9, 10 - short, 9, 20)] if by == "obstacle" else []

    found = march(body, NORTH, 10, budget, (), np.array(ahead, dtype=object))

    assert (found.distance, found.blocked_by) == (10 - short, ended)


@pytest.mark.parametrize(("beside", "goes"), [(1 / 64, 20.0), (1 / 32, 5.0), (1 / 48, 5.0)])
@pytest.mark.parametrize("side", [-1, 1])
def test_neighbours_slide_past_each_other_who_overlap_by_a_64th(
    side: int, beside: float, goes: float
) -> None:
    near, far = sorted((side * (3 - beside), side * 9))
    neighbour: Polygon = box(near, 5, far, 9)

    assert first_contact(NORTH, box(*BLOCK), np.array([neighbour]), 20) == goes


@pytest.mark.rule("emlia.move.blocked-by-object")
@pytest.mark.parametrize("width", [1 / 100, 1 / 32, 3 / 64])
def test_a_body_meets_what_stands_before_it_however_narrow_it_is(width: float) -> None:
    rock = as_shapes([(-3, 5, 3, 6)], 0)

    assert first_contact(NORTH, box(0, -1, width, 0), rock, 9) == 5


@pytest.mark.parametrize(("overlap", "goes"), [(0.2, 9), (0.25, 9), (0.3, 5)])
def test_a_narrow_body_slides_past_what_overlaps_a_quarter_of_its_width(
    overlap: float, goes: float
) -> None:
    narrow = 1 / 64
    neighbour = as_shapes([(narrow * (1 - overlap), 5, 3, 6)], 0)

    assert first_contact(NORTH, box(0, -1, narrow, 0), neighbour, 9) == goes


@pytest.mark.rule("emlia.terrain.rough")
def test_a_narrow_block_pays_for_the_rough_ground_before_it() -> None:
    mover = Mover(outline=box(0, -1, 1 / 32, 0), members=None)

    found = march(mover, NORTH, 9, UNLIMITED, [(2.0, box(-3, 5, 3, 20))], as_shapes([], 0))

    assert (found.distance, found.cost) == (9, 5 + 2 * 4)


@pytest.mark.rule("emlia.terrain.rough")
def test_terrain_that_a_block_slides_past_slows_it_no_more_than_a_neighbour_bars_it() -> None:
    body = Mover(outline=box(*BLOCK), members=None)
    beside = [box(3 - 1 / 64, 2, 9, 5), box(-9, 2, -3 + 1 / 64, 5)]
    inside = [box(3 - 1 / 32, 2, 9, 5), box(-9, 2, -3 + 1 / 32, 5)]

    costs = [
        march(body, NORTH, 9, UNLIMITED, [(2.0, each)], as_shapes([], 0)).cost
        for each in (*beside, *inside)
    ]

    assert costs == pytest.approx([9, 9, 9 + 5, 9 + 5])


def test_the_path_of_a_member_along_the_rim_of_terrain_costs_nothing_at_a_corner() -> None:
    corner = Polygon([(0, 5), (4, 9), (4, 1)])

    (found,) = member_intervals(NORTH, np.array([(0.0, 0.0)]), [(2.0, corner)], 20)

    assert found == []


def test_movement_that_ends_just_where_terrain_does_leads_as_far() -> None:
    assert within_budget([(0.0, 4.0, 2.0)], 10, 8) == 4
    assert within_budget([(0.0, 4.0, 2.0), (4.0, 6.0, 4.0)], 10, 8) == 4
