"""Agreements about an attack: friends shoot first at the enemy that a unit is to charge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.plan import Mission, MissionKind, Plan
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.commander.acting import act
from emlia3d.rules.emlia.commander.agreements import at_awaited
from emlia3d.rules.emlia.doctrine import fire_targets
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.troops import FOOT, MUSKETEERS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]

BOB: dict[str, Any] = {**FOOT, "side": "Bob", "facing": 180}
STRONG: dict[str, Any] = {
    **MUSKETEERS, "members": 40, "files": 10, "timing": 3,
    "skills": {"close combat": "30/4", "aimed fire": "10/4"},
}  # fmt: skip
WITHOUT = Plan(name="", missions=())
WAITS: dict[str, Any] = {"timing": 1, "delayed": 1}


def order_of(battle: Battle, question: Ask, plan: Plan = WITHOUT) -> Order:
    """The order of unit 0 as its activation begins."""
    decision = question(battle, activate(battle, 0))
    picture = SYSTEM.picture(battle, decision.side)
    return act(AiContext(picture), plan, decision.for_moment(picture.battle))


def targets_of(field_of_battle: Build, question: Ask, **friend: Any) -> set[int | None]:
    """The enemies among which unit 0 chooses: a crowd, and a few men before a friend."""
    shooter = {**MUSKETEERS, "front": (100, 50), "timing": 2}
    crowd = {**BOB, "front": (90, 66), "army_value": 3}
    weak = {**BOB, "front": (112, 66), "put": {"disordered": 1}}
    ally = {**STRONG, "front": (122, 56), **friend}
    battle = field_of_battle(shooter, crowd, weak, ally)
    decision = question(battle, activate(battle, 0))
    ai = AiContext(SYSTEM.picture(battle, decision.side))
    offered = Offered(ai.battle, decision.for_moment(ai.battle))
    shots = fire_targets.shots(ai, 0, offered)
    return {one.order.target for one in at_awaited(ai, WITHOUT, shots)}


def test_the_first_shot_is_at_the_enemy_that_a_friend_waits_to_charge(
    field_of_battle: Build, question: Ask
) -> None:
    acted = targets_of(field_of_battle, question, put={"activated": 1})
    waiting = targets_of(field_of_battle, question, put=WAITS)

    assert acted == {1, 2}
    assert waiting == {2}


def test_a_steady_front_is_shot_at_before_it_is_charged(
    field_of_battle: Build, question: Ask
) -> None:
    mine, foe = {**STRONG, "front": (100, 50)}, {**BOB, "front": (100, 62)}

    first = order_of(field_of_battle(mine, foe), question)
    shaken = order_of(field_of_battle(mine, {**foe, "put": {"morale": 0}}), question)
    unarmed = {**mine, "weapons": [FOOT["weapons"][0]], "skills": {"close combat": "30/4"}}
    without_shot = order_of(field_of_battle(unarmed, foe), question)

    assert first.verb == "aim"
    assert shaken.verb == "charge"
    assert without_shot.verb == "charge"


def test_a_charge_does_not_wait_for_friends_that_cannot_shoot(
    field_of_battle: Build, question: Ask
) -> None:
    mine = {**STRONG, "front": (100, 50)}
    foe = {**BOB, "front": (100, 62), "put": {"disordered": 1}}
    friend = {**MUSKETEERS, "front": (130, 50), "timing": 3}

    ready = order_of(field_of_battle(mine, foe, friend), question)
    in_disorder = order_of(
        field_of_battle(mine, foe, {**friend, "put": {"disordered": 1}}), question
    )
    waiting = order_of(field_of_battle(mine, foe, {**friend, "put": {"delayed": 1}}), question)

    assert ready.verb == "delay"
    assert in_disorder.verb == "charge"
    assert waiting.verb == "charge"


@pytest.mark.parametrize(
    ("foes", "kind", "shot_at", "verb"),
    [
        (20, "attack", True, "charge"),
        (20, "attack", False, "aim"),
        (110, "attack", True, "aim"),
        (110, "assault", True, "charge"),
        (110, "assault", False, "aim"),
    ],
)
def test_a_steady_front_is_charged_after_fire_if_that_should_break_it_or_in_an_assault(
    field_of_battle: Build, question: Ask, foes: int, kind: MissionKind, shot_at: bool, verb: str
) -> None:
    mine = {**STRONG, "front": (100, 50), "skills": {"close combat": "24/4", "aimed fire": "10/4"}}
    foe = {**BOB, "members": foes, "files": 20, "front": (100, 62)}
    friend = {**MUSKETEERS, "front": (20, 10)}
    battle = field_of_battle(mine, {**foe, "skills": {"close combat": "2/4"}}, friend)
    line = ((80.0, 56.0), (120.0, 56.0))
    mission = Mission(brigade="Foot", units=(0,), kind=kind, line=line)
    if shot_at:
        battle.suppose([Pair(column="attacked", a=2, b=1, value=battle.state.turn)])

    order = order_of(battle, question, Plan(name="", missions=(mission,)))

    assert order.verb == verb
