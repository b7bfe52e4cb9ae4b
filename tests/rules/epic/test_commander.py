"""The commander, and the one that tries orders out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.rulekit.commander.rehearsal_checks import check_rehearsals
from emlia3d.rules.epic.commander.doctrine import DOCTRINE
from emlia3d.rules.epic.commander.places import freed, presence, worth_of_ends
from emlia3d.rules.epic.commander.trials import MOST_TRIED, halving_in, near_end, proposals
from emlia3d.rules.epic.commander.weighing import (
    VICTORY,
    chances_of_result,
    standing,
    threats_to,
    worth_of_assault,
)
from emlia3d.scenario import load
from tests.rules.epic.boards import board, put, random_board

MAPS = Path(__file__).parents[3] / "maps"


@pytest.mark.parametrize("name", ["outpost", "refinery", "relief"])
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


def test_victory_counts_beside_the_objectives_that_win_it() -> None:
    battle = board({"tile": [4, 3]}, {"side": "Red", "tile": [4, 16]}, objectives=[(4, 5)], turns=1)
    open_ = standing(battle, 0)
    put(battle, "battle", 0, ended=1)

    assert standing(battle, 0) - open_ == VICTORY
    assert standing(battle, 1) + open_ == -VICTORY


def test_trials_end_with_the_round_and_the_last_two_with_the_battle() -> None:
    battle = board({"tile": [4, 3]}, {"side": "Red", "tile": [4, 16]}, turns=4)
    found = []
    for begun in (1, 2, 3, 4):
        put(battle, "battle", 0, turn=begun)
        is_over = near_end(battle)
        put(battle, "battle", 0, turn=begun + 1)
        found.append(is_over(battle))
    put(battle, "battle", 0, ended=1)

    assert found == [True, True, False, False]
    assert is_over(battle)


def test_rehearsals_change_nothing() -> None:
    scenario = random_board(3)
    check_rehearsals(lambda: scenario.battle(3), lambda: [DOCTRINE, DOCTRINE], most=8)


@pytest.mark.long
def test_the_search_plays_a_small_battle() -> None:
    sides = {"Blue": "search", "Red": "doctrine"}
    battle = random_board(1, turns=1).with_commanders(sides).battle(1)
    assert battle.run_to_end().level in {"victory", "draw"}


def test_an_objective_is_worth_more_as_the_end_nears_and_less_beside_a_friend() -> None:
    units = {"tile": [4, 3]}, {"tile": [9, 3]}, {"side": "Red", "tile": [4, 16]}
    battle = board(*units, objectives=[(4, 5), (9, 5)], turns=4)
    early = presence(battle, 0)
    put(battle, "battle", 0, turn=4)
    late = presence(battle, 0)

    assert early.tolist() == pytest.approx([37.5, 3.75])
    assert (late / early).tolist() == pytest.approx([4, 4])
    assert freed(battle, 2) == 0
    assert freed(battle, 0) == pytest.approx(late[0] * 1.1)


def test_a_place_that_holds_an_objective_is_the_best_unless_it_is_in_danger() -> None:
    units = {"tile": [4, 3]}, {"side": "Red", "tile": [4, 16]}
    battle = board(*units, objectives=[(4, 9)], turns=1)
    ends = np.array([(4, 3), (4, 4), (4, 5)])

    safe = worth_of_ends(battle, 0, ends, ())
    feared = worth_of_ends(battle, 0, ends, [(1, 11, 500.0)])

    assert safe.argmax() == 2
    assert (safe - feared).tolist() == [0, 0, 500]


def test_chances_of_an_assault_are_those_of_the_higher_of_two_dice() -> None:
    faces = [max(one, other) for one in range(1, 7) for other in range(1, 7)]
    for bonus in (-2, 0, 1, 6):
        gaps = [own + bonus - foe for own in faces for foe in faces]
        won, lost = (sum(sign * gap > 0 for gap in gaps) / len(gaps) for sign in (1, -1))
        assert chances_of_result(bonus) == pytest.approx((won, lost))


def test_many_near_one_are_a_threat_until_they_have_acted_in_the_last_round() -> None:
    many = [{"tile": [n, 9], "side": "Red", **({"in": "unit 1"} if n else {})} for n in range(5)]
    battle = board({"tile": [3, 3]}, *many, turns=1)

    assert worth_of_assault(battle, 1, 0)[1] > 0.8
    assert worth_of_assault(battle, 0, 1)[1] < 0.2
    ((foe, reach, danger),) = threats_to(battle, 0)
    assert (foe, reach, danger > 0) == (1, 8, True)
    assert threats_to(battle, 1) == []
    put(battle, "unit", 1, acted=1)
    assert threats_to(battle, 0) == []


def test_search_tries_all_answers_to_questions_that_have_few() -> None:
    battle = random_board(2, turns=1).battle(2)
    asked = dict[str, int]()

    class Noting:
        def decide(self, decision: Decision, picture: OpenPicture, dice: Dice) -> Order:
            asked[decision.asks] = len(proposals(decision, picture))
            return DOCTRINE.decide(decision, picture, dice)

    for _ in battle.run([Noting(), Noting()]):
        pass

    assert asked["epic.strategy.choose"] == asked["epic.action.retain-choice"] == 2
    assert asked["epic.action.declare"] == MOST_TRIED
    assert asked["epic.move.speed"] == 0


@pytest.mark.parametrize(
    ("units", "trials", "last"), [(4, 16, 32), (24, 16, 32), (30, 12, 24), (60, 8, 12)]
)
def test_a_larger_battle_has_fewer_trials_and_the_last_round_more(
    units: int, trials: int, last: int
) -> None:
    blue = [{"tile": [n % 20, n // 20]} for n in range(units - 1)]
    battle = board(*blue, {"side": "Red", "tile": [4, 16]})
    usual, other = Order(verb="advance"), Order(verb="double")

    def tried() -> int:
        sift, left = halving_in(battle), [usual, other]
        ends: dict[Order, list[float]] = {usual: [], other: []}
        while len(left) > 1:
            for each in ends.values():
                each.append(0.0)
            left = sift(left, ends)
        return sum(map(len, ends.values()))

    before = tried()
    put(battle, "battle", 0, turn=4)

    assert before == trials
    assert tried() == last
