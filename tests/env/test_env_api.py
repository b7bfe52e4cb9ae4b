"""The environments follow the interfaces of PettingZoo and Gymnasium, in two rule systems."""

from __future__ import annotations

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, performance_benchmark, seed_test

from emlia3d.env import aec

SCENARIOS = pytest.mark.parametrize("scenario", ["duel", "kings-road"])


@SCENARIOS
@pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",  # a dict of arrays is one of the forms allowed
    "ignore:Observation space for each agent probably should be",
    "ignore:We recommend agents to be named",  # sides have names of their own
)
def test_it_passes_the_api_test_of_pettingzoo(scenario: str) -> None:
    api_test(aec(scenario, turns=4, render_mode="ansi"), num_cycles=300)


@pytest.mark.long
@SCENARIOS
def test_it_passes_the_seed_test_of_pettingzoo(scenario: str) -> None:
    seed_test(lambda: aec(scenario), num_cycles=60)


@pytest.mark.slow
@SCENARIOS
def test_it_passes_the_benchmark_of_pettingzoo(scenario: str) -> None:
    performance_benchmark(aec(scenario))


@SCENARIOS
def test_a_single_side_passes_the_check_of_gymnasium(scenario: str) -> None:
    name = "emlia3d.env.single_env:emlia3d/Battle-v0"
    env = gymnasium.make(name, scenario=scenario, turns=4)

    check_env(env.unwrapped, skip_render_check=True)
