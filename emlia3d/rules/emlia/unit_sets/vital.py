"""Emlia, chapter 3.2: a row of a vital table, as a unit set prints it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, Strict

from emlia3d.rulekit.strict_model import StrictModel


class VitalRow(StrictModel):
    """A row of a vital table, with its effects.

    faces : first and last face of the row
    text : display text of the effect
    damage : additional damage points, which may cause further rolls
    speed_share : permanent factor of the unit's speed
    check_modifier : permanent modifier to every skill check
    morale : change of morale
    destroyed : the unit is destroyed
    """

    faces: Annotated[tuple[int, int], Strict(False)] = Field(description="[first face, last face]")
    text: str = Field(min_length=1, description="a sentence")
    damage: int = Field(default=0, ge=0, description="a whole number from 0")
    speed_share: float = Field(default=1.0, ge=0, le=1, description="a number from 0 to 1")
    check_modifier: int = Field(default=0, description="a whole number")
    morale: int = Field(default=0, description="a whole number")
    destroyed: bool = Field(default=False, description="true or false")
