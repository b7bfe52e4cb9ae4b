"""Emlia, chapter 7: weapons and armour."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.tables.equipment import (
    FISTS,
    Band,
    base_damage_at,
    combat_range,
    coverage_limit,
    hits_against,
    parry_modifier,
    range_band,
)

rule = pytest.mark.rule


@rule("emlia.equip.ranged")
@pytest.mark.parametrize(
    ("distance", "band"),
    [
        (0, Band.SHORT),
        (20, Band.SHORT),
        (20.5, Band.MEDIUM),
        (21, Band.MEDIUM),
        (40, Band.MEDIUM),
        (41, Band.LONG),
        (60, Band.LONG),
        (61, None),
    ],
)
def test_a_limit_of_range_belongs_to_its_band_and_no_shot_goes_beyond_the_last(distance, band):
    assert range_band(distance, (20, 40, 60)) is band


@rule("emlia.equip.large-falloff")
@rule("emlia.equip.falloff")
@pytest.mark.parametrize(
    ("weapon", "by_band"),
    [
        pytest.param({"base_damage": 3, "large_falloff": 1}, [3, 2, 1], id="longbow and crossbow"),
        pytest.param({"base_damage": 5, "large_falloff": 2}, [5, 3, 1], id="shotgun"),
        pytest.param({"base_damage": 4}, [4, 4, 4], id="laser"),
        pytest.param({"base_damage": 1, "falloff": True}, [1, 1, 0], id="rocks"),
    ],
)
def test_base_damage_falls_off_with_the_band(weapon, by_band):
    assert [base_damage_at(band=band, **weapon) for band in Band] == by_band


@rule("emlia.equip.bd-floor")
def test_base_damage_of_a_longbow_volley_does_not_fall_below_nothing():
    assert [base_damage_at(1, band, large_falloff=1) for band in Band] == [1, 0, 0]


@rule("emlia.equip.coverage")
def test_a_limit_of_coverage_counts_for_each_weapon_or_for_all():
    assert coverage_limit(1, per_weapon=True, weapons=10) == 10
    assert coverage_limit(6, per_weapon=True, weapons=1) == 6
    assert coverage_limit(6, per_weapon=False, weapons=4) == 6


@rule("emlia.equip.armour-piercing")
@rule("emlia.attr.hits")
def test_armour_adds_hits_and_piercing_halves_what_it_adds():
    assert hits_against(1, 2) == 3
    assert hits_against(1, 2, piercing=True) == 2
    assert hits_against(1, 1, piercing=True) == 1


@rule("emlia.melee.mod.all-unaware")
def test_armour_of_the_unaware_adds_nothing():
    assert hits_against(1, 2, ignored=True) == 1


@rule("emlia.equip.other.examples.light-armour")
@rule("emlia.equip.other")
def test_light_armour_is_one_more_hit():
    assert hits_against(1, 1) == 2


@rule("emlia.equip.parry")
@pytest.mark.parametrize(
    ("engaged", "parrying", "focused", "modifier"),
    [(10, 5, False, -1), (10, 4, False, 0), (10, 4, True, -1), (10, 5, True, -1), (0, 0, False, 0)],
)
def test_parrying_helps_the_side_from_half_of_it_on(engaged, parrying, focused, modifier):
    assert parry_modifier(engaged, parrying, focused) == modifier


@rule("emlia.equip.reach")
@rule("emlia.attr.combat-range")
def test_combat_range_is_the_attribute_or_the_size_and_the_reach():
    assert combat_range(1) == 1
    assert combat_range(1, reach=1) == 2
    assert combat_range(0.5) == 0.5
    assert combat_range(0.5, reach=1) == 1.5
    assert combat_range(1, attribute=3, reach=1) == 4


@rule("emlia.equip.no-weapon")
def test_bare_fists_have_no_base_damage():
    assert FISTS == 0
