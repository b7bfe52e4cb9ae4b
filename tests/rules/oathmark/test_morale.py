"""Morale tests, disorder, breaking and panic."""

from __future__ import annotations

import pytest

from emlia3d.rules.oathmark.actions import act
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import block_at
from emlia3d.rules.oathmark.core import Ranks, total
from emlia3d.rules.oathmark.losses import lose, loss_tests, spread_panic, take_test
from emlia3d.rules.oathmark.morale import (
    after_failure,
    casualty_rows,
    chained,
    dice_for,
    disordered_minus,
    disordered_target,
    passes,
    rows_for,
    steadies,
    who_panics,
)
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import INCH, SOLDIER, cell, figures, officer, piece, put, table

FOE = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 500)}
SLUG = "oathmark.morale.test"


def rows(fallen: int, left: int, base: tuple[float, float] = (25, 25), **other: int) -> int:
    """Return the modifiers of a test together."""
    files = 5
    ranks = Ranks(left // files, -(-left // files))
    found = casualty_rows(
        fallen, ranks, base, disordered=bool(other.get("disordered")), bonus=other.get("bonus", 0)
    )
    return total(found)


@pytest.mark.rule("oathmark.morale.test")
def test_one_modified_die_at_the_activation_value_passes() -> None:
    assert passes([7, 2], -2, 5)
    assert not passes([6, 6], -2, 5)


@pytest.mark.rule("oathmark.morale.natural-ten")
def test_a_ten_passes_whatever_the_modifiers() -> None:
    assert passes([10, 1], -8, 6)
    assert steadies(10, -8, 6)
    assert not steadies(9, -8, 6)


@pytest.mark.rule("oathmark.morale.modifier-table")
def test_casualties_and_ranks_modify_a_test() -> None:
    assert rows(3, 9, bonus=1) == -2
    assert rows(2, 8, base=(25, 50)) == -1
    assert rows(3, 3) == -4
    assert rows(2, 10) == -1
    assert rows(2, 10, disordered=1) == -2


@pytest.mark.rule("oathmark.morale.command")
@pytest.mark.parametrize(("gap", "dice"), [(6.0, 3), (6.1, 2)])
def test_command_within_six_inches_gives_a_die(gap: float, dice: int) -> None:
    captain = {"type": "oathmark/human-captain", "side": "Red", "members": 1}
    battle = table(SOLDIER, {**captain, "officer": (75 + gap * INCH, 0)}, FOE)

    assert dice_for(battle, 0) == dice
    assert (
        len(
            carry(battle, take_test(battle, 0, "panic", (), SLUG), dice=[9] * dice)
            .facts("morale tested")
            .faces
        )
        == dice
    )


@pytest.mark.rule("oathmark.morale.fail")
def test_a_unit_that_fails_is_disordered() -> None:
    assert after_failure(disordered=False) == "is disordered"
    battle = table(SOLDIER, FOE)

    carry(battle, take_test(battle, 0, "panic", (), SLUG), dice=[1, 4])

    assert cell(battle, 0, "disordered") == 1
    assert cell(battle, 0, "present") == 1


@pytest.mark.rule("oathmark.morale.broken")
def test_a_disordered_unit_that_fails_is_broken() -> None:
    assert after_failure(disordered=True) == "breaks"
    battle = table({**SOLDIER, "points": 12}, FOE)
    put(battle, 0, disordered=1)

    carry(battle, take_test(battle, 0, "casualties", (("x.y", -2),), SLUG), dice=[5, 6])

    assert cell(battle, 0, "present") == 0
    assert battle.state.sides.value("lost", 0) == 120


@pytest.mark.rule("oathmark.morale.unit-of-one")
def test_a_unit_of_one_tests_once_for_an_attack_without_modifiers() -> None:
    assert rows_for((("x.y", -3),), unit_of_one=True) == ()
    assert rows_for((("x.y", -3),), unit_of_one=False) == (("x.y", -3),)
    giant = {"type": "oathmark/giant", "side": "Red", "members": 1, "base": [75, 75]}
    battle = table(giant, FOE)
    put(battle, 0, disordered=1)

    lost = carry(battle, lose(battle, 0, 3, SLUG)).value
    done = carry(battle, loss_tests(battle, [(0, lost)], 0), dice=[7, 1])

    assert lost == 3
    assert cell(battle, 0, "wounds") == 3
    assert [done.facts("morale tested").result] == ["passes"]
    assert done.facts("morale tested").modifier == 0


@pytest.mark.rule("oathmark.morale.unit-of-one")
def test_a_house_rule_lets_a_unit_of_one_test_for_each_point() -> None:
    giant = {"type": "oathmark/giant", "side": "Red", "members": 1, "base": [75, 75]}
    house = "[house]\nunit_of_one_tests_per_point = true"

    held = table(giant, FOE, field=house)
    passed = carry(held, loss_tests(held, [(0, 3)], 0), dice=[7, 1, 1, 7, 9, 1])
    lost = table(giant, FOE, field=house)
    broken = carry(lost, loss_tests(lost, [(0, 3)], 0), dice=[1, 1, 6, 6])

    assert [event.facts.values()["result"] for event in passed.named("morale tested")] == [
        "passes", "passes", "passes",
    ]  # fmt: skip
    assert [event.name for event in broken.events][-1] == "broken"
    assert cell(lost, 0, "present") == 0


@pytest.mark.rule("oathmark.morale.disordered-target-number")
def test_disorder_adds_one_to_a_target_number() -> None:
    assert 6 + disordered_target(disordered=True) == 7
    assert disordered_target(disordered=False) == 0


@pytest.mark.rule("oathmark.morale.disordered-minus")
def test_disordered_cavalry_that_enters_woods_may_break() -> None:
    assert disordered_minus(disordered=True) == -1
    assert disordered_minus(disordered=False) == 0
    cavalry = {
        "type": "oathmark/human-cavalry", "side": "Red", "members": 5, "width": 25, "depth": 50,
    }  # fmt: skip
    battle = table(cavalry, FOE, terrain=[piece("forest", -200, 60, 200, 300)])
    put(battle, 0, disordered=1)

    done = carry(battle, act(battle, 0, Activity(full=False)), "move", dice=[5, 2])

    assert done.facts("morale tested").modifier == -1
    assert cell(battle, 0, "present") == 0
    assert [event.name for event in done.events] == ["moved", "morale tested", "broken"]


@pytest.mark.rule("oathmark.morale.panic")
def test_friends_within_eight_inches_test() -> None:
    side = 125.0
    battle = table(
        SOLDIER,
        {**SOLDIER, "officer": (side + 8.0 * INCH, 0)},
        {**SOLDIER, "officer": (-side - 8.1 * INCH, 0)},
        {**FOE, "officer": (0, 100)},
    )
    fled = (0, block_at(battle.state, 0))

    assert who_panics(battle, fled) == [1]
    done = carry(battle, spread_panic(battle, [fled]), dice=[9, 1])
    assert [event.unit for event in done.named("morale tested")] == [1]
    assert done.facts("morale tested").cause == "panic"


@pytest.mark.rule("oathmark.morale.panic-chain")
def test_panic_spreads_from_unit_to_unit() -> None:
    first = (0, block_at(table(SOLDIER, FOE).state, 0))
    assert chained((first,), ()) == (first,)
    # The second is 5 inches from the first, and the third 5 inches from the second only.
    step = 50 + 5 * INCH
    battle = table(
        SOLDIER, {**SOLDIER, "officer": (0, -step)}, {**SOLDIER, "officer": (0, -2 * step)}, FOE
    )
    put(battle, 0, disordered=1)
    put(battle, 1, disordered=1)
    fled = carry(battle, take_test(battle, 0, "panic", (), SLUG), dice=[1, 1]).value[1]

    done = carry(battle, spread_panic(battle, fled), dice=[1, 2, 9, 9])

    assert [event.unit for event in done.named("morale tested")] == [1, 2]
    assert [done.facts("morale tested", n).result for n in (0, 1)] == ["breaks", "passes"]


# Casualties as they happen


def test_figures_fall_from_the_rear_and_the_officer_stays_in_its_place() -> None:
    battle = table({**SOLDIER, "members": 7, "points": 12}, FOE)

    carry(battle, lose(battle, 0, 3, SLUG))

    assert cell(battle, 0, "members") == 4
    assert officer(battle, 0) == (0, 0)
    assert sorted(figures(battle, 0)) == [(-25, 0), (0, 0), (25, 0), (50, 0)]
    assert battle.state.sides.value("lost", 0) == 36


def test_the_last_rank_closes_up_to_the_centre() -> None:
    battle = table({**SOLDIER, "members": 13}, FOE)

    carry(battle, lose(battle, 0, 1, SLUG))

    rear = [spot for spot in figures(battle, 0) if spot[1] == -50]
    assert sorted(rear) == [(-25, -50), (0, -50)]


def test_a_wounded_troll_falls_first() -> None:
    trolls = {"type": "oathmark/troll", "side": "Red", "members": 3, "width": 50, "depth": 50}
    battle = table(trolls, FOE)

    lost = carry(battle, lose(battle, 0, 4, SLUG)).value

    assert (lost, cell(battle, 0, "members"), cell(battle, 0, "wounds")) == (1, 2, 1)
    assert carry(battle, lose(battle, 0, 1, SLUG)).value == 0
