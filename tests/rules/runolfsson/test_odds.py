"""Odds of attacks: those of all dice that may fall in play, and what they say."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.questions.odds import Odds
from emlia3d.errors import Error
from emlia3d.rules.runolfsson import SYSTEM
from emlia3d.rules.runolfsson.attack import dice_left, standing_shots
from emlia3d.rules.runolfsson.attack_phase import strike
from emlia3d.rules.runolfsson.columns import Phase
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, put, set_phase, table

BLUE = {"side": "Blue"}
TREE = feature("tree", at=(24, 10, 25, 18))

SCENES: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]], tuple[int, ...]]] = {
    "fire": ([{"at": [20, 20], "attack": 2}, {"at": [30, 20], **BLUE}], [], (0,)),
    "fire into a melee": (
        [{"at": [20, 20], "attack": 3}, {"at": [30, 20], **BLUE}, {"at": [31, 20]}], [], (0,),
    ),
    "a close attack beside a friend": (
        [{"at": [20, 20], "attack": 2}, {"at": [21, 20], **BLUE}, {"at": [22, 20]}], [], (0,),
    ),
    "a close attack and fire": (
        [{"at": [20, 20], "attack": 1}, {"at": [21, 20], **BLUE}, {"at": [21, 30], "attack": 2}],
        [], (0, 2),
    ),
    "halves that are joined": (
        [{"at": [20, 15], "attack": 1}, {"at": [30, 15], **BLUE}, {"at": [20, 17], "attack": 3}],
        [TREE], (2, 0),
    ),
}  # fmt: skip
"""Models, terrain, and those that attack model 1."""


def scene(name: str, **target: Any) -> tuple[Battle, tuple[int, ...]]:
    models, terrain, attackers = SCENES[name]
    battle = table(models[0], {**models[1], **target}, *models[2:], terrain=terrain)
    set_phase(battle, Phase.STATIONARY)
    return battle, attackers


def asked(battle: Battle, attackers: tuple[int, ...]) -> Odds:
    order = Order(verb="attack together", unit=attackers[0], units=attackers[1:], target=1)
    found = SYSTEM.odds_of(battle, order)
    assert found is not None
    return found


@pytest.mark.rule("runolfsson.contact.fire-divided", "runolfsson.dice.fractions")
@pytest.mark.parametrize("name", SCENES)
def test_hits_are_as_likely_as_play_makes_them(name: str) -> None:
    """Each face counts by its kind: a miss 4 times in 10, a hit 6 times in 10."""
    battle, attackers = scene(name)
    shots = {s.attacker: s for s in standing_shots(battle, 0) if s.target == 1}
    declared = [(shots[row], dice_left(battle, row)) for row in attackers]
    rolled = sum(int(dice * shot.multiplier) for shot, dice in declared)
    rolled += int(sum(dice * shot.multiplier % 1 for shot, dice in declared))
    expected: dict[int, Fraction] = defaultdict(Fraction)
    for faces in product((4, 5), repeat=rolled):
        fork = battle.fork()
        carry(fork, strike(fork, declared, "x"), dice=faces)
        likely = Fraction(4, 10) ** faces.count(4) * Fraction(6, 10) ** faces.count(5)
        expected[int(cell(fork, 1, "coming"))] += likely

    assert asked(battle, attackers).hits == expected


def test_odds_of_two_halves_are_those_of_a_die() -> None:
    battle, attackers = scene("halves that are joined")
    put(battle, 2, attack=1.0)

    found = asked(battle, attackers)

    assert found.hits == {0: Fraction(4, 10), 1: Fraction(6, 10)}
    assert [(check.unit, check.dice) for check in found.checks] == [("model 2", 0), ("model 0", 0)]
    assert found.attacker == "model 2 and model 0"


def test_odds_name_the_dice_and_what_they_give_on_average() -> None:
    battle, attackers = scene("fire")
    put(battle, 0, in_command=0)

    (check,) = asked(battle, attackers).checks

    assert (check.unit, check.target, check.dice, check.modifier) == ("model 0", "model 1", 2, -1)
    assert (check.chance, check.expected) == (Fraction(1, 2), 1)


@pytest.mark.parametrize(
    ("hits", "told"),
    [
        (1, "model 0 against model 1: 84% to hit, 84% to destroy."),
        (2, "model 0 against model 1: 84% to hit, 36% to destroy."),
        (3, "model 0 against model 1: 84% to hit, 0% to destroy."),
    ],
)
def test_odds_say_how_likely_a_hit_and_a_loss_are(hits: int, told: str) -> None:
    battle, attackers = scene("fire", hits=hits)
    (destroyed,) = {1: [Fraction(84, 100)], 2: [Fraction(36, 100)], 3: [Fraction(0)]}[hits]

    found = asked(battle, attackers)

    fate = found.fates["model 1"]
    assert found.text == told
    assert fate.destroyed == destroyed
    assert fate.lost == {0: 1 - destroyed, **({1: destroyed} if destroyed else {})}
    assert fate.morale == {0: 1 - destroyed}
    assert max(fate.points) == min(hits, 2)


@pytest.mark.rule("runolfsson.hit.save")
def test_saving_dice_leave_no_less_than_no_hit() -> None:
    battle, attackers = scene("fire", save=3, hits=2)

    points = asked(battle, attackers).fates["model 1"].points

    assert set(points) == {0, 1, 2}
    assert sum(points.values()) == 1
    assert points[2] == Fraction(36, 100) * Fraction(4, 10) ** 3


@pytest.mark.parametrize(
    "order",
    [
        Order(verb="attack", target=1),
        Order(verb="fire", unit=0, target=1),
        Order(verb="attack together", unit=0),
        Order(verb="pass"),
    ],
)
def test_orders_without_a_joint_attack_have_no_odds(order: Order) -> None:
    assert SYSTEM.odds_of(scene("fire")[0], order) is None


@pytest.mark.parametrize(
    ("action", "weapon", "legal"),
    [(None, None, True), ("attack", None, True), ("charge", None, False), (None, "rifle", False),
     ("attack", "rifle", False)],
)  # fmt: skip
def test_the_one_action_is_an_attack_without_a_weapon(
    action: str | None, weapon: str | None, legal: bool
) -> None:
    battle, _ = scene("fire")
    if legal:
        assert SYSTEM.odds(battle, 0, 1, action, weapon).refusal is None
        return

    with pytest.raises(Error, match='one action, "attack", and no weapons'):
        SYSTEM.odds(battle, 0, 1, action, weapon)


@pytest.mark.parametrize(("marker", "morale"), [(0, 2.0), (1, 1.0), (2, 0.0)])
def test_morale_falls_with_the_marker(marker: int, morale: float) -> None:
    battle, _ = scene("fire")
    put(battle, 0, marker=marker)

    assert SYSTEM.morale(battle, 0) == morale
