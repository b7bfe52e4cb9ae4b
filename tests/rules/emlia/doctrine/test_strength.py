"""How well the doctrine commander does, over whole battles; long, so only in the slow run."""

from __future__ import annotations

import pytest

import emlia3d

BATTLES = 6
"""Half of them from either side; `emlia3d battle ridge --times 50` plays more."""


@pytest.mark.slow
def test_chance_beats_him_in_no_battle_on_the_ridge() -> None:
    scenario = emlia3d.load("ridge")
    south, north = (side.name for side in scenario.setup.sides)
    lost = 0
    for seed in range(BATTLES):
        led, other = (south, north) if seed % 2 else (north, south)
        battle = scenario.with_commanders({led: "doctrine", other: "random"}).battle(seed)
        lost += battle.run_to_end().winner == other

    assert lost == 0


def test_he_beats_chance_from_either_side_of_a_skirmish() -> None:
    scenario = emlia3d.load("bandits")
    for led, other in (("Militia", "Bandits"), ("Bandits", "Militia")):
        battle = scenario.with_commanders({led: "doctrine", other: "random"}).battle(seed=2)
        assert battle.run_to_end().winner == led
