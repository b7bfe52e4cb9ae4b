"""The commander, and the one that tries orders out."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.rulekit.commander.rehearsal_checks import check_rehearsals
from emlia3d.rules.epic.commander.doctrine import DOCTRINE
from emlia3d.rules.epic.commander.weighing import standing
from emlia3d.scenario import load
from tests.rules.epic.boards import board, put, random_board

MAPS = Path(__file__).parents[3] / "maps"


@pytest.mark.parametrize("name", ["outpost", "refinery"])
def test_bundled_battles_are_played_to_a_result(name: str) -> None:
    result = load(MAPS / f"{name}.toml").battle(seed=1).run_to_end()
    assert "objective" in result.reason


def test_orders_say_why() -> None:
    battle = random_board(2).battle(2)
    orders = [event.facts.action for event in battle.run() if event.name == "action tested"]
    assert set(orders) & {"advance", "double", "march", "engage"}


@pytest.mark.parametrize("name", ["outpost"])
def test_the_commander_beats_random_orders(name: str) -> None:
    scenario, won = load(MAPS / f"{name}.toml"), 0
    for seed in range(3):
        for own, other in (("Blue", "Red"), ("Red", "Blue")):
            sides = {own: "doctrine", other: "random"}
            won += scenario.with_commanders(sides).battle(seed).run_to_end().winner == own
    assert won >= 5


def test_a_side_stands_better_with_an_objective_and_worse_with_shock() -> None:
    units = {"tile": [4, 3]}, {"side": "Red", "tile": [4, 16]}
    bare, held = board(*units), board(*units, objectives=[(4, 5)])
    assert standing(held, 0) == -standing(held, 1) > standing(bare, 0)
    before = standing(held, 0)
    put(held, "unit", 0, shock=2)
    assert standing(held, 0) < before


def test_rehearsals_change_nothing() -> None:
    scenario = random_board(3)
    check_rehearsals(lambda: scenario.battle(3), lambda: [DOCTRINE, DOCTRINE], most=8)


def test_the_search_plays_a_small_battle() -> None:
    sides = {"Blue": "search", "Red": "doctrine"}
    battle = random_board(1, turns=1).with_commanders(sides).battle(1)
    assert battle.run_to_end().level in {"victory", "draw"}
