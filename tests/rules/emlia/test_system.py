"""Emlia passes what every rule system must."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.questions.area import Observer
from emlia3d.rulekit.testing import check_system
from emlia3d.rules.emlia import SYSTEM
from emlia3d.scenario import load
from tests.rules.emlia.random_boards import board_of

Build = Callable[..., Battle]


@pytest.mark.parametrize("seed", [3, 8])
def test_emlia_passes_what_every_rule_system_must(field_of_battle: Build, seed: int) -> None:
    setup = board_of(seed, field_of_battle)

    check_system(lambda: Battle(setup, SYSTEM, seed))


@pytest.mark.long
@pytest.mark.parametrize("name", ["duel", "thieves"])
def test_the_doctrine_passes_it_too_in_battles_that_ship(name: str) -> None:
    check_system(
        lambda: load(name).battle(seed=1, turns=1),
        lambda: load(name).battle(seed=1).commanders(),
        most=8,
    )


@pytest.mark.parametrize("bodies", [1, 3, 5])
def test_a_unit_of_several_members_may_be_split_into_as_many_bodies_as_the_house_allows(
    field_of_battle: Build, bodies: int
) -> None:
    units = [{"at": (50, 50), "members": members} for members in (1, 2, 9)]
    setup = field_of_battle(*units, house={"bodies": bodies}).setup

    assert [SYSTEM.bodies(setup, unit) for unit in setup.units[:3]] == [1, bodies, bodies]


@pytest.mark.rule("emlia.mixed.sight")
def test_a_subunit_looks_over_the_field_as_the_whole_unit(field_of_battle: Build) -> None:
    men = {"at": (50, 50), "members": 4, "files": 4, "formation": "close", "name": "men"}
    wall = {"kind": "wall", "box": (40, 60, 50, 61), "height": 3}
    battle = field_of_battle(men, {**men, "at": (56, 50), "name": "guards", "group": "men"},
                             terrain=[wall])  # fmt: skip
    spots = np.array([(x, 80.0) for x in range(20, 80, 3)])

    whole, part, place = (
        SYSTEM.sight_area(battle, post, spots, 1.0, reverse=False)
        for post in (
            Observer(name="", unit=0),
            Observer(name="", unit=1),
            Observer(name="", place=(53.0, 50.0)),
        )
    )

    assert part.levels.tolist() == whole.levels.tolist()
    assert {*whole.levels.tolist()} != {0}
    assert {*place.levels.tolist()} != {0}


@pytest.mark.rule("emlia.terrain.impassable")
def test_what_bars_a_unit_is_told_and_without_one_what_bars_a_man_on_foot(
    field_of_battle: Build,
) -> None:
    rock = {"kind": "rock", "box": (10, 10, 20, 30)}
    lake = {"kind": "lake", "box": (50, 50, 60, 60)}
    battle = field_of_battle(
        {"at": (100, 100), "name": "men"},
        {"at": (100, 100), "group": "men"},
        {"at": (120, 100), "movement": "20F"},
        terrain=[rock, lake],
    )

    def area(unit: int | None) -> float:
        return sum(ground.area for ground in SYSTEM.impassable(battle, unit))

    assert area(None) == area(0) == area(1) == 200 + 100
    assert area(2) == 0


@pytest.mark.rule("emlia.mixed.definition")
@pytest.mark.parametrize("head", [0, 1])
def test_only_units_that_stand_for_themselves_hide_at_the_start_and_search(
    field_of_battle: Build, head: int
) -> None:
    """Each side has a mixed unit, whose part comes after it in the list."""
    alice = {"at": (50, 50), "name": "alice", "states": ["concealed"]}
    bob = {"at": (50, 150), "name": "bob", "side": "Bob", "states": ["concealed"]}
    heads = [alice, bob] if head == 0 else [bob, alice]
    parts = [{**each, "name": f"part {n}", "group": each["name"]} for n, each in enumerate(heads)]
    setup = field_of_battle(*heads, *parts).setup

    changes = SYSTEM.opening(setup)

    hidden = {(one.a, one.b) for one in changes if isinstance(one, Pair) and one.column == "hidden"}
    assert hidden == {(0, 1), (1, 0)}
