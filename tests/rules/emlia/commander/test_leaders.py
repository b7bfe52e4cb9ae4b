"""Leaders go to the units of their brigade that need them, and keep apart from each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import hypot
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.commander import leaders
from emlia3d.rules.emlia.commander.leader_danger import danger_at
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.troops import FOOT, MUSKETEERS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]

LEADER: dict[str, Any] = {
    "keywords": ["Commander"], "members": 3, "formation": "open", "movement": "80G",
    "skills": {"leadership": "8"},
}  # fmt: skip
COMMAND_RANGE = 20.0
"""`emlia.lead.range`, GSU."""


def mind_of(battle: Battle, question: Ask) -> AiContext:
    """The AI context of the side of unit 0 as its activation begins."""
    return AiContext(SYSTEM.picture(battle, question(battle, activate(battle, 0)).side))


def ordered(battle: Battle, question: Ask) -> tuple[Battle, Order]:
    """The order of the leader that is unit 0, and the battle as its side knows it."""
    decision = question(battle, activate(battle, 0))
    picture = SYSTEM.picture(battle, decision.side)
    ai, known = AiContext(picture), decision.for_moment(picture.battle)
    return ai.battle, leaders.order(ai, known, 0, Offered(ai.battle, known))


def test_a_leader_rides_to_where_it_can_command_a_unit_in_disorder(
    field_of_battle: Build, question: Ask
) -> None:
    shaken = {**FOOT, "front": (150, 60), "put": {"disordered": 1}}
    steady = {**FOOT, "front": (60, 60)}

    battle, order = ordered(field_of_battle({**LEADER, "at": (60, 30)}, steady, shaken), question)

    assert order.why == "rides to unit 2, which needs help"
    end, (x, y) = order.legs[-1], situation_of(battle).centre(2)
    assert hypot(end.x - x, end.y - y) < COMMAND_RANGE + 5


def test_a_leader_goes_to_its_own_brigade_first(field_of_battle: Build, question: Ask) -> None:
    own = {**FOOT, "front": (150, 60), "put": {"disordered": 1}}
    other = {**FOOT, "front": (30, 60), "put": {"disordered": 1}}

    battle = field_of_battle({**LEADER, "at": (90, 30)}, own, other)
    sections = (("1st",), ("1st",), ("2nd",))
    units = battle.setup.units
    divided = [replace(units[row], section=section) for row, section in enumerate(sections)]
    battle.setup = replace(battle.setup, units=(*divided, *units[3:]))

    _, order = ordered(battle, question)

    assert order.why == "rides to unit 1, which needs help"
    assert order.legs[-1].x > 110


def test_leaders_do_not_crowd_one_place(field_of_battle: Build, question: Ask) -> None:
    line = {**FOOT, "front": (100, 100)}
    behind_it = {**LEADER, "at": (100, 60)}

    _, order = ordered(field_of_battle({**LEADER, "at": (100, 10)}, line, behind_it), question)

    assert order.legs
    assert hypot(order.legs[-1].x - 100, order.legs[-1].y - 60) > 12


def test_a_leader_rides_to_the_unit_whose_recovery_is_worth_most(
    field_of_battle: Build, question: Ask
) -> None:
    broken = {**FOOT, "put": {"morale": 0, "disordered": 1}, "morale": 3}
    poor = {**broken, "front": (40, 60), "army_value": 1}
    good = {**broken, "front": (160, 60), "army_value": 3}

    battle, order = ordered(field_of_battle({**LEADER, "at": (100, 30)}, poor, good), question)

    assert order.why == "rides to unit 2, which needs help"
    assert order.legs[-1].x > situation_of(battle).centre(0)[0] + 30


def test_a_leader_does_what_it_can_for_the_unit_that_it_is_with(
    field_of_battle: Build, question: Ask
) -> None:
    shaken = {**FOOT, "front": (100, 60), "put": {"morale": 0, "disordered": 1}}

    _, order = ordered(field_of_battle({**LEADER, "at": (100, 51)}, shaken), question)

    assert (order.verb, order.target) == ("reorder", 1)
    assert order.why.startswith("reorders unit 1: 8 dice at ")


@pytest.mark.parametrize(("army_value", "goes"), [(1, False), (30, True)])
def test_a_leader_goes_into_fire_only_for_what_is_worth_it(
    field_of_battle: Build, question: Ask, army_value: float, goes: bool
) -> None:
    low = {"front": (100, 60), "army_value": army_value, "put": {"morale": 1}, "morale": 4}
    shooters = {**MUSKETEERS, "side": "Bob", "facing": 180, "movement": "5G"}
    foes = [{**shooters, "front": (x, 80)} for x in (75, 125)]

    battle, order = ordered(
        field_of_battle({**LEADER, "at": (100, 14)}, {**FOOT, **low}, *foes), question
    )

    end = order.legs[-1] if order.legs else pose_of(battle, 0)
    assert (end.y > 35) is goes


def test_a_friend_screens_a_leader_from_fire(field_of_battle: Build, question: Ask) -> None:
    foe = {**MUSKETEERS, "side": "Bob", "facing": 180, "front": (100, 110)}
    friend = {**FOOT, "front": (100, 80)}
    battle = field_of_battle({**LEADER, "at": (100, 20)}, friend, foe)
    spots = np.array([(100.0, 74.0), (60.0, 95.0), (100.0, 10.0)])

    behind, beside, afar = danger_at(mind_of(battle, question), spots)

    assert 0 < behind < beside
    assert afar == 0


def test_a_leader_keeps_off_friends_that_may_be_pushed_into_it(
    field_of_battle: Build, question: Ask
) -> None:
    foe = {**FOOT, "side": "Bob", "facing": 180, "movement": "5G", "front": (100, 81)}
    spots = np.array([(100.0, 70.0), (100.0, 40.0)])

    def danger_when_at(gap: float) -> list[float]:
        friend = {**FOOT, "front": (100, 81 - gap)}
        battle = field_of_battle({**LEADER, "at": (100, 20)}, friend, foe)
        return [float(each) for each in danger_at(mind_of(battle, question), spots)]

    assert danger_when_at(0.5)[0] > danger_when_at(4.0)[0]
    assert danger_when_at(0.5)[1] == danger_when_at(4.0)[1] == 0
