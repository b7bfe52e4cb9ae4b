"""Emlia, chapter 14.1: Aimed Fire."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.tables import joined
from emlia3d.rules.emlia.tables.fire import FireFacts, fire_modifier
from emlia3d.rules.emlia.tables.primary import Focus, has_elevation
from emlia3d.rules.emlia.tables.skills import SkillPenalties, general_modifier, success_chance

rule = pytest.mark.rule
NEAR = FireFacts(distance=18, short=20, medium=40)


def shot(**facts):
    return replace(NEAR, **facts)


# Each row with a shot in which it and the rows it is nested in hold, and their sum.
ROWS = [
    ("outside-medium", shot(distance=50), -4),
    ("outside-short", shot(distance=30), -2),
    ("conc-partial", shot(concealment=Level.PARTIAL), -2),
    ("conc-total", shot(concealment=Level.TOTAL), -5),
    ("cover-partial", shot(cover=Level.PARTIAL), -3),
    ("taking-cover", shot(taking_cover=True), -1),
    ("taking-cover-partial", shot(taking_cover=True, cover=Level.PARTIAL), -5),
    ("forfeit-move", shot(forfeits_move=True), 2),
    ("elevation", shot(elevation=True), 1),
    ("unaware", shot(target_unaware=True), 1),
    ("double-paced", shot(double_paced=True), -2),
    ("prepared", shot(prepared=True), -2),
    ("focus", shot(focus=Focus(3, 10)), -2),
    ("focus-25", shot(focus=Focus(2, 10)), -3),
    ("focus-10", shot(focus=Focus(1, 11)), -6),
    ("focus-skirmish", shot(focus_skirmish=True), -4),
]


@pytest.mark.parametrize(
    ("aimed", "modifier"),
    [
        pytest.param(aimed, modifier, marks=rule(f"emlia.fire.mod.{key}"), id=key)
        for key, aimed, modifier in ROWS
    ],
)
def test_a_row_of_aimed_fire_holds_in_its_case(aimed, modifier, request):
    total, because, _ = fire_modifier(aimed)
    assert total == modifier
    assert f"emlia.fire.mod.{request.node.callspec.id}" in because


def test_a_plain_shot_at_short_range_has_no_modifier():
    assert fire_modifier(NEAR) == (0, (), ())


@rule("emlia.fire.mod.outside-short")
@rule("emlia.fire.mod.outside-medium")
@pytest.mark.parametrize(
    ("distance", "modifier"), [(18, 0), (20, 0), (20.5, -2), (30, -2), (40, -2), (41, -4), (50, -4)]
)
def test_the_limit_of_a_band_still_belongs_to_it(distance, modifier):
    assert fire_modifier(shot(distance=distance)).total == modifier


def test_a_crouching_target_in_partial_cover_is_hit_by_a_natural_twelve_only():
    total, because, _ = fire_modifier(
        shot(
            distance=30,
            concealment=Level.PARTIAL,
            cover=Level.PARTIAL,
            taking_cover=True,
            forfeits_move=True,
        )
    )
    assert total == -7
    assert len(because) == 6
    assert success_chance(total) == Fraction(1, 12)


@rule("emlia.primary.focus")
@pytest.mark.parametrize(
    ("members", "among", "modifier"),
    [(3, 10, -2), (2, 10, -3), (1, 11, -6), (1, 10, -3), (1, 4, -2)],
)
def test_singling_out_a_subunit_is_harder_the_smaller_its_share(members, among, modifier):
    assert fire_modifier(shot(focus=Focus(members, among))).total == modifier


@rule("emlia.primary.focus")
def test_singling_out_a_unit_of_a_skirmish_adds_to_the_focus():
    assert fire_modifier(shot(focus=Focus(3, 10), focus_skirmish=True)).total == -6


@rule("emlia.move.double-pace")
def test_fire_after_a_double_pace_has_minus_six_in_all():
    general = general_modifier(SkillPenalties(double_paced=True))
    assert joined(fire_modifier(shot(double_paced=True)), general).total == -6


@rule("emlia.primary.elevation-row")
def test_half_a_height_unit_of_ground_is_elevation_and_less_is_not():
    assert has_elevation(1.5, 1.0)
    assert not has_elevation(1.49, 1.0)
    assert not has_elevation(1.0, 1.5)
    assert has_elevation(0.0, -2.0)
