"""``[[side]]``: the sides of a battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

from emlia3d.battle.setup import Lines, Outline, Side
from emlia3d.battle.system import System
from emlia3d.field import snapped
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import Edge, SideTable
from emlia3d.scenario.messages import listed, nearest, shown
from emlia3d.scenario.tables.commander_names import fault_of_name
from emlia3d.scenario.tables.game_tables import read_side_game
from emlia3d.scenario.toml_lines import Path

COLOURS = ("#2a5caa", "#b3261e", "#d8a200", "#2f2f36", "#4fd8d8", "#e6efb8", "#8a2ae0", "#7a9cf0")
"""Default colours of sides in their order, distinct for colour-blind people too."""

EDGES: tuple[str, ...] = get_args(Edge)

# Default own lines of sides: the first two sides face each other.
_USUAL_LINES: tuple[Lines, ...] = ("south", "north", "west", "east")


def read_sides(
    collector: ErrorCollector,
    system: System | None,
    places: Iterable[str],
    areas: Mapping[str, Outline | None],
) -> dict[int, Side]:
    """Return every side by its index, with defaults in place of invalid values.

    places : valid names for objectives and deployment zones
    areas : their outlines; None for an invalid one
    """
    names = collector.names("side")
    places = list(places)
    found = {}
    for index in collector.tables("side"):
        place: Path = ("side", index)
        table, wrong = collector.salvage(SideTable, place)
        if table is None:
            continue
        if "name" not in wrong and names[table.name] != index:
            collector.wrong((*place, "name"), f"another side is already called {shown(table.name)}")
        for number, ally in enumerate(table.allies):
            collector.known((*place, "allies", number), "side", ally, names)
        if table.objective is not None:
            collector.known((*place, "objective"), "area or terrain", table.objective, places)
        for number, zone in enumerate(table.deploys):
            one = isinstance(collector.at((*place, "deploys")), str)
            spot = (*place, "deploys") if one else (*place, "deploys", number)
            collector.known(spot, "area or terrain", zone, places)
        if table.general is not None and "name" not in wrong:
            _check_general(collector, (*place, "general"), table.general, table.name)
        _check_commander(collector, (*place, "commander"), table.commander, system)
        sections = _sections(collector, table.name) if table.brigades else []
        for brigade, commander in table.brigades.items():
            spot = (*place, "brigades", brigade)
            collector.known(spot, "section of the side's units", brigade, sections)
            _check_commander(collector, spot, commander, system)
        found[index] = Side(
            name=table.name,
            colour=table.colour or COLOURS[index % len(COLOURS)],
            commander=table.commander,
            brigades=tuple(table.brigades.items()),
            lines=_lines(collector, place, table.lines, areas, index),
            allies=table.allies,
            objective=table.objective,
            stance=table.stance,
            deploys=table.deploys,
            general=table.general,
            game=read_side_game(collector, system, place, collector.at(place).get("game")),
        )
    return found


def _check_general(collector: ErrorCollector, place: Path, general: str, side: str) -> None:
    units = collector.names("unit")
    if collector.known(place, "unit", general, units):
        of = collector.at(("unit", units[general])).get("side")
        if of in collector.names("side") and of != side:
            collector.wrong(place, f"general: expected a unit of {side}, got {general} of {of}")


def _sections(collector: ErrorCollector, side: str) -> list[str]:
    """Return the top-level sections of a side's units."""
    units = (collector.at(("unit", index)) for index in collector.tables("unit"))
    ours = (each for each in units if isinstance(each, Mapping) and each.get("side") == side)
    named = [unit.get("section") for unit in ours]
    return [name.partition("/")[0] for name in named if isinstance(name, str)]


def _check_commander(
    collector: ErrorCollector, place: Path, name: str, system: System | None
) -> None:
    fault = None if system is None else fault_of_name(system, name)
    if fault is not None:
        collector.wrong(place, fault)


def _lines(
    collector: ErrorCollector,
    place: Path,
    given: object,
    areas: Mapping[str, Outline | None],
    index: int,
) -> Lines:
    """Return a side's own lines, or the default ones."""
    usual = _USUAL_LINES[index % len(_USUAL_LINES)]
    if given is None:
        return usual
    return read_lines(collector, (*place, "lines"), given, areas) or usual


def read_lines(
    collector: ErrorCollector, place: Path, given: object, areas: Mapping[str, Outline | None]
) -> Lines | None:
    """Return own lines from a table; report an error and return None if they are invalid.

    areas : own lines in an area are its centre; None for an invalid area
    """
    for edge in get_args(Edge):
        if given == edge:
            found: Lines = edge
            return found
    if isinstance(given, str) and given in areas:
        collector.refer(place, "area or terrain", given)
        outline = areas[given]
        if outline is None:
            return None
        middle = outline.centroid
        ((x, y),) = snapped([[middle.x, middle.y]]).tolist()
        return x, y
    if isinstance(given, list) and len(given) == 2:
        try:
            ((x, y),) = snapped([given]).tolist()
        except ValueError as fault:
            collector.wrong(place, f"lines: {fault}")
            return None
        return x, y
    hint = f"; {nearest(given, (*EDGES, *areas))}" if isinstance(given, str) else ""
    told = f"lines: expected an edge, {listed(EDGES, 'or')}, a point [east, north], or an area"
    collector.wrong(place, f"{told}, got {shown(given)}{hint}")
    return None
