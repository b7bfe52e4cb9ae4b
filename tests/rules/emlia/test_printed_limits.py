"""The least and the most that a unit set may print, and what holds where it prints nothing."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from emlia3d.rules.emlia.basics.arcs import Arc
from emlia3d.rules.emlia.preparation import NoteTrigger
from emlia3d.rules.emlia.unit_sets.abilities import EQUIPMENT, Ability
from emlia3d.rules.emlia.unit_sets.additions import AddedMode
from emlia3d.rules.emlia.unit_sets.army import ArmyList, Limit
from emlia3d.rules.emlia.unit_sets.hire import HireValue, Option
from emlia3d.rules.emlia.unit_sets.strike import HazardModel
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.emlia.unit_sets.vital import VitalRow
from emlia3d.rules.emlia.unit_sets.weapon import Coverage, Weapon, printed_as

ROW = {"faces": [1, 12], "text": "a"}
COVERAGE = {"start": 1, "increment": 1, "limit": 1, "drift": 1}
READERS: dict[str, Any] = {
    "entry": Entry,
    "weapon": Weapon,
    "coverage": Coverage,
    "vital row": VitalRow,
    "ability": Ability,
    "harm": HazardModel,
    "limit": Limit,
    "army": ArmyList,
    "hire value": HireValue,
    "option": Option,
    "added mode": AddedMode,
    "occurrence": NoteTrigger,
}
LEAST: dict[str, dict[str, Any]] = {
    "entry": {"name": "E", "size": 1, "height": 1},
    "vital entry": {"name": "E", "size": 1, "height": 1, "threshold": 1, "vital_table": [ROW]},
    "weapon": {"name": "W", "base_damage": 1},
    "coverage": COVERAGE,
    "vital row": ROW,
    "modifier": {"effect": "modifier", "name": "M", "add": 1},
    "movement": {"effect": "movement", "name": "M", "terrain": ["marsh"], "penalty": 0.5},
    "concealment": {"effect": "concealment", "name": "C", "terrain": ["marsh"]},
    "senses": {"effect": "senses", "name": "S"},
    "reach": {"effect": "reach", "name": "R", "add": 1},
    "hits": {"effect": "hits", "name": "H", "add": 1},
    "formation": {"effect": "formation", "name": "F", "formation": "ranked"},
    "action": {
        "effect": "action", "name": "A", "kind": "free", "skill": "stealth", "subject": "self",
        "gives": "morale",
    },
    "harm": {"near": "crystal", "within": 3, "hits": 1},
    "limit": {"entries": ["E"]},
    "army": {},
    "hire value": {"value": 1},
    "option": {},
    "added mode": {"name": "Dig", "moves_as": "G"},
    "occurrence": {"within": 3},
}  # fmt: skip
"""The least that each table may say."""

LIMITS: list[tuple[str, str, list[Any], list[Any]]] = [
    ("harm", "within", [0, 10_000.0], [-0.5, 10_000.5]),
    ("harm", "hits", [1, 1000], [0, 1001]),
    ("harm", "base_damage", [0, 1000], [-1, 1001]),
    ("limit", "least", [0, 3], [-1]),
    ("limit", "most", [0, 3], [-1]),
    ("limit", "least_share", [0, 1], [-0.1, 1.1]),
    ("limit", "most_share", [0, 1], [-0.1, 1.1]),
    ("army", "title", ["", "A" * 200], ["A" * 201]),
    ("army", "least", [0, 3], [-1]),
    ("army", "most", [0, 3], [-1]),
    ("hire value", "value", [0, 0.5], [-0.5]),
    ("option", "text", ["", "A" * 400], ["A" * 401]),
    ("option", "hire_value", [-3.5, 0, 2], ["2"]),
    ("added mode", "name", ["D"], [""]),
    ("occurrence", "who", [0, 7], [-1]),
    ("occurrence", "weapon", [0, 7], [-1]),
    ("entry", "name", ["E"], [""]),
    ("entry", "size", [0.5, 1_000_000], [0, -1, 1_000_001, float("inf")]),
    ("entry", "height", [0.001, 1_000_000], [0, -1, 1_000_001, float("nan")]),
    ("entry", "members", [1, 100_000], [0, 100_001]),
    ("entry", "files", [1], [0, 2]),
    ("entry", "timing", [0, 100], [-1, 101]),
    ("entry", "hits", [1, 1000], [0, 1001]),
    ("entry", "armour", [0, 1000], [-1, 1001]),
    ("entry", "damage_limit", [1, 100_000], [0]),
    ("vital entry", "threshold", [1, 100_000], [0]),
    ("entry", "morale", [-7, 7], [-8, 8]),
    ("entry", "army_value", [0, 0.5, 1000.0], [-0.5, float("inf")]),
    ("entry", "hire_value", [0, 0.5, 1000.0], [-0.5, float("inf")]),
    ("entry", "starting_speed", [-10_000, 10_000], [-10_001, 10_001]),
    ("entry", "combat_range", [0, 0.5], [-0.5]),
    ("weapon", "name", ["W"], [""]),
    ("weapon", "base_damage", [0, 100], [-1, 101]),
    ("weapon", "volley_damage", [0, 100_000], [-1]),
    ("weapon", "concentrated_damage", [0, 100_000], [-1]),
    ("weapon", "arc", [0.5, 360], [0, 360.5]),
    ("coverage", "start", [0.5], [0]),
    ("coverage", "increment", [0, 0.5], [-0.5]),
    ("coverage", "limit", [0.5], [0]),
    ("coverage", "drift", [0, 0.5], [-0.5]),
    ("vital row", "text", ["a"], [""]),
    ("vital row", "damage", [0, 100_000], [-1]),
    ("vital row", "speed_share", [0, 1], [-0.01, 1.01]),
    ("modifier", "name", ["M"], [""]),
    ("modifier", "add", [-12, 12], [-13, 13]),
    ("movement", "penalty", [0, 1], [-0.01, 1.01]),
    ("reach", "add", [0.5, 100], [0, 100.5]),
    ("hits", "add", [1, 1000], [0, 1001]),
    ("formation", "speed_share", [0, 1], [-0.01, 1.01]),
    ("action", "range", [0, 10_000], [-0.5, 10_000.5]),
    ("action", "modifier", [-12, 12], [-13, 13]),
    ("action", "amount", [-7, 100], [-8, 101]),
]
LISTS: list[tuple[str, str, list[list[Any]], list[list[Any]]]] = [
    ("entry", "base", [[0.1, 0.1], [1000, 1000]], [[0.09, 1], [1, 0.09], [1000.5, 1], [1, 1000.5]]),
    ("entry", "arc_hits", [[1, 1000, 1], [1000, 1, 1000]], [[0, 1, 1], [1, 1, 1001], [1, 0, 1]]),
    ("entry", "arcs", [[360.0, 0.0, 0.0], [0.0, 0.0, 360.0]], [[362, -1, 0], [361, 0, -1]]),
    ("entry", "keywords", [["a", "b"], []], [[1]]),
    ("entry", "added_skills", [["riding"]], [[1]]),
    ("entry", "equipment", [["light armour"]], [["crown"]]),
    ("weapon", "range", [[1, 1, 1], [0.5, 1, 2]], [[0, 1, 2], [2, 1, 3], [1, 3, 2]]),
    ("weapon", "use", [["melee"]], [["siege"]]),
    ("weapon", "abilities", [["parry", "reach 2"]], [["parry 2"]]),
    ("movement", "terrain", [["marsh"], ["marsh", "scrub"]], [[], ["jelly"]]),
    ("concealment", "terrain", [["scrub"]], [[], ["jelly"]]),
    ("action", "against", [["Elf"], []], [[1]]),
]
UNSAID: list[tuple[str, dict[str, Any]]] = [
    ("harm", {"base_damage": 0}),
    ("limit", {"keywords": (), "least": 0, "most": None, "least_share": 0, "most_share": 1}),
    ("army", {"title": "", "entries": None, "least": 0, "most": None, "limits": ()}),
    ("hire value", {"army": None, "with_entry": None}),
    ("option", {"text": "", "hire_value": 0, "sets": {}}),
    ("occurrence", {"who": None, "does": None, "band": None, "weapon": 0}),
    (
        "entry",
        {
            "role": None,
            "model": "warrior", "keywords": (), "members": 1, "files": None, "formation": "open",
            "movement": None, "timing": 1, "hits": 1, "arc_hits": None, "armour": 0,
            "damage_limit": 1, "threshold": None, "vital_table": (), "arc_vital_tables": {},
            "vital_dice": "d12", "morale": 0, "arcs": (180, 45, 90), "army_value": 1,
            "hire_value": 0, "starting_speed": None, "combat_range": None, "base": None,
            "initiative": (), "morale_conditions": None, "skills": {}, "weapons": (),
        },
    ),
    (
        "weapon",
        {
            "volley_damage": None, "concentrated": True, "concentrated_damage": None,
            "range": None, "use": (), "arc": 360, "abilities": (), "coverage": None,
        },
    ),
    ("coverage", {"per_weapon": False}),
    (
        "vital row",
        {"damage": 0, "speed_share": 1, "check_modifier": 0, "morale": 0, "destroyed": False},
    ),
    ("modifier", {"skill": None}),
    ("formation", {"allowed": True, "all_round": False, "speed_share": 1}),
    ("action", {"improvised": False, "range": 20, "modifier": 0, "against": (), "amount": 1}),
]  # fmt: skip


def read(table: str, **more: Any) -> Any:
    """A table of this kind, with the least that it may say and some attributes more."""
    reader = READERS.get(table.removeprefix("vital ") if "entry" in table else table, Ability)
    return TypeAdapter(reader).validate_python({**LEAST[table], **more})


def wrong(table: str, **more: Any) -> set[str]:
    """The attributes that are refused, in a table that has some."""
    with pytest.raises(ValidationError) as refused:
        read(table, **more)
    return {str(part) for error in refused.value.errors() for part in error["loc"]}


@pytest.mark.parametrize(("table", "key", "fit", "unfit"), LIMITS)
def test_a_figure_is_taken_up_to_its_limits_and_no_further(
    table: str, key: str, fit: list[Any], unfit: list[Any]
) -> None:
    assert [getattr(read(table, **{key: value}), key) for value in fit] == fit
    for value in unfit:
        assert key in wrong(table, **{key: value})


@pytest.mark.parametrize(("table", "key", "fit", "unfit"), LISTS)
def test_a_list_is_taken_if_each_of_its_parts_fits(
    table: str, key: str, fit: list[list[Any]], unfit: list[list[Any]]
) -> None:
    assert [list(getattr(read(table, **{key: value}), key)) for value in fit] == fit
    for value in unfit:
        assert key in wrong(table, **{key: value})


@pytest.mark.rule("emlia.attr.optional", "emlia.entity.required-attributes")
@pytest.mark.parametrize(("table", "values"), UNSAID)
def test_what_a_table_does_not_say_is_as_the_book_has_it(
    table: str, values: dict[str, Any]
) -> None:
    found: BaseModel = read(table)

    assert {name: getattr(found, name) for name in values} == values


@pytest.mark.parametrize(
    ("attributes", "refused"),
    [
        ({"members": 0, "files": 3}, {"members"}),
        ({"members": 2, "files": 3}, {"files"}),
        ({"threshold": 0}, {"threshold"}),
        ({"threshold": 0, "vital_table": [ROW]}, {"threshold"}),
        ({"threshold": 1}, {"vital_table"}),
        ({"formation": "mob", "abilities": [LEAST["formation"]]}, {"formation"}),
        ({"arc_vital_tables": {"rear": [ROW]}}, {"arc_vital_tables"}),
    ],
)
def test_an_error_in_one_attribute_is_not_blamed_on_another(
    attributes: dict[str, Any], refused: set[str]
) -> None:
    assert wrong("entry", **attributes) == refused


@pytest.mark.rule("emlia.attr.vital-table")
def test_a_table_of_an_arc_names_every_face_as_the_other_does() -> None:
    short = {"faces": [1, 11], "text": "b"}

    assert wrong("vital entry", arc_vital_tables={"rear": [short]}) == {"vital_dice"}
    whole = read("vital entry", arc_vital_tables={"rear": [{**ROW, "damage": 2}]})
    assert [whole.vitals_in(arc)[0].damage for arc in (Arc.FRONT, Arc.SIDE, Arc.REAR)] == [0, 0, 2]


@pytest.mark.rule("emlia.attr.hits.by-arc")
def test_hits_are_those_of_the_arc_that_is_struck() -> None:
    arcs = (Arc.FRONT, Arc.SIDE, Arc.REAR)

    assert [read("entry", hits=4).hits_in(arc) for arc in arcs] == [4, 4, 4]
    assert [read("entry", arc_hits=[3, 2, 1]).hits_in(arc) for arc in arcs] == [3, 2, 1]


@pytest.mark.rule("emlia.equip.other.examples.light-armour")
@pytest.mark.rule("emlia.equip.other.examples.ghillie-suit")
def test_the_books_equipment_is_as_printed() -> None:
    assert set(EQUIPMENT) == {"light armour", "ghillie suit"}
    worn = read("entry", armour=2, equipment=["light armour"])
    assert worn.protection == 3
    suit = read("entry", equipment=["ghillie suit"]).all_abilities[0]
    assert {*suit.terrain} >= {"scrub", "forest", "tree", "large-tree", "shrub"}


@pytest.mark.rule("emlia.equip.permitted-actions", "emlia.equip.concentrated-capable")
@pytest.mark.parametrize(
    ("printed", "area", "concentrated"),
    [
        ({}, 1, None),
        ({"range": [1, 2, 3]}, 1, None),
        ({"range": [1, 2, 3], "coverage": COVERAGE}, 1, 1),
        ({"range": [1, 2, 3], "coverage": COVERAGE, "volley_damage": 0}, 0, 0),
        ({"range": [1, 2, 3], "coverage": COVERAGE, "concentrated_damage": 5}, 1, 5),
        ({"range": [1, 2, 3], "coverage": COVERAGE, "concentrated": False}, 1, None),
        ({"range": [1, 2, 3], "coverage": COVERAGE, "use": ["aimed fire"]}, 1, None),
    ],
)
def test_a_volley_has_the_damage_printed_for_it(
    printed: dict[str, Any], area: int, concentrated: int | None
) -> None:
    found = read("weapon", **printed)

    assert (found.area_damage, found.damage_concentrated) == (area, concentrated)
    assert found.serves("concentrated volley") is (concentrated is not None)


@pytest.mark.rule("emlia.equip.melee.examples", "emlia.equip.ranged.examples")
@pytest.mark.parametrize(
    ("name", "damage", "bands", "slug"),
    [
        ("Warhammer", 1, None, "melee.examples.warhammer"),
        ("Sword and Dagger", 1, None, "melee.examples.sword-dagger"),
        ("Spear", 1, None, "melee.examples.spear"),
        ("Club", 1, None, "melee.examples.club"),
        ("Clubs", 1, None, "melee.examples.club"),
        ("Longbow", 3, (40, 80, 120), "ranged.examples.longbow"),
        ("Crossbow", 3, (30, 60, 120), "ranged.examples.crossbow"),
        ("12-Gauge Shotgun", 5, (10, 30, 60), "ranged.examples.shotgun"),
        ("Laser Rifle", 4, (40, 80, 120), "ranged.examples.laser"),
        ("Mortar", 5, (20, 100, 250), "ranged.examples.mortar"),
        ("Rocks", 1, (5, 10, 15), "ranged.examples.rocks"),
    ],
)
def test_a_weapon_is_the_books_own_only_with_all_its_figures(
    name: str, damage: int, bands: tuple[int, int, int] | None, slug: str
) -> None:
    printed = {"name": name, "base_damage": damage, "range": bands}

    assert printed_as(read("weapon", **printed)) == f"emlia.equip.{slug}"
    assert printed_as(read("weapon", **{**printed, "base_damage": damage + 1})) is None
    assert printed_as(read("weapon", **{**printed, "range": (1, 2, 3)})) is None
    assert printed_as(read("weapon", **{**printed, "name": "Toy"})) is None
