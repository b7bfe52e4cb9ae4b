"""Activation rolls, Command, rally, and the actions that follow."""

from __future__ import annotations

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Order
from emlia3d.errors import IllegalOrderError
from emlia3d.rules.oathmark.actions import Actions
from emlia3d.rules.oathmark.activation import (
    Activity,
    actions_of,
    activates,
    counted_as_activated,
    dice_with_command,
    has_special_action,
    has_two_actions,
    may_attack,
    may_be_activated,
    may_shoot,
    stays_disordered,
    succeeds,
)
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.morale import dice_for
from emlia3d.rules.oathmark.movement import StraightMove
from emlia3d.rules.oathmark.turn import activate
from tests.rules.carrying import Outcome, carry
from tests.rules.oathmark.tables import INCH, SOLDIER, cell, officer, put, table

FOE = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 450)}
ARCHER = {"type": "oathmark/human-archer", "side": "Red", "members": 10}
CAPTAIN = {"type": "oathmark/human-captain", "side": "Red", "members": 1}


def activated(battle: Battle, *answers: str, dice: list[int]) -> Outcome:
    """Activate the first unit of Red."""
    return carry(battle, activate(battle, 0), "activate", *answers, dice=dice)


def test_two_dice_are_rolled_and_one_of_them_must_reach_the_value() -> None:
    battle = table(SOLDIER, FOE)

    done = activated(battle, "stop", dice=[5, 1])

    assert done.facts("activated").result == "two actions"
    assert done.facts("activated").faces == (5, 1)
    assert cell(battle, 0, "activated") == 1


@pytest.mark.rule("oathmark.activation.nominate")
def test_a_unit_is_named_once_in_a_turn_and_may_do_nothing() -> None:
    assert may_be_activated([0, 1, 0], [0, 1]) == [0]
    battle = table(SOLDIER, {**SOLDIER, "officer": (300, 0)}, FOE)
    activated(battle, "stop", dice=[1, 1])
    (decision,) = carry(battle, activate(battle, 0), "activate", "stop", dice=[1, 1]).asked[:1]

    assert [order.unit for order in decision.options] == [1]
    with pytest.raises(IllegalOrderError):
        decision.check(Order(verb="activate", unit=0))


@pytest.mark.rule("oathmark.activation.roll")
def test_one_die_at_the_value_is_enough() -> None:
    assert succeeds([5, 1], 5, disordered=False)
    assert not succeeds([4, 4], 5, disordered=False)
    assert succeeds([6, 7], 7, disordered=False)


@pytest.mark.rule("oathmark.activation.fail")
def test_a_failed_roll_allows_one_simple_action() -> None:
    assert actions_of(full=False) == 1
    battle = table({**ARCHER, "activation": 6}, {**FOE, "officer": (0, 400)})

    done = activated(battle, "move", dice=[2, 5])

    assert officer(battle, 0) == (0, 152.4)
    assert done.facts("activated").result == "one simple action"
    assert len(done.asked) == 2


@pytest.mark.rule("oathmark.activation.command")
@pytest.mark.parametrize(("gap", "dice"), [(6.0, 3), (6.1, 2)])
def test_command_within_six_inches_gives_a_die(gap: float, dice: int) -> None:
    battle = table(SOLDIER, {**CAPTAIN, "officer": (62.5 + 12.5 + gap * INCH, 0)}, FOE)

    assert dice_for(battle, 0) == dice
    assert dice_for(battle, 1) == 3


def test_command_of_the_enemy_gives_none() -> None:
    battle = table(SOLDIER, {**CAPTAIN, "side": "Blue", "officer": (100, 0)})

    assert dice_for(battle, 0) == 2


@pytest.mark.rule("oathmark.activation.dice-cap")
def test_two_captains_give_no_more_than_three_dice() -> None:
    assert dice_with_command(2) == 3
    battle = table(
        SOLDIER, {**CAPTAIN, "officer": (120, 0)}, {**CAPTAIN, "officer": (-120, 0)}, FOE
    )

    assert activated(battle, "stop", dice=[1, 1, 5]).facts("activated").result == "two actions"


@pytest.mark.rule("oathmark.activation.natural-ten")
def test_a_ten_activates_whatever_the_modifiers() -> None:
    assert activates(10, -1, 10)
    assert not activates(9, 0, 10)
    assert succeeds([10, 1], 10, disordered=True)


@pytest.mark.rule("oathmark.activation.disordered")
def test_each_die_of_a_disordered_unit_is_less_by_one() -> None:
    assert not succeeds([5, 3], 5, disordered=True)
    assert succeeds([6, 1], 5, disordered=True)


@pytest.mark.rule("oathmark.activation.rally")
def test_a_disordered_unit_that_passes_is_in_order_before_its_action() -> None:
    assert not stays_disordered(disordered=True, success=True)
    assert stays_disordered(disordered=True, success=False)
    battle = table(SOLDIER, FOE)
    put(battle, 0, disordered=1)

    done = activated(battle, "stop", dice=[6, 1])

    assert done.facts("activated").result == "rallies, one simple action"
    assert cell(battle, 0, "disordered") == 0


@pytest.mark.rule("oathmark.activation.rally-one-action")
def test_a_unit_that_rallies_takes_one_simple_action() -> None:
    assert not has_two_actions(disordered=True, success=True)
    assert has_two_actions(disordered=False, success=True)
    battle = table(SOLDIER, {**FOE, "officer": (0, 150)})
    put(battle, 0, disordered=1)

    done = activated(battle, "move", dice=[9, 9])

    assert not done.asked[1].of("attack")
    assert len(done.asked) == 2


@pytest.mark.rule("oathmark.activation.combat-counts")
def test_a_unit_that_has_fought_counts_as_activated() -> None:
    assert list(counted_as_activated([0, 3])) == [
        Set(table="unit", row=0, column="activated", value=1),
        Set(table="unit", row=3, column="activated", value=1),
    ]
    battle = table(SOLDIER, {**FOE, "officer": (0, 150)})

    activated(battle, "attack", dice=[9, 9, *[1] * 10])

    assert cell(battle, 1, "activated") == 1


# Actions


@pytest.mark.rule("oathmark.action.two")
def test_a_fully_activated_unit_takes_two_actions() -> None:
    assert actions_of(full=True) == 2
    battle = table(ARCHER, {**FOE, "officer": (0, 400)})

    done = activated(battle, "wheel", "move", dice=[9, 9])

    assert [event.name for event in done.events] == ["activated", "turned", "moved", "stopped"]


@pytest.mark.rule("oathmark.action.simple")
def test_a_simple_action_touches_no_enemy() -> None:
    assert not may_attack(BlockSide.FRONT, full=False)
    battle = table({**SOLDIER, "activation": 6}, {**FOE, "officer": (0, 3 * INCH + 25)})

    done = activated(battle, "move", dice=[1, 1])

    assert not done.asked[1].of("attack")
    assert officer(battle, 0)[1] == pytest.approx(2 * INCH, abs=0.06)


@pytest.mark.rule("oathmark.action.special")
def test_no_unit_of_the_core_set_has_a_special_action() -> None:
    assert not has_special_action(["charge", "command"], "cast")
    battle = table(SOLDIER, FOE)
    refusal = Actions(battle, 0, Activity(full=True)).refusal(Order(verb="cast", unit=0))

    assert refusal is not None
    assert refusal.slug == "oathmark.action.special"


@pytest.mark.rule("oathmark.action.shoot-once")
def test_a_unit_shoots_once_in_an_activation() -> None:
    battle = table(ARCHER, {**FOE, "officer": (0, 400)})

    done = activated(battle, "shoot", "move", dice=[9, 9, *[1] * 5])

    assert not done.asked[2].of("shoot")
    assert not may_shoot(Activity(full=True), armed=False)
    assert not may_shoot(Activity(full=True, actions=1, shot=True), armed=True)
    assert may_shoot(Activity(full=True, actions=1, moves=1), armed=True)


@pytest.mark.rule("oathmark.action.attack-by-forward-move")
def test_a_move_to_the_side_stops_an_inch_from_an_enemy() -> None:
    assert not may_attack(BlockSide.LEFT, full=True)
    assert may_attack(BlockSide.FRONT, full=True)
    battle = table(SOLDIER, {**FOE, "officer": (-125 - 2 * INCH, 0)})
    walk = StraightMove(battle, 0, BlockSide.LEFT, Activity(full=True))

    assert walk.end(3 * INCH) == pytest.approx(1 * INCH, abs=0.01)
