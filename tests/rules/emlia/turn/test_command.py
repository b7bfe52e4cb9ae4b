"""Chapter 10 as play: ignoring instinct, taking command, and losing a leader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.columns import LOST
from emlia3d.rules.emlia.play.morale import casualties
from emlia3d.rules.emlia.play.morale.leading import leader_of
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.retreat.compulsion import is_compelled, obey
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import command, phase, timing
from emlia3d.rules.emlia.play.turn.activation import activate, options_of
from tests.rules.emlia.hitting import hit

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
LEADER: dict[str, Any] = {"at": (50, 50), "skills": {"leadership": "3"}, "army_value": 9}
SHY: dict[str, Any] = {"at": (55, 50), "put": {"morale": -1, "disordered": 1}}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}


def steady(target: int, unit: int = 0) -> Order:
    return Order(verb="ignore-initiative", unit=unit, target=target)


def take(target: int, unit: int = 0) -> Order:
    return Order(verb="take-command", unit=unit, target=target)


def offered(battle: Battle, unit: int = 0) -> list[tuple[str, int | None]]:
    return [(order.verb, order.target) for order in command.command_options(battle, unit)]


def killed(battle: Battle, play: Play, unit: int) -> MoraleInputs:
    """A resolution in which one unit is hit to death."""
    hit(battle, 9, base_damage=9, subject=unit, attacker=2)
    outlook = MoraleInputs(battle)
    play(battle, casualties.update_damage(battle, outlook))
    return outlook


@pytest.mark.rule("emlia.lead.ignore", "emlia.orders.override")
def test_men_who_are_steadied_do_not_fall_back_in_their_next_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(LEADER, SHY, BOB)

    play(battle, command.ignore(battle, 0, steady(1)), dice=[7, 1, 1])
    events = play(battle, activate(battle, 1), answers=[...])

    assert [event.name for event in events] == ["activated", "activation ended"]
    assert is_compelled(battle, 1)


@pytest.mark.rule("emlia.lead.ignore")
def test_a_call_that_nobody_heeds_changes_nothing(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(LEADER, SHY, BOB)

    play(battle, command.ignore(battle, 0, steady(1)), dice=[4, 4, 4])

    assert is_compelled(battle, 1)
    assert battle.state.units.value("ignoring", 1) == 0


@pytest.mark.rule("emlia.lead.ignore", "emlia.activate.free-when")
def test_a_leader_may_steady_his_own_men_before_they_run(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({**LEADER, "put": {"morale": -1, "disordered": 1}}, BOB)

    events = play(battle, activate(battle, 0), dice=[12, 1, 1], answers=[steady(0), ...])

    assert [event.name for event in events] == ["activated", "steadied", "activation ended"]
    assert situation_of(battle).centre(0) == pytest.approx((50, 50))


@pytest.mark.rule("emlia.lead.ignore.orders")
def test_the_disordered_act_on_orders_for_that_activation_and_stay_disordered(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(LEADER, SHY, BOB)
    before = {order.verb for order in options_of(battle, 1)}

    play(battle, command.ignore(battle, 0, steady(1)), dice=[7, 7, 7])
    freed = {order.verb for order in options_of(battle, 1)}
    play(battle, activate(battle, 1), answers=[...])

    assert "move" not in before
    assert "move" in freed
    units = battle.state.units
    assert (units.value("disordered", 1), units.value("ignoring", 1)) == (1, 0)


@pytest.mark.rule("emlia.lead.ignore")
@pytest.mark.parametrize(("morale", "on_offer"), [(1, False), (0, True), (-7, True)])
def test_only_those_under_a_condition_need_steadying(
    field_of_battle: Build, morale: int, on_offer: bool
) -> None:
    battle = field_of_battle(LEADER, {**SHY, "put": {"morale": morale}}, BOB)

    assert (("ignore-initiative", 1) in offered(battle)) is on_offer


@pytest.mark.rule("emlia.lead.ignore")
def test_who_has_no_leadership_improvises(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({"at": (50, 50)}, SHY, BOB)

    (event,) = play(battle, command.ignore(battle, 0, steady(1)), dice=[9])

    assert event.facts.modifier == -4
    assert battle.state.units.value("ignoring", 1) == 1


@pytest.mark.rule("emlia.lead.ignore")
def test_it_is_a_free_action_that_is_taken_once(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(LEADER, SHY, {**SHY, "at": (45, 50)}, BOB)

    play(battle, command.ignore(battle, 0, steady(1)), dice=[1, 1, 1])

    units = battle.state.units
    assert (units.value("move_used", 0), units.value("primary_used", 0)) == (0, 0)
    assert ("ignore-initiative", 2) not in offered(battle)
    assert ("take-command", 2) in offered(battle)


@pytest.mark.rule("emlia.lead.take-command", "emlia.disorder.cure")
def test_a_commander_orders_at_once_those_whom_he_takes_under_command(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(LEADER, {**SHY, "timing": 3}, BOB)

    play(battle, command.take_command(battle, 0, take(1)), dice=[7, 1, 1])

    units = battle.state.units
    assert leader_of(battle, 1) == 0
    assert units.value("disordered", 1) == 0
    assert units.value("timing", 1) == 0


@pytest.mark.rule("emlia.lead.take-command")
def test_those_who_have_activated_are_at_timing_0_in_the_next_turn_and_not_after(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({**LEADER, "timing": 2}, {"at": (55, 50), "timing": 3}, BOB)
    units = battle.state.units
    play(battle, activate(battle, 1), answers=[...])

    play(battle, command.take_command(battle, 0, take(1)), dice=[7, 7, 7])
    now = units.value("timing", 1)
    play(battle, timing.begin_turn(battle))
    next_turn = units.value("timing", 1)
    play(battle, activate(battle, 1), answers=[...])
    play(battle, timing.begin_turn(battle))

    assert (now, next_turn, units.value("timing", 1)) == (3, 0, 3)


@pytest.mark.rule("emlia.lead.take-command")
def test_a_leader_does_not_take_command_of_those_he_leads(field_of_battle: Build) -> None:
    led = {"at": (45, 50), "put": {"leader": 0}}
    battle = field_of_battle(LEADER, {"at": (55, 50)}, led, BOB)

    assert ("take-command", 0) not in offered(battle)
    assert ("take-command", 1) in offered(battle)
    assert ("take-command", 2) not in offered(battle)


@pytest.mark.rule("emlia.lead.take-command.mod.av-lower")
def test_a_commander_of_lower_worth_is_not_gladly_followed(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({**LEADER, "army_value": 1}, {**SHY, "army_value": 2}, BOB)

    (event,) = play(battle, command.take_command(battle, 0, take(1)), dice=[8, 8, 8])

    assert event.facts.modifier == -4
    assert leader_of(battle, 1) == 1


@pytest.mark.rule("emlia.lead.who")
def test_whose_leader_is_of_another_unit_has_nobody_to_lead_with(field_of_battle: Build) -> None:
    battle = field_of_battle(LEADER, {"at": (55, 50), "put": {"leader": 0}}, SHY, BOB)

    assert offered(battle, 1) == []
    assert {verb for verb, _ in offered(battle, 0)} == {"ignore-initiative", "take-command"}


@pytest.mark.rule("emlia.lead.who")
def test_the_disordered_may_command_but_not_put_others_in_order(field_of_battle: Build) -> None:
    leader = {**LEADER, "put": {"morale": 1, "disordered": 1}}
    battle = field_of_battle(leader, SHY, BOB)

    verbs = {order.verb for order in options_of(battle, 0)}

    assert verbs == {"ignore-initiative", "take-command", "join-units"}


@pytest.mark.rule("emlia.lead.leader.loss", "emlia.lead.orders-needed")
def test_who_loses_the_leader_that_took_command_is_disordered_and_shocked(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        LEADER, {"at": (55, 50), "put": {"leader": 0, "morale": 3}}, {**BOB, "at": (50, 60)}
    )

    outlook = killed(battle, play, 0)

    assert leader_of(battle, 1) is None
    assert battle.state.units.value("disordered", 1) == 1
    assert outlook.facts(1).leader_killed


@pytest.mark.rule("emlia.lead.who", "emlia.lead.leader.loss")
def test_in_a_unit_without_a_leader_one_may_take_command_of_it_and_nothing_else(
    field_of_battle: Build, play: Play
) -> None:
    bereft = {"at": (55, 50), "put": {"leader": LOST, "disordered": 1}}
    battle = field_of_battle(LEADER, bereft, BOB)
    verbs = [(order.verb, order.target) for order in options_of(battle, 1)]

    play(battle, command.take_command(battle, 1, take(1, unit=1)), dice=[9])

    assert verbs == [("take-command", 1)]
    assert leader_of(battle, 1) == 1
    assert battle.state.units.value("disordered", 1) == 0


@pytest.mark.rule("emlia.lead.leader.loss", "emlia.lead.reorder")
def test_who_is_reordered_has_a_leader_of_his_own_again(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        LEADER, {"at": (55, 50), "put": {"leader": LOST, "disordered": 1}}, BOB
    )
    order = Order(verb="reorder", unit=0, target=1)

    play(battle, activate(battle, 0), dice=[5, 5, 5], answers=[order, ...])
    play(battle, phase.resolve(battle))

    assert leader_of(battle, 1) == 1
    assert battle.state.units.value("disordered", 1) == 0


@pytest.mark.rule("emlia.orders.override")
def test_who_ignores_his_fear_obeys_nothing(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({**SHY, "put": {"morale": -5, "ignoring": 1}}, BOB)

    assert play(battle, obey(battle, 0)) == []


@pytest.mark.rule("emlia.lead.ignore", "emlia.lead.ignore.orders", "emlia.lead.ignore.mod.ranked")
def test_a_leader_of_morale_3_calls_on_ranks_of_morale_minus_5_at_minus_1(
    field_of_battle: Build, play: Play
) -> None:
    ranks = {
        "at": (55, 50), "members": 4, "files": 2, "formation": "ranked", "morale": 2,
        "put": {"morale": -5, "disordered": 1},
    }  # fmt: skip
    leader = {**LEADER, "morale": 3, "army_value": 1}
    battle = field_of_battle(leader, ranks, BOB)

    (event,) = play(battle, command.ignore(battle, 0, steady(1)), dice=[1, 1, 6])

    assert event.facts.modifier == -2 + 1
    assert battle.state.units.value("ignoring", 1) == 1


@pytest.mark.rule("emlia.lead.ignore", "emlia.lead.friendly")
def test_nobody_steadies_his_own_men_when_they_rout(field_of_battle: Build, play: Play) -> None:
    rout = {**LEADER, "members": 4, "files": 2, "put": {"morale": -7, "disordered": 1}}
    battle = field_of_battle(rout, BOB)

    (event,) = play(battle, command.ignore(battle, 0, steady(0)), dice=[12, 12, 12])

    assert event.facts.modifier == -5 - 5 - 2 - 3
    assert event.facts.successes == 0


@pytest.mark.rule("emlia.lead.ignore", "emlia.lead.take-command", "emlia.disorder.cure")
@pytest.mark.parametrize("disordered", [0, 1])
def test_only_of_a_disordered_unit_orders_end_the_disorder(
    field_of_battle: Build, play: Play, disordered: int
) -> None:
    men = {"at": (55, 50), "put": {"morale": -1, "disordered": disordered}}
    dice = [9, 9, 9]

    (ignored,) = play(
        (one := field_of_battle(LEADER, men, BOB)), command.ignore(one, 0, steady(1)), dice
    )
    (taken,) = play(
        (two := field_of_battle(LEADER, men, BOB)), command.take_command(two, 0, take(1)), dice
    )

    assert "emlia.orders.override" in ignored.because
    assert ("emlia.lead.ignore.orders" in ignored.because) is bool(disordered)
    assert "emlia.orders.override" not in taken.because
    assert ("emlia.disorder.cure" in taken.because) is bool(disordered)
