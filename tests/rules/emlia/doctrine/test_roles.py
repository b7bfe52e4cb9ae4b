"""The commander reads what troops are from what their unit set declares, never from the picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.flow import NullRecorder
from emlia3d.battle.setup import Setup
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.unit_sets.roles import declared_role
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.scenario import load

ARMIES = Path(emlia3d.__file__).parent / "armies"

BOW: dict[str, Any] = {
    "name": "Bow",
    "base_damage": 1,
    "range": (10, 20, 40),
    "use": ["aimed fire"],
}
SWORD: dict[str, Any] = {"name": "Sword", "base_damage": 1}
LEAST: dict[str, Any] = {"name": "E", "size": 1, "height": 1}


def changed(setup: Setup, **attributes: Any) -> Setup:
    """A battle in which some attributes of every unit are others."""
    units = []
    for unit in setup.units:
        assert isinstance(unit.entry, Entry)
        entry = unit.entry.model_copy(update=attributes)
        troops = replace(unit.muster.troops, model=entry.model)
        units.append(replace(unit, entry=entry, muster=replace(unit.muster, troops=troops)))
    return replace(setup, units=tuple(units))


class Orders(NullRecorder):
    """The orders of a battle, with their reasons."""

    def __init__(self) -> None:
        self.given: list[tuple[Order, str]] = []

    @override
    def order(self, side: int, order: Order) -> None:
        self.given.append((order, order.why))


def orders_in(setup: Setup) -> list[tuple[Order, str]]:
    """What the commanders order in the first turn."""
    recorded = Orders()
    for event in Battle(replace(setup, turns=1), SYSTEM, seed=3).run(recorder=recorded):
        del event
    return recorded.given


@pytest.mark.long
@pytest.mark.parametrize("model", ["general", "rider", "gun", "ram"])
def test_the_model_that_is_drawn_changes_no_order(model: str) -> None:
    setup = load("remnants").setup

    given = orders_in(changed(setup, model=model))

    assert len(given) > 20
    assert given == orders_in(setup)


@pytest.mark.long
@pytest.mark.parametrize("role", ["leader", "cavalry", "artillery"])
def test_the_role_that_is_declared_changes_orders(role: str) -> None:
    setup = load("remnants").setup

    given = orders_in(changed(setup, role=role))

    assert given != orders_in(setup)


@pytest.mark.parametrize(
    ("entry", "role"),
    [
        ({}, "fighters"),
        ({"weapons": [SWORD]}, "fighters"),
        ({"weapons": [SWORD, BOW]}, "shooters"),
        ({"weapons": [SWORD, BOW], "role": "fighters"}, "fighters"),
        ({"weapons": [BOW], "damage_limit": 1}, "shooters"),
        ({"weapons": [BOW], "damage_limit": 4}, "artillery"),
        ({"weapons": [BOW, {**SWORD, "base_damage": 0}], "damage_limit": 4}, "artillery"),
        ({"weapons": [BOW, SWORD], "damage_limit": 4}, "shooters"),
        (
            {"weapons": [BOW], "damage_limit": 4, "movement": "30G 8/16/30A 2/6/14T"},
            "shooters",
        ),
        ({"skills": {"leadership": "4"}}, "leader"),
        ({"skills": {"leadership": "4", "close combat": "4/2"}}, "leader"),
        ({"skills": {"leadership": "4", "close combat": "5"}}, "fighters"),
        ({"skills": {"leadership": "4"}, "weapons": [BOW]}, "shooters"),
        ({"keywords": ["Human", "Cavalry"]}, "cavalry"),
        ({"keywords": ["Ram", "Cavalry"]}, "ram"),
        ({"keywords": ["Cavalry"], "role": "shooters"}, "shooters"),
        ({"model": "rider"}, "fighters"),
        ({"model": "gun"}, "fighters"),
    ],
)
def test_a_role_is_declared_or_follows_from_keywords_weapons_and_skills(
    entry: dict[str, Any], role: str
) -> None:
    assert declared_role(Entry.model_validate({**LEAST, **entry})) == role


@pytest.mark.parametrize(
    ("unit", "members", "role"),
    [
        ("red colonel", 1, Role.GENERAL),
        ("blue skirmishers", 12, Role.SKIRMISH),
    ],
)
def test_units_of_a_map_have_the_role_of_its_file(unit: str, members: int, role: Role) -> None:
    battle = load("fieldday").battle(seed=0)
    row = battle.setup.unit_of(unit)

    assert battle.setup.units[row].muster.members == members
    assert role_of(battle, row) is role


@pytest.mark.parametrize("name", ["blackpowder", "emlia", "siege", "space"])
def test_every_entry_that_ships_declares_its_role(name: str) -> None:
    text = (ARMIES / f"{name}.toml").read_text("utf-8")

    assert text.count("\nrole = ") == text.count("\nmodel = ") > 1
