"""``[[event]]``: scheduled events at the beginning of turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from emlia3d.battle.entries import Hazard
from emlia3d.battle.setup import Occurrence
from emlia3d.battle.system import System
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import EventTable
from emlia3d.scenario.messages import no_turn, shown
from emlia3d.scenario.toml_lines import Path

_ROWS = {"every": (1, 1), "odd": (1, 2), "even": (2, 2)}
"""The first turn, and the interval between turns."""


def read_occurrences(
    collector: ErrorCollector, system: System | None, places: Iterable[str], turns: int | None
) -> tuple[Occurrence, ...]:
    """Return every valid event.

    places : the names of areas and features
    turns : of the battle; None if invalid
    """
    places, features = list(places), collector.names("terrain")
    found = []
    for index in collector.tables("event"):
        place: Path = ("event", index)
        table, wrong = collector.salvage(EventTable, place)
        if table is None:
            continue
        happens = table.strike or table.shakes or table.destroys or table.harms
        if not happens and not wrong & {"strike", "shakes", "destroys", "harms"}:
            collector.wrong(place, "an event needs an effect: strike, shakes, destroys or harms")
        if table.shakes is not None:
            collector.known((*place, "shakes"), "area or terrain", table.shakes, places)
        for number, name in enumerate(table.destroys):
            collector.known((*place, "destroys", number), "terrain", name, features)
        found.append(
            Occurrence(
                name=table.name,
                turns=() if "turns" in wrong else _turns(collector, place, table, turns or 0),
                strike=_strike(collector, system, place, table),
                shakes=table.shakes,
                destroys=table.destroys,
                harms=_harm(collector, system, place, table, places),
            )
        )
    return tuple(found)


def _turns(collector: ErrorCollector, place: Path, table: EventTable, last: int) -> tuple[int, ...]:
    """Return the turns in which an event happens."""
    spot, told = (*place, "turns"), table.turns
    if isinstance(told, str) and collector.known(spot, "row of turns", told, _ROWS):
        first, step = _ROWS[told]
        return tuple(range(first, last + 1, step))
    if isinstance(told, list) and all(type(turn) is int for turn in told):
        for number, turn in enumerate(told):
            if last and not 1 <= turn <= last:
                collector.wrong((*spot, number), f"turns: {no_turn(turn, last)}")
        return tuple(told)
    if not isinstance(told, str):
        collector.wrong(
            spot, f"turns: expected every, odd, even, or a list of turns, got {shown(told)}"
        )
    return ()


def _strike(
    collector: ErrorCollector, system: System | None, place: Path, table: EventTable
) -> BaseModel | None:
    """Return the strike, parsed by the rule system."""
    if table.strike is None or system is None:
        return None
    if system.strike_model is None:
        collector.wrong((*place, "strike"), f"{system.title} has no strikes")
        return None
    return collector.table(system.strike_model, (*place, "strike"))


def _harm(
    collector: ErrorCollector,
    system: System | None,
    place: Path,
    table: EventTable,
    places: Iterable[str],
) -> Hazard | None:
    """Return the hazard, parsed by the rule system."""
    if table.harms is None or system is None:
        return None
    spot = (*place, "harms")
    if system.harm_model is None:
        collector.wrong(spot, f"{system.title} has no hazards")
        return None
    harm: Any
    harm, wrong = collector.salvage(system.harm_model, spot)
    if harm is None or "near" in wrong:
        return None
    collector.known((*spot, "near"), "area or terrain", harm.near, places)
    found: Hazard = harm
    return found
