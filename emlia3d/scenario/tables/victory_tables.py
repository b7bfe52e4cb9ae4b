"""``[[victory]]``: victory conditions of each side, and the end of the battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from emlia3d.battle.setup import VictoryCondition
from emlia3d.battle.system import System
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import VictoryTable
from emlia3d.scenario.messages import listed, shown, suggested
from emlia3d.scenario.toml_lines import Path

CONDITIONS = (
    "controls", "denied", "conceded", "unguarded", "outnumbers",
    "gone", "destroyed", "cleared", "lost",
)  # fmt: skip
"""Keys of which a victory condition needs at least one."""


def read_aims(
    collector: ErrorCollector, system: System | None, places: Iterable[str], turns: int | None
) -> tuple[VictoryCondition, ...]:
    """Return every valid victory condition.

    system : with the levels of victory; None if invalid
    places : the names of areas and features
    turns : of the battle; None where that is wrong itself
    """
    known = _Known(collector, places)
    found = []
    for index in collector.tables("victory"):
        place: Path = ("victory", index)
        table, wrong = collector.salvage(VictoryTable, place)
        if table is None:
            continue
        if system is not None and not system.levels:
            collector.wrong(place, f"{system.title} has victory conditions of its own; remove this")
            continue
        if system is not None and "level" not in wrong and table.level not in system.levels:
            levels = system.levels[::-1]
            near = suggested(table.level, levels)
            told = f"level: expected {listed(levels, 'or')}, got {shown(table.level)}{near}"
            collector.wrong((*place, "level"), told)
        known.check(place, table, wrong)
        for key in ("turns", "after"):
            wanted: int = getattr(table, key)
            if turns is not None and wanted > turns:
                told = f"{key}: expected at most {turns}, the turns of the battle, got {wanted}"
                collector.wrong((*place, key), told)
        found.append(VictoryCondition(**table.model_dump()))
    return tuple(found)


class _Known:
    """The valid names in conditions."""

    def __init__(self, collector: ErrorCollector, places: Iterable[str]) -> None:
        self._collector = collector
        self._places = list(places)
        self._sides = collector.names("side")
        self._units = collector.names("unit")
        self._either: Mapping[str, int] = {**self._units, **self._sides}

    def check(self, place: Path, table: VictoryTable, wrong: frozenset[str]) -> None:
        """Report unknown names and missing keys in a table."""
        collector = self._collector
        if "side" not in wrong:
            collector.known((*place, "side"), "side", table.side, self._sides)
        if not wrong.intersection(CONDITIONS) and not any(
            getattr(table, key) for key in CONDITIONS
        ):
            wanted = f"{', '.join(CONDITIONS[:-1])} or {CONDITIONS[-1]}, or several of them"
            collector.wrong(place, f"a victory needs a condition: {wanted}")
        for key in ("controls", "denied", "conceded", "unguarded"):
            for number, name in enumerate(getattr(table, key)):
                one = isinstance(collector.at((*place, key)), str)
                spot = (*place, key) if one else (*place, key, number)
                collector.known(spot, "area or terrain", name, self._places)
        if table.outnumbers is not None:
            spot = (*place, "outnumbers")
            collector.known(spot, "area or terrain", table.outnumbers, self._places)
            if not table.controls and "controls" not in wrong:
                told = "outnumbers needs controls, because it counts members in those areas"
                collector.wrong(spot, told)
        kinds = (
            ("gone", "side or unit", self._either),
            ("destroyed", "side or unit", self._either),
            ("cleared", "side", self._sides),
            ("lost", "unit", self._units),
        )
        for key, what, names in kinds:
            word: str | None = getattr(table, key)
            if word is not None:
                collector.known((*place, key), what, word, names)
