"""The changes that an event makes: a small closed set, and all that `apply` knows.

Each change is one JSON object in a battle file: its name under ``do``, its fields beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from emlia3d.battle.plain import Number, Whole
from emlia3d.errors import cut


class _Change(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower
):
    """Base of all changes: a class is called in a file as it is called here, in small letters."""


class Place(_Change, frozen=True, kw_only=True):
    """A unit gets a new pose, perhaps a new formation; its members are laid out again.

    x, y : the middle of its front line, GSU, on the grid
    facing : 64ths of a degree
    """

    unit: Whole
    x: Number
    y: Number
    facing: Whole
    formation: Whole
    files: Whole


class Set(_Change, frozen=True, kw_only=True):
    """One cell gets a value."""

    table: str
    row: Whole
    column: str
    value: Number


class Add(_Change, frozen=True, kw_only=True):
    """One cell grows by an amount."""

    table: str
    row: Whole
    column: str
    value: Number


class Fill(_Change, frozen=True, kw_only=True):
    """All cells of a column get one value."""

    table: str
    column: str
    value: Number


class Pair(_Change, frozen=True, kw_only=True):
    """A value between two units in a sparse column; None removes it."""

    column: str
    a: Whole
    b: Whole
    value: Number | None


class Fall(_Change, frozen=True, kw_only=True):
    """Figures fall where they stand; the last of their unit step into their places."""

    unit: Whole
    figures: tuple[Whole, ...]


class Leave(_Change, frozen=True, kw_only=True):
    """A unit is on the field no longer; figures that still stood are gone with it."""

    unit: Whole


class Stand(_Change, frozen=True, kw_only=True):
    """Figures leave the places of their formation, until their unit is placed again.

    figures : by number
    east, north : where each of them stands, in 1024ths of a GSU
    """

    unit: Whole
    figures: tuple[Whole, ...]
    east: tuple[Whole, ...]
    north: tuple[Whole, ...]


class Belong(_Change, frozen=True, kw_only=True):
    """A unit becomes part of another, which stands for itself; or, with -1, does so itself."""

    unit: Whole
    parent: Whole


class Divide(_Change, frozen=True, kw_only=True):
    """Standing figures leave their unit for a row that is reserved for its parts.

    In all but its figures the part is as the unit is, and what is between the unit and others is
    between the part and them. Figures keep their order in the ranks;
    both must be placed next.

    figures : by number; not all that the unit has
    """

    unit: Whole
    part: Whole
    figures: tuple[Whole, ...]


class Append(_Change, frozen=True, kw_only=True):
    """A list gets one more row."""

    table: str
    row: Mapping[str, Number]


class Clear(_Change, frozen=True, kw_only=True):
    """A list is emptied."""

    table: str


Change: TypeAlias = (
    Place | Set | Add | Fill | Pair | Fall | Leave | Stand | Belong | Divide | Append | Clear
)


def to_json(change: Change) -> dict[str, Any]:
    """Return the change as plain JSON values."""
    cells = {name: getattr(change, name) for name in change.__struct_fields__}
    return {"do": change.__struct_config__.tag, **cells}


def from_json(body: Any) -> Change:
    """Return the change that `to_json` wrote; ValueError for anything else."""
    try:
        change: Change = msgspec.convert(body, Change)
    except msgspec.ValidationError as flaw:
        raise ValueError(f"no change: {cut(str(flaw))}") from None
    return change
