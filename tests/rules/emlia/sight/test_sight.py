"""Emlia, chapters 19.1 and 19.2: concealment."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.basics.concealment import Level, combined
from emlia3d.rules.emlia.tables.sight import (
    Between,
    Case,
    Party,
    case,
    conceal,
    datum,
    ground_shares,
    is_visible,
    with_members,
)

rule = pytest.mark.rule
NONE, PARTIAL, TOTAL = Level.NONE, Level.PARTIAL, Level.TOTAL


def party(height=1.0, footing=0.0, **facts):
    given = {"size": height, "combat_range": height, **facts}
    return Party(footing=footing, height=height, **given)


def wall(top, *, solid=True, fraction=1.0, near=20.0, far=20.0, **facts):
    """An entity *near* GSU from the observer and *far* GSU from the observed."""
    return Between(
        top=top, solid=solid, fraction=fraction, to_observer=near, to_observed=far, **facts
    )


def level(observer, observed, *between, ground=None):
    return conceal(observer, observed, between, ground).level


@rule("emlia.sight.levels")
def test_concealment_is_none_partial_or_total_in_that_order():
    assert [member.name for member in sorted(Level)] == ["NONE", "PARTIAL", "TOTAL"]


@rule("emlia.sight.visible", "emlia.sight.levels")
def test_only_total_concealment_hides():
    assert [is_visible(member) for member in Level] == [True, True, False]


@rule("emlia.sight.case")
@rule("emlia.sight.shadow.scope")
@pytest.mark.parametrize(
    ("between", "observer", "observed", "found"),
    [
        (0, 1, 1, Case.NONE),
        (-1, 1, 1, Case.NONE),
        (1, 1, 1, Case.TALL),
        (5, 1, 2, Case.TALL),
        (0.5, 1, 1, Case.HALF),
        (0.4, 1, 1, Case.NONE),
        (1.2, 2, 3, Case.NONE),
        (1.5, 2, 3, Case.HALF),
        (1.2, 1, 3, Case.FROM_SHADOW),
        (1.2, 3, 1, Case.SHADOW),
        (1, 1, 1.5, Case.FROM_SHADOW),
    ],
)
def test_the_three_heights_say_which_rule_it_is(between, observer, observed, found):
    assert case(between, observer, observed) is found


@rule("emlia.sight.tall")
def test_a_wall_as_tall_as_both_hides_wholly_and_a_hedge_partly():
    assert level(party(), party(), wall(1)) is TOTAL
    assert level(party(), party(), wall(1, solid=False)) is PARTIAL


@rule("emlia.sight.half")
@pytest.mark.parametrize("solid", [True, False])
def test_a_wall_of_half_the_height_hides_partly_and_a_lower_one_not(solid):
    assert level(party(), party(), wall(0.5, solid=solid)) is PARTIAL
    assert level(party(), party(), wall(0.4, solid=solid)) is NONE
    assert level(party(2), party(3), wall(1.2, solid=solid)) is NONE


@rule("emlia.sight.peek")
@pytest.mark.parametrize(
    ("near", "far", "found"), [(0.8, 20, NONE), (0.8, 1.0, PARTIAL), (20, 0.8, PARTIAL)]
)
def test_one_looks_over_a_low_wall_that_one_stands_at(near, far, found):
    assert level(party(), party(), wall(0.5, near=near, far=far)) is found


@rule("emlia.sight.peek")
def test_one_does_not_look_over_a_tall_wall_and_others_may_still_conceal():
    assert level(party(), party(), wall(1, near=0.5)) is TOTAL
    assert level(party(), party(), wall(0.5, near=0.5), wall(0.5)) is PARTIAL


@rule("emlia.sight.datum")
def test_a_kerb_on_a_plateau_conceals_nobody():
    assert datum(10, 12) == 10
    assert level(party(footing=10), party(footing=10), wall(10.1)) is NONE
    assert level(party(footing=10), party(footing=10), wall(11)) is TOTAL


@rule("emlia.sight.mutual")
def test_total_concealment_by_one_entity_holds_both_ways():
    low, high = party(), party(height=0.5)
    assert (
        level(low, high, wall(1, near=3, far=9))
        is level(high, low, wall(1, near=9, far=3))
        is TOTAL
    )


@rule("emlia.sight.intervening")
@pytest.mark.parametrize(("fraction", "found"), [(0.5, TOTAL), (0.5 - 1e-10, TOTAL), (0.49, NONE)])
def test_an_entity_intervenes_from_half_of_the_corridor_on(fraction, found):
    assert level(party(), party(), wall(1, fraction=fraction)) is found


@rule("emlia.sight.intervening-group")
@pytest.mark.parametrize(
    ("fractions", "found"),
    [([1 / 3, 1 / 3, 1 / 3], PARTIAL), ([0.34, 0.34], PARTIAL), ([0.24, 0.24], NONE)],
)
def test_bushes_at_different_places_intervene_together(fractions, found):
    bushes = [wall(1, solid=False, fraction=fraction) for fraction in fractions]
    verdict = conceal(party(), party(), bushes)
    assert verdict.level is found
    assert ("emlia.sight.group-level" in verdict.because) is (found is PARTIAL)


@rule("emlia.sight.group-level")
def test_a_bush_and_a_boulder_conceal_like_the_bush():
    bush, boulder = wall(0.5, fraction=1 / 3), wall(1, fraction=1 / 3)
    assert level(party(), party(), bush, boulder) is PARTIAL
    assert level(party(), party(), boulder, boulder) is TOTAL


@rule("emlia.sight.group-level")
def test_an_entity_that_conceals_nothing_is_in_no_group_and_reveals_nobody():
    kerb = wall(0.1, fraction=0.9)
    assert level(party(), party(), kerb, wall(1, fraction=0.4)) is NONE
    assert level(party(), party(), kerb, wall(1, fraction=0.6)) is TOTAL
    assert combined([(TOTAL, 0.3), (PARTIAL, 0.2), (NONE, 1.0)]) is PARTIAL
    assert combined([]) is NONE


def test_the_verdict_names_the_rules_of_those_who_conceal_and_of_no_others():
    verdict = conceal(party(), party(), [wall(1, solid=False), wall(0.4), wall(0.5, fraction=0.1)])
    assert verdict.because == ("emlia.sight.tall",)
    assert [gave.level for gave in verdict.gives] == [PARTIAL, NONE, PARTIAL]
    assert conceal(party(), party(), [wall(1), wall(0.5)]).because == ("emlia.sight.tall",)


@rule("emlia.sight.raster-ground")
def test_a_ridge_hides_wholly_and_a_crest_one_looks_over_hides_what_is_below_it():
    assert level(party(), party(), ground=(1.0, 1.0)) is TOTAL
    assert level(party(), party(), ground=(0.0, 0.6)) is PARTIAL
    assert level(party(), party(), ground=(0.0, 0.0)) is NONE
    assert level(party(), party(), ground=(0.49, 0.49)) is NONE
    assert ground_shares(0.3, 0.2) == ((TOTAL, 0.3), (PARTIAL, 0.0))


@rule("emlia.sight.raster-ground")
def test_the_ground_and_a_wall_conceal_together_and_are_both_named():
    verdict = conceal(party(), party(), [wall(1, fraction=0.3)], ground=(0.3, 0.3))
    assert verdict.level is TOTAL
    assert verdict.because == (
        "emlia.sight.tall",
        "emlia.sight.raster-ground",
        "emlia.sight.group-level",
    )


@rule("emlia.sight.memberwise-partial")
@rule("emlia.sight.memberwise-total")
@rule("emlia.sight.memberwise-combine")
@pytest.mark.parametrize(
    ("boundary", "members", "found"),
    [
        (NONE, PARTIAL, PARTIAL),
        (NONE, TOTAL, TOTAL),
        (NONE, NONE, NONE),
        (PARTIAL, NONE, PARTIAL),
        (PARTIAL, TOTAL, TOTAL),
        (TOTAL, NONE, TOTAL),
    ],
)
def test_a_unit_behind_pillars_is_hidden_as_far_as_each_of_its_men(boundary, members, found):
    assert with_members(boundary, members) == found


@rule("emlia.sight.memberwise-combine")
def test_men_of_whom_none_can_be_seen_do_not_see():
    assert with_members(NONE, NONE, hides_wholly=True) == TOTAL


TALL, GROUP = "emlia.sight.tall", "emlia.sight.group-level"
GROUND = "emlia.sight.raster-ground"


@pytest.mark.parametrize(
    ("between", "ground", "found", "tells", "because"),
    [
        ([wall(2, fraction=0.5)], None, TOTAL, [True], [TALL]),
        ([wall(2, fraction=0.4)], None, NONE, [False], []),
        # What alone gives less does not make a group's level its own.
        (
            [wall(2, fraction=0.3), wall(2, fraction=0.2), wall(2, solid=False)],
            None, TOTAL, [True, True, False], [TALL, GROUP],
        ),
        ([wall(2, fraction=0.3), wall(2, solid=False)], None, PARTIAL, [False, True], [TALL]),
        (
            [wall(2, fraction=0.3), wall(2, fraction=0.2, solid=False), wall(0.1, fraction=0.4)],
            None, PARTIAL, [True, True, False], [TALL, GROUP],
        ),
        ([wall(2, fraction=0.3)], (0.2, 0.2), TOTAL, [True], [TALL, GROUND, GROUP]),
        ([wall(2, fraction=0.3)], (0.6, 0.6), TOTAL, [False], [GROUND]),
        ([wall(2, fraction=0.3)], (0.0, 0.5), PARTIAL, [False], [GROUND]),
        ([wall(2, fraction=0.6)], (0.2, 0.2), TOTAL, [True], [TALL]),
        ([], (0.4, 0.4), NONE, [], []),
        ([], (0.4, 0.6), PARTIAL, [], [GROUND, GROUP]),
    ],
)  # fmt: skip
def test_bodies_that_make_a_verdict_are_those_that_fill_half_or_belong_to_the_group(
    between, ground, found, tells, because
):
    verdict = conceal(party(), party(), between, ground)

    assert verdict.level is found
    assert list(verdict.tells) == tells
    assert list(verdict.because) == because
