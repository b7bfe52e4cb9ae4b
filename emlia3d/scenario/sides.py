"""``[[side]]`` and ``[[victory]]``: who fights, and for what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

from emlia3d.battle.setup import Aim, Lines, Side
from emlia3d.battle.system import RuleSystem
from emlia3d.field import snapped
from emlia3d.scenario.ledger import Ledger
from emlia3d.scenario.model import Edge, SideTable, VictoryTable
from emlia3d.scenario.toml_lines import Path
from emlia3d.scenario.words import listed, nearest, shown

COLOURS = ("#2a5caa", "#b3261e", "#3a7d34", "#c98a00", "#6b3fa0", "#1f8a8a", "#8a5a2b", "#555555")
"""Of sides that name none, in their order."""

EDGES: tuple[str, ...] = get_args(Edge)

# Where sides have their own lines if they do not say: the first two face one another.
_USUAL_LINES: tuple[Lines, ...] = ("south", "north", "west", "east")

_COMMANDERS = ("doctrine", "random")


def read_sides(
    ledger: Ledger, system: RuleSystem | None, places: Iterable[str]
) -> tuple[Side, ...] | None:
    """Every side; None if one is wrong, for units name them by their rows.

    places : the names that an objective may have
    """
    names = ledger.names("side")
    places = list(places)
    if not len(ledger.tables("side")) and isinstance(ledger.document.data.get("side", []), list):
        ledger.wrong((), "a scenario wants at least one [[side]]")
    found = []
    for index in ledger.tables("side"):
        place: Path = ("side", index)
        table = ledger.table(SideTable, place)
        if table is None:
            continue
        if names[table.name] != index:
            ledger.wrong((*place, "name"), f"another side is called {shown(table.name)} already")
        for number, ally in enumerate(table.allies):
            ledger.known((*place, "allies", number), "side", ally, names)
        if table.objective is not None:
            ledger.known((*place, "objective"), "area or terrain", table.objective, places)
        _check_commander(ledger, (*place, "commander"), table.commander, system)
        side = Side(
            name=table.name,
            colour=table.colour or COLOURS[index % len(COLOURS)],
            commander=table.commander,
            lines=_lines(ledger, (*place, "lines"), table.lines, index),
            allies=table.allies,
            objective=table.objective,
        )
        found.append(side)
    return tuple(found) if len(found) == len(ledger.tables("side")) else None


def _check_commander(ledger: Ledger, place: Path, name: str, system: RuleSystem | None) -> None:
    if system is None or name in _COMMANDERS or system.commander(name) is not None:
        return
    ledger.wrong(place, f"no commander is called {shown(name)}; {nearest(name, _COMMANDERS)}")


def _lines(ledger: Ledger, place: Path, given: object, index: int) -> Lines:
    """A side's own lines, or the usual ones."""
    if given is None:
        return _USUAL_LINES[index % len(_USUAL_LINES)]
    for edge in get_args(Edge):
        if given == edge:
            found: Lines = edge
            return found
    if isinstance(given, list) and len(given) == 2:
        try:
            (point,) = snapped([given]).tolist()
        except ValueError as fault:
            ledger.wrong(place, f"lines: {fault}")
            return "south"
        return point[0], point[1]
    hint = f"; {nearest(given, EDGES)}" if isinstance(given, str) else ""
    told = f"lines wants an edge, {listed(EDGES, 'or')}, or a place [east, north]"
    ledger.wrong(place, f"{told}, not {shown(given)}{hint}")
    return "south"


def read_aims(ledger: Ledger, places: Iterable[str], turns: int | None) -> tuple[Aim, ...]:
    """Every victory condition that is right.

    places : the names of areas and features
    turns : of the battle; None where that is wrong itself
    """
    sides, places = ledger.names("side"), list(places)
    enemies: Mapping[str, int] = {**ledger.names("unit"), **sides}
    found = []
    for index in ledger.tables("victory"):
        place: Path = ("victory", index)
        table = ledger.table(VictoryTable, place)
        if table is None:
            continue
        ledger.known((*place, "side"), "side", table.side, sides)
        if table.controls is None and table.gone is None:
            ledger.wrong(place, "a victory wants what must be so: controls, gone, or both")
        if table.controls is not None:
            ledger.known((*place, "controls"), "area or terrain", table.controls, places)
        if table.gone is not None:
            ledger.known((*place, "gone"), "side or unit", table.gone, enemies)
        if turns is not None and table.turns > turns:
            told = f"turns: {table.turns} turns are more than the {turns} of the battle"
            ledger.wrong((*place, "turns"), told)
        found.append(Aim(**table.model_dump()))
    return tuple(found)
