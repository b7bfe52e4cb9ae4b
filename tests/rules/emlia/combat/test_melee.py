"""Emlia, chapter 14.4: Close Combat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge, align_cost
from emlia3d.rules.emlia.tables.melee import BlowFacts, MeleeNumbers, melee_modifier
from emlia3d.rules.emlia.tables.primary import Focus

rule = pytest.mark.rule
PLAIN = BlowFacts(numbers=MeleeNumbers(source=5, subject=5))


def blow(**facts):
    return replace(PLAIN, **facts)


def numbers(source, subject):
    return blow(numbers=MeleeNumbers(source=source, subject=subject))


# Each row with a blow in which it and the rows it is nested in hold, and their sum.
ROWS = [
    ("conc-partial", blow(concealment=Level.PARTIAL), -1),
    ("conc-total", blow(concealment=Level.TOTAL), -2),
    ("cover-partial", blow(cover=Level.PARTIAL), -1),
    ("cover-total", blow(cover=Level.TOTAL), -2),
    ("rough", blow(rough=True), -1),
    ("to-flank", blow(source_side=UnitEdge.LEFT), -1),
    ("to-rear", blow(source_side=UnitEdge.REAR), -2),
    ("on-multiple-fronts", blow(source_side=UnitEdge.FRONT, on_multiple_fronts=True), -1),
    ("from-flank", blow(subject_side=UnitEdge.RIGHT), 1),
    ("from-rear", blow(subject_side=UnitEdge.REAR), 2),
    ("from-multiple-fronts", blow(subject_side=UnitEdge.FRONT, subject_fronts=2), 1),
    ("outnumbered", numbers(5, 4), 1),
    ("outnumbered-2", numbers(8, 4), 2),
    ("outnumbered-3", numbers(12, 4), 4),
    ("charged", blow(charged=True), 1),
    ("subject-charged", blow(subject_charged=True), 1),
    ("already-engaged", blow(already_engaged=True), 1),
    ("double-paced", blow(double_paced=True), -2),
    ("target-elevated", blow(target_elevated=True), -1),
    ("elevation", blow(elevation=True), 1),
    ("focus", blow(focus=Focus(3, 10)), -1),
    ("focus-25", blow(focus=Focus(2, 10)), -2),
    ("focus-10", blow(focus=Focus(1, 11)), -3),
    ("free-strike", blow(free_strike=True), 4),
    ("all-unaware", blow(all_unaware=True), 0),
]


@pytest.mark.parametrize(
    ("struck", "modifier"),
    [
        pytest.param(struck, modifier, marks=rule(f"emlia.melee.mod.{key}"), id=key)
        for key, struck, modifier in ROWS
    ],
)
def test_a_row_of_close_combat_holds_in_its_case(struck, modifier, request):
    total, because, _ = melee_modifier(struck)
    assert total == modifier
    assert f"emlia.melee.mod.{request.node.callspec.id}" in because


def test_a_plain_blow_between_equals_has_no_modifier():
    assert melee_modifier(PLAIN) == (0, (), ())


@rule("emlia.meta.cumulative")
def test_a_subject_outnumbered_four_to_one_is_struck_at_plus_four():
    assert melee_modifier(numbers(16, 4)).total == 4


@rule("emlia.melee.outnumber")
@pytest.mark.parametrize(
    ("source", "subject", "modifier"), [(5, 5, 0), (5, 4, 1), (4, 5, 0), (8, 4, 2), (12, 4, 4)]
)
def test_outnumbering_goes_by_those_able_to_attack_each_other(source, subject, modifier):
    assert melee_modifier(numbers(source, subject)).total == modifier


@rule("emlia.melee.ranked-rows")
@rule("emlia.melee.mod.from-multiple-fronts")
@pytest.mark.parametrize(
    ("side", "modifier"), [(UnitEdge.FRONT, 2), (UnitEdge.LEFT, 3), (UnitEdge.REAR, 4)], ids=str
)
def test_a_ranked_subject_attacked_on_three_sides_gives_each_attacker_two_more(side, modifier):
    assert melee_modifier(blow(subject_side=side, subject_fronts=3)).total == modifier


@rule("emlia.melee.ranked-rows")
def test_the_ranked_rows_want_a_ranked_source_or_a_ranked_subject():
    assert melee_modifier(blow(on_multiple_fronts=True, subject_fronts=4)) == (0, (), ())


@rule("emlia.melee.several-enemies")
def test_a_ranked_unit_that_strikes_left_as_well_pays_for_its_flank_and_for_both_fronts():
    front = blow(source_side=UnitEdge.FRONT, on_multiple_fronts=True)
    left = blow(source_side=UnitEdge.LEFT, on_multiple_fronts=True)
    assert (melee_modifier(front).total, melee_modifier(left).total) == (-1, -2)


def test_total_cover_brings_total_concealment_and_minus_four_in_sum():
    assert melee_modifier(blow(concealment=Level.TOTAL, cover=Level.TOTAL)).total == -4


@rule("emlia.primary.focus")
@pytest.mark.parametrize(("members", "among", "modifier"), [(3, 10, -1), (2, 10, -2), (1, 11, -3)])
def test_singling_out_a_subunit_in_melee_is_harder_the_smaller_its_share(members, among, modifier):
    assert melee_modifier(blow(focus=Focus(members, among))).total == modifier


@rule("emlia.align.cost")
@pytest.mark.parametrize(
    ("sides", "cost"),
    [
        pytest.param([UnitEdge.FRONT], 0, marks=rule("emlia.align.cost.front"), id="front"),
        pytest.param(
            [UnitEdge.LEFT, UnitEdge.RIGHT], -1, marks=rule("emlia.align.cost.flank"), id="flank"
        ),
        pytest.param([UnitEdge.REAR], -2, marks=rule("emlia.align.cost.rear"), id="rear"),
    ],
)
def test_turning_to_an_enemy_costs_by_the_side_he_came_from(sides, cost):
    assert {align_cost(side) for side in sides} == {cost}
