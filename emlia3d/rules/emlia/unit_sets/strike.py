"""Emlia, chapter 22.1: bombardments from beyond the field, and hazards on it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, Strict, field_validator

from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.emlia.unit_sets.unit_set import LevelCode
from emlia3d.rules.emlia.unit_sets.weapon import Weapon


class Strike(StrictModel):
    """Area Volley that no unit makes, as a scenario states it.

    at : the point aimed at, GSU; None for the centre of the field
    volley_fire : the level code of the skill; every die is rolled without a modifier
    """

    volley_fire: LevelCode = Field(description='a level code such as "3"')
    weapon: Weapon = Field(description="a table that describes a weapon with coverage")
    at: Annotated[tuple[float, float], Strict(False)] | None = Field(
        default=None, description="a point [east, north] in GSU"
    )

    @field_validator("weapon")
    @classmethod
    def _has_coverage(cls, weapon: Weapon) -> Weapon:
        if weapon.coverage is None:
            raise ValueError("the weapon of a strike needs coverage")
        return weapon


class HazardModel(StrictModel):
    """A hazard on the field for units that end their activation near it.

    near : the name of an area or of a terrain feature
    within : GSU from its edge to a unit's, up to which it harms
    hits : hits on the unit each time, at *base_damage*
    """

    near: str = Field(description="the name of an area or of a terrain feature")
    within: float = Field(ge=0, le=10_000, description="a number of GSU from 0")
    hits: int = Field(ge=1, le=1000, description="a whole number of hits from 1")
    base_damage: int = Field(default=0, ge=0, le=1000, description="a whole number from 0")
