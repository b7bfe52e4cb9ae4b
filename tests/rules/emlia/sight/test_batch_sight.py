"""What is settled by itself among many sight questions at once: hills, touch and rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.batch_sight import NOTHING_ALONE
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.tables.terrain import EFFECTS
from tests.rules.emlia.sight_oracle import Oracle

Build = Callable[..., Battle]


def levels(battle: Battle) -> list[list[Level]]:
    """How much of each unit is concealed from each, found for all at once."""
    units = np.array(on_field(battle))
    return [[Level(cell) for cell in row] for row in sight_cache_of(battle).levels(units, units)]


def levels_alone(battle: Battle) -> list[list[Level]]:
    """Return the levels of all pairs, found one by one by the oracle."""
    oracle, units = Oracle(battle), on_field(battle)
    return [
        [Level.NONE if one == two else oracle.level(one, two) for two in units] for one in units
    ]


def covers_by_boundary(battle: Battle, near: Any, far: Any, base_damage: int) -> Any:
    """The covers of some units from others, found at once."""
    batch_sight = sight_cache_of(battle).batch_sight
    return batch_sight.look(batch_sight.units(), near, far, base_damage=base_damage).levels


@pytest.mark.rule("emlia.sight.from-shadow.exception")
def test_who_stands_on_a_hill_that_is_not_in_shadow_is_seen_past_a_hedge(
    field_of_battle: Build,
) -> None:
    terrain = [
        {"kind": "hedge", "height": 3, "box": (40, 30, 60, 31)},
        {"kind": "hill", "height": 8, "box": (30, 40, 70, 100)},
    ]
    battle = field_of_battle({"at": (50, 11)}, {"at": (50, 90), "side": "Bob"}, terrain=terrain)

    assert levels(battle) == levels_alone(battle)
    assert levels(battle)[0][1] is Level.NONE


@pytest.mark.rule("emlia.sight.corridor.span")
def test_two_who_touch_are_concealed_by_the_woods_that_both_stand_in(
    field_of_battle: Build,
) -> None:
    units = [
        {"at": (x, y), "members": 4, "files": 2, "side": side}
        for (x, y), side in (((50, 50), "Alice"), ((50, 51), "Bob"), ((80, 50), "Alice"))
    ]
    forest = {"kind": "forest", "height": 5, "box": (40, 40, 60, 60)}
    battle = field_of_battle(*units, terrain=[forest])

    assert levels(battle) == levels_alone(battle)
    assert levels(battle)[0][1] is levels(battle)[1][0] is Level.PARTIAL
    assert levels(field_of_battle(*units))[0][1] is Level.NONE


@pytest.mark.parametrize("deeper", [0.0, 2**-30])
def test_woods_just_as_thick_as_their_limit_are_looked_at_one_by_one(
    field_of_battle: Build, deeper: float
) -> None:
    limit = EFFECTS["forest"].limits_sight or 0.0
    forest = {"kind": "forest", "height": 5, "box": (30, 40, 70, 40 + limit + deeper)}
    battle = field_of_battle({"at": (50, 11)}, {"at": (50, 90), "side": "Bob"}, terrain=[forest])

    covers = covers_by_boundary(battle, np.array([0]), np.array([1]), 1)

    assert levels(battle) == levels_alone(battle)
    assert levels(battle)[0][1] is (Level.TOTAL if deeper else Level.PARTIAL)
    assert covers.tolist() == [Level.TOTAL if deeper else Level.NONE]


@pytest.mark.parametrize("deeper", [0.0, 2**-30])
def test_a_shadow_behind_woods_just_as_thick_as_their_limit_is_looked_at_by_itself(
    field_of_battle: Build, deeper: float
) -> None:
    limit = EFFECTS["forest"].limits_sight or 0.0
    forest = {"kind": "forest", "height": 5, "box": (30, 40, 70, 40 + limit + deeper)}
    tall = {"at": (50, 10), "height": 8}
    battle = field_of_battle(tall, {"at": (50, 54), "side": "Bob"}, terrain=[forest])

    assert levels(battle) == levels_alone(battle)
    assert levels(battle)[0][1] is (Level.TOTAL if deeper else Level.PARTIAL)


@pytest.mark.rule("emlia.equip.other.examples.ghillie-suit")
def test_scrub_is_solid_alone_to_one_in_a_ghillie_suit_whatever_else_stands_there(
    field_of_battle: Build,
) -> None:
    terrain = [
        {"kind": "wall", "height": 2, "box": (120, 20, 140, 21)},
        {"kind": "scrub", "height": 2, "box": (30, 30, 70, 35)},
    ]
    suited = {"at": (48, 60), "side": "Bob", "equipment": ("ghillie suit",)}
    battle = field_of_battle(
        {"at": (50, 11)}, suited, {"at": (52, 60), "side": "Bob"}, terrain=terrain
    )

    assert levels(battle) == levels_alone(battle)
    assert levels(battle)[0][1:] == [Level.TOTAL, Level.PARTIAL]


@pytest.mark.rule("emlia.sight.corridor.span", "emlia.sight.intervening")
def test_what_hides_both_of_a_pair_is_told_and_those_who_touch_in_woods_are_partly_concealed(
    field_of_battle: Build,
) -> None:
    places = ((50, 50), (50, 51), (120, 20), (120, 60), (180, 20))
    units = [
        {"at": at, "side": side}
        for at, side in zip(places, ["Alice", "Bob", "Alice", "Bob", "Alice"], strict=True)
    ]
    terrain = [
        {"kind": "forest", "height": 5, "box": (40, 40, 60, 60)},
        {"kind": "rock", "height": 9, "box": (100, 39, 140, 41)},
    ]
    battle = field_of_battle(*units, terrain=terrain)
    batch = sight_cache_of(battle).batch_sight

    found, both, touch = batch.by_boundary(np.array([0, 2, 2]), np.array([1, 3, 4]))

    assert touch.tolist() == [True, False, False]
    assert [Level(each) for each in found] == [Level.PARTIAL, Level.TOTAL, Level.NONE] * 2
    assert both.tolist() == [NOTHING_ALONE, len(units) + 1, NOTHING_ALONE]
