"""What every rule system must pass, on small random battles; and the battle that ships."""

from __future__ import annotations

import pytest

from emlia3d import scenario
from emlia3d.battle.battle import Battle
from emlia3d.rulekit.testing import check_system
from tests.rules.runolfsson.boards import random_board


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_what_every_rule_system_must_pass(seed: int) -> None:
    check_system(lambda: random_board(seed).battle(seed), most=15)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 204))
def test_two_hundred_boards_pass_too(seed: int) -> None:
    check_system(lambda: random_board(seed).battle(seed), most=20)


@pytest.mark.long
def test_the_scrapyard_is_played_to_its_end() -> None:
    battle = (
        scenario.load("scrapyard")
        .with_commanders({"Crew": "random", "Raiders": "random"})
        .battle(seed=2)
    )

    result = battle.run_to_end()

    assert isinstance(battle, Battle)
    assert result.winner in {"Crew", "Raiders", None}
