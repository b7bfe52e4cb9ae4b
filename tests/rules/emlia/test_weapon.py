"""A weapon as a unit set prints it, and what it may be used for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.situation.arms import usable_for
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from tests.rules.emlia import troops

AREA = {"start": 1, "increment": 1, "limit": 1, "per_weapon": True, "drift": 10}


def weapon(**printed: Any) -> Weapon:
    return Weapon.model_validate({"name": "Thing", "base_damage": 1, **printed})


def uses(found: Weapon) -> set[str]:
    return {use for use in ("melee", "aimed fire", "area volley") if found.usable_for(use)}


@pytest.mark.rule("emlia.equip.permitted-actions")
@pytest.mark.parametrize(
    ("printed", "allowed"),
    [
        ({}, {"melee"}),
        ({"range": (10, 20, 30)}, {"aimed fire"}),
        ({"range": (10, 20, 30), "coverage": AREA}, {"aimed fire", "area volley"}),
        ({"range": (10, 20, 30), "coverage": AREA, "use": ("area volley",)}, {"area volley"}),
        ({"range": (10, 20, 30), "use": ("melee", "aimed fire")}, {"melee", "aimed fire"}),
    ],
)
def test_a_weapon_without_a_list_of_uses_is_used_for_what_it_has_the_figures_for(
    printed: dict[str, Any], allowed: set[str]
) -> None:
    assert uses(weapon(**printed)) == allowed


@pytest.mark.rule("emlia.equip.abilities", "emlia.equip.melee.examples")
def test_an_ability_has_its_number_or_one_and_none_where_it_is_lacking() -> None:
    pike = weapon(abilities=("reach 2", "armour piercing"))

    assert pike.ability("reach") == 2
    assert pike.ability("armour piercing") == 1
    assert pike.ability("parry") is None


@pytest.mark.rule("emlia.equip.abilities")
@pytest.mark.parametrize("ability", ["reach", "parry 2", "reach 0", "magic", "Reach 1", ""])
def test_an_ability_that_the_book_does_not_print_so_is_refused(ability: str) -> None:
    with pytest.raises(ValidationError, match="unknown ability"):
        weapon(abilities=(ability,))


@pytest.mark.rule("emlia.equip.ranged")
@pytest.mark.parametrize("bands", [(0, 20, 30), (20, 10, 30), (10, 40, 30)])
def test_a_range_band_is_no_nearer_than_the_one_before(bands: tuple[int, int, int]) -> None:
    with pytest.raises(ValidationError, match="short, medium, long"):
        weapon(range=bands)


@pytest.mark.rule("emlia.equip.ranged.examples")
def test_what_shoots_wants_a_range_and_what_volleys_a_coverage() -> None:
    with pytest.raises(ValidationError, match="needs a range"):
        weapon(use=("aimed fire",))
    with pytest.raises(ValidationError, match="needs a coverage"):
        weapon(range=(10, 20, 30), use=("area volley",))


@pytest.mark.rule("emlia.equip.one-weapon")
def test_a_mixed_unit_has_the_weapons_of_its_first_part_that_is_armed(
    field_of_battle: Callable[..., Battle],
) -> None:
    battle = field_of_battle(
        {"name": "pikes", "at": (50, 50)},
        {"group": "pikes", "front": (52, 50), "weapons": [troops.SPEARS, troops.MUSKETS]},
        {"group": "pikes", "front": (54, 50), "weapons": [troops.AIMED_LONGBOW]},
        {"at": (90, 50), "weapons": [troops.SPEARS]},
    )
    weapons = usable_for("aimed fire")

    assert [each.name for each in weapons(battle, 0)] == ["Muskets"]
    assert [each.name for each in weapons(battle, 3)] == []
