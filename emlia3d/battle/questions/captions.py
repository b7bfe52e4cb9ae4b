"""Default captions of events and descriptions of units, for systems without their own words."""

from __future__ import annotations

from collections.abc import Mapping

from emlia3d.battle.events import Event, Fact
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force import CORE_UNIT_COLUMNS
from emlia3d.force.facing import degrees_of
from emlia3d.force.table import Column

_WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def caption(setup: Setup, event: Event) -> str:
    """Return an event in one line: actor, action, target and facts."""
    words = [event.name.replace("_", " ").replace("-", " ")]
    if event.unit is not None:
        who = ", ".join(setup.units[unit].name for unit in event.actors)
        words.insert(0, f"{who}:")
    if event.target is not None:
        words.append(f"> {setup.units[event.target].name}")
    if facts := event.facts.values():
        words.append(f"({_facts(facts)})")
    return " ".join(words)


def card_of(setup: Setup, state: State, unit: int) -> tuple[tuple[str, str], ...]:
    """Return a unit as (label, value) pairs: core data, then the rule system's columns.

    Columns with their default value are left out.
    """
    units = state.units
    drill = state.roster.drill(unit)
    side = setup.sides[units.integer("side", unit)].name
    strength = f"{drill.count} of {units.integer('strength', unit)}"
    rows = [
        ("side", side),
        ("kind", setup.units[unit].kind),
        ("members", strength),
        ("formation", f"{drill.formation.name.lower()}, {drill.files} x {drill.ranks}"),
        ("faces", wind(degrees_of(units.integer("facing", unit)))),
    ]
    for column in units.columns:
        value = units.value(column.name, unit)
        if column.name not in CORE_UNIT_COLUMNS and value != column.default:
            rows.append((column.label or column.name, _cell(column, value)))
    return tuple(rows)


def wind(facing_deg: float) -> str:
    """Return the nearest of eight compass directions to a bearing."""
    return _WINDS[round(facing_deg / 45.0) % 8]


def _cell(column: Column, value: float) -> str:
    index = int(value)
    if column.words and 0 <= index < len(column.words):
        return column.words[index]
    return f"{value:g}"


def _facts(facts: Mapping[str, Fact]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {_fact(value)}" for name, value in facts.items())


def _fact(value: Fact) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(_fact(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
