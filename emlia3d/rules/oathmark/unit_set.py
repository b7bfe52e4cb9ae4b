"""Units in a unit set, and the cost of an army."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, Strict

from emlia3d.battle.entries import Hired
from emlia3d.battle.setup import Setup
from emlia3d.field import Scale
from emlia3d.force.figure_models import Model
from emlia3d.force.roster import Troops
from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.oathmark.core import rank_width, stat_line
from emlia3d.rules.rulebook import rule

Weapon = Literal[
    "bow", "elf bow", "sling", "light catapult", "heavy catapult", "ballista", "fire breath"
]
Ability = Literal[
    "aimed fire", "artillery", "brace", "charge", "command", "crew", "enormous", "fire breath",
    "fire over", "indirect fire", "large", "shielding",
]  # fmt: skip
Tag = Literal["cavalry", "character", "unit-of-one"]
Length = Annotated[float, Field(gt=0, le=4096)]
Base = Annotated[tuple[Length, Length], Strict(False)]


class Entry(StrictModel):
    """A kind of unit.

    base : width and depth of the base of a figure, mm; the engine of artillery has its own
    maximum : figures of the largest unit
    abilities : with their levels; unknown names have no effect
    """

    name: str = Field(min_length=1, description="a name in quotation marks")
    model: Model = Field(default="warrior", description="the body that is drawn")
    members: int = Field(default=1, ge=1, le=20, description="a number of figures from 1 to 20")
    activation: int = Field(ge=1, le=10, description="an Activation value from 1 to 10")
    move: float = Field(ge=0, le=24, description="inches from 0 to 24")
    fight: int = Field(ge=0, le=20, description="a Fight value from 0 to 20")
    shoot: int = Field(default=0, ge=0, le=20, description="a Shoot value from 0 to 20")
    defence: int = Field(ge=0, le=30, description="a Defence value from 0 to 30")
    combat_dice: int = Field(default=1, ge=1, le=10, description="Combat Dice from 1 to 10")
    health: int = Field(default=1, ge=1, le=60, description="a Health value from 1 to 60")
    points: float = Field(default=0, ge=0, description="points of a figure from 0")
    maximum: int = Field(default=20, ge=1, le=20, description="a number of figures from 1 to 20")
    base: Base = Field(default=(25, 25), description="the width and depth of a base, mm")
    weapon: Weapon | None = Field(default=None, description="a missile weapon")
    abilities: dict[str, int] = Field(default={}, description="abilities with their levels")
    tags: Annotated[tuple[Tag, ...], Strict(False)] = Field(
        default=(), description='a list of "cavalry", "character", "unit-of-one"'
    )
    formation: Literal["ranked"] = Field(default="ranked", description='"ranked"')

    @property
    def files(self) -> int:
        """The figures of a complete rank."""
        return rank_width(self.base)

    def troops(self, scale: Scale) -> Troops:
        """Return the space of a figure; the crew of an engine stands beside it in one rank."""
        width, depth = self.base
        return Troops(model=self.model, width=width + 25 * self.crew, depth=depth, base="square")

    @rule("oathmark.ability.core-set")
    def level(self, ability: Ability) -> int:
        """Return the level of an ability; 0 if the unit lacks it."""
        return self.abilities.get(ability, 0)

    @property
    def crew(self) -> int:
        """Crew figures of an engine."""
        return self.level("crew") if self.level("artillery") else 0

    @property
    def is_one(self) -> bool:
        """True for a unit-of-one, by its kind, not because of losses."""
        return "unit-of-one" in self.tags

    @property
    def height(self) -> float:
        """The height of the unit for lines of sight, inches."""
        return 3.0 if self.level("enormous") else 2.0 if self.level("large") else 1.0

    @property
    def stats(self) -> str:
        """The seven values."""
        return stat_line(
            {
                "A": self.activation, "M": self.move, "F": self.fight, "S": self.shoot,
                "D": self.defence, "CD": self.combat_dice, "H": self.health,
            }
        )  # fmt: skip


@dataclass(frozen=True)
class HouseRules:
    """Options of the rules, which house rules set.

    unit_of_one_tests_per_point : whether a unit-of-one tests for each point of Health that it lost
        to an attack; otherwise it tests once
    """

    unit_of_one_tests_per_point: bool = False


def house_of(setup: Setup) -> HouseRules:
    """Return the options of a battle; the defaults in a battle of other rules."""
    return setup.numbers if isinstance(setup.numbers, HouseRules) else HouseRules()


@rule("oathmark.units.sample")
def cost(entry: Entry) -> float:
    """Return the points of a unit: all its figures, or an engine with its crew."""
    return entry.points * entry.members


@rule("oathmark.units.sample-armies")
def force_cost(force: Sequence[Hired]) -> float:
    """Return the points of units together."""
    return sum(cost(hired.entry) for hired in force if isinstance(hired.entry, Entry))
