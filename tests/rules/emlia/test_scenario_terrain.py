"""Chapter 22.1: where the advice on terrain, forces and objectives begins and ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.scenario_advice import (
    abreast,
    deep,
    defensive,
    deployed,
    natural,
    parts_lacking,
    strategic,
)

Build = Callable[..., Battle]
Box = tuple[float, float, float, float]
ALICE: dict[str, Any] = {"at": (50, 20), "name": "spears"}
BOB: dict[str, Any] = {"at": (50, 180), "side": "Bob", "name": "raiders"}
FORD: dict[str, Any] = {"ford": (40, 90, 60, 110)}
KILL: dict[str, Any] = {"side": "Alice", "level": "victory", "gone": "Bob"}


def field(build: Build, *terrain: Mapping[str, Any]) -> Battle:
    return build(ALICE, BOB, terrain=terrain)


def about(found: Any) -> list[str]:
    """The names of the features or units that advice is about."""
    return [advice.about[1] for advice in found]


def river(edges: Box, kind: str = "river") -> dict[str, Any]:
    return {"name": "river", "kind": kind, "box": edges}


def feature(kind: str, edges: Box, name: str = "other", **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": kind, "box": edges, **more}


@pytest.mark.rule("emlia.scenario.terrain-checks.natural")
@pytest.mark.parametrize(
    ("edges", "is_odd"),
    [
        ((3.5, 100, 200, 101), False),
        ((4.5, 100, 200, 101), True),
        ((0, 100, 196.5, 101), False),
        ((0, 100, 195.5, 101), True),
        ((100, 3.5, 101, 200), False),
        ((100, 4.5, 101, 200), True),
        ((100, 0, 101, 196.5), False),
        ((100, 0, 101, 195.5), True),
    ],
)
def test_a_river_ends_within_four_gsu_of_an_edge_of_the_field(
    field_of_battle: Build, edges: Box, is_odd: bool
) -> None:
    for kind in ("river", "stream"):
        found = natural(field(field_of_battle, river(edges, kind)).setup)

        assert about(found) == (["river"] if is_odd else [])


@pytest.mark.rule("emlia.scenario.terrain-checks.natural")
@pytest.mark.parametrize("kind", ["hill", "rock", "forest", "marsh", "lake", "river", "stream"])
def test_a_river_rises_within_four_gsu_of_high_ground_or_other_water(
    field_of_battle: Build, kind: str
) -> None:
    course = river((0, 100, 120, 101))
    for gap, is_odd in ((-2, False), (3.9, False), (4.1, True)):
        source = feature(kind, (120 + gap, 90, 200, 110))
        found = natural(field(field_of_battle, course, source).setup)

        assert ("river" in about(found)) is is_odd


@pytest.mark.rule("emlia.scenario.terrain-checks.natural")
@pytest.mark.parametrize("kind", ["village", "wall", "scrub"])
def test_no_river_rises_at_a_village_a_wall_or_scrub(field_of_battle: Build, kind: str) -> None:
    course = river((0, 100, 120, 101))

    found = natural(field(field_of_battle, course, feature(kind, (120, 90, 150, 110))).setup)

    assert about(found) == ["river"]


@pytest.mark.rule("emlia.scenario.terrain-checks.natural")
def test_both_ends_of_each_river_count_and_other_terrain_has_none(field_of_battle: Build) -> None:
    wall = feature("wall", (50, 50, 90, 51), "wall")
    lone = {**river((50, 100, 150, 101)), "name": "lone"}
    also = {**river((50, 150, 150, 151)), "name": "also"}
    lake = feature("lake", (0, 90, 52, 110), "lake")

    assert about(natural(field(field_of_battle, wall, lone, also).setup)) == ["lone", "also"]
    assert about(natural(field(field_of_battle, lone, lake).setup)) == ["lone"]


@pytest.mark.rule("emlia.scenario.terrain-checks.natural")
@pytest.mark.parametrize(
    ("kind", "is_dry"), [("river", False), ("stream", False), ("lake", False), ("scrub", True)]
)
def test_any_water_will_do_for_every_village(
    field_of_battle: Build, kind: str, is_dry: bool
) -> None:
    villages = [feature("village", (x, 20, x + 20, 40), f"Thorpe {x}") for x in (20, 60)]
    water = feature(kind, (0, 100, 200, 101))

    found = natural(field(field_of_battle, *villages, water).setup)

    assert about(found) == (["Thorpe 20", "Thorpe 60"] if is_dry else [])


@pytest.mark.rule("emlia.scenario.terrain-checks.strategic")
@pytest.mark.parametrize("key", ["controls", "denied", "conceded", "unguarded"])
def test_an_area_that_an_aim_names_is_worth_a_fight(field_of_battle: Build, key: str) -> None:
    aim = {"side": "Alice", "level": "victory", key: ("ford",)}

    assert not [*strategic(field_of_battle(ALICE, BOB, areas=FORD, aims=[aim]).setup)]
    assert len([*strategic(field_of_battle(ALICE, BOB, areas=FORD, aims=[KILL]).setup)]) == 1
    assert not [*strategic(field_of_battle(ALICE, BOB, areas=FORD).setup)]


@pytest.mark.rule("emlia.scenario.terrain-checks.strategic")
def test_a_person_whose_loss_decides_is_worth_a_fight(field_of_battle: Build) -> None:
    aim = {"side": "Alice", "level": "victory", "lost": "raiders"}

    assert not [*strategic(field_of_battle(ALICE, BOB, aims=[aim]).setup)]


KEEP = feature("keep", (100, 100, 110, 110), "keep")
FAR_BANK = feature("earthwork", (95, 45, 115, 47), "bank")


@pytest.mark.rule("emlia.scenario.terrain-checks.defensive")
@pytest.mark.parametrize(
    ("terrain", "hides"),
    [
        (feature("rock", (119, 100, 130, 110), "rock", height=1.0), True),
        (feature("rock", (119, 100, 130, 110), "rock", height=0.9), False),
        (feature("rock", (119.9, 100, 130, 110), "rock", height=2.0), True),
        (feature("rock", (120.1, 100, 130, 110), "rock", height=2.0), False),
        (feature("rock", (105, 105, 130, 110), "rock", height=2.0), False),
        (feature("wall", (115, 100, 130, 110), "rock", height=2.0), False),
        (feature("tree", (115, 104, 117, 106), "rock", height=5.0), False),
    ],
    ids=["high", "low", "near", "far", "touching", "a wall", "a tree"],
)
def test_terrain_hides_attackers_if_it_is_high_and_within_ten_gsu(
    field_of_battle: Build, terrain: dict[str, Any], hides: bool
) -> None:
    found = about(defensive(field(field_of_battle, KEEP, FAR_BANK, terrain).setup))

    assert found == (["rock"] if hides else [])


@pytest.mark.rule("emlia.scenario.terrain-checks.defensive")
@pytest.mark.parametrize("installation", ["rampart", "tower", "keep"])
@pytest.mark.parametrize(
    ("kind", "edges", "is_bare"),
    [
        ("earthwork", (95, 38, 115, 41), False),
        ("wall", (95, 38, 115, 41), False),
        ("fence", (95, 38, 115, 41), False),
        ("hedge", (95, 38, 115, 41), False),
        ("forest", (95, 38, 115, 41), True),
        ("earthwork", (95, 30, 115, 39), True),
        ("earthwork", (102, 102, 108, 108), True),
        ("earthwork", (105, 102, 115, 108), False),
    ],
)
def test_secondary_works_stand_before_an_installation_within_sixty_gsu(
    field_of_battle: Build, installation: str, kind: str, edges: Box, is_bare: bool
) -> None:
    place = feature(installation, (100, 100, 110, 110), "place")

    found = about(defensive(field(field_of_battle, place, feature(kind, edges)).setup))

    assert found == (["place"] if is_bare else [])


@pytest.mark.rule("emlia.scenario.terrain-checks.defensive")
def test_without_an_installation_nothing_needs_defence(field_of_battle: Build) -> None:
    house = feature("village", (100, 100, 110, 110))

    assert not [*defensive(field(field_of_battle, house).setup)]


@pytest.mark.rule("emlia.scenario.terrain-checks.defensive")
def test_the_ground_between_two_towers_is_within_the_place(field_of_battle: Build) -> None:
    towers = [feature("tower", (x, 100, x + 5, 105), f"tower {x}") for x in (60, 140)]
    rock = feature("rock", (100, 101, 105, 104), "rock", height=3.0)

    assert not [*defensive(field(field_of_battle, *towers, FAR_BANK, rock).setup)]


@pytest.mark.rule("emlia.scenario.deployment")
@pytest.mark.parametrize(
    ("mine", "theirs", "is_told"),
    [
        # Two men of 1 GSU with 3 GSU between their edges; combat range is 1 where not said.
        ({}, {}, False),
        ({"combat_range": 3.0}, {}, True),
        ({}, {"combat_range": 3.0}, True),
        ({"combat_range": 2.9}, {"combat_range": 2.9}, False),
        ({"combat_range": 3.0}, {"arrives": 2}, False),
        ({"combat_range": 3.0, "arrives": 1}, {}, False),
        ({"combat_range": 3.0}, {"side": "Alice"}, False),
    ],
)
def test_enemies_who_start_within_reach_of_either_are_told(
    field_of_battle: Build, mine: dict[str, Any], theirs: dict[str, Any], is_told: bool
) -> None:
    battle = field_of_battle({**ALICE, **mine}, {**BOB, "at": (54, 20), **theirs})

    assert about(deployed(battle.setup)) == (["spears"] if is_told else [])


@pytest.mark.rule("emlia.scenario.deployment")
def test_a_long_weapon_or_limb_reaches_farther_and_a_bow_does_not(field_of_battle: Build) -> None:
    pike = {"name": "Pike", "base_damage": 1, "abilities": ["reach 2"]}
    club = {"name": "Club", "base_damage": 1}
    bow = {"name": "Bow", "base_damage": 1, "range": (40, 80, 120)}
    tail = {"effect": "reach", "name": "Tail", "add": 2}

    def told(**mine: Any) -> list[str]:
        foe = {**BOB, "at": (54, 20)}
        return about(deployed(field_of_battle({**ALICE, **mine}, foe).setup))

    assert told(weapons=[club, pike]) == ["spears"]
    assert told(abilities=[tail]) == ["spears"]
    assert told(weapons=[club, bow]) == []


@pytest.mark.rule("emlia.scenario.parts")
def test_forces_are_two_sides_with_units_that_are_enemies(field_of_battle: Build) -> None:
    north = Side(name="Bob", colour="#000000", lines="north")
    allied = Side(name="Bob", colour="#000000", lines="north", allies=("Alice",))
    south, third = Side(name="Alice", colour="#ffffff"), Side(name="Carol", colour="#333333")

    def told(units: Any, *sides: Side) -> list[str]:
        order = range(12, 12 - len(sides), -1)
        battle = field_of_battle(*units, sides=sides, aims=[KILL], order=tuple(order))
        return [one.told for one in parts_lacking(battle.setup, "A raid.")]

    carol = {**BOB, "side": "Carol", "name": "riders"}
    (peace,) = told([ALICE, BOB], south, allied)
    assert "no two sides with units are enemies" in peace
    assert told([ALICE, BOB, carol], south, allied, third) == []
    assert told([ALICE, BOB], south, north) == []
    assert len(told([ALICE], south, north, third)) == 1


@pytest.mark.rule("emlia.ranked.engaged-members")
@pytest.mark.parametrize(
    ("reach", "count"),
    # Files of 4, men of size 1: ranks behind the first need a combat range above 1. The second
    # rank is 1 GSU from the enemy, the third 2, the last 4.
    [(0.5, 4), (1.0, 4), (1.1, 8), (1.9, 8), (2.0, 12), (10.0, 20)],
)
def test_ranks_within_combat_range_of_an_enemy_at_the_front_reach_it(
    field_of_battle: Build, reach: float, count: int
) -> None:
    block = {**ALICE, "formation": "ranked", "members": 20, "files": 4}
    muster = field_of_battle(block, BOB).setup.units[0].muster

    assert abreast(muster.drill, reach, 1.0) == count


@pytest.mark.rule("emlia.ranked.engaged-members")
@pytest.mark.parametrize(
    ("skill", "formation", "is_told"),
    [
        # 10 of 20 members reach the enemy: 9 of 19 dice are less than half, 10 of 20 are not.
        ("19/1", "ranked", True),
        ("20/1", "ranked", False),
        ("19/1", "close", False),
        ("19", "ranked", False),
        (None, "ranked", False),
    ],
)
def test_a_deep_block_with_less_than_half_of_its_dice_is_told(
    field_of_battle: Build, skill: str | None, formation: str, is_told: bool
) -> None:
    skills = {} if skill is None else {"close combat": skill}
    block = {**ALICE, "formation": formation, "members": 20, "files": 10, "skills": skills}

    assert about(deep(field_of_battle(block, BOB).setup)) == (["spears"] if is_told else [])
