"""Which attack a unit makes, by what each is worth."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision
from emlia3d.rulekit.commander.plan import Plan
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.commander.attacks import PlannedAttack, best_charge, best_strike
from emlia3d.rules.emlia.doctrine.ai_context import DOCTRINES, AiContext
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.troops import FOOT

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
NO_PLAN = Plan(name="", missions=())
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
STRONG: dict[str, Any] = {**FOOT, "members": 40, "files": 10, "skills": {"close combat": "30/4"}}
ROUTING: dict[str, Any] = {**FOOT, **BOB, "put": {"disordered": 1}}


def best(
    battle: Battle, question: Ask, personality: str = "steady", foes: list[int] | None = None
) -> PlannedAttack | None:
    """The attack hand to hand of unit 0 as its activation begins."""
    asked = question(battle, activate(battle, 0))
    picture = SYSTEM.picture(battle, asked.side)
    ai, decision = (
        AiContext(picture, DOCTRINES[personality]),
        asked.for_moment(picture.battle),
    )
    offered, known = Offered(ai.battle, decision), ai.known if foes is None else foes
    if "close-combat" in offered:
        return best_strike(ai, offered["close-combat"])
    found = best_charge(ai, decision, 0, offered.get("charge", ()), known, NO_PLAN)
    if found is not None:
        decision.check(found.order)
    return found


def chosen(*args: Any) -> PlannedAttack:
    found = best(*args)
    assert found is not None
    return found


def test_the_weak_are_charged_rather_than_the_strong(field_of_battle: Build, question: Ask) -> None:
    strong = {**STRONG, **BOB, "front": (86, 60)}
    weak = {**ROUTING, "front": (104, 60)}

    found = chosen(field_of_battle({**STRONG, "front": (100, 50)}, strong, weak), question)

    assert (found.order.verb, found.order.target) == ("charge", 2)
    assert re.search(r"\d+\.\d losses expected", found.order.why)
    assert found.exchange is not None
    assert found.worth > 0


def test_only_those_are_attacked_whom_its_mission_names(
    field_of_battle: Build, question: Ask
) -> None:
    battle = field_of_battle({**STRONG, "front": (100, 50)}, {**ROUTING, "front": (100, 62)})

    assert chosen(battle, question).order.target == 1
    assert best(battle, question, "steady", []) is None


def test_a_move_brings_it_near_enough_to_charge(field_of_battle: Build, question: Ask) -> None:
    battle = field_of_battle({**STRONG, "front": (100, 50)}, {**ROUTING, "front": (100, 73)})

    found = chosen(battle, question)

    assert found.order.verb == "move"
    assert found.order.why.startswith("closes in to charge unit 1: ")


def test_whoever_is_in_close_combat_strikes(field_of_battle: Build, question: Ask) -> None:
    foe = {**STRONG, **BOB, "front": (100, 51)}
    battle = field_of_battle({**FOOT, "front": (100, 50)}, foe)

    found = chosen(battle, question)

    assert found.order.verb == "close-combat"
    assert found.worth < 0


def test_nobody_charges_with_two_dice_who_could_roll_many(
    field_of_battle: Build, question: Ask
) -> None:
    column = {**STRONG, "files": 2, "skills": {"close combat": "10/1"}, "front": (100, 50)}

    assert best(field_of_battle(column, {**ROUTING, "front": (100, 62)}), question) is None


@pytest.mark.parametrize("put", [{"morale": 0}, {"morale": -2}])
def test_the_shaken_do_not_charge(
    field_of_battle: Build, question: Ask, put: dict[str, int]
) -> None:
    shaken = {**STRONG, "front": (100, 50), "put": put}
    battle = field_of_battle(shaken, {**ROUTING, "front": (100, 62)})

    assert best(battle, question) is None


def test_the_bold_charge_where_the_cautious_do_not(field_of_battle: Build, question: Ask) -> None:
    dares = {
        personality: [
            best(
                field_of_battle(
                    {**FOOT, "skills": {"close combat": f"{dice}/4"}, "front": (100, 50)},
                    {**FOOT, **BOB, "front": (100, 60)},
                ),
                question, personality,
            ) is not None
            for dice in range(6, 18)
        ]
        for personality in DOCTRINES
    }  # fmt: skip

    assert sum(dares["cautious"]) < sum(dares["bold"])
    assert sum(dares["cautious"]) <= sum(dares["steady"]) <= sum(dares["bold"])
