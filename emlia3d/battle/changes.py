"""The changes that an event makes: a small closed set, and all that `apply` knows.

Each change is one JSON object in a battle file: its name under ``do``, its fields beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias, get_args

from emlia3d.battle.plain import is_number, is_whole
from emlia3d.errors import quoted
from emlia3d.force.table import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A unit stands at a new pose, perhaps in a new formation; its members are laid out anew.

    x, y : the middle of its front line, GSU, on the grid
    facing : 64ths of a degree
    """

    unit: int
    x: float
    y: float
    facing: int
    formation: int
    files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """One cell gets a value."""

    table: str
    row: int
    column: str
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """One cell grows by an amount."""

    table: str
    row: int
    column: str
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """All cells of a column get one value."""

    table: str
    column: str
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What stands between two units, in a sparse column; None takes it away."""

    column: str
    a: int
    b: int
    value: Value | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """Figures fall where they stand; the last of their unit step into their places."""

    unit: int
    figures: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """A unit is on the field no longer; figures that still stood are gone with it."""

    unit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Figures leave the places of their formation, until their unit is placed anew.

    figures : by number
    east, north : where each of them stands, in 1024ths of a GSU
    """

    unit: int
    figures: tuple[int, ...]
    east: tuple[int, ...]
    north: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Belong:
    """A unit becomes part of another, which stands for itself; or, with -1, does so itself."""

    unit: int
    parent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Divide:
    """Figures that stand leave their unit for a row that is kept for its parts.

    In all but its figures the part is as the unit is, and what is between the unit and others is
    between the part and them. Those who stay and those who leave keep their order in the ranks;
    both are then to be placed.

    figures : by number; not all that the unit has
    """

    unit: int
    part: int
    figures: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """A list gets one more row."""

    table: str
    row: Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear:
    """A list is emptied."""

    table: str


Change: TypeAlias = (
    Place | Set | Add | Fill | Pair | Fall | Leave | Stand | Belong | Divide | Append | Clear
)

_KINDS: dict[str, type[Any]] = {kind.__name__.lower(): kind for kind in get_args(Change)}
_NAMED = {
    kind: (name, tuple(field.name for field in fields(kind))) for name, kind in _KINDS.items()
}
"""What a kind of change is called in a battle file, and its fields."""


_FITS: dict[str, Callable[[Any], bool]] = {
    "int": is_whole,
    "float": is_number,
    "Value": is_number,
    "Value | None": lambda value: value is None or is_number(value),
    "str": lambda value: isinstance(value, str),
    "tuple[int, ...]": lambda value: isinstance(value, tuple) and all(map(is_whole, value)),
    "Mapping[str, Value]": lambda value: (
        isinstance(value, dict) and all(map(is_number, value.values()))
    ),
}
"""What a field may hold, by its annotation."""


def to_json(change: Change) -> dict[str, Any]:
    """The change as plain JSON values."""
    name, cells = _NAMED[type(change)]
    return {"do": name, **{cell: getattr(change, cell) for cell in cells}}


def from_json(body: Mapping[str, Any]) -> Change:
    """The change that `to_json` wrote; ValueError for anything else."""
    if not isinstance(body, Mapping):
        raise ValueError(f"{quoted(body)} is no change")
    kind = _KINDS.get(str(body.get("do")))
    if kind is None:
        raise ValueError(f"no change is called {quoted(body.get('do'))}")
    fits = {field.name: _FITS[str(field.type)] for field in fields(kind)}
    if set(body) - {"do"} != set(fits):
        raise ValueError(f"a change {quoted(body['do'])} has the fields {', '.join(sorted(fits))}")
    cells = {name: tuple(cell) if isinstance(cell := body[name], list) else cell for name in fits}
    for name, cell in cells.items():
        if not fits[name](cell):
            raise ValueError(
                f"the {name} of a change {quoted(body['do'])} cannot be {quoted(cell)}"
            )
    change: Change = kind(**cells)
    return change
