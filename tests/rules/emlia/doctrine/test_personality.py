"""The personalities of the doctrine commander, and what they change in its orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.commander.commander import LedByRulekit
from emlia3d.rules.emlia.doctrine import DOCTRINES, Doctrine, DoctrinePersonality
from emlia3d.rules.emlia.doctrine.ai_context import doctrine_personality_of
from tests.rules.emlia.doctrine.commander_helpers import orders
from tests.rules.emlia.troops import FOOT, MUSKETEERS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}


def test_the_bold_charge_even_odds_and_the_cautious_do_not(
    field_of_battle: Build, question: Ask
) -> None:
    def verb(personality: str) -> str:
        battle = field_of_battle({**FOOT, "front": (50, 50)}, {**FOOT, **BOB, "front": (50, 62)})
        return orders(battle, question, commander=Doctrine(DOCTRINES[personality])).verb

    assert verb("bold") == "charge"
    assert verb("cautious") != "charge"


def test_the_cautious_let_an_enemy_come_who_is_on_the_march_and_the_bold_go_to_meet_him(
    field_of_battle: Build, question: Ask
) -> None:
    def order(personality: str) -> Order:
        marching = {**FOOT, **BOB, "front": (50, 110), "put": {"moved": 1}}
        battle = field_of_battle({**FOOT, "front": (50, 50)}, marching)
        return orders(battle, question, commander=Doctrine(DOCTRINES[personality]))

    assert order("bold").verb in {"move", "double-pace"}
    assert order("steady").verb in {"move", "double-pace"}
    assert order("cautious").verb not in {"move", "double-pace", "charge"}


def test_the_bold_shoot_from_nearer_than_the_cautious(
    field_of_battle: Build, question: Ask
) -> None:
    def told(personality: str) -> str:
        battle = field_of_battle(
            {**MUSKETEERS, "front": (50, 20)}, {**MUSKETEERS, **BOB, "front": (50, 120)}
        )
        return orders(battle, question, commander=Doctrine(DOCTRINES[personality])).why

    # Between short range, 20, and medium, 40, for the steady.
    assert told("steady") == "advances to 30 GSU from unit 1 (100 GSU away)"
    assert told("bold") == "advances to 18 GSU from unit 1 (100 GSU away)"
    assert told("cautious") == "advances to 40 GSU from unit 1 (100 GSU away)"


def test_the_bold_stand_against_a_push_to_which_the_cautious_give_ground() -> None:
    steps = [DOCTRINES[name] for name in ("bold", "steady", "cautious")]
    assert [step.light_push for step in steps] == [3, 2, 1]
    assert steps[0].hopeless < steps[1].hopeless < steps[2].hopeless


@pytest.mark.parametrize(
    ("words", "personality"),
    [
        ("bold", DOCTRINES["bold"]),
        ("aggression=0.8", DoctrinePersonality(aggression=0.8)),
        ("aggression=1,caution=0", DoctrinePersonality(aggression=1, caution=0)),
        ("caution=.25", DoctrinePersonality(caution=0.25)),
        ("rash", None),
        ("aggression=2", None),
        ("caution=high", None),
        ("", None),
    ],
)
def test_a_personality_is_given_by_name_or_by_values(
    words: str, personality: DoctrinePersonality | None
) -> None:
    assert doctrine_personality_of(words) == personality
    assert (SYSTEM.commander(f"doctrine:{words}") is None) is (personality is None)


def test_a_personality_beyond_its_range_is_refused() -> None:
    with pytest.raises(emlia3d.Error, match=r"caution: expected a number from 0 to 1, got 1\.5"):
        DoctrinePersonality(caution=1.5)


def test_a_battle_goes_otherwise_with_bold_commanders() -> None:
    scenario = emlia3d.load("bandits")
    bold = scenario.with_commanders({"Bandits": "doctrine:bold"})
    digests = []
    for each in (scenario, bold, bold):
        battle = each.battle(seed=1, turns=3)
        battle.run_to_end()
        digests.append(battle.digest.hexdigest())

    assert digests[0] != digests[1] == digests[2]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("doctrine:bold", LedByRulekit), ("plain", Doctrine), ("plain:bold", Doctrine)],
)
def test_a_commander_is_made_by_its_name(name: str, kind: type) -> None:
    assert type(SYSTEM.commander(name)) is kind


@pytest.mark.parametrize("name", ["plan", "doctrine:brave", "", "random"])
def test_an_unknown_name_makes_no_commander(name: str) -> None:
    assert SYSTEM.commander(name) is None
