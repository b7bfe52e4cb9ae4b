"""The only writer of the state: one match over the changes of an event.

This module applies no rule and rolls no die, so a recorded battle is replayed without its rule
system. A change that does not fit the state is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from emlia3d.battle.state import State
from emlia3d.battle.validation import check_change, check_event
from emlia3d.force.formation import GRID, places
from emlia3d.force.roster import FigureCondition
from emlia3d.force.table import Value, tick


def apply(state: State, event: Event) -> None:
    """Apply the changes of *event* in order.

    Raises ValueError before the first change that does not fit the current state.
    """
    check_event(state, event)
    apply_changes(state, event.changes)


def apply_changes(state: State, changes: Sequence[Change]) -> None:
    """Apply changes in order.

    Raises ValueError before the first change that does not fit the current state.
    """
    for change in changes:
        check_change(state, change)
        _make(state, change)


def close_stretch(state: State) -> None:
    """Increase the number of finished segments of play."""
    state.stretch += 1


def _make(state: State, change: Change) -> None:  # noqa: PLR0912  one branch per change
    match change:
        case Place():
            _place(state, change)
        case Set(table=table, row=row, column=column, value=value):
            state.table(table).writable(column)[row] = value
            _stamp(state, table, row, column)
        case Add(table=table, row=row, column=column, value=value):
            state.table(table).writable(column)[row] += value
            _stamp(state, table, row, column)
        case Fill(table=table, column=column, value=value):
            _fill(state, table, column, value)
        case Pair():
            _pair(state, change)
        case Fall(unit=unit, figures=figures):
            _fall(state, unit, figures)
        case Leave(unit=unit):
            _leave(state, unit)
        case Stand():
            _stand(state, change)
        case Belong(unit=unit, parent=parent):
            _belong(state, unit, parent)
        case Divide():
            _divide(state, change)
        case Append(table=table, row=cells):
            state.lists[table].append(cells)
            state.clock = tick()
        case Clear(table=table):
            state.lists[table].clear()
            state.clock = tick()
        case _:
            assert_never(change)


def _stamp(state: State, table: str, row: int, *columns: str) -> None:
    if table in state.written or table in state.lists:
        state.clock = tick()
    if table in state.written:
        for column in columns:
            state.written[table].note(column, row, state.clock)
    if table == "unit":
        state.stamps[row] = state.clock
    if table == "figure":
        _stamp_figures(state, state.figures.integer("unit", row))


def _stamp_figures(state: State, unit: int, *columns: str) -> None:
    _stamp(state, "unit", unit, *columns)
    state.figure_stamps[unit] = state.clock


def _fill(state: State, table: str, column: str, value: Value) -> None:
    cells = state.table(table).writable(column)
    changed = np.flatnonzero(cells != value)
    cells[changed] = value
    for row in changed.tolist():
        _stamp(state, table, row, column)


def _pair(state: State, change: Pair) -> None:
    _stamp_pairs(state, change.column)
    cells = state.pairs[change.column]
    if change.value is None:
        cells.pop((change.a, change.b), None)
    else:
        cells[change.a, change.b] = change.value


def _stamp_pairs(state: State, column: str) -> None:
    state.clock = tick()
    state.pair_stamps[column] = state.clock


def _place(state: State, change: Place) -> None:
    units = state.units
    for column in ("x", "y", "facing", "formation", "files"):
        units.writable(column)[change.unit] = getattr(change, column)
    _lay_out(state, change.unit, "x", "y", "facing", "formation", "files")


def _lay_out(state: State, unit: int, *columns: str) -> None:
    """Move the members of a unit to the positions of their slots; stamp *columns*."""
    standing = state.roster.standing(unit)
    units, figures = state.units, state.figures
    facing = units.integer("facing", unit)
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    spots = places(state.roster.drill(unit), x, y, facing)[figures.ints("slot")[standing]]
    figures.writable("x")[standing] = spots[:, 0]
    figures.writable("y")[standing] = spots[:, 1]
    figures.writable("facing")[standing] = facing
    _stamp_figures(state, unit, *columns)


def _stand(state: State, change: Stand) -> None:
    rows = list(change.figures)
    state.figures.writable("x")[rows] = np.array(change.east) / GRID
    state.figures.writable("y")[rows] = np.array(change.north) / GRID
    _stamp_figures(state, change.unit)


def _fall(state: State, unit: int, fallen: tuple[int, ...]) -> None:
    figures, rows = state.figures, list(fallen)
    slots = figures.ints("slot")
    open_slots = slots[rows]
    figures.writable("condition")[rows] = FigureCondition.FALLEN
    figures.writable("slot")[rows] = -1
    standing = state.roster.standing(unit)
    count = len(standing)
    late = standing[slots[standing] >= count]
    figures.writable("slot")[late] = np.sort(open_slots[open_slots < count])
    state.units.writable("members")[unit] = count
    if count:
        _lay_out(state, unit, "members")
    else:
        state.units.writable("present")[unit] = 0
        _stamp_figures(state, unit, "members", "present")


def _leave(state: State, unit: int) -> None:
    standing = state.roster.standing(unit)
    state.figures.writable("condition")[standing] = FigureCondition.GONE
    state.units.writable("present")[unit] = 0
    state.units.writable("members")[unit] = 0
    _stamp_figures(state, unit, "members", "present")


def _belong(state: State, unit: int, parent: int) -> None:
    """Change the parent of a unit; mark the unit and its old and new parents as changed."""
    above = state.units.integer("parent", unit)
    state.units.writable("parent")[unit] = parent
    for row in (unit, above, parent):
        if row >= 0:
            _stamp(state, "unit", row, "parent")


def _divide(state: State, change: Divide) -> None:
    units, figures, unit, part = state.units, state.figures, change.unit, change.part
    for column in units.columns:
        cells = units.writable(column.name)
        cells[part] = cells[unit]
    figures.writable("unit")[list(change.figures)] = part
    for row in (unit, part):
        standing = state.roster.standing(row)
        order = np.argsort(figures.ints("slot")[standing])
        figures.writable("slot")[standing[order]] = np.arange(len(standing))
        units.writable("strength")[row] = len(state.roster.figures_of(row))
        units.writable("members")[row] = len(standing)
        _stamp_figures(state, row)
        state.written["unit"].note_all(row, state.clock)
    for name, between in state.pairs.items():
        for (a, b), value in [*between.items()]:
            if unit in (a, b):
                _stamp_pairs(state, name)
                between[part if a == unit else a, part if b == unit else b] = value
