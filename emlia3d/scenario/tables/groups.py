"""``group`` of a ``[[unit]]``: parts of one unit, or units that follow a leader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from emlia3d.battle.system import System
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.tables.starting import Units
from emlia3d.scenario.toml_lines import Path


class Groups:
    """The groups that units name.

    names : of all units, each with the index of its table
    """

    def __init__(self, collector: ErrorCollector, names: Mapping[str, int]) -> None:
        self._collector = collector
        self._names = names
        self._named: dict[str, tuple[Path, str]] = {}

    def add(self, name: str, place: Path, group: str) -> None:
        """Add a unit's group, named at a place of the file."""
        self._named[name] = (place, group)

    def put_together(self, found: Units, side_of: Mapping[str, int], system: System | None) -> None:
        """Set the parent of each unit that is a part, or its leader if the system uses leaders.

        side_of : the index of the side of each unit by name; -1 for none
        """
        follow = system is not None and system.groups == "leaders"
        rows = {unit.name: row for row, unit in enumerate(found.rows)}
        leaders = {group for _, group in self._named.values()}
        for name, (place, group) in self._named.items():
            if not self._collector.known(place, "unit", group, self._names):
                continue
            if self._leads_back(name):
                if name != group:
                    self._collector.wrong(place, self._circle(name, group, follow))
                continue
            if follow and name in leaders:
                told = f"{name} leads other units, so it cannot follow {group}"
                self._collector.wrong(place, told)
                continue
            head = group if follow else self._top(group)
            sides = {side_of.get(name, -1), side_of.get(head, -1)}
            if len(sides) > 1 and -1 not in sides:
                self._collector.wrong(place, f"{name} and {head} are of different sides")
            if name not in rows or head not in rows:
                continue
            unit, whole = found.rows[rows[name]], found.rows[rows[head]]
            if follow:
                found.rows[rows[name]] = replace(unit, leader=rows[head])
            else:
                muster = replace(unit.muster, parent=rows[head])
                found.rows[rows[name]] = replace(unit, muster=muster, arrives=whole.arrives)

    @staticmethod
    def _circle(name: str, group: str, follow: bool) -> str:
        if follow:
            return f"{name} would lead itself through {group}"
        return f"{name} would be part of itself through {group}"

    def _top(self, group: str) -> str:
        """Return the top unit of a group."""
        while group in self._named and self._named[group][1] in self._names:
            group = self._named[group][1]
        return group

    def _leads_back(self, name: str) -> bool:
        """Return whether the chain of groups from a unit is circular."""
        seen = {name}
        while name in self._named:
            name = self._named[name][1]
            if name in seen:
                return True
            seen.add(name)
        return False
