"""Carriers and what they hold, in a battle and in a scenario; carried units are off the field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.changes import Change, Place
from emlia3d.battle.entries import Fault
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Setup
from emlia3d.errors import suggestion
from emlia3d.rules.epic.columns import NOT_CARRIED
from emlia3d.rules.epic.events import Dismounted
from emlia3d.rules.epic.formations import cell, kind_of, put, units_of
from emlia3d.rules.epic.terrain import terrain_of
from emlia3d.rules.epic.unit_set import Entry, entry_of, formation_of
from emlia3d.rules.rulebook import rule


@rule("epic.transport.basic")
def has_room(carrier: Entry, passenger: Entry, carried: int) -> bool:
    """Return whether a carrier of a formation takes one more of its units: infantry only.

    carried : units that it holds already
    """
    return passenger.unit_type == "INF" and carried < carrier.carry


def landing_tiles(moment: Moment, unit: int, carrier_tile: int) -> NDArray[np.int64]:
    """Return the free tiles on which a unit can leave a carrier, by number.

    They are the tiles beside it, and first its own tile, which is free if it is a wreck.
    """
    units, terrain = units_of(moment), terrain_of(moment)
    beside = units.board.neighbours[carrier_tile]
    beside = np.sort(beside[(beside >= 0) & ~terrain.cliffs[carrier_tile]])
    near = np.append(carrier_tile, beside)
    closed = terrain.is_passed(kind_of(moment, unit).unit_type, "impassable").copy()
    closed[units.number[units.there]] = True
    landing: NDArray[np.int64] = near[~closed[near]]
    return landing


def ride(moment: Moment, carrier: int, tile: Iterable[int], facing: int) -> tuple[Change, ...]:
    """Return the changes that put carried units where their carrier is."""
    return tuple(put(moment, row, tile, facing) for row in units_of(moment).carried_by(carrier))


def dismount(moment: Moment, unit: int, number: int, *done: Change) -> Event:
    """Return the event by which a carried unit stands on a tile again, facing as its carrier.

    done : further changes of the event
    """
    carrier = int(units_of(moment).carrier[unit])
    tile = tuple(units_of(moment).board.tiles[number].tolist())
    facing = moment.state.units.integer("facing", carrier)
    return Event(
        facts=Dismounted(to=tile),
        unit=unit,
        target=carrier,
        gesture="march",
        because=("epic.transport.basic",),
        changes=(
            cell(unit, "present", 1),
            cell(unit, "carrier", NOT_CARRIED),
            put(moment, unit, tile, facing),
            *done,
        ),
    )


# In a scenario


def carrier_in(setup: Setup, row: int) -> int | None:
    """Return the unit that carries another at the start; None for none, or an unknown one."""
    name = entry_of(setup, row).carried_by
    return next((at for at, unit in enumerate(setup.units) if unit.name == name), None)


def faults_of_carrying(setup: Setup) -> Iterable[Fault]:
    """Yield the errors of units that start in carriers."""
    loads: dict[int, int] = {}
    for row, unit in enumerate(setup.units):
        name = entry_of(setup, row).carried_by
        if not name:
            continue
        if unit.placed:
            told = f"tile: {unit.name} starts where {name} is, and has no tile of its own"
            yield Fault(message=told, at=("unit", row, "tile"))
        elif told := _fault(setup, row, loads):
            yield Fault(message=f"carried_by: {told}", at=("unit", row, "carried_by"))


def _fault(setup: Setup, row: int, loads: dict[int, int]) -> str:
    """Return what is wrong with the carrier of a unit; "" for nothing.

    loads : units that each carrier holds so far, to which this one is added
    """
    unit, entry = setup.units[row], entry_of(setup, row)
    carrier = carrier_in(setup, row)
    if carrier is None:
        names = [each.name for each in setup.units]
        return f'unknown unit "{entry.carried_by}"{suggestion(entry.carried_by, names)}'
    held, name = entry_of(setup, carrier), setup.units[carrier].name
    if formation_of(setup, row) != formation_of(setup, carrier):
        return f"{name} is in another formation than {unit.name}"
    if held.carried_by:
        return f"{name} is carried itself"
    loads[carrier] = loads.get(carrier, 0) + 1
    if has_room(held, entry, loads[carrier] - 1):
        return ""
    if entry.unit_type != "INF":
        return f"expected a unit of type INF, got {unit.name} of type {entry.unit_type}"
    return f"{name} carries {held.carry} units at most, got {loads[carrier]}"


def carried_at_start(setup: Setup) -> Mapping[int, int]:
    """Return the carrier of each unit that starts carried."""
    found = {row: carrier_in(setup, row) for row in range(len(setup.units))}
    return {row: carrier for row, carrier in found.items() if carrier is not None}


def changes_of_carrying(setup: Setup) -> tuple[Change, ...]:
    """Return the changes that put units into their carriers as a battle begins."""
    found: list[Change] = []
    for row, carrier in carried_at_start(setup).items():
        own, muster = setup.units[row].muster, setup.units[carrier].muster
        there = Place(
            unit=row, x=muster.at[0], y=muster.at[1], facing=muster.facing,
            formation=int(own.formation), files=own.files,
        )  # fmt: skip
        found += [there, cell(row, "carrier", carrier)]
    return tuple(found)
