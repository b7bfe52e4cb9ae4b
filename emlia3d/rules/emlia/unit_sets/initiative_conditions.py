"""Emlia, chapter 9: the conditions on which a unit acts on initiative, as data.

A closed vocabulary, so that a unit set can print conditions and nothing in a file is executed.
Module `emlia3d.rules.emlia.play.acting.triggers` evaluates triggers on the field, and
`emlia3d.rules.emlia.play.turn.initiative` carries out the actions.

Holds `emlia.orders.trigger-vocabulary`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Field,
    Strict,
    ValidationInfo,
    field_validator,
    model_validator,
)

from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.emlia.tables.morale import STATES, MoraleState, state_of
from emlia3d.rules.rulebook import rule

Attack = Literal["at all", "from afar", "hand to hand"]
Shelter = Literal["none", "concealment or cover", "cover"]
Members = Literal["fewer", "as many", "more"]
Size = Literal["lower", "same or lower", "same or higher", "higher"]
Wish = Literal[
    "move toward",
    "move away",
    "move to concealment or cover",
    "move to concealment",
    "move to cover",
    "take cover",
    "attack",
    "shoot",
    "charge",
]
Conduct = Literal["normal", "shaken", "falling back", "retreating", "routed"]

ABOUT_ENEMIES = (
    "attacked", "in_sight", "in_the_open", "within", "within_moves", "members", "size",
)  # fmt: skip
"""Keys of a trigger that concern an enemy, not the unit alone."""

_STATES = {state.name.lower(): state for state in STATES}
"""The states of the book's table, by the names that a unit set prints."""


class Trigger(StrictModel):
    """A condition on one enemy and the unit: all facts named here must hold together.

    attacked : it has attacked the unit since the unit's last activation, and how
    shelter : concealment or cover of the unit against that attack from afar
    taking_cover : whether the unit is taking cover
    in_sight : whether it sees the unit, not wholly concealed
    in_the_open : whether the unit is without any concealment from it
    within : greatest distance, GSU
    within_moves : greatest distance, in its own fastest moves
    members : whether it has fewer members than the unit, as many, or more
    size : how its size compares with the unit's
    """

    attacked: Attack | None = Field(
        default=None, description='"at all", "from afar" or "hand to hand"'
    )
    shelter: Shelter | None = Field(
        default=None, description='"none", "concealment or cover" or "cover"'
    )
    taking_cover: bool | None = Field(default=None, description="true or false")
    in_sight: bool | None = Field(default=None, description="true or false")
    in_the_open: bool | None = Field(default=None, description="true or false")
    within: float | None = Field(default=None, ge=0, description="a number of GSU from 0")
    within_moves: float | None = Field(default=None, ge=0, description="a number from 0")
    members: Members | None = Field(default=None, description='"fewer", "as many" or "more"')
    size: Size | None = Field(
        default=None, description='"lower", "same or lower", "same or higher" or "higher"'
    )

    def is_about_an_enemy(self) -> bool:
        """Return whether it states anything about an enemy, not the unit alone."""
        return any(getattr(self, key) is not None for key in ABOUT_ENEMIES)

    @model_validator(mode="after")
    def _about_an_enemy(self) -> Trigger:
        if not self.is_about_an_enemy():
            raise ValueError(
                f"when needs a condition on an enemy: one of {', '.join(ABOUT_ENEMIES)}"
            )
        return self

    @field_validator("shelter")
    @classmethod
    def _of_an_attack(cls, shelter: Shelter | None, info: ValidationInfo) -> Shelter | None:
        if shelter is not None and info.data.get("attacked", "from afar") != "from afar":
            raise ValueError('shelter needs attacked = "from afar"')
        return shelter


@rule("emlia.attr.initiative-conditions")
def _one_or_several(given: Any) -> Any:
    """Wrap a single trigger, which may be printed without brackets, in a tuple."""
    return (given,) if isinstance(given, dict) else given


Triggers = Annotated[
    tuple[Trigger, ...],
    Strict(False),
    BeforeValidator(_one_or_several, json_schema_input_type=Trigger | tuple[Trigger, ...]),
    Field(min_length=1),
]


class InitiativeCondition(StrictModel):
    """Initiative condition: when met, the unit takes its action, whatever its orders.

    when : triggers of which one is enough
    do : the action, done to one of the enemies that meet the trigger, or because of them
    fast : a move may be at Double Pace
    until, until_moves : distance from the enemy at which a move away or toward ends: GSU, or
        multiples of that enemy's fastest speed; without them, the longest move
    unhindered : a move crosses nothing that slows or harms
    """

    when: Triggers = Field(description="a table such as { within = 15 }, or a list of such tables")
    do: Wish = Field(description="the unit's action")
    fast: bool = Field(default=False, description="true or false")
    until: float | None = Field(default=None, ge=0, description="a number of GSU from 0")
    until_moves: float | None = Field(default=None, ge=0, description="a number from 0")
    unhindered: bool = Field(default=False, description="true or false")

    @field_validator("fast", "unhindered", "until", "until_moves")
    @classmethod
    def _fits_the_action(cls, given: Any, info: ValidationInfo) -> Any:
        do = info.data.get("do", "move away")
        fits = do in {"move away", "move toward"} or (
            do.startswith("move") and info.field_name in {"fast", "unhindered"}
        )
        if given not in {None, False} and not fits:
            raise ValueError(f'{info.field_name} cannot be combined with do = "{do}"')
        return given


class MoraleCondition(StrictModel):
    """Behaviour of a unit at some morale values, in place of the book's table.

    morale : the lowest and the highest value
    act_as : state of the table whose conditions the unit then follows
    """

    morale: Annotated[tuple[int, int], Strict(False)] = Field(description="[lowest, highest]")
    act_as: Conduct = Field(description="normal, shaken, falling back, retreating or routed")


def conduct_of(morale: int, printed: tuple[MoraleCondition, ...] | None) -> MoraleState:
    """Return the state whose conditions a unit follows: its own set's, else the table's.

    A printed set replaces the whole table: morale values that it omits have no condition.
    """
    if printed is None:
        return state_of(morale)
    acts = (row.act_as for row in printed if row.morale[0] <= morale <= row.morale[1])
    return _STATES[next(acts, "normal")]
