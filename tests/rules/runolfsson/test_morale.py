"""Morale: who checks, unit checks, individual checks, rallies."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.dice import FixedDice
from emlia3d.rules.runolfsson.columns import Attacks, Marker, Phase, Turn
from emlia3d.rules.runolfsson.individual import (
    check_individually,
    individual_modifier,
    individual_result,
    roll_individual,
    transition,
)
from emlia3d.rules.runolfsson.morale import (
    average_character_checks,
    average_unit_checks,
    check_unit,
    cowardly_character_checks,
    cowardly_unit_checks,
    graded,
    marked_models_check,
    may_check,
    morale_phase,
    never_checks,
    unit_die,
    unit_passes,
    who_checks_after,
)
from emlia3d.rules.runolfsson.phases import phases_of
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, put, set_phase, table


def squad(count: int, foe: float = 30.0, **other: Any) -> Battle:
    """A unit 1.5 inches apart, led by the first, in the first morale phase."""
    models = [{"at": [10, 10], "name": "head", **other}]
    models += [{"at": [10 + 1.5 * n, 10], "group": "head", **other} for n in range(1, count)]
    battle = table(*models, {"at": [10, 11 + foe], "side": "Blue", "character": True})
    set_phase(battle, Phase.MORALE_ONE)
    return battle


def lose(battle: Battle, *rows: int) -> None:
    for row in rows:
        put(battle, row, present=0, hits_left=0)


def results(battle: Battle, *dice: int) -> list[str]:
    """Play the morale phase; return the events and their results in short."""
    done = carry(battle, morale_phase(battle), dice=dice)
    facts = [event.facts.values() for event in done.events if event.name.endswith("checked")]
    return [str(told.get("result", told.get("passed"))) for told in facts]


# Grades


@pytest.mark.rule("runolfsson.morale.grade")
def test_fearless_models_cost_double_and_cowardly_ones_half() -> None:
    assert (graded(12, "fearless"), graded(12, "average"), graded(12, "cowardly")) == (24, 12, 6)
    assert graded(13, "cowardly") == 6


@pytest.mark.rule("runolfsson.morale.fearless", "runolfsson.character.fearless")
def test_fearless_units_and_characters_never_check() -> None:
    battle = squad(4, grade="fearless")
    lose(battle, 2, 3)
    put(battle, 0, was_hit=1, attacks=Attacks.MANY)
    lone = table(
        {"at": [10, 10], "grade": "fearless", "character": True}, {"at": [10, 12], "side": "Blue"}
    )
    set_phase(lone, Phase.MORALE_ONE)
    put(lone, 0, attacks=Attacks.MANY)

    assert never_checks("fearless")
    assert not never_checks("average")
    assert results(battle) == results(lone) == []


@pytest.mark.rule("runolfsson.morale.average")
@pytest.mark.parametrize(
    ("lost", "was_hit", "checks"), [(2, True, False), (3, True, True), (3, False, False)]
)
def test_an_average_unit_of_seven_hits_checks_at_three_lost_and_a_hit(
    lost: int, was_hit: bool, checks: bool
) -> None:
    assert average_unit_checks(7, lost, was_hit) is checks
    assert average_unit_checks(1, 1, True)
    assert not average_unit_checks(1, 0, True)


@pytest.mark.rule("runolfsson.morale.average")
def test_an_average_unit_that_was_hit_and_has_lost_half_checks_in_the_phase() -> None:
    battle = squad(4)
    lose(battle, 2, 3)
    assert results(battle) == []

    put(battle, 3, was_hit=1)

    assert results(battle, 1) == ["True"]


@pytest.mark.rule("runolfsson.morale.cowardly")
@pytest.mark.parametrize(
    ("foe", "attacked", "checks"), [(6.0, False, True), (6.1, False, False), (6.1, True, True)]
)
def test_a_cowardly_unit_checks_near_an_enemy_or_attacked(
    foe: float, attacked: bool, checks: bool
) -> None:
    battle = squad(10, foe, grade="cowardly")
    lose(battle, 7, 8, 9)
    put(battle, 0, attacks=int(attacked))

    assert (results(battle, 1) if checks else results(battle)) == ["True"] * checks
    assert cowardly_unit_checks(10, 3, attacked, foe <= 6) is checks
    assert not cowardly_unit_checks(10, 2, True, True)


# Unit checks


@pytest.mark.rule("runolfsson.unitcheck.die")
def test_the_largest_die_that_fits_the_unit() -> None:
    sides = {models: unit_die(models) for models in (6, 9, 5, 11, 13, 25, 1)}

    assert sides == {6: 6, 9: 8, 5: 4, 11: 10, 13: 12, 25: 20, 1: None}


@pytest.mark.rule("runolfsson.unitcheck.result", "runolfsson.unitcheck.no-modifiers")
def test_a_unit_passes_by_a_score_of_at_most_its_models() -> None:
    assert unit_passes(3, 3)
    assert not unit_passes(4, 3)
    battle = squad(6)
    lose(battle, 3, 4, 5)

    done = carry(battle, check_unit(battle, 0), dice=(4,))

    assert done.events[0].facts.values() == {"sides": 6, "face": 4, "left": 3, "passed": False}


@pytest.mark.rule("runolfsson.unitcheck.fail")
def test_all_members_check_if_their_unit_fails() -> None:
    battle = squad(6)
    lose(battle, 3, 4, 5)
    put(battle, 0, was_hit=1)

    assert results(battle, 4, 9, 9, 9) == ["False", "unaffected", "unaffected", "unaffected"]
    assert who_checks_after(True, [1, 2]) == []


@pytest.mark.rule("runolfsson.morale.once-per-turn")
def test_a_unit_that_has_checked_in_the_first_phase_does_not_in_the_second() -> None:
    battle = squad(4)
    lose(battle, 2, 3)
    put(battle, 0, was_hit=1)
    results(battle, 1)

    set_phase(battle, Phase.MORALE_TWO)

    assert results(battle) == []
    assert not may_check(3, 3)
    assert may_check(2, 3)


@pytest.mark.rule("runolfsson.morale.once-per-turn")
def test_morale_may_have_one_phase_at_the_end_with_markers_included() -> None:
    battle = table({"at": [10, 10]}, {"at": [10, 40], "side": "Blue"}, game='morale = "end only"')
    set_phase(battle, Phase.MORALE_TWO)
    put(battle, 0, marker=1)

    assert phases_of(Turn.NORMAL, end_only=True) == (2, 3, 4, 5, 8, 9)
    assert phases_of(Turn.WIDE_SPREAD_PANIC, end_only=True) == (7,)
    assert marked_models_check(Phase.MORALE_TWO, end_only=True)
    assert results(battle, 9) == ["rallied"]
    assert may_check(0, 1)


# Individual checks


@pytest.mark.rule("runolfsson.indiv.die")
def test_the_individual_die_is_a_d10() -> None:
    battle = squad(2)

    class D10:
        def roll(self, why: str, count: int, sides: int) -> tuple[int, ...]:
            assert (why, count, sides) == ("runolfsson.indiv.die", 1, 10)
            return (10,)

    battle.dice = D10()

    assert roll_individual(battle) == 10
    small = table({"at": [9, 9]}, {"at": [9, 40], "side": "Blue"}, game="individual_die = 6")
    small.dice = FixedDice([6])
    assert roll_individual(small) == 6
    small.dice = FixedDice([7])
    with pytest.raises(AssertionError):
        roll_individual(small)
    shares = [individual_result(face, 0) for face in range(1, 11)]
    assert [shares.count(m) for m in (Marker.ROUTED, Marker.PINNED, Marker.NONE)] == [2, 6, 2]


@pytest.mark.rule("runolfsson.indiv.modifiers")
def test_leaders_and_models_that_touch_theirs_have_one_more() -> None:
    battle = table(
        {"at": [10, 10], "name": "head"},
        {"at": [11, 10], "group": "head"},
        {"at": [14, 10], "group": "head"},
        {"at": [40, 40], "side": "Blue", "character": True},
    )
    put(battle, 2, in_command=0)

    assert [individual_modifier(battle, row) for row in range(4)] == [1, 1, -1, 0]


@pytest.mark.rule("runolfsson.indiv.table")
def test_the_table_of_individual_checks() -> None:
    assert individual_result(2, 0) is Marker.ROUTED
    assert individual_result(3, 0) is Marker.PINNED
    assert individual_result(9, 0) is Marker.NONE
    assert individual_result(2, 7) is Marker.NONE, "only a natural 1 fails whatever the modifier"
    assert individual_result(1, 9) is Marker.ROUTED
    assert individual_result(10, -9) is Marker.NONE
    assert individual_result(8, 1) is Marker.NONE
    assert individual_result(9, -1) is Marker.PINNED
    assert individual_result(10, -5) is Marker.NONE
    assert individual_result(1, 5) is Marker.ROUTED


@pytest.mark.rule("runolfsson.morale.phase-one")
def test_a_pinned_model_rolls_in_the_first_phase() -> None:
    battle = squad(2)
    put(battle, 1, marker=1)

    assert results(battle, 9) == ["rallied"]
    assert marked_models_check(Phase.MORALE_ONE)


@pytest.mark.rule("runolfsson.morale.phase-two")
def test_a_marker_alone_brings_no_check_in_the_second_phase() -> None:
    battle = squad(2)
    put(battle, 1, marker=1)
    set_phase(battle, Phase.MORALE_TWO)

    assert results(battle) == []
    assert not marked_models_check(Phase.MORALE_TWO)


@pytest.mark.rule("runolfsson.rally.free", "runolfsson.rally.transitions")
def test_a_marked_model_takes_what_the_table_says() -> None:
    assert transition(Marker.PINNED, Marker.NONE) == "rallied"
    assert transition(Marker.PINNED, Marker.ROUTED) == "routed"
    assert transition(Marker.ROUTED, Marker.PINNED) == "pinned"
    assert transition(Marker.NONE, Marker.NONE) == "unaffected"
    battle = squad(2)
    put(battle, 1, marker=2)

    done = carry(battle, morale_phase(battle), dice=(5,))

    assert done.events[0].because[0] == "runolfsson.morale.phase-one"
    assert cell(battle, 1, "marker") == Marker.PINNED
    assert done.named("moved") == []


@pytest.mark.rule("runolfsson.rally.transitions")
def test_a_pinned_model_that_routs_runs() -> None:
    battle = squad(2)
    put(battle, 1, marker=1)

    done = carry(battle, morale_phase(battle), dice=(2,))

    assert done.named("moved")[0].facts.values() == {"how": "routs", "inches": 6.0}
    assert cell(battle, 1, "checked") == battle.state.turn
    assert transition(Marker.PINNED, Marker.ROUTED) == "routed"


def test_a_leader_that_gets_a_marker_may_be_replaced() -> None:
    battle = squad(2)

    done = carry(battle, check_individually(battle, 0, "x"), "name leader", dice=(5,))

    assert done.value is Marker.PINNED
    assert battle.state.units.ints("leader").tolist()[:2] == [1, 1]


# Characters


def lone(grade: str, foe: float = 30.0) -> Battle:
    battle = table(
        {"at": [10, 4], "grade": grade, "character": True, "save": 3},
        {"at": [10, 5 + foe], "side": "Blue", "character": True},
    )
    set_phase(battle, Phase.MORALE_ONE)
    return battle


@pytest.mark.rule("runolfsson.character.average")
def test_an_average_character_checks_against_more_dice_than_it_saves_with() -> None:
    battle = lone("average")
    put(battle, 0, attacks=Attacks.SOME)
    assert results(battle) == []

    put(battle, 0, attacks=Attacks.MANY)

    assert results(battle, 9) == ["unaffected"]
    assert average_character_checks(4, 3)
    assert not average_character_checks(3, 3)


@pytest.mark.rule("runolfsson.character.cowardly")
def test_a_cowardly_character_checks_near_an_enemy() -> None:
    assert results(lone("cowardly", 5.0), 9) == ["unaffected"]
    assert results(lone("cowardly", 7.0)) == []
    assert cowardly_character_checks(attacked=True, enemy_near=False)
