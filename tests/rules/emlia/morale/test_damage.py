"""Emlia, chapters 16, 21.3 and 21.4: hits and damage."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.tables.damage import (
    Casualties,
    Credit,
    Group,
    casualties,
    credit,
    damage_points,
    grouped,
    need,
    threshold_rolls,
)
from emlia3d.rules.emlia.tables.skills import dice_of, skill_of

rule = pytest.mark.rule


@rule("emlia.damage.modified-hits", "emlia.equip.base-damage")
@pytest.mark.parametrize(
    ("hits", "base_damage", "needed"), [(3, 1, 2), (1, 1, 1), (2, 5, 1), (3, 0, 3)]
)
def test_base_damage_lowers_the_hits_that_make_a_point_but_never_below_one(
    hits, base_damage, needed
):
    assert need(hits, base_damage) == needed


@rule("emlia.damage.points")
@rule("emlia.meta.rounding")
@pytest.mark.parametrize(
    ("hits", "markers", "points"), [(3, 7, 3), (1, 4, 4), (3, 2, 1), (3, 1, 0)]
)
def test_every_full_number_of_hits_at_base_damage_one_is_a_point(hits, markers, points):
    assert damage_points(markers, need(hits, 1)) == points


@rule("emlia.damage.per-group")
def test_remainders_of_different_base_damage_are_lost_and_not_merged():
    groups = grouped([Group(0, 3, 2), Group(1, 2, 1)])
    assert [damage_points(group.hits, group.needed) for group in groups] == [0, 0]


@rule("emlia.damage.per-group")
def test_equal_markers_of_several_attackers_are_one_group_and_another_need_is_its_own():
    markers = [Group(1, 2, 1), Group(1, 3, 2), Group(0, 3, 1), Group(1, 2, 1)]
    assert grouped(markers) == (Group(0, 3, 1), Group(1, 2, 2), Group(1, 3, 2))


@rule("emlia.attr.threshold")
@pytest.mark.parametrize(
    ("before", "after", "rolls"), [(2, 7, 2), (0, 2, 0), (2, 3, 1), (3, 5, 0), (0, 9, 3)]
)
def test_a_roll_is_due_for_each_multiple_of_the_threshold_that_the_total_reaches(
    before, after, rolls
):
    assert threshold_rolls(before, after, 3) == rolls


@rule("emlia.damage.carry")
@rule("emlia.attr.damage-limit")
def test_damage_short_of_the_limit_is_kept_and_counts_later():
    first = casualties(5, carried=0, limit=3, members=6)
    assert first == Casualties(lost=1, carried=2)
    assert casualties(1, carried=first.carried, limit=3, members=5) == Casualties(1, 0)


@rule("emlia.attr.damage-limit")
def test_no_more_are_lost_than_there_are():
    assert casualties(50, carried=0, limit=1, members=6) == Casualties(6, 0)
    assert casualties(5, carried=0, limit=2, members=2) == Casualties(2, 0)
    assert casualties(3, carried=0, limit=2, members=2) == Casualties(1, 1)


@rule("emlia.damage.examples")
def test_militia_dragon_and_castle_wall_suffer_as_in_the_book():
    assert casualties(4, carried=0, limit=1, members=10).lost == 4
    assert casualties(9, carried=0, limit=20, members=1) == Casualties(0, 9)
    assert dice_of(skill_of("10/4"), able=1, lost=9) == 8
    assert casualties(11, carried=9, limit=20, members=1).lost == 1
    assert threshold_rolls(0, 30, 10) == 3


@rule("emlia.damage.credit")
def test_all_who_helped_have_inflicted_it_and_those_with_most_markers_wiped_it_out():
    assert credit([(7, 2), (3, 4), (7, 3), (5, 0)]) == Credit((3, 7), (7,))
    assert credit([(7, 2), (3, 2)]) == Credit((3, 7), (3, 7))
    assert credit([]) == Credit((), ())
