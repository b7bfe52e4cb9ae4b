"""Chapter 9 as play: the book's thieves, its cruiser and its cavemen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.columns import Acted
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.turn.activation import activate, carry_out
from emlia3d.rules.emlia.play.turn.initiative import obey
from tests.rules.emlia.outcome import names
from tests.rules.emlia.turn.encounter import ROCKS, attack, foe, gap, me

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Question = Callable[..., Decision]

VENGEFUL = {"when": {"attacked": "at all"}, "do": "attack"}

CAVEMEN: dict[str, Any] = {
    "initiative": [
        {
            "when": {"attacked": "from afar", "shelter": "none"},
            "do": "move to concealment or cover",
            "fast": True,
        },
        {
            "when": {
                "attacked": "from afar", "shelter": "concealment or cover", "taking_cover": False,
            },
            "do": "take cover",
        },
        VENGEFUL,
        {"when": {"within": 15, "members": "fewer", "size": "same or lower"}, "do": "charge"},
    ],
    "members": 10, "files": 4,
    "weapons": [{"name": "Rocks", "base_damage": 1, "range": (5, 10, 15), "use": ["aimed fire"]}],
    "skills": {"close combat": "5/2", "aimed fire": "5/2"},
}  # fmt: skip

THIEVES: dict[str, Any] = {
    "members": 4,
    "movement": "15G",
    "initiative": [
        {
            "when": {"within_moves": 2, "members": "more"},
            "do": "move away",
            "until_moves": 2,
        },
        {
            "when": {"in_sight": True, "in_the_open": True},
            "do": "move to concealment",
            "unhindered": True,
        },
    ],
}


@pytest.mark.rule("emlia.orders.example-thieves")
def test_the_thieves_get_away_and_have_their_primary_action_left(
    field_of_battle: Build, play: Play
) -> None:
    guard = foe(50, 0, members=9, movement="15G")
    thieves = {"at": (50, 100), **THIEVES, "skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(thieves, {**guard, "at": (50, 127.6)})
    before = gap(battle)
    offered: list[set[str]] = []

    def look(decision: Decision) -> Order:
        offered.append({option.verb for option in decision.options})
        return decision.options[-1]

    events = play(battle, activate(battle, 0), answers=["done", "move", look])

    assert 20 < before <= 30
    assert gap(battle) >= 30
    assert [e.facts.condition for e in events if e.name == "acted of itself"] == [1]
    assert "fire" in offered[0]
    assert not offered[0] & {"move", "double-pace"}


@pytest.mark.rule("emlia.orders.example-thieves")
def test_the_thieves_may_choose_a_way_that_does_both(
    field_of_battle: Build, question: Question
) -> None:
    house = {"kind": "wall", "box": (57, 97, 75, 98), "height": 3, "body": "solid"}
    battle = field_of_battle({"at": (50, 100), **THIEVES}, foe(62, 127, members=9), terrain=[house])
    behind = Order(
        verb="move",
        unit=0,
        legs=(_march(battle, 57, 88),),
    )

    question(battle, obey(battle, 0, carry_out)).check(behind)


def _march(battle: Battle, x: float, y: float) -> Any:
    return Leg(step="march", x=x, y=y, facing=battle.state.units.integer("facing", 0))


@pytest.mark.rule("emlia.orders.example-thieves")
def test_thieves_in_the_open_hide_from_a_few(field_of_battle: Build, play: Play) -> None:
    bush = {"kind": "scrub", "box": (54, 104, 66, 105), "height": 3, "body": "sparse"}
    battle = field_of_battle({"at": (50, 100), **THIEVES}, foe(50, 127, members=2), terrain=[bush])

    events = play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert [e.facts.condition for e in events if e.name == "acted of itself"] == [2]
    assert level_on(battle, 1, 0) is not Level.NONE


@pytest.mark.rule("emlia.orders.example-cruiser")
def test_a_cruiser_in_retreat_fires_back_at_double_pace(field_of_battle: Build, play: Play) -> None:
    fire_back = {"when": {"attacked": "from afar"}, "do": "shoot"}
    lasers = {"name": "Lasers", "base_damage": 1, "range": (40, 80, 120), "use": ["aimed fire"]}
    cruiser = me(fire_back, put={"morale": -4}, skills={"aimed fire": "2"}, weapons=[lasers])
    battle = field_of_battle(cruiser, foe(50, 130), foe(80, 130))
    attack(battle, 1)

    events = play(battle, activate(battle, 0), dice=[12, 10], answers=["done", ...])

    assert names(events) == ["activated", "fell back", "acted of itself", "fired",
                             "activation ended"]  # fmt: skip
    assert gap(battle) == pytest.approx(29 + 30, abs=0.1)
    fired = events[3]
    # Beyond short range, -2; Double Pace, -2 in the table and -4 on every check.
    assert (fired.target, fired.facts.modifier, fired.facts.successes) == (1, -8, 0)


@pytest.mark.rule("emlia.caveman.initiative.1")
def test_cavemen_shot_at_in_the_open_run_for_shelter_at_double_pace_if_they_must(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "wall", "box": (70, 110, 95, 111), "height": 3, "body": "solid"}
    battle = field_of_battle({"at": (50, 100), **CAVEMEN}, foe(50, 160), terrain=[wall])
    attack(battle, 1)

    events = play(battle, activate(battle, 0), answers=["done", "double-pace", ...])

    assert names(events)[1:3] == ["acted of itself", "double paced"]
    assert level_on(battle, 1, 0) is not Level.NONE


@pytest.mark.rule("emlia.caveman.initiative.2")
def test_cavemen_shot_at_in_shelter_take_cover(field_of_battle: Build, play: Play) -> None:
    wall = {"kind": "wall", "box": (20, 103, 80, 104), "height": 0.6, "body": "solid"}
    battle = field_of_battle({"at": (50, 100), **CAVEMEN}, foe(50, 160), terrain=[wall])
    attack(battle, 1)

    events = play(battle, activate(battle, 0), answers=[...])

    assert names(events)[1:3] == ["acted of itself", "took cover"]


@pytest.mark.rule("emlia.caveman.initiative.3")
def test_cavemen_attack_those_who_attacked_them(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({"at": (50, 100), **CAVEMEN}, foe(50, 113, members=20), foe(62, 113))
    attack(battle, 1, Acted.ATTACKED)

    events = play(battle, activate(battle, 0), dice=[1] * 5, answers=["done", "fire", ...])

    fired = next(event for event in events if event.name == "fired")
    assert fired.target == 1


@pytest.mark.rule("emlia.caveman.initiative.4")
def test_cavemen_charge_a_smaller_party_that_comes_near(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({"at": (50, 100), **CAVEMEN}, foe(50, 116, members=3))

    events = play(battle, activate(battle, 0), dice=[1] * 5, answers=[...])

    assert names(events)[1:4] == ["acted of itself", "charged", "struck"]
