"""The one currency: what units are worth by their members, their morale and their order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.commander.currency import LEAST_VALUE, fitness, value_of
from emlia3d.rules.emlia.doctrine.appraisal import hits_for_a_loss
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia.troops import FOOT

Build = Callable[..., Battle]
STEADY: dict[str, Any] = {**FOOT, "army_value": 3, "front": (100, 50), "put": {"morale": 7}}


def test_the_lower_its_morale_the_less_a_unit_is_worth() -> None:
    by_morale = [fitness(morale) for morale in range(-7, 8)]

    assert all(lower <= higher for lower, higher in pairwise(by_morale))
    assert by_morale[-1] == 1
    # Shaken, retreating and routed are steps down, each deeper than a point of morale.
    assert all(fitness(each) - fitness(each - 1) > 0.1 for each in (1, -3, -6))
    assert all(fitness(each) > fitness(each, disordered=True) > 0 for each in range(-7, 8))


def test_a_unit_is_worth_its_army_value_times_what_is_left_of_it(field_of_battle: Build) -> None:
    battle = field_of_battle(STEADY)

    assert value_of(battle, 0) == pytest.approx(3)
    assert value_of(battle, 0, lost=5) == pytest.approx(3 * 15 / 20)
    assert value_of(battle, 0, lost=25) == 0


@pytest.mark.parametrize(("printed", "value"), [(0, LEAST_VALUE), (2, 2)])
def test_whatever_fights_is_worth_an_attack(
    field_of_battle: Build, printed: float, value: float
) -> None:
    battle = field_of_battle({**STEADY, "army_value": printed})

    assert value_of(battle, 0) == pytest.approx(value)


def test_who_has_left_the_field_is_worth_nothing(field_of_battle: Build) -> None:
    assert value_of(field_of_battle({**STEADY, "put": {"present": 0}}), 0) == 0


@pytest.mark.parametrize(
    ("printed", "base_damage", "hits"),
    [({"hits": 3}, 1, 2), ({"hits": 1}, 4, 1), ({"hits": 3, "damage_limit": 12}, 1, 24)],
)
def test_a_loss_takes_as_many_hits_as_the_unit_is_hard_to_hurt(
    field_of_battle: Build, printed: dict[str, Any], base_damage: int, hits: int
) -> None:
    entry = situation_of(field_of_battle({**STEADY, **printed})).entry(0)

    assert hits_for_a_loss(entry, base_damage) == hits
