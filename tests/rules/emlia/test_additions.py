"""Skills and modes that a unit set adds, and what armies and abilities read of keywords."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.entries import Hired
from emlia3d.rules.emlia.play.combat import granted
from emlia3d.rules.emlia.unit_sets.army import ArmyList, army_faults
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.emlia.words.card import card
from emlia3d.scenario import check
from emlia3d.scenario.scenario import from_header

Build = Callable[..., Battle]

BARE: dict[str, Any] = {"name": "X", "size": 1, "height": 1}

TURNING = {
    "effect": "action",
    "name": "Turn Undead",
    "kind": "primary",
    "skill": "sorcery",
    "subject": "enemy",
    "against": ["undead"],
    "gives": "hits",
    "amount": 1,
}

SET = """\
format = 1
rules = "emlia"
title = "Wizards"
[common]
added_skills = ["sorcery"]
added_modes = { R = { name = "on rails", moves_as = "G" } }
[entry.wizard]
name = "Wizard"
size = 1
height = 1
movement = "20R"
skills = { sorcery = "3" }
"""

BATTLE = """\
format = 1
title = "Wizards"
rules = "emlia"
turns = 2
[field]
size = [100, 100]
[[side]]
name = "Alice"
[[unit]]
name = "Ann"
side = "Alice"
type = "wizards/wizard"
at = [50, 10]
"""


def entry(**attributes: Any) -> Entry:
    return Entry.model_validate({**BARE, **attributes})


@pytest.mark.rule("emlia.skill.names")
def test_a_unit_set_may_add_skills() -> None:
    wizard = entry(added_skills=["sorcery"], skills={"sorcery": "3"})

    assert wizard.skill("sorcery").dice == 3  # type: ignore[union-attr]


@pytest.mark.rule("emlia.skill.names")
@pytest.mark.parametrize(
    ("attributes", "told"),
    [
        ({"skills": {"sorcery": "3"}}, "unknown skill sorcery"),
        ({"skills": {"stelth": "3"}}, "unknown skill stelth; did you mean stealth"),
        (
            {"added_skills": ["sorcery"], "skills": {"sorcry": "3"}},
            "unknown skill sorcry; did you mean sorcery",
        ),
        ({"abilities": [TURNING]}, "unknown skill sorcery"),
        (
            {"abilities": [{"effect": "modifier", "name": "Keen", "skill": "alertnes", "add": 1}]},
            "unknown skill alertnes; did you mean alertness",
        ),
    ],
)
def test_a_skill_that_nobody_has_is_an_error(attributes: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        entry(**attributes)


@pytest.mark.rule("emlia.attr.movement.code")
def test_a_mode_that_a_unit_set_adds_moves_as_one_of_the_book() -> None:
    rails = {"R": {"name": "on rails", "moves_as": "G"}}
    train = entry(added_modes=rails, movement="60R 10/20/60A, 5F")

    assert [(one.mode, one.speed, one.gears) for one in train.movements] == [
        ("G", 60, (10, 20, 60)),
        ("F", 5, ()),
    ]
    with pytest.raises(ValidationError, match="unknown mode of movement Q"):
        entry(added_modes=rails, movement="60Q")
    with pytest.raises(ValidationError, match="has G twice"):
        entry(added_modes=rails, movement="60R, 15G")
    with pytest.raises(ValidationError, match="G is already a mode of the rulebook"):
        entry(added_modes={"G": {"name": "gliding", "moves_as": "F"}})


@pytest.mark.rule("emlia.skill.names", "emlia.attr.movement.code")
def test_entries_have_what_is_common_to_their_set_also_in_a_battle_file(tmp_path: Path) -> None:
    (tmp_path / "wizards.toml").write_text(SET, encoding="utf-8")
    path = tmp_path / "battle.toml"
    path.write_text(BATTLE, encoding="utf-8")

    scenario = emlia3d.load(path)
    again = from_header(scenario.header(seed=1), tmp_path / "elsewhere")

    assert check(tmp_path / "wizards.toml") == ()
    for one in (scenario, again):
        wizard = one.setup.units[0].entry
        assert isinstance(wizard, Entry)
        assert wizard.by_mode("G").speed == 20  # type: ignore[union-attr]
        assert wizard.skills == {"sorcery": "3"}


@pytest.mark.rule("emlia.attr.type", "emlia.skill.names")
def test_an_action_against_a_keyword_has_no_other_subjects(field_of_battle: Build) -> None:
    battle = field_of_battle(
        {
            "at": (50, 50),
            "added_skills": ["sorcery"],
            "skills": {"sorcery": "3"},
            "abilities": [TURNING],
        },
        {"at": (50, 60), "side": "Bob", "keywords": ["Undead", "Slow"]},
        {"at": (60, 50), "side": "Bob", "keywords": ["Elf"]},
    )

    assert [order.target for order in granted.ability_options(battle, 0)] == [1]


@pytest.mark.rule("emlia.attr.type", "emlia.unitset.restrictions")
def test_an_army_limits_units_by_their_keywords() -> None:
    army = ArmyList.model_validate({"limits": [{"keywords": ["undead"], "most": 1}]})
    force = [
        Hired(name=name, entry=entry(keywords=words), kind=name)
        for name, words in (("ghoul", ["Undead"]), ("elf", ["Elf"]), ("lich", ["Undead", "Mage"]))
    ]

    assert army_faults(army, force) == [
        (None, "undead in the army: expected at most 1 units, got 2"),
    ]
    assert army_faults(army, force[:2]) == []


def test_a_limit_of_nothing_is_an_error() -> None:
    with pytest.raises(ValidationError, match="a limit needs entries or keywords"):
        ArmyList.model_validate({"limits": [{"most": 1}]})


@pytest.mark.rule("emlia.attr.type")
def test_the_card_of_a_unit_shows_its_keywords(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (50, 50), "keywords": ["Elf", "Scout"]}, {"at": (90, 50)})

    assert ("keywords", "Elf, Scout") in card(battle, 0)
    assert "keywords" not in dict(card(battle, 1))
