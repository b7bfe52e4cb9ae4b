"""Emlia, chapter 19.4 as play: the covers of many are those that the rules tell of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.scenario.synthetic_armies import armies
from tests.rules.emlia.sight_oracle import Oracle

Build = Callable[..., Battle]

TERRAIN = [
    {"kind": "rock", "box": (28, 38, 36, 42), "height": 1},
    {"kind": "orchard", "box": (44, 30, 50, 50), "height": 3},
    {"kind": "tree", "box": (20, 44, 24, 48), "height": 3, "hits": 2},
    {"kind": "wall", "box": (56, 44, 64, 45), "height": 2, "hits": 1},
    {"kind": "hill", "box": (10, 60, 40, 80), "height": 1},
]
PLACES = st.tuples(st.integers(10, 75), st.integers(10, 75), st.sampled_from([0, 64 * 45]))


def assert_covers_are_those_of_each_alone(battle: Battle, base_damage: int) -> None:
    units = np.array(on_field(battle))
    one, other = (part.ravel() for part in np.meshgrid(units, units))
    one, other = one[one != other], other[one != other]

    batch_sight, oracle = sight_cache_of(battle).batch_sight, Oracle(battle)
    found = batch_sight.look(batch_sight.units(), one, other, base_damage=base_damage).levels

    pairs = list(zip(one.tolist(), other.tolist(), strict=True))
    assert found.tolist() == [oracle.by_boundary(*pair, base_damage)[1] for pair in pairs]
    accounts = [sight_cache_of(battle).account(*pair) for pair in pairs]
    assert [account.cover(base_damage) for account in accounts] == found.tolist()


@given(places=st.lists(PLACES, min_size=6, max_size=6), base_damage=st.integers(0, 3))
@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_covers_of_many_are_those_that_the_rules_tell_of_each(
    field_of_battle: Build, places: list[Any], base_damage: int
) -> None:
    kinds = ({"hits": 1}, {"hits": 3}, {"hits": 2, "height": 3, "formation": "open"})
    units = [
        {"at": (x, y), "facing": facing, "members": 4, "files": 2, "side": side, **kind}
        for (x, y, facing), side, kind in zip(
            places, ("Alice", "Bob") * 3, kinds * 2, strict=True
        )
    ]  # fmt: skip
    battle = field_of_battle(*units, terrain=TERRAIN)

    assert_covers_are_those_of_each_alone(battle, base_damage)


def test_the_covers_of_an_army_on_hills_are_those_that_the_rules_tell_of_each() -> None:
    battle = armies(480, 12, ground=True, seed=3).battle(turns=1)
    next(battle.run())

    for base_damage in (1, 2, 5):
        assert_covers_are_those_of_each_alone(battle, base_damage)


def test_a_cover_that_was_asked_for_is_another_once_its_wall_has_gone(
    field_of_battle: Build,
) -> None:
    lines = {"members": 20, "files": 10, "formation": "ranked"}
    battle = field_of_battle(
        {"at": (50, 20), "members": 1},
        {"at": (50, 60), "side": "Bob", "members": 1},
        {"at": (50, 40), "hits": 2, "height": 3, **lines},
    )
    assert cover_of(battle, 0, 1, 1) is Level.TOTAL
    assert cover_of(battle, 0, 1, 2) is Level.NONE

    units = battle.state.units
    away = Place(
        unit=2, x=90, y=90, facing=0,
        formation=units.integer("formation", 2), files=units.integer("files", 2),
    )  # fmt: skip
    battle.happen(Event(facts=Unread(event="test"), changes=(away,)))

    assert cover_of(battle, 0, 1, 1) is Level.NONE
