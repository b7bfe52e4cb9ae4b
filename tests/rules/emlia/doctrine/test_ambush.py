"""The doctrine commander hides, looks about and points enemies out where that helps him."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.turn.activation import ask
from tests.rules.emlia.doctrine.commander_helpers import answer

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
HEDGE = {"kind": "hedge", "box": (60, 78, 140, 80)}
HOUSE = {"kind": "building", "box": (60, 78, 140, 80)}
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
BOW = {"name": "Bow", "base_damage": 1, "range": (30, 60, 120), "use": ["aimed fire"]}
SNEAK: dict[str, Any] = {"at": (100, 76), "skills": {"stealth": "3"}}
LEADER: dict[str, Any] = {
    "at": (100, 40), "skills": {"leadership": "2", "aimed fire": "9"}, "weapons": [BOW],
}  # fmt: skip


def order(battle: Battle, question: Ask, unit: int = 0) -> Order:
    """What he orders next in an activation that has begun."""
    return answer(battle, question(battle, ask(battle, unit)))


@pytest.mark.parametrize(("terrain", "verb"), [(HOUSE, "detect-hidden"), (HEDGE, "done")])
def test_who_has_done_moving_looks_about_if_an_enemy_is_missing(
    field_of_battle: Build, question: Ask, terrain: Any, verb: str
) -> None:
    scout = {"at": (100, 40), "skills": {"alertness": "4"}, "put": {"move_used": 1}}
    battle = field_of_battle(scout, {**BOB, "at": (100, 130)}, terrain=[terrain])

    assert order(battle, question).verb == verb


@pytest.mark.parametrize(
    ("terrain", "marches", "lurks"),
    [([HEDGE], 1, True), ([], 1, False), ([HEDGE], 0, False)],
)
def test_who_can_hide_lies_in_wait_for_an_enemy_who_comes(
    field_of_battle: Build, question: Ask, terrain: Any, marches: int, lurks: bool
) -> None:
    comes = {**BOB, "at": (100, 110), "put": {"moved": marches}}
    battle = field_of_battle(SNEAK, comes, terrain=terrain)

    found = order(battle, question)

    assert (found.verb == "conceal-self-only") is lurks


def test_a_leader_points_out_for_nothing_whom_he_has_shot_at(
    field_of_battle: Build, question: Ask
) -> None:
    screen = {"kind": "building", "box": (60, 48, 92, 50)}
    shot = {"primary_used": 1, "move_used": 1}
    battle = field_of_battle(
        {**LEADER, "put": shot}, {"at": (80, 40)}, {**BOB, "at": (100, 100)}, terrain=[screen]
    )

    deed = Pair(column="acted_on", a=0, b=2, value=3)
    battle.happen(Event(facts=Unread(event="put"), changes=(deed,)))

    assert order(battle, question).verb == "pass-awareness-free"


@pytest.mark.parametrize(("far", "verb"), [(68, "pass-awareness-primary"), (90, "done")])
def test_a_leader_with_nothing_better_to_do_points_out_an_enemy_near_by(
    field_of_battle: Build, question: Ask, far: float, verb: str
) -> None:
    leader = {"at": (100, 40), "skills": {"leadership": "2"}, "put": {"move_used": 1}}
    screen = {"kind": "building", "box": (60, 48, 92, 50)}
    battle = field_of_battle(leader, {"at": (80, 40)}, {**BOB, "at": (100, far)}, terrain=[screen])

    assert order(battle, question).verb == verb
