"""Emlia, chapter 7: a weapon as a unit set prints it.

Holds `emlia.equip.melee.examples` and `emlia.equip.ranged.examples`, which it can print. The
chapters that use weapons hold their effects.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, Strict, ValidationInfo, field_validator

from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.rulebook import rule, rule_rows

Use = Literal["melee", "aimed fire", "area volley"]
Attack = Literal["melee", "aimed fire", "area volley", "concentrated volley"]

PLAIN_ABILITIES = ("parry", "armour piercing", "falloff")
NUMBERED_ABILITIES = ("reach", "large falloff")

_MELEE = ("warhammer", "sword-dagger", "spear", "club")
_RANGED = ("longbow", "crossbow", "shotgun", "laser", "mortar", "rocks")

_ABILITY = re.compile(r"(?P<name>[a-z ]+?)(?: (?P<number>[1-9]\d*))?")


class Coverage(StrictModel):
    """The area that a volley weapon strikes.

    start, increment, limit : diameter, increment for each success, greatest diameter; GSU
    per_weapon : the limit is for each weapon in the unit that is able to fire
    drift : distance that the point strays, GSU
    """

    start: float = Field(gt=0, description="a number of GSU above 0")
    increment: float = Field(ge=0, description="a number of GSU from 0")
    limit: float = Field(gt=0, description="a number of GSU above 0")
    per_weapon: bool = Field(default=False, description="true or false")
    drift: float = Field(ge=0, description="a number of GSU from 0")


class Weapon(StrictModel):
    """One weapon, or a pair that is used as one.

    range : upper limits of the short, medium and long band, GSU; None for a melee weapon
    arc : arc of fire, to both sides of the unit's facing; degrees
    use : actions that it may be used for; by default melee without a range, otherwise aimed
        fire, and area volley too if it has a coverage
    volley_damage : base damage of its Area Volley; by default that of the weapon
    concentrated : whether a weapon for Area Volley also serves for Concentrated Volley
    concentrated_damage : its base damage; by default that of Area Volley
    """

    name: str = Field(min_length=1, description="a name in quotation marks")
    base_damage: int = Field(ge=0, le=100, description="a whole number from 0")
    volley_damage: int | None = Field(default=None, ge=0, description="a whole number from 0")
    concentrated: bool = Field(default=True, description="true or false")
    concentrated_damage: int | None = Field(default=None, ge=0, description="a whole number from 0")
    range: Annotated[tuple[float, float, float], Strict(False)] | None = Field(
        default=None, description="three numbers of GSU, [short, medium, long]"
    )
    use: Annotated[tuple[Use, ...], Strict(False)] = Field(
        default=(), description='a list of "melee", "aimed fire" and "area volley"'
    )
    arc: float = Field(
        default=360.0,
        gt=0,
        le=360,
        validate_default=True,
        description="degrees above 0 and up to 360",
    )
    abilities: Annotated[tuple[str, ...], Strict(False)] = Field(
        default=(), description='a list of abilities, such as ["reach 1", "parry"]'
    )
    coverage: Coverage | None = Field(
        default=None, validate_default=True, description="a table of coverage and drift"
    )

    @field_validator("range")
    @classmethod
    def _bands_in_order(
        cls, bands: tuple[float, float, float] | None
    ) -> tuple[float, float, float] | None:
        if bands is not None and not 0 < bands[0] <= bands[1] <= bands[2]:
            raise ValueError(
                "range: expected three numbers of GSU, [short, medium, long], none less than the "
                f"one before it, got {list(bands)}"
            )
        return bands

    @field_validator("abilities")
    @classmethod
    def _known_abilities(cls, abilities: tuple[str, ...]) -> tuple[str, ...]:
        for ability in abilities:
            _ability(ability)
        return abilities

    @field_validator("arc")
    @classmethod
    @rule("emlia.equip.melee")
    def _has_its_range(cls, arc: float, info: ValidationInfo) -> float:
        ranged = {"aimed fire", "area volley"} & {*info.data.get("use", ())}
        if ranged and "range" in info.data and info.data["range"] is None:
            name = info.data.get("name", "the weapon")
            raise ValueError(f"{name} needs a range for what it is used for")
        return arc

    @field_validator("coverage")
    @classmethod
    @rule("emlia.gloss.coverage")
    def _has_its_coverage(cls, coverage: Coverage | None, info: ValidationInfo) -> Coverage | None:
        if coverage is None and "area volley" in info.data.get("use", ()):
            name = info.data.get("name", "the weapon")
            raise ValueError(f"{name} needs a coverage to be used for area volley")
        return coverage

    @property
    def is_ranged(self) -> bool:
        """True if it can strike from afar."""
        return self.usable_for("aimed fire") or self.usable_for("area volley")

    @rule("emlia.equip.permitted-actions")
    @rule("emlia.equip.melee.examples", "emlia.equip.ranged.examples")
    @rule_rows(*(f"emlia.equip.melee.examples.{key}" for key in _MELEE))
    @rule_rows(*(f"emlia.equip.ranged.examples.{key}" for key in _RANGED))
    @rule_rows("emlia.caveman.clubs", "emlia.caveman.rocks")
    def usable_for(self, action: Use) -> bool:
        """Return whether the weapon may be used for an action (`emlia.equip.permitted-actions`)."""
        if self.use:
            return action in self.use
        if self.range is None:
            return action == "melee"
        return action == "aimed fire" or (action == "area volley" and self.coverage is not None)

    def serves(self, attack: Attack) -> bool:
        """Return whether it may be used for an attack, including Concentrated Volley."""
        if attack == "concentrated volley":
            return self.damage_concentrated is not None
        return self.usable_for(attack)

    @property
    def area_damage(self) -> int:
        """Base damage of an Area Volley at short range."""
        return self.base_damage if self.volley_damage is None else self.volley_damage

    @property
    @rule("emlia.equip.concentrated-capable")
    def damage_concentrated(self) -> int | None:
        """Base damage of a Concentrated Volley at short range; None if it cannot make one."""
        if not self.concentrated or not self.usable_for("area volley"):
            return None
        return self.area_damage if self.concentrated_damage is None else self.concentrated_damage

    @rule("emlia.equip.abilities")
    def ability(self, name: str) -> int | None:
        """Return the number of an ability, 1 by default; None if the weapon lacks it."""
        for printed in self.abilities:
            found, number = _ability(printed)
            if found == name:
                return number
        return None


_PRINTED: Mapping[str, tuple[str, int, tuple[float, float, float] | None]] = {
    "Warhammer": ("melee.examples.warhammer", 1, None),
    "Sword and Dagger": ("melee.examples.sword-dagger", 1, None),
    "Spear": ("melee.examples.spear", 1, None),
    "Club": ("melee.examples.club", 1, None),
    "Clubs": ("melee.examples.club", 1, None),
    "Longbow": ("ranged.examples.longbow", 3, (40, 80, 120)),
    "Crossbow": ("ranged.examples.crossbow", 3, (30, 60, 120)),
    "12-Gauge Shotgun": ("ranged.examples.shotgun", 5, (10, 30, 60)),
    "Laser Rifle": ("ranged.examples.laser", 4, (40, 80, 120)),
    "Mortar": ("ranged.examples.mortar", 5, (20, 100, 250)),
    "Rocks": ("ranged.examples.rocks", 1, (5, 10, 15)),
}
"""The book's weapons: the end of the slug, base damage and range."""


def printed_as(weapon: Weapon) -> str | None:
    """Return the slug of the book's row with this name and values; None without one."""
    slug, base_damage, bands = _PRINTED.get(weapon.name, ("", 0, None))
    alike = slug and (weapon.base_damage, weapon.range) == (base_damage, bands)
    return f"emlia.equip.{slug}" if alike else None


def _ability(printed: str) -> tuple[str, int]:
    """Return an ability's name and number; raise ValueError if the book has no such ability."""
    match = _ABILITY.fullmatch(printed)
    if match and match["name"] in (NUMBERED_ABILITIES if match["number"] else PLAIN_ABILITIES):
        return match["name"], int(match["number"] or 1)
    known = [*PLAIN_ABILITIES, *(f"{name} 1" for name in NUMBERED_ABILITIES)]
    raise ValueError(f'unknown ability "{printed}"; there are {", ".join(known)}')
