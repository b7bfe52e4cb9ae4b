"""Morale and damage of units, from the columns of the rule system."""

from __future__ import annotations

from emlia3d.battle.state import State
from emlia3d.force.appearance import BROKEN, CAPACITY, DAMAGE, LOWEST, MOODS
from emlia3d.force.table import Column


def mood_of(state: State, unit: int) -> str:
    """Return a unit's morale in the rule system's words; "" without any."""
    column = _column(state)
    return "" if column is None else _value_text(column, state.units.value(column.name, unit))


def despair_of(state: State, unit: int) -> float:
    """Return the despair of a unit, 0 to 1; it is 1 if its mood is one of `BROKEN`."""
    column = _column(state)
    if column is None:
        return 0.0
    value = state.units.value(column.name, unit)
    if column.words:
        return float(_value_text(column, value) in BROKEN)
    return min(max(float(value) / LOWEST, 0.0), 1.0)


def damage_share(state: State, unit: int) -> float:
    """Return the share of a single body's capacity for damage that is lost; 0 for other units."""
    if DAMAGE not in state.units or CAPACITY not in state.units:
        return 0.0
    capacity = float(state.units.value(CAPACITY, unit))
    return min(float(state.units.value(DAMAGE, unit)) / capacity, 1.0) if capacity > 0 else 0.0


def _column(state: State) -> Column | None:
    found = (state.units.declared(name) for name in MOODS)
    return next((column for column in found if column is not None), None)


def _value_text(column: Column, value: float) -> str:
    if column.words:
        index = int(value)
        return column.words[index] if 0 <= index < len(column.words) else ""
    return f"{column.label or column.name} {value:+g}" if value else ""
