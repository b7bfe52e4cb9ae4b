"""The worth of leadership actions: exact odds, in army value; units without a target rally."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.plan import Plan
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.commander.acting import act
from emlia3d.rules.emlia.commander.currency import fitness, value_of
from emlia3d.rules.emlia.commander.recovery import Deed, Need, need_of
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.play.free_actions.rally import rally
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.troops import FOOT, MUSKETEERS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]

DEEDS: tuple[Deed, ...] = ("improve morale", "reorder", "ignore initiative", "take command")
LED: dict[str, Any] = {**FOOT, "skills": {"close combat": "10/4", "leadership": "2"}}


def order_of(battle: Battle, question: Ask) -> Order:
    """What unit 0 does as its activation begins, without a plan."""
    decision = question(battle, activate(battle, 0))
    picture = SYSTEM.picture(battle, decision.side)
    return act(AiContext(picture), Plan(name="", missions=()), decision.for_moment(picture.battle))


@pytest.mark.parametrize("disordered", [False, True])
@pytest.mark.parametrize(("morale", "modifier"), [(-7, -4), (-2, 1), (0, 1), (2, -4), (3, 4)])
def test_improved_morale_is_worth_its_average_over_all_throws(
    morale: int, modifier: int, disordered: bool
) -> None:
    start, dice = 4, 3
    needed = 5 - modifier  # With a total of 13 or more from die and modifiers, 8 in 12 at 0.
    need = Need(2.0, morale, disordered, start)

    def fit(successes: int) -> float:
        return fitness(min(morale + successes, start), disordered=disordered)

    throws = [sum(die >= needed for die in each) for each in product(range(1, 13), repeat=dice)]
    average = sum(fit(successes) - fit(0) for successes in throws) / len(throws)
    chance = sum(die >= needed for die in range(1, 13)) / 12

    assert need.gain("improve morale", dice, chance) == pytest.approx(2.0 * average)


@given(
    deed=st.sampled_from(DEEDS),
    morale=st.integers(-7, 7),
    disordered=st.booleans(),
    dice=st.integers(0, 9),
    twelfths=st.integers(0, 11),
)
def test_more_dice_and_better_odds_never_bring_less(
    deed: Deed, morale: int, disordered: bool, dice: int, twelfths: int
) -> None:
    need = Need(2.0, morale, disordered, 5)

    gain = need.gain(deed, dice, twelfths / 12)

    assert gain >= 0
    assert need.gain(deed, dice + 1, twelfths / 12) >= gain - 1e-12
    assert need.gain(deed, dice, (twelfths + 1) / 12) >= gain - 1e-12


def test_a_unit_in_order_at_its_starting_morale_needs_nothing() -> None:
    need = Need(2.0, 3, False, 3)

    assert need.gain("improve morale", 8, 0.75) == 0
    assert need.gain("reorder", 8, 0.75) == 0
    assert need.gain("ignore initiative", 8, 0.75) == 0


def test_the_worth_of_a_unit_is_what_it_needs_and_what_it_has(field_of_battle: Build) -> None:
    battle = field_of_battle({**FOOT, "front": (100, 50), "put": {"morale": -1, "disordered": 1}})

    need = need_of(battle, 0)

    fit = fitness(need.morale, disordered=need.disordered)
    assert need.whole * fit == pytest.approx(value_of(battle, 0))


def test_what_leaders_have_done_in_this_step_counts(
    field_of_battle: Build, play: Callable[..., Any]
) -> None:
    battle = field_of_battle(
        {**LED, "front": (100, 50)},
        {**FOOT, "front": (100, 40), "put": {"disordered": 1}},
    )
    order = Order(verb="reorder", unit=0, target=1)
    assert need_of(battle, 1).disordered

    play(battle, rally(battle, 0, order), (12, 12))

    notes = battle.state.lists["note"]
    assert notes.ints("what").tolist() == [MoraleNote.REORDERED]
    assert battle.state.units.value("disordered", 1)
    assert not need_of(battle, 1).disordered


def test_a_unit_with_nothing_better_to_do_improves_its_morale(
    field_of_battle: Build, question: Ask
) -> None:
    low = {**LED, "front": (100, 50), "movement": "0G", "morale": 4, "put": {"morale": 1}}

    order = order_of(field_of_battle(low), question)

    assert (order.verb, order.target) == ("improve-morale-primary", 0)
    assert order.why == "improves morale of unit 0, normal at morale 1: 2 dice at 75%"


def test_a_unit_that_can_shoot_does_so(field_of_battle: Build, question: Ask) -> None:
    skills = {**MUSKETEERS["skills"], "leadership": "2"}
    put = {"morale": 1}
    shooters = {**MUSKETEERS, "skills": skills, "front": (100, 50), "movement": "0G", "put": put}
    foe = {**FOOT, "side": "Bob", "facing": 180, "front": (100, 68)}

    assert order_of(field_of_battle({**shooters, "morale": 4}, foe), question).verb == "aim"
