"""Chapter 9 as play: units that act of their own accord."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.activation import activate, carry_out
from emlia3d.rules.emlia.play.turn.initiative import is_called, obey
from tests.rules.emlia.outcome import names
from tests.rules.emlia.turn.encounter import GREEDY, ROCKS, SHY, foe, gap, me

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Question = Callable[..., Decision]

HIDING = {"when": {"in_the_open": True}, "do": "move to concealment"}
WALL = {"kind": "wall", "box": (54, 104, 66, 105), "height": 3, "body": "solid"}


@pytest.mark.rule("emlia.orders.initiative")
def test_a_condition_that_is_met_comes_before_all_orders(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY), foe())
    asked: list[str] = []

    def look(decision: Decision) -> Order:
        asked.append(decision.asks)
        return decision.options[0]

    events = play(battle, activate(battle, 0), answers=["done", look, ...])

    assert asked == ["emlia.orders.initiative"]
    assert names(events)[:3] == ["activated", "acted of itself", "moved"]
    assert events[1].facts.values() == {"condition": 1, "does": "move away"}


@pytest.mark.rule("emlia.orders.initiative")
def test_without_a_condition_that_is_met_the_unit_acts_on_orders(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY), foe(50, 180))

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events) == ["activated", "activation ended"]


@pytest.mark.rule("emlia.orders.priority")
def test_conditions_are_worked_through_in_their_order_with_what_is_left(
    field_of_battle: Build, play: Play
) -> None:
    shoot = {"when": {"within": 60}, "do": "shoot"}
    thrower = {"skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(me(SHY, GREEDY, shoot, **thrower, members=3), foe(50, 116, members=2))

    events = play(battle, activate(battle, 0), dice=[1], answers=["done", "move", ...])

    did = [event.facts.condition for event in events if event.name == "acted of itself"]
    assert did == [1, 3]
    assert "fired" in names(events)


@pytest.mark.rule("emlia.orders.priority")
def test_a_condition_is_judged_when_its_turn_comes(field_of_battle: Build, play: Play) -> None:
    near = {"when": {"within": 20}, "do": "shoot"}
    thrower = {"skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(me(SHY, near, **thrower), foe(50, 118))

    events = play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert [event.facts.condition for event in events if event.name == "acted of itself"] == [1]
    assert gap(battle) > 20


@pytest.mark.rule("emlia.orders.override")
def test_who_ignores_his_conditions_does_as_he_is_told(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(SHY, put={"ignoring": 1}), foe())

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events) == ["activated", "activation ended"]


@pytest.mark.rule("emlia.orders.override")
@pytest.mark.rule("emlia.lead.ignore")
def test_a_leader_may_set_the_conditions_of_his_men_aside(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY, skills={"leadership": "1"}), foe())

    events = play(battle, activate(battle, 0), dice=[12], answers=["ignore-initiative", ...])

    assert names(events) == ["activated", "steadied", "activation ended"]


@pytest.mark.rule("emlia.orders.leftover")
def test_what_its_conditions_leave_a_disordered_unit_uses_as_its_player_wishes(
    field_of_battle: Build, play: Play
) -> None:
    shy = me(SHY, skills={"aimed fire": "1"}, weapons=[ROCKS], put={"disordered": 1})
    battle = field_of_battle(shy, foe())
    offered: list[set[str]] = []

    def look(decision: Decision) -> Order:
        offered.append({option.verb for option in decision.options})
        return decision.options[-1]

    play(battle, activate(battle, 0), answers=["done", "move", look])

    assert "fire" in offered[0]
    assert not offered[0] & {"move", "double-pace"}


@pytest.mark.rule("emlia.orders.leftover")
def test_a_disordered_unit_whose_conditions_are_not_met_does_nothing(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY, put={"disordered": 1}), foe(50, 190))

    events = play(battle, activate(battle, 0))

    assert names(events) == ["activated", "activation ended"]


@pytest.mark.rule("emlia.activate.act-or-delay")
def test_who_acts_of_himself_cannot_delay(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(SHY, timing=4), foe())
    offered: list[set[str]] = []

    def look(decision: Decision) -> Order:
        offered.append({option.verb for option in decision.options})
        return decision.options[-1]

    play(battle, activate(battle, 0), answers=["done", "move", look])

    assert "delay" not in offered[0]


@pytest.mark.rule("emlia.orders.morale-priority")
def test_morale_comes_before_a_units_own_conditions(field_of_battle: Build, play: Play) -> None:
    toward = {"when": {"within": 90}, "do": "move toward"}
    battle = field_of_battle(me(toward, put={"morale": -1}), foe())

    events = play(battle, activate(battle, 0), answers=["done", ...])

    assert names(events)[:2] == ["activated", "fell back"]
    assert "acted of itself" not in names(events)


@pytest.mark.rule("emlia.orders.morale-priority")
def test_a_printed_set_of_morale_conditions_replaces_the_table(
    field_of_battle: Build, play: Play
) -> None:
    stubborn = [{"morale": (-6, -1), "act_as": "normal"}, {"morale": (-7, -7), "act_as": "routed"}]
    steady = field_of_battle(me(morale_conditions=stubborn, put={"morale": -5}), foe())
    broken = field_of_battle(me(morale_conditions=stubborn, put={"morale": -7}), foe())

    def nearer(decision: Decision) -> Order:
        return next(o for o in decision.options if o.verb == "move" and o.legs[-1].y > 100)

    stood = play(steady, activate(steady, 0), answers=[nearer, ...])
    ran = play(broken, activate(broken, 0), answers=["done", ...])

    assert names(stood)[1] == "moved"
    assert names(ran)[1] == "fled"


def test_an_empty_set_of_morale_conditions_makes_a_unit_fearless(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(morale_conditions=[], put={"morale": -7}), foe())

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events) == ["activated", "activation ended"]


def test_a_unit_goes_towards_as_near_as_it_is_to(field_of_battle: Build, play: Play) -> None:
    toward = {"when": {"within": 90}, "do": "move toward", "until": 6}
    battle = field_of_battle(me(toward), foe())

    play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert gap(battle) <= 6


def test_a_move_that_cannot_do_all_that_is_wanted_does_what_it_can(
    field_of_battle: Build, play: Play
) -> None:
    far = {"when": {"within": 90}, "do": "move away", "until": 80}
    battle = field_of_battle(me(far), foe())

    play(battle, activate(battle, 0), answers=[...])

    assert gap(battle) == pytest.approx(19 + 15, abs=0.1)


def test_any_move_that_does_what_is_wanted_may_be_ordered_and_no_other(
    field_of_battle: Build, question: Question
) -> None:
    battle = field_of_battle(me(SHY), foe(50, 117))

    decision = question(battle, obey(battle, 0, carry_out))
    there, near = (
        Order(verb="move", unit=0, legs=(Leg(step="march", x=x, y=y, facing=0),))
        for x, y in ((52, 85.8), (52, 95))
    )

    decision.check(there)
    assert decision.validator is not None
    assert decision.validator.refusal(near) is not None


def test_it_hides_behind_what_conceals_it_from_that_enemy(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(HIDING), foe(), terrain=[WALL])

    play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert level_on(battle, 1, 0) is not Level.NONE
    assert situation_of(battle).centre(0)[0] > 54


def test_who_finds_no_place_to_hide_stays(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(HIDING), foe())

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events) == ["activated", "activation ended"]


def test_shelter_beyond_one_move_is_made_for(field_of_battle: Build, play: Play) -> None:
    far = {**WALL, "box": (80, 100, 84, 140)}
    battle = field_of_battle(me(HIDING), foe(), terrain=[far])

    play(battle, activate(battle, 0), answers=[...])

    assert situation_of(battle).centre(0)[0] > 60
    assert level_on(battle, 1, 0) is Level.NONE


@pytest.mark.rule("emlia.orders.mixed.override")
@pytest.mark.parametrize("ignoring", [0, 1])
def test_a_mixed_unit_that_ignores_its_conditions_ignores_those_of_all_its_subunits(
    ignoring: int, field_of_battle: Build
) -> None:
    battle = field_of_battle(
        {"name": "band", "at": (50, 100), "put": {"ignoring": ignoring}},
        me(SHY, at=(52, 100), group="band"),
        foe(51, 120),
    )

    assert is_called(battle, 0) is not bool(ignoring)
