"""What every rule system must pass, on small random battles; and what holds in all of them."""

from __future__ import annotations

import pytest

from emlia3d.rulekit.testing import check_system
from tests.rules.epic.boards import random_board


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_what_every_rule_system_must_pass(seed: int) -> None:
    check_system(lambda: random_board(seed).battle(seed), most=15)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 204))
def test_two_hundred_boards_pass_too(seed: int) -> None:
    check_system(lambda: random_board(seed).battle(seed), most=15)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 54))
def test_fifty_boards_that_begin_with_their_deployment_pass_too(seed: int) -> None:
    check_system(lambda: random_board(seed, turns=1, deploys=True).battle(seed), most=10)
