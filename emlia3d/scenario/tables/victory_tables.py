"""``[[victory]]``: what each side is to bring about, and what ends the battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from emlia3d.battle.setup import VictoryCondition
from emlia3d.battle.system import System
from emlia3d.scenario.file_model import VictoryTable
from emlia3d.scenario.ledger import ErrorCollector
from emlia3d.scenario.messages import listed, shown, suggested
from emlia3d.scenario.toml_lines import Path

CONDITIONS = (
    "controls", "denied", "conceded", "unguarded", "outnumbers",
    "gone", "destroyed", "cleared", "lost",
)  # fmt: skip
"""Keys of which a victory needs at least one."""


def read_aims(
    ledger: ErrorCollector, system: System | None, places: Iterable[str], turns: int | None
) -> tuple[VictoryCondition, ...]:
    """Return every victory condition that is right.

    system : it says which levels there are; None if it is wrong itself
    places : the names of areas and features
    turns : of the battle; None where that is wrong itself
    """
    known = _Known(ledger, places)
    found = []
    for index in ledger.tables("victory"):
        place: Path = ("victory", index)
        table, wrong = ledger.salvage(VictoryTable, place)
        if table is None:
            continue
        if system is not None and not system.levels:
            ledger.wrong(place, f"{system.title} has victory conditions of its own; remove this")
            continue
        if system is not None and "level" not in wrong and table.level not in system.levels:
            levels = system.levels[::-1]
            near = suggested(table.level, levels)
            told = f"level: expected {listed(levels, 'or')}, got {shown(table.level)}{near}"
            ledger.wrong((*place, "level"), told)
        known.check(place, table, wrong)
        for key in ("turns", "after"):
            wanted: int = getattr(table, key)
            if turns is not None and wanted > turns:
                told = f"{key}: {wanted} turns are more than the {turns} of the battle"
                ledger.wrong((*place, key), told)
        found.append(VictoryCondition(**table.model_dump()))
    return tuple(found)


class _Known:
    """The names that conditions may have."""

    def __init__(self, ledger: ErrorCollector, places: Iterable[str]) -> None:
        self._ledger = ledger
        self._places = list(places)
        self._sides = ledger.names("side")
        self._units = ledger.names("unit")
        self._either: Mapping[str, int] = {**self._units, **self._sides}

    def check(self, place: Path, table: VictoryTable, wrong: frozenset[str]) -> None:
        """Note every unknown name in a table, and what is missing."""
        ledger = self._ledger
        if "side" not in wrong:
            ledger.known((*place, "side"), "side", table.side, self._sides)
        if not wrong.intersection(CONDITIONS) and not any(
            getattr(table, key) for key in CONDITIONS
        ):
            wanted = f"{', '.join(CONDITIONS[:-1])} or {CONDITIONS[-1]}, or several of them"
            ledger.wrong(place, f"a victory needs what must be so: {wanted}")
        for key in ("controls", "denied", "conceded", "unguarded"):
            for number, name in enumerate(getattr(table, key)):
                one = isinstance(ledger.at((*place, key)), str)
                spot = (*place, key) if one else (*place, key, number)
                ledger.known(spot, "area or terrain", name, self._places)
        if table.outnumbers is not None:
            spot = (*place, "outnumbers")
            ledger.known(spot, "area or terrain", table.outnumbers, self._places)
            if not table.controls and "controls" not in wrong:
                told = "outnumbers counts members in the areas that it controls; name them"
                ledger.wrong(spot, told)
        kinds = (
            ("gone", "side or unit", self._either),
            ("destroyed", "side or unit", self._either),
            ("cleared", "side", self._sides),
            ("lost", "unit", self._units),
        )
        for key, what, names in kinds:
            word: str | None = getattr(table, key)
            if word is not None:
                ledger.known((*place, key), what, word, names)
