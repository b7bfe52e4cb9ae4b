"""Forces: the sides of a battle, and which of them are enemies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.situation.parts import hostile_to
from tests.rules.emlia.turn.ending import ALICE, BOB

Build = Callable[..., Battle]

CAROL = {**BOB, "at": (90, 90), "side": "Carol"}


@pytest.mark.rule("emlia.scenario.forces")
def test_all_units_of_the_other_force_are_enemies(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, {**ALICE, "at": (60, 50)}, BOB)

    assert hostile_to(battle, 0) == [2]
    assert hostile_to(battle, 1) == [0, 1]


@pytest.mark.rule("emlia.scenario.many-sides")
@pytest.mark.parametrize(("allies", "enemies_of_alice"), [((), [1, 2]), (("Carol",), [1])])
def test_a_third_force_is_an_enemy_unless_it_is_an_ally(
    field_of_battle: Build, allies: tuple[str, ...], enemies_of_alice: list[int]
) -> None:
    sides = [
        Side(name="Alice", colour="#000000", allies=allies),
        Side(name="Bob", colour="#111111"),
        Side(name="Carol", colour="#222222"),
    ]
    battle = field_of_battle(ALICE, BOB, CAROL, sides=sides, order=(1, 2, 3))

    assert hostile_to(battle, 0) == enemies_of_alice
    assert hostile_to(battle, 1) == [0, 2]
