"""What the pages on writing files say is true: the example is sound, and no key is left out."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import get_args

from emlia3d.field.relief import LANDFORMS
from emlia3d.rules.emlia.basics.numbers import HouseNumbers
from emlia3d.rules.emlia.unit_sets.initiative_conditions import (
    Attack,
    Conduct,
    InitiativeCondition,
    Members,
    Shelter,
    Size,
    Trigger,
    Wish,
)
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from emlia3d.scenario import check

PAGE = (Path(__file__).parents[2] / "docs" / "unit-sets.md").read_text("utf-8")


def keys_of(heading: str) -> set[str]:
    """The words in the first column of the table under a heading."""
    section = PAGE.partition(f"# {heading}\n")[2].partition("\n#")[0]
    rows = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    return {key for row in rows for key in re.findall(r"`(\w+)`", row)}


def test_the_unit_set_of_the_page_is_sound(tmp_path: Path) -> None:
    example, *more, _ = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    path = tmp_path / "marches.toml"
    path.write_text("\n".join([example, *more]), encoding="utf-8")

    assert check(path) == ()


def test_every_key_of_an_entry_and_of_a_weapon_is_explained() -> None:
    assert keys_of("An entry") == set(Entry.model_fields)
    assert keys_of("A weapon") == set(Weapon.model_fields)


def test_every_key_and_word_of_initiative_conditions_is_explained() -> None:
    said = keys_of("Acting on initiative")
    section = PAGE.partition("# Acting on initiative\n")[2].partition("\n#")[0]

    assert said == {*Trigger.model_fields, *InitiativeCondition.model_fields} - {"when", "do"}
    for words in (Attack, Shelter, Members, Size, Wish):
        for word in get_args(words):
            assert f'"{word}"' in section
    for word in get_args(Conduct):
        assert word in section


def test_every_landform_and_house_rule_is_explained() -> None:
    assert keys_of("Relief") == set(LANDFORMS)
    assert keys_of("House rules") == {
        field.name for field in dataclasses.fields(HouseNumbers) if field.name != "rows"
    }


def test_every_key_of_a_landform_is_explained() -> None:
    section = PAGE.partition("# Relief\n")[2].partition("\n#")[0]
    words = set(re.findall(r"`(\w+)`", section))

    for landform in LANDFORMS.values():
        assert {field.name for field in dataclasses.fields(landform)} <= words
