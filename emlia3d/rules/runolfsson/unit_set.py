"""Models in a unit set."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, Strict

from emlia3d.battle.setup import Setup
from emlia3d.field import Scale
from emlia3d.force.figure_models import Model
from emlia3d.force.roster import Troops
from emlia3d.rulekit.strict_model import StrictModel

Grade = Literal["fearless", "average", "cowardly"]
Special = Literal[
    "jump", "fly", "hover", "teleport", "breaks speed limit", "machine", "multi targeting",
    "smoke", "cloak",
]  # fmt: skip
Gait = Literal["ground", "air", "jump"]

SMALLEST_BASE, LARGEST_BASE = 0.25, 6.0
"""Diameters of bases, inches."""


class Entry(StrictModel):
    """A model: a miniature on a round base.

    base : diameter, inches
    move, range : inches
    attack, save : dice
    hits : that it can absorb
    command_radius : of the units that it leads or belongs to, inches
    character : whether it is an individual character, without a unit
    """

    name: str = Field(min_length=1, description="a name in quotation marks")
    model: Model = Field(default="warrior", description="the body that is drawn")
    base: float = Field(
        default=1.0,
        ge=SMALLEST_BASE,
        le=LARGEST_BASE,
        description=f"a diameter from {SMALLEST_BASE:g} to {LARGEST_BASE:g} inches",
    )
    move: float = Field(ge=0, le=48, description="inches from 0 to 48")
    attack: int = Field(ge=0, le=20, description="a number of attack dice from 0 to 20")
    save: int = Field(ge=0, le=20, description="a number of saving dice from 0 to 20")
    hits: int = Field(default=1, ge=1, le=20, description="a number of hits from 1 to 20")
    range: float = Field(default=0.0, ge=0, le=200, description="inches from 0 to 200")
    grade: Grade = Field(default="average", description='"fearless", "average" or "cowardly"')
    command_radius: float = Field(default=6.0, ge=0, description="inches from 0")
    character: bool = Field(default=False, description="true or false")
    specials: Annotated[tuple[Special, ...], Strict(False)] = Field(
        default=(), description="a list of specials"
    )
    members: Literal[1] = Field(default=1, description="1, because each model is a unit")
    files: Literal[1] = Field(default=1, description="1")
    formation: Literal["open"] = Field(default="open", description='"open"')

    def troops(self, scale: Scale) -> Troops:
        """Return its space."""
        return Troops(model=self.model, width=self.base, depth=self.base, base="round")

    def has(self, special: Special) -> bool:
        """Return whether it has a special."""
        return special in self.specials

    @property
    def flight(self) -> Gait:
        """Its kind of movement when it runs: jumpers jump, fliers and hoverers are in the air."""
        if self.has("jump"):
            return "jump"
        return "air" if self.has("fly") or self.has("hover") else "ground"


class GameTable(StrictModel):
    """The table [game] of a scenario.

    victory : the victory condition
    morale : "phased", or "end only" for a single morale phase at the end of the turn
    individual_die : sides of the die of an individual morale check
    """

    victory: Literal["sudden death", "position", "objectives"] = Field(
        default="sudden death", description='"sudden death", "position" or "objectives"'
    )
    morale: Literal["phased", "end only"] = Field(
        default="phased", description='"phased" or "end only"'
    )
    individual_die: Literal[6, 10] = Field(default=10, description="6 or 10")


def game_of(setup: Setup) -> GameTable:
    """Return the table [game] of a battle; its defaults in a battle of other rules."""
    return setup.game if isinstance(setup.game, GameTable) else GameTable()
