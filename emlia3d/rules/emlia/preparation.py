"""Emlia, chapter 17: the note of a prepared action, as it is written and stored.

A note names a condition and actions, no more. It uses the triggers of initiative conditions
(`emlia3d.rules.emlia.unit_sets.initiative_conditions`), and actions of units, and the range bands
of a weapon.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, get_args

from pydantic import Field, Strict

from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.emlia.actions import BASIC, ActionType, action
from emlia3d.rules.emlia.unit_sets.initiative_conditions import (
    Attack,
    Members,
    Shelter,
    Size,
    Trigger,
)

Prepared = Literal[
    "normal move",
    "drop down",
    "stand up",
    "take cover",
    "aimed fire",
    "close combat",
    "charge",
    "area volley",
    "concentrated volley",
]
BandName = Literal["short", "medium", "long"]

FORFEITS: Mapping[Prepared, tuple[ActionType, ...]] = {
    name: (action(name).kinds[0], *((ActionType.MOVE,) if action(name).forfeits_move else ()))
    for name in get_args(Prepared)
}
"""The cost of each action that can be prepared. Not Double Pace: it is declared beforehand."""


class NoteTrigger(Trigger):
    """Trigger of a note: facts about an enemy or a named unit that must all hold.

    who : the row of a unit; any enemy if None
    does : the action of the list that it has just completed
    band : it is within this range band of a weapon of the unit, or a nearer one
    weapon : the number of that weapon among ranged weapons
    """

    who: int | None = Field(default=None, ge=0)
    does: str | None = Field(default=None)
    band: BandName | None = Field(default=None)
    weapon: int = Field(default=0, ge=0)

    def is_about_an_enemy(self) -> bool:
        """Return whether it states anything about its subject."""
        return self.does is not None or self.band is not None or super().is_about_an_enemy()


class Note(StrictModel):
    """A condition, met if any of its triggers is, and the actions that follow, in their order."""

    when: Annotated[tuple[NoteTrigger, ...], Strict(False), Field(min_length=1)]
    do: Annotated[tuple[Prepared, ...], Strict(False), Field(min_length=1)]

    def written(self) -> str:
        """Return the note as an order carries it."""
        return self.model_dump_json(exclude_defaults=True)


_WORDS: Mapping[str, tuple[str, ...]] = {
    "attacked": get_args(Attack),
    "shelter": get_args(Shelter),
    "members": get_args(Members),
    "size": get_args(Size),
    "band": get_args(BandName),
    "does": tuple(action.name for action in BASIC),
}
_FLAGS = ("taking_cover", "in_sight", "in_the_open")

CELLS = tuple(NoteTrigger.model_fields)
"""Columns in which the state stores a trigger; -1 marks an absent fact."""

_ACTIONS: tuple[Prepared, ...] = get_args(Prepared)
ACTION_CELLS = ("first", "second")


def cells_of(occurrence: NoteTrigger) -> dict[str, float]:
    """Return a trigger as numbers."""
    told = {name: getattr(occurrence, name) for name in CELLS}
    numbers = {
        name: _WORDS[name].index(value) if name in _WORDS and value is not None else value
        for name, value in told.items()
    }
    return {name: -1.0 if value is None else float(value) for name, value in numbers.items()}


def occurrence_of(cells: Mapping[str, float]) -> NoteTrigger:
    """Return the trigger that `cells_of` encoded."""
    told = {name: cells[name] for name in CELLS if cells[name] >= 0}
    return NoteTrigger.model_validate({
        name: _WORDS[name][int(cell)] if name in _WORDS
        else bool(cell) if name in _FLAGS
        else int(cell) if name in {"who", "weapon"}
        else cell
        for name, cell in told.items()
    })  # fmt: skip


def action_cells(actions: Iterable[Prepared]) -> dict[str, float]:
    """Return the actions of a note as numbers."""
    numbers = [_ACTIONS.index(action) for action in actions]
    return {name: float(n) for name, n in zip(ACTION_CELLS, [*numbers, -1][:2], strict=True)}


def actions_of(cells: Mapping[str, float]) -> tuple[Prepared, ...]:
    """Return the actions that `action_cells` encoded."""
    return tuple(_ACTIONS[int(cells[name])] for name in ACTION_CELLS if cells[name] >= 0)
