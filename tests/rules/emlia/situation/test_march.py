"""How far a unit gets along a straight line, and what that costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon, box

from emlia3d.force import facing_of_degrees
from emlia3d.rules.emlia.play.situation.march import (
    UNLIMITED,
    MarchWay,
    Mover,
    cost_of,
    first_contact,
    march,
    within_budget,
)

NORTH = MarchWay.towards(0)
BLOCK = Mover(outline=box(-5, -2, 5, 0), members=None)


def outlines(*shapes: Polygon) -> Any:
    out = np.empty(len(shapes), dtype=object)
    out[:] = shapes
    return out


def gone(mover: Mover, *obstacles: Polygon, distance: float = 20, **given: Any) -> float:
    return march(
        mover, NORTH, distance, given.get("budget", UNLIMITED), given.get("going", ()),
        outlines(*obstacles),
    ).distance  # fmt: skip


@pytest.mark.rule("emlia.terrain.rough")
def test_in_rough_terrain_each_gsu_costs_two() -> None:
    found = march(BLOCK, NORTH, 20, 15, [(2.0, box(-50, 6, 50, 60))], outlines())

    assert (found.distance, found.cost, found.blocked_by) == (10.5, 15, "movement")


@pytest.mark.rule("emlia.terrain.very-rough")
def test_in_very_rough_terrain_each_gsu_costs_four() -> None:
    found = march(BLOCK, NORTH, 20, 15, [(4.0, box(-50, 6, 50, 60))], outlines())

    assert (found.distance, found.cost) == (8.25, 15)


@pytest.mark.rule("emlia.terrain.rough")
def test_a_block_pays_while_any_part_of_it_is_inside() -> None:
    strip = box(4, 3, 50, 4)

    found = march(BLOCK, NORTH, 20, UNLIMITED, [(2.0, strip)], outlines())

    assert found.cost == pytest.approx(20 + 3)


@pytest.mark.rule("emlia.terrain.rough")
def test_each_member_of_another_unit_pays_for_his_own_path() -> None:
    strip = box(4, 3, 50, 4)
    loose = Mover(outline=BLOCK.outline, members=np.array([(-4.5, -1.0), (4.5, -1.0)]))

    found = march(loose, NORTH, 20, UNLIMITED, [(2.0, strip)], outlines())

    assert found.cost == pytest.approx(21)


@pytest.mark.rule("emlia.move.speed-stack")
def test_overlapping_terrain_counts_as_the_worst_of_it() -> None:
    both = [(2.0, box(-50, 0, 50, 10)), (4.0, box(-50, 0, 50, 10))]

    found = march(BLOCK, NORTH, 10, UNLIMITED, both, outlines())

    assert found.cost == pytest.approx(40)


@pytest.mark.rule("emlia.move.speed-stack")
def test_half_speed_of_a_formation_and_of_terrain_multiply() -> None:
    aside = Mover(outline=BLOCK.outline, members=None, slowness=2.0)

    found = march(aside, NORTH, 10, UNLIMITED, [(2.0, box(-50, -50, 50, 50))], outlines())

    assert found.cost == pytest.approx(40)


@pytest.mark.rule("emlia.move.blocked-by-object")
def test_a_body_stops_where_it_touches_what_is_ahead() -> None:
    assert gone(BLOCK, box(0, 7, 1, 9)) == 7
    assert gone(BLOCK, box(0, 7, 1, 9), distance=7) == 7


@pytest.mark.parametrize(
    "obstacle",
    [
        pytest.param(box(5, -2, 9, 30), id="alongside"),
        pytest.param(box(-5, -9, 5, -2), id="behind"),
        pytest.param(box(-5, 20, 5, 30), id="where it ends"),
    ],
)
def test_what_it_only_touches_stops_no_one(obstacle: Polygon) -> None:
    assert gone(BLOCK, obstacle) == 20


def test_a_slanting_way_is_measured_along_itself() -> None:
    way = MarchWay.towards(facing_of_degrees(90))

    found = first_contact(way, box(-2, -5, 0, 5), outlines(box(3, 0, 4, 1)), 10)

    assert found == pytest.approx(3)


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 20), st.sampled_from([1.0, 2.0, 4.0])),
        max_size=5,
    ),
    st.integers(0, 25),
    st.integers(0, 60),
)
def test_as_far_as_the_movement_lasts_costs_no_more_than_it(
    intervals: list[tuple[float, float, float]], distance: float, budget: float
) -> None:
    reached = within_budget(intervals, distance, budget)

    assert 0 <= reached <= distance
    assert cost_of(intervals, reached) <= budget + 1e-9
    if reached < distance:
        assert cost_of(intervals, reached) == pytest.approx(budget)
