"""Chapters 13 and 15.1 to 15.3: who of a block strikes to each side, and who fights together."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.tables.engagement import (
    RankedBlock,
    divided,
    front_of_contact,
    who_of_loose_reaches,
    who_reaches,
)
from emlia3d.rules.emlia.tables.manoeuvres import boundary_of_all, is_linked, wheel_cost

NEAR = 1 / 256
"""GSU that rounding may put between what touches on paper."""

FRONT, REAR = (-9, 1, 9, 2), (-9, -7, 9, -6)
LEFT, RIGHT = (-5, -20, -3.5, 20), (3.5, -20, 5, 20)


def block(members: int = 25, width: float = 1.0, depth: float = 1.0) -> RankedBlock:
    """Five files with the front line's middle at the origin, facing north."""
    return RankedBlock(
        front=(0.0, 0.0), ahead=(0.0, 1.0), files=5, members=members, width=width, depth=depth
    )


@pytest.mark.rule("emlia.ranked.engaged-members", "emlia.ranked.rear-ranks")
@pytest.mark.parametrize(
    ("members", "enemy", "reach", "men"),
    [
        (25, FRONT, 1, [0, 1, 2, 3, 4]),
        (25, REAR, 1, [20, 21, 22, 23, 24]),
        (25, LEFT, 1, [0, 5, 10, 15, 20]),
        (25, RIGHT, 1, [4, 9, 14, 19, 24]),
        # With a reach of more than their size those behind strike, too.
        (25, FRONT, 2, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (25, RIGHT, 2, [3, 4, 8, 9, 13, 14, 18, 19, 23, 24]),
        # Three in the last rank stand in its middle: 1 GSU farther from the flanks.
        (23, REAR, 1, [20, 21, 22]),
        (23, RIGHT, 1, [4, 9, 14, 19]),
        (23, RIGHT, 2, [3, 4, 8, 9, 13, 14, 18, 19, 22]),
        (23, LEFT, 2, [0, 1, 5, 6, 10, 11, 15, 16, 20]),
        # Only a part of the front is in reach, to a 256th of a GSU.
        (25, (1, 1 + NEAR, 9, 2), 1, [3, 4]),
        (25, (1, 1 + 2 * NEAR, 9, 2), 1, [3]),
        (3, (-9, 1, 9, 2), 1, [0, 1, 2]),
    ],
)
def test_the_men_of_the_foremost_rank_towards_the_enemy_strike(
    members: int, enemy: tuple[float, ...], reach: float, men: list[int]
) -> None:
    able = who_reaches(block(members), shapely.box(*enemy), reach=reach, size=1)

    assert able.nonzero()[0].tolist() == men


def test_cells_are_as_wide_and_deep_as_the_men() -> None:
    riders = block(10, width=1.5, depth=3.0)

    assert (riders.ranks, riders.frontage, riders.length) == (2, 7.5, 6)
    assert front_of_contact(riders, shapely.box(3.8, -5, 5, -1)) is UnitEdge.RIGHT
    beside = who_reaches(riders, shapely.box(4.0, -6, 5, -3.5), reach=1, size=1)
    assert beside.nonzero()[0].tolist() == [4, 9]
    behind = who_reaches(riders, shapely.box(-3.7, -8, -2.3, -6.5), reach=1, size=1)
    assert behind.nonzero()[0].tolist() == [5, 6]


@pytest.mark.rule("emlia.ranked.engaged-members")
@pytest.mark.parametrize(("beyond", "count"), [(0.0, 2), (NEAR, 2), (2 * NEAR, 1)])
def test_loose_men_strike_from_exactly_their_reach(beyond: float, count: int) -> None:
    places = np.array([[0.0, 1.0], [3.0, 1.5 + beyond], [0.0, 3.0]])

    able = who_of_loose_reaches(places, 0.5, shapely.box(-9, -1, 9, 0), reach=1.0)

    assert able.tolist() == [True, count == 2, False]


@pytest.mark.parametrize(
    ("pairs", "steps", "fights"),
    [
        ([(1, 2)], 1, [(1, 2)]),
        ([(1, 2), (3, 4)], 1, [(1, 2), (3, 4)]),
        ([(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)], 1, [(1, 2, 3), (4, 5, 6)]),
        ([(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)], 2, [(1, 2, 3, 4), (5, 6)]),
        ([(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)], 4, [(1, 2, 3, 4, 5, 6)]),
        # The last of a row has nobody left to pair with.
        ([(1, 2), (2, 3), (3, 4)], 1, [(1, 2, 3, 4)]),
        ([(1, 5), (2, 5), (3, 5)], 1, [(1, 2, 3, 5)]),
        # Between two fights it belongs to that of the lowest number.
        ([(1, 2), (2, 3), (4, 5), (5, 6), (3, 7), (6, 7)], 1, [(1, 2, 3, 7), (4, 5, 6)]),
        # The first pair is that of the lowest numbers that touch.
        ([(1, 9), (1, 3), (3, 4), (9, 8)], 1, [(1, 3, 4, 9, 8)]),
    ],
)
def test_units_fight_together_that_are_few_links_apart(
    pairs: list[tuple[int, int]], steps: int, fights: list[tuple[int, ...]]
) -> None:
    links: dict[int, list[int]] = {}
    for one, other in pairs:
        links.setdefault(one, []).append(other)
        links.setdefault(other, []).append(one)

    assert divided(links, steps) == [tuple(sorted(fight)) for fight in fights]


SQUARE = shapely.box(0, 0, 4, 4)


@pytest.mark.parametrize("formation", [Formation.CLOSE, Formation.RANKED])
@pytest.mark.parametrize(("gap", "area"), [(0.0, 17.0), (1.0, 18.0), (1.9, 18.9)])
def test_the_boundary_of_subunits_takes_in_what_lies_between_them(
    formation: Formation, gap: float, area: float
) -> None:
    small = shapely.box(4 + gap, 1, 5 + gap, 2)

    assert boundary_of_all([SQUARE, small], formation).area == pytest.approx(area, abs=0.01)


def test_the_boundary_of_subunits_that_are_apart_or_open_is_their_hull() -> None:
    far, near = shapely.box(6.1, 1, 7.1, 2), shapely.box(4.5, 1, 5.5, 2)

    for formation, other in ((Formation.CLOSE, far), (Formation.RANKED, far),
                             (Formation.OPEN, near)):  # fmt: skip
        hull = shapely.union_all([SQUARE, other]).convex_hull
        assert boundary_of_all([SQUARE, other], formation).equals(hull)
    assert boundary_of_all([SQUARE], Formation.CLOSE).equals(SQUARE)


@pytest.mark.rule("emlia.form.open", "emlia.form.close")
@pytest.mark.parametrize(
    ("formation", "step"), [(Formation.OPEN, 10), (Formation.CLOSE, 1), (Formation.RANKED, 1)]
)
@pytest.mark.parametrize("radius", [0.0, 0.5, 1.5])
def test_men_are_linked_by_steps_from_edge_to_edge(
    formation: Formation, step: float, radius: float
) -> None:
    across = step + 2 * radius
    row = np.array([[3 * across, 0.0], [0.0, 0.0], [2 * across, 0.0], [across, 0.0]])
    stretched = row.copy()
    stretched[0, 0] += NEAR
    torn = row.copy()
    torn[0, 0] += 2 * NEAR

    assert is_linked(row - [[0.01, 0]] * 4, radius, formation)
    assert is_linked(stretched, radius, formation)
    assert not is_linked(torn, radius, formation)
    assert is_linked(row[:0], radius, formation)


@pytest.mark.rule("emlia.form.ranked.wheel")
@pytest.mark.parametrize(
    ("frontage", "degrees", "cost"), [(4, 90, 6.283), (4, 45, 3.142), (7, 30, 3.665), (5, 0, 0)]
)
def test_a_wheel_costs_the_arc_of_the_outer_man(
    frontage: float, degrees: float, cost: float
) -> None:
    assert wheel_cost(frontage, degrees) == pytest.approx(cost, abs=0.001)
