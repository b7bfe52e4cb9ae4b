"""The changes that an event makes: a small closed set, the only input of `apply`.

Each change is one JSON object in a battle file, with its name under the key ``do`` and a key for
each of its fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from emlia3d.battle.plain_values import Number, Whole
from emlia3d.errors import cut


class _Change(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower
):
    """Base of all changes; its name in a file is the class name in lower case."""


class Place(_Change, frozen=True, kw_only=True):
    """New pose and formation of a unit; its members move to the positions of their slots.

    x, y : the centre of its front line, GSU, on the grid
    facing : 64ths of a degree
    """

    unit: Whole
    x: Number
    y: Number
    facing: Whole
    formation: Whole
    files: Whole


class Set(_Change, frozen=True, kw_only=True):
    """New value of one cell."""

    table: str
    row: Whole
    column: str
    value: Number


class Add(_Change, frozen=True, kw_only=True):
    """Amount added to one cell."""

    table: str
    row: Whole
    column: str
    value: Number


class Fill(_Change, frozen=True, kw_only=True):
    """New value of all cells of a column."""

    table: str
    column: str
    value: Number


class Pair(_Change, frozen=True, kw_only=True):
    """Value of a pair of units in a sparse column; None removes it."""

    column: str
    a: Whole
    b: Whole
    value: Number | None


class Fall(_Change, frozen=True, kw_only=True):
    """Fall of figures; the figures in the last slots of their unit move into the empty slots."""

    unit: Whole
    figures: tuple[Whole, ...]


class Leave(_Change, frozen=True, kw_only=True):
    """Departure of a unit from the field, with all its standing figures."""

    unit: Whole


class Stand(_Change, frozen=True, kw_only=True):
    """Positions of figures outside their formation, until their unit is placed again.

    figures : their numbers
    east, north : the position of each figure, in 1024ths of a GSU
    """

    unit: Whole
    figures: tuple[Whole, ...]
    east: tuple[Whole, ...]
    north: tuple[Whole, ...]


class Belong(_Change, frozen=True, kw_only=True):
    """New parent of a unit, a unit without a parent; -1 makes the unit independent."""

    unit: Whole
    parent: Whole


class Divide(_Change, frozen=True, kw_only=True):
    """Division of a unit: some standing figures move to a row reserved for its parts.

    The part copies all columns of the unit except counts of figures, and its values in the
    sparse columns. Figures keep their order in the ranks. Both units must be placed next.

    figures : their numbers; at least one standing figure of the unit stays
    """

    unit: Whole
    part: Whole
    figures: tuple[Whole, ...]


class Append(_Change, frozen=True, kw_only=True):
    """One more row of a list."""

    table: str
    row: Mapping[str, Number]


class Clear(_Change, frozen=True, kw_only=True):
    """Removal of all rows of a list."""

    table: str


Change: TypeAlias = (
    Place | Set | Add | Fill | Pair | Fall | Leave | Stand | Belong | Divide | Append | Clear
)


def set_cells(table: str, row: int, **cells: float) -> tuple[Set, ...]:
    """Return the changes that give cells of a row new values, by column."""
    return tuple(Set(table=table, row=row, column=name, value=cells[name]) for name in cells)


def add_to_cells(table: str, row: int, **cells: float) -> tuple[Add, ...]:
    """Return the changes that add amounts to cells of a row, by column."""
    return tuple(Add(table=table, row=row, column=name, value=cells[name]) for name in cells)


def to_json(change: Change) -> dict[str, Any]:
    """Return the change as plain JSON values."""
    cells = {name: getattr(change, name) for name in change.__struct_fields__}
    return {"do": change.__struct_config__.tag, **cells}


def from_json(body: Any) -> Change:
    """Return the change that `to_json` wrote; raise ValueError for other values."""
    try:
        change: Change = msgspec.convert(body, Change)
    except msgspec.ValidationError as flaw:
        raise ValueError(f"no change: {cut(str(flaw))}") from None
    return change
