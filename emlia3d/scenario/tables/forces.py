"""Checks of a side's units against its army's restrictions and points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from emlia3d.battle.entries import Hired
from emlia3d.battle.system import System
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import SideTable
from emlia3d.scenario.messages import shown
from emlia3d.scenario.tables.starting import Recruit, Units
from emlia3d.scenario.tables.unit_set_files import UnitSetLibrary
from emlia3d.scenario.toml_lines import Path


def look_at_forces(collector: ErrorCollector, system: System | None, units: Units) -> None:
    """Report every force that violates its army's restrictions or costs too much."""
    if units.shelf is None:
        return
    for index in collector.tables("side"):
        place: Path = ("side", index)
        raw = collector.at(place)
        if not isinstance(raw, Mapping) or not {"army", "points"} & raw.keys():
            continue
        if system is None or system.army_model is None:
            told = f"the rules {system.name if system else ''} have no armies and points"
            collector.wrong(place, told)
            continue
        table, _ = collector.salvage(SideTable, place)
        if table is not None:
            mine = [unit for unit in units.recruits if unit.side == index]
            _look_at(collector, system, units, place, table, mine)


def _look_at(
    collector: ErrorCollector,
    system: System,
    units: Units,
    place: Path,
    table: SideTable,
    recruits: Sequence[Recruit],
) -> None:
    assert units.shelf is not None
    force = []
    for unit in recruits:
        unit_set, _, kind = unit.kind.partition("/")
        own = table.army is None or table.army.partition("/")[0] == unit_set
        hired = Hired(
            name=unit.name, entry=unit.entry, kind=kind if own else unit.kind, section=unit.section
        )
        force.append(hired)
    name = ""
    if table.army is not None:
        name = table.army.partition("/")[2]
        army = _army(collector, system, units.shelf, (*place, "army"), table.army)
        faults = system.army_faults(army, force) if army is not None else ()
        for number, told in faults:
            if number is not None:
                collector.wrong(recruits[number].place, told)
            elif not units.unread:
                collector.wrong((*place, "army"), told)
    cost = system.cost(force, name)
    if table.points is not None and cost > table.points:
        told = f"the units of {table.name} cost {cost:g} of {table.points:g} points"
        collector.wrong((*place, "points"), told)


def _army(
    collector: ErrorCollector, system: System, shelf: UnitSetLibrary, place: Path, kind: str
) -> BaseModel | None:
    """Return the army of a unit set; report an error and return None if there is no valid one."""
    name, _, key = kind.partition("/")
    document = shelf.document(place, name)
    if document is None:
        return None
    armies = document.data.get("army")
    if not isinstance(armies, Mapping) or not armies:
        collector.wrong(place, f"{shown(name)} has no [army.name]")
        return None
    if not collector.known(place, f"army of {name}", key, armies):
        return None
    own = ErrorCollector(document)
    assert system.army_model is not None
    army = own.table(system.army_model, ("army", key))
    for diagnostic in own.diagnostics:
        collector.note(diagnostic)
    return army
