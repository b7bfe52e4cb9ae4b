"""Checks whether an event fits the state that it changes.

`emlia3d.battle.apply` calls them before each change. So neither a faulty rule nor an altered battle
file can write outside a table or store an invalid number.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np

from emlia3d.battle.changes import (
    Add,
    Append,
    Belong,
    Change,
    Clear,
    Divide,
    Fall,
    Fill,
    Leave,
    Pair,
    Place,
    Set,
    Stand,
)
from emlia3d.battle.events import Event
from emlia3d.battle.plain_values import is_number, is_whole
from emlia3d.battle.state import State
from emlia3d.errors import cut, quoted
from emlia3d.field.outline import FARTHEST
from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.force.formation import FORMATIONS, GRID
from emlia3d.force.roster import FigureCondition
from emlia3d.force.table import Column, Table, Value

LAID_OUT = {
    "figure": frozenset({"x", "y", "facing", "unit", "slot", "condition"}),
    "unit": frozenset({
        "side", "parent", "x", "y", "facing", "formation", "files", "width", "depth",
        "first", "until", "strength", "members",
    }),
}  # fmt: skip
"""Columns that `Set`, `Add` and `Fill` may not change, because other columns depend on them.

Only changes of whole units, such as `Place` and `Fall`, change them.
"""


def check_event(state: State, event: Event) -> None:
    """Raise ValueError if *event* names a unit that does not exist."""
    for unit in event.named:
        _check_row(state.units, "unit", unit)


def check_change(state: State, change: Change) -> None:  # noqa: PLR0912  one branch per change
    """Raise ValueError with the reason if *change* does not fit *state*."""
    match change:
        case Place():
            _check_place(state, change)
        case Set(table=table, row=row, column=column, value=value):
            rows = _open_table(state, table, column)
            _check_row(rows, table, row)
            _check_cell(rows, column, value)
        case Add(table=table, row=row, column=column, value=value):
            rows = _open_table(state, table, column)
            _check_row(rows, table, row)
            _check_cell(rows, column, rows.value(column, row) + value)
        case Fill(table=table, column=column, value=value):
            _check_cell(_open_table(state, table, column), column, value)
        case Pair(column=column, a=a, b=b, value=cell):
            _check_pair(state, column, a, b, cell)
        case Fall(unit=unit, figures=figures):
            _check_row(state.units, "unit", unit)
            _check_fall(state, unit, figures)
        case Leave(unit=unit):
            _check_row(state.units, "unit", unit)
        case Stand():
            _check_row(state.units, "unit", change.unit)
            _check_fall(state, change.unit, change.figures)
            _check_spots(change)
        case Belong(unit=unit, parent=parent):
            _check_row(state.units, "unit", unit)
            _check_parent(state, unit, parent)
        case Divide():
            _check_row(state.units, "unit", change.unit)
            _check_row(state.units, "unit", change.part)
            _check_division(state, change)
        case Append(table=table, row=cells):
            rows = _list(state, table)
            for name, cell in cells.items():
                _check_cell(rows, name, cell)
        case Clear(table=table):
            _list(state, table)
        case _:
            assert_never(change)


def _open_table(state: State, name: str, column: str) -> Table:
    if column in LAID_OUT.get(name, ()):
        raise ValueError(f"{name}.{column} follows from where units are placed and who falls")
    try:
        table = state.table(name)
    except KeyError:
        raise ValueError(f"unknown table {quoted(name)}") from None
    if column not in table:
        raise ValueError(f"unknown column {name}.{cut(column)}")
    return table


def _list(state: State, name: str) -> Table:
    if name not in state.lists:
        raise ValueError(f"unknown list {quoted(name)}")
    return state.lists[name]


def _check_row(table: Table, name: str, row: int) -> None:
    if not 0 <= row < len(table):
        raise ValueError(f"expected a {name} from 0 to {len(table) - 1}, got {row}")


def _check_cell(table: Table, name: str, value: Value) -> None:
    column = table.declared(name)
    if column is None:
        raise ValueError(f"unknown column {quoted(name)}")
    if not is_number(value) or not _holds(column, value):
        raise ValueError(f"the column {quoted(name)} cannot hold {quoted(value)}")


_NARROW = {"u1": (0, 2**8 - 1), "i4": (-(2**31), 2**31 - 1)}
"""Minimum and maximum of columns of narrow integers."""


def _holds(column: Column, value: Value) -> bool:
    if column.dtype == "f8":
        return True
    if not is_whole(value):
        return False
    if column.words:
        return 0 <= value < len(column.words)
    if column.dtype not in _NARROW:
        return True
    least, most = _NARROW[column.dtype]
    return least <= value <= most


def _check_parent(state: State, unit: int, parent: int) -> None:
    """Raise ValueError unless the parent has no parent, and the unit has no parts."""
    if parent == -1:
        return
    _check_row(state.units, "unit", parent)
    parents = state.units.ints("parent")
    if parent == unit or parents[parent] >= 0 or (parents == unit).any():
        raise ValueError(f"unit {unit} cannot be part of unit {parent}")


def _check_place(state: State, change: Place) -> None:
    _check_row(state.units, "unit", change.unit)
    if not (abs(change.x) <= FARTHEST and abs(change.y) <= FARTHEST):
        raise ValueError(f"({change.x}, {change.y}) is too far from the field")
    if not 0 <= change.facing < FULL_CIRCLE:
        raise ValueError(f"expected a facing from 0 to {FULL_CIRCLE - 1}, got {change.facing}")
    if not 0 <= change.formation < len(FORMATIONS):
        raise ValueError(f"unknown formation {change.formation}")
    if change.files < 1:
        raise ValueError(f"expected at least one file, got {change.files}")


def _check_pair(state: State, column: str, a: int, b: int, value: Value | None) -> None:
    if column not in state.pairs:
        raise ValueError(f"unknown column of pairs {quoted(column)}")
    for unit in (a, b):
        _check_row(state.units, "unit", unit)
    if value is not None and not is_number(value):
        raise ValueError(f"expected a number for a pair of units, got {quoted(value)}")


def _check_spots(change: Stand) -> None:
    if not len(change.figures) == len(change.east) == len(change.north):
        raise ValueError("expected one position for each figure")
    if not all(abs(far) <= FARTHEST * GRID for far in (*change.east, *change.north)):
        raise ValueError("the position of a figure is too far from the field")


def _check_fall(state: State, unit: int, fallen: tuple[int, ...]) -> None:
    """Raise ValueError unless each figure belongs to the unit, stands, and is named once."""
    if not set(fallen) <= set(state.roster.figures_of(unit).tolist()):
        raise ValueError(f"not all of {quoted(fallen)} are figures of unit {unit}")
    if len(set(fallen)) < len(fallen):
        raise ValueError(f"a figure is named twice in {quoted(fallen)}")
    if np.any(state.figures["condition"][list(fallen)] != FigureCondition.STANDING):
        raise ValueError(f"not all of {quoted(fallen)} stand")


def _check_division(state: State, change: Divide) -> None:
    """Raise ValueError unless some figures move to an empty row of their side and some stay."""
    units = state.units
    _check_fall(state, change.unit, change.figures)
    if not 0 < len(change.figures) < units.integer("members", change.unit):
        raise ValueError(f"some figures of unit {change.unit} must leave it and some must stay")
    taken = units.integer("strength", change.part) or units.value("present", change.part)
    if taken or units.integer("side", change.part) != units.integer("side", change.unit):
        raise ValueError(f"unit {change.part} is no spare row for a part of unit {change.unit}")
