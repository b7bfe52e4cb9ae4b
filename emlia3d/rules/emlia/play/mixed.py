"""Emlia, chapter 6 as play: which units stand for themselves, and which are parts of another.

A subunit is a row of its own in the table of units, with its figures, hits and weapons. The one
whose row the others name as their parent is the *head*: its row stands for the mixed unit, which
is ordered, moved and shaken through it, even when its own figures have all fallen.

Holds `emlia.mixed.definition` and `emlia.mixed.acts-as-one`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@rule("emlia.mixed.definition")
def head_of(battle: Battle, unit: int) -> int:
    """The row that stands for the unit that a row belongs to: itself, but for a part of another."""
    parent = battle.state.units.integer("parent", unit)
    return unit if parent < 0 else parent


@rule("emlia.mixed.acts-as-one")
def on_field(battle: Battle) -> list[int]:
    """The units on the field that stand for themselves, a mixed unit by its head, by number."""
    units = battle.state.units
    return np.flatnonzero((units["present"] != 0) & (units.ints("parent") < 0)).tolist()


@rule("emlia.mixed.origins", "emlia.entity.unit")
def parts_of(battle: Battle, unit: int) -> tuple[int, ...]:
    """The subunits of a unit that have members left, its own row first; of a plain unit itself.

    A row that is a part of another has no parts but itself.
    """
    units = battle.state.units
    below = units.ints("parent") == unit
    if not below.any():
        return (unit,)
    members = units.ints("members")
    parts = tuple(np.flatnonzero(below & (members > 0)).tolist())
    return (unit, *parts) if members[unit] else parts


def is_mixed(battle: Battle, unit: int) -> bool:
    """Whether a row stands for several subunits, or for others than its own members."""
    return parts_of(battle, unit) != (unit,)


def members_of_all(battle: Battle, unit: int) -> int:
    """Members of a unit, those of all its subunits together."""
    units = battle.state.units
    return sum(units.integer("members", part) for part in parts_of(battle, unit))
