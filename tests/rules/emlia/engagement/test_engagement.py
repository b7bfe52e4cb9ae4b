"""Emlia, chapters 15.1 to 15.3: contact."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.tables.engagement import (
    RankedBlock,
    files_of,
    front_of_contact,
    is_engaged,
    ranked_morale,
    vertical_gap,
    who_of_loose_reaches,
    who_reaches,
)
from emlia3d.rules.emlia.tables.skills import dice_of, skill_of

rule = pytest.mark.rule


def block(files=5, members=25, front=(0.0, 0.0), degrees=0.0):
    ahead = unit_vector(facing_of_degrees(degrees))
    return RankedBlock(front=front, ahead=ahead, files=files, members=members, width=1.0, depth=1.0)


@rule("emlia.engage.combat-range")
def test_a_unit_is_engaged_by_who_has_it_in_combat_range():
    assert is_engaged(distance=1.0, reach=1.0)
    assert not is_engaged(distance=1.01, reach=1.0)
    assert is_engaged(distance=0.5, reach=0.5)


@rule("emlia.engage.asymmetric")
def test_the_longer_reach_engages_and_is_not_engaged():
    assert is_engaged(distance=1.5, reach=2.0)
    assert not is_engaged(distance=1.5, reach=1.0)
    assert is_engaged(distance=1.0, reach=2.0)
    assert is_engaged(distance=1.0, reach=1.0)


@rule("emlia.engage.vertical")
def test_troops_do_not_fight_through_a_cliff():
    assert vertical_gap(0, 1, 3, 4) == 2
    assert vertical_gap(3, 4, 0, 1) == 2
    assert vertical_gap(0, 2, 1, 4) == 0
    assert not is_engaged(distance=0.5, reach=1.0, gap=2.0)
    assert is_engaged(distance=0.5, reach=1.0, gap=1.0)


# A block of 5 x 5 with its front at the origin looking north: x from -2.5 to 2.5, y from -5 to 0.
@rule("emlia.ranked.front-of-contact")
@pytest.mark.parametrize(
    ("enemy", "side"),
    [
        pytest.param((-2, 1, 2, 3), UnitEdge.FRONT, id="before it"),
        pytest.param((-2, -8, 2, -6), UnitEdge.REAR, id="behind it"),
        pytest.param((-5, -3, -3.5, -2), UnitEdge.LEFT, id="to its left"),
        pytest.param((3.5, -3, 5, -2), UnitEdge.RIGHT, id="to its right"),
        pytest.param((3.5, -20, 5, 20), UnitEdge.RIGHT, id="a long line on its right flank"),
        pytest.param((-20, 1, 20, 2), UnitEdge.FRONT, id="a long line before it"),
        pytest.param((-20, -7, 20, -6), UnitEdge.REAR, id="a long line behind it"),
        pytest.param((3.5, 1, 5, 2), UnitEdge.FRONT, id="off its front corner"),
        pytest.param((3.5, -8, 5, -6), UnitEdge.RIGHT, id="off its rear corner"),
        pytest.param((2.5, -3, 4, -2), UnitEdge.RIGHT, id="touching its right flank"),
        pytest.param((-4, -3, -2, -2), UnitEdge.LEFT, id="pushed into its left flank"),
        pytest.param((-1, -2, 1, -0.5), UnitEdge.FRONT, id="inside it, near the front"),
        pytest.param((-0.5, -3, 0.5, -2), UnitEdge.FRONT, id="in the very middle of it"),
    ],
)
@pytest.mark.parametrize("degrees", [0, 90, 217.5])
def test_an_enemy_stands_on_the_side_nearest_to_him(enemy, side, degrees):
    east, north = unit_vector(facing_of_degrees(degrees))
    ours = block(front=(30.0, 40.0), degrees=degrees)

    def placed(spots):
        across, along = spots[:, 0], spots[:, 1]
        return np.column_stack(
            [30 + across * north + along * east, 40 - across * east + along * north]
        )

    assert front_of_contact(ours, shapely.transform(shapely.box(*enemy), placed)) is side


@rule("emlia.ranked.front-of-contact")
@pytest.mark.parametrize(
    ("tip", "rest", "side"),
    [
        ((3, 0.5), ((8, -3), (8, 1)), UnitEdge.FRONT),
        ((-3, 0.5), ((-8, -3), (-8, 1)), UnitEdge.FRONT),
        ((3, -5.5), ((8, -2), (8, -6)), UnitEdge.RIGHT),
        ((-3, -5.5), ((-8, -2), (-8, -6)), UnitEdge.LEFT),
    ],
)
def test_an_enemy_nearest_to_a_corner_is_on_the_side_that_costs_least(tip, rest, side):
    ours = block()
    east, north = ours.front

    enemy = shapely.Polygon([(east + x, north + y) for x, y in (tip, *rest)])

    assert front_of_contact(ours, enemy) is side


@rule("emlia.ranked.front-of-contact")
@given(
    st.lists(
        st.tuples(st.floats(-9, 9), st.floats(0, 9)), min_size=3, max_size=6, unique=True
    ).filter(lambda spots: shapely.MultiPoint(spots).convex_hull.area > 0.01)
)
def test_no_side_is_nearer_to_who_is_wholly_ahead_than_the_front(spots):
    enemy = shapely.MultiPoint(spots).convex_hull
    corners = [(-2.5, 0), (2.5, 0), (2.5, -5), (-2.5, -5), (-2.5, 0)]
    front, *others = (shapely.LineString(edge) for edge in itertools.pairwise(corners))

    assert enemy.distance(front) <= min(map(enemy.distance, others)) + 1e-9
    assert front_of_contact(block(), enemy) is UnitEdge.FRONT


def outline(theirs):
    east, north = theirs.ahead
    half, deep = theirs.frontage / 2, theirs.length
    corners = [(-half, 0), (half, 0), (half, -deep), (-half, -deep)]
    x, y = theirs.front
    return shapely.Polygon(
        [(x + a * north + b * east, y - a * east + b * north) for a, b in corners]
    )


@rule("emlia.ranked.engaged-members")
@rule("emlia.ranked.rear-ranks")
def test_five_files_meet_four_and_reach_brings_in_the_second_rank():
    ours = block(files=5, members=25)
    theirs = block(files=4, members=16, front=(0.0, 1.0), degrees=180)
    assert who_reaches(ours, outline(theirs), reach=1, size=1).sum() == 5
    assert who_reaches(theirs, outline(ours), reach=1, size=1).sum() == 4
    assert who_reaches(ours, outline(theirs), reach=2, size=1).sum() == 10


@rule("emlia.ranked.rear-ranks")
def test_the_second_rank_does_not_fight_without_reach_when_the_fronts_touch():
    ours = block(files=5, members=25)
    theirs = block(files=5, members=25, front=(0.0, 0.0), degrees=180)
    assert who_reaches(ours, outline(theirs), reach=1, size=1).sum() == 5
    assert who_reaches(ours, outline(theirs), reach=1, size=0.5).sum() == 10


@rule("emlia.ranked.engaged-members")
def test_half_a_file_of_overlap_is_enough_to_fight():
    ours = block(files=5, members=25)
    theirs = block(files=5, members=25, front=(4.5, 1.0), degrees=180)
    assert who_reaches(ours, outline(theirs), 1, 1).nonzero()[0].tolist() == [4]


@rule("emlia.ranked.engaged-members")
def test_if_nobody_qualifies_the_nearest_fights():
    ours = block(files=5, members=25)
    assert who_reaches(ours, shapely.Point(3.5, 1.0), 1, 1).nonzero()[0].tolist() == [4]


@rule("emlia.ranked.engaged-members")
def test_on_a_flank_the_outer_file_fights():
    ours = block(files=5, members=25)
    able = who_reaches(ours, shapely.box(-6, -20, -3.5, 20), 1, 1)
    assert able.nonzero()[0].tolist() == [0, 5, 10, 15, 20]


@rule("emlia.skill.able-members")
@pytest.mark.parametrize(
    ("files", "members", "code", "dice"), [(5, 10, "5/2", 3), (5, 25, "10/2", 0)]
)
def test_the_men_behind_count_as_lost(files, members, code, dice):
    ours = block(files=files, members=members)
    able = int(who_reaches(ours, shapely.box(-9, 1, 9, 2), reach=1, size=1).sum())
    assert able == 5
    assert dice_of(skill_of(code), able, members - able) == dice


@rule("emlia.ranked.engaged-members")
def test_open_and_close_units_count_man_by_man_too():
    places = np.array([[0.0, 1.5], [0.0, 1.6], [2.0, 1.4], [8.0, 8.0]])
    near = who_of_loose_reaches(places, 0.5, shapely.box(-5, -5, 5, 0), reach=1)
    far = who_of_loose_reaches(places, 0.5, shapely.box(-5, -9, 5, -8), reach=1)

    assert near.tolist() == [True, False, True, False]
    assert far.nonzero()[0].tolist() == [2]


def test_an_incomplete_last_rank_stands_in_the_middle_files():
    assert files_of(block(files=5, members=8)).tolist() == [0, 1, 2, 3, 4, 1, 2, 3]
    assert files_of(block(files=1, members=3)).tolist() == [0, 0, 0]
    assert files_of(block(files=5, members=3)).tolist() == [0, 1, 2]


F, L, R, B = UnitEdge.FRONT, UnitEdge.LEFT, UnitEdge.RIGHT, UnitEdge.REAR


@rule("emlia.ranked.morale")
@pytest.mark.parametrize(
    ("fought", "engaged", "change"),
    [
        ([L, R, B], [L, R, B], -5),
        ([F, L], [F, L], -2),
        ([B], [B], -2),
        ([F], [F, L], 0),
        ([L], [F, L], -2),
        ([L], [L], -1),
        ([], [F, B], 0),
    ],
)
def test_fighting_to_flank_and_rear_costs_morale(fought, engaged, change):
    assert ranked_morale(fought, engaged).total == change
    assert bool(ranked_morale(fought, engaged).because) is (change < 0)
