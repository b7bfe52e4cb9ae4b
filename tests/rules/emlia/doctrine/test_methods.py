"""How the doctrine commander uses what the rules give: pace, objectives, numbers, leaders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.columns import LOST
from emlia3d.rules.emlia.doctrine import leader_actions
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import exchange
from emlia3d.rules.emlia.play.turn import activation
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.doctrine.commander_helpers import answer
from tests.rules.emlia.troops import FOOT, SPEARS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
GENERAL: dict[str, Any] = {
    "role": "leader", "skills": {"leadership": "4"}, "army_value": 9, "morale": 5,
}  # fmt: skip


def test_who_has_nothing_to_shoot_with_crosses_the_beaten_ground_at_double_pace(
    field_of_battle: Build, question: Ask
) -> None:
    slings = {"name": "Slings", "base_damage": 1, "range": (20, 40, 80), "use": ["aimed fire"]}
    foe = {**FOOT, **BOB, "front": (50, 120)}
    verbs = []
    for weapons in ([SPEARS], [SPEARS, slings]):
        skills = {"close combat": "10/4", "aimed fire": "4"}
        battle = field_of_battle(
            {**FOOT, "front": (50, 50), "weapons": weapons, "skills": skills}, foe
        )
        verbs.append(answer(battle, question(battle, activate(battle, 0))).verb)

    assert verbs == ["double-pace", "move"]


@pytest.mark.parametrize(("unit", "helped"), [(0, [2, 3, 4, 6]), (1, [3, 4, 6])])
def test_a_leader_looks_to_those_near_by_who_are_in_need(
    unit: int, helped: list[int], field_of_battle: Build
) -> None:
    """A general also to those who are steady and not at their best; nobody to those far off."""
    states: list[dict[str, Any]] = [
        {"morale": 3}, {"disordered": 1, "morale": 5}, {"leader": LOST, "morale": 5},
        {"morale": 5}, {"morale": -1},
    ]  # fmt: skip
    men = [{**FOOT, "front": (36 + 12 * row, 50), "put": put} for row, put in enumerate(states)]
    far = {**FOOT, "front": (50, 198), "put": {"morale": -1}}
    leaders = {**GENERAL, "at": (60, 60)}, {**FOOT, "front": (60, 70), "put": {"morale": 5}}
    foe = {**FOOT, **BOB, "front": (60, 75), "put": {"morale": -1}}
    battle = field_of_battle(*leaders, *men, far, foe)
    ai = AiContext(SYSTEM.picture(battle, 0))

    assert leader_actions.in_need(ai, unit) == helped


def test_who_touches_the_objective_contests_it(field_of_battle: Build) -> None:
    sides = [
        Side(name="Alice", colour="#000000", lines="south", objective="hill"),
        Side(name="Bob", colour="#111111", lines="north"),
    ]
    men = [{**BOB, "at": at} for at in ((70, 150), (59.5, 150), (59.4, 150), (59.5, 139.5))]
    area = {"hill": (60, 140, 100, 180)}
    battle = field_of_battle({**FOOT, "front": (50, 100)}, *men, sides=sides, areas=area)

    assert AiContext(SYSTEM.picture(battle, 0)).contesting == [1, 2]


def test_he_passes_an_enemy_who_does_not_stand_between_him_and_his_objective(
    field_of_battle: Build, question: Ask
) -> None:
    sides = [
        Side(name="Alice", colour="#000000", lines="north", objective="gap"),
        Side(name="Bob", colour="#111111", lines="south"),
    ]
    battle = field_of_battle(
        {**FOOT, "front": (50, 100)}, {**FOOT, **BOB, "facing": 0, "front": (50, 50)},
        sides=sides, areas={"gap": (40, 170, 60, 190)},
    )  # fmt: skip

    order = answer(battle, question(battle, activate(battle, 0)))

    assert order.verb in {"move", "double-pace"}
    assert order.legs[-1].y > 110
    assert order.why == "moves to gap (81 GSU away), past unit 1"


def test_friends_who_keep_an_enemy_busy_better_the_odds(field_of_battle: Build) -> None:
    ogre = {**BOB, "at": (50, 52), "hits": 4, "damage_limit": 8, "skills": {"close combat": "8"}}
    men = [
        {**FOOT, "formation": "open", "members": 3, "files": 3, "at": at}
        for at in ((50, 50), (50, 90))
    ]
    busy = field_of_battle(*men, ogre)
    free = field_of_battle({**men[0], "at": (50, 10)}, men[1], ogre)

    assert exchange(busy, 1, 2).suffered == exchange(free, 1, 2).suffered / 2
    assert "kept busy by unit 0" in str(exchange(busy, 1, 2))


def test_a_general_joins_shaken_men_whom_his_heart_will_hold(
    field_of_battle: Build, question: Ask
) -> None:
    shaken = {**FOOT, "at": (50, 56), "put": {"morale": -2}}
    battle = field_of_battle(
        {**GENERAL, "at": (50, 50)}, shaken, {**BOB, **FOOT, "front": (50, 190)}
    )

    order = answer(battle, question(battle, activate(battle, 0)))

    # The higher of 5 and -2, less 1.
    assert (order.verb, order.target) == ("join-units", 1)
    assert "whose morale rises from -2 to 4" in order.why


def test_a_general_rides_on_from_men_who_are_steady_to_those_who_are_not(
    field_of_battle: Build, question: Ask
) -> None:
    led = {**FOOT, "name": "led", "at": (50, 50), "put": {"morale": 4, "leader": 1}}
    general = {**GENERAL, "name": "general", "at": (50, 53), "group": "led"}
    shaken = {**FOOT, "at": (50, 80), "put": {"morale": -2}}
    battle = field_of_battle(led, general, shaken, {**BOB, **FOOT, "front": (50, 190)})

    order = answer(battle, question(battle, activate(battle, 0)))

    assert order.verb == "split-unit"
    assert "rides on to unit 2, because led is steady again" in order.why


@pytest.mark.parametrize(("height", "verb"), [(0, "prepare"), (3, "done")])
def test_no_charge_is_prepared_at_those_who_stand_high_above(
    height: int, verb: str, field_of_battle: Build, question: Ask, put: Any
) -> None:
    weak = {**FOOT, **BOB, "skills": {}, "front": (50, 72), "on_height": height}
    battle = field_of_battle({**FOOT, "front": (50, 50)}, weak)
    put(battle, 0, move_used=1)

    order = answer(battle, question(battle, activation.ask(battle, 0)))

    assert order.verb == verb


def test_nobody_turns_about_under_the_blades_of_an_enemy(
    field_of_battle: Build, question: Ask, put: Any
) -> None:
    behind = {**FOOT, **BOB, "members": 2, "files": 2, "facing": 0, "front": (50, 47.5)}
    battle = field_of_battle({**FOOT, "front": (50, 50)}, behind)
    put(battle, 0, primary_used=1)

    order = answer(battle, question(battle, activation.ask(battle, 0)))

    assert order.verb != "move"
