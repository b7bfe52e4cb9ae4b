"""Emlia, chapter 21.6: who the army general is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.morale.morale_update import general_of
from emlia3d.scenario.scenario import from_header

Build = Callable[..., Battle]

pytestmark = pytest.mark.rule("emlia.morale.general")

TEXT = """\
format = 1
title = "Two hosts"
rules = "emlia"
turns = 2
[field]
size = [100, 100]
[[side]]
name = "Alice"
general = "banner"
[[side]]
name = "Bob"
[[unit]]
name = "champion"
side = "Alice"
type = "emlia/longbowmen"
army_value = 9
at = [50, 10]
[[unit]]
name = "banner"
side = "Alice"
type = "emlia/longbowmen"
members = 1
files = 1
at = [20, 10]
[[unit]]
name = "foe"
side = "Bob"
type = "emlia/longbowmen"
at = [50, 90]
"""


def unit(**attributes: Any) -> dict[str, Any]:
    return {"at": (20 + 20 * attributes.pop("place"), 40), **attributes}


def test_the_general_is_the_leader_of_the_highest_army_value(field_of_battle: Build) -> None:
    battle = field_of_battle(
        unit(place=0, army_value=2, skills={"leadership": "9"}),
        unit(place=1, army_value=3),
        unit(place=2, side="Bob", army_value=5),
    )

    assert general_of(battle, 0) == 1
    assert general_of(battle, 1) == 2


def test_of_equal_army_values_the_most_leadership_decides(field_of_battle: Build) -> None:
    battle = field_of_battle(
        unit(place=0),
        unit(place=1, skills={"leadership": "2"}),
        unit(place=2, skills={"leadership": "3"}),
        unit(place=3, side="Bob"),
    )

    assert general_of(battle, 0) == 2


def test_among_equals_without_the_skill_there_is_no_general(field_of_battle: Build) -> None:
    battle = field_of_battle(unit(place=0), unit(place=1), unit(place=2, side="Bob"))

    assert general_of(battle, 0) is None
    assert general_of(battle, 1) == 2


def test_a_row_that_waits_for_a_division_of_the_unit_leads_nobody(field_of_battle: Build) -> None:
    battle = field_of_battle(unit(place=0, members=6, files=3), unit(place=2, side="Bob"))

    spare = [row for row, each in enumerate(battle.setup.units) if each.muster.spare_for == 0]

    assert spare
    assert general_of(battle, 0) == 0


def test_the_scenario_may_name_the_general(field_of_battle: Build) -> None:
    sides = (
        Side(name="Alice", colour="#2a5caa", lines="south", general="unit 1"),
        Side(name="Bob", colour="#b03030", lines="north"),
    )
    battle = field_of_battle(
        unit(place=0, name="unit 0", army_value=4, skills={"leadership": "9"}),
        unit(place=1, name="unit 1"),
        unit(place=2, name="unit 2", side="Bob"),
        sides=sides,
    )

    assert general_of(battle, 0) == 1


def test_a_battle_file_keeps_the_general_that_the_scenario_names(tmp_path: Path) -> None:
    path = tmp_path / "hosts.toml"
    path.write_text(TEXT, encoding="utf-8")

    scenario = emlia3d.load(path)
    again = from_header(scenario.header(seed=1), tmp_path)

    assert general_of(scenario.battle(), 0) == 1
    assert general_of(again.battle(), 0) == 1
