"""The rule systems that are installed, each loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from emlia3d.battle.system import RuleSystem
from emlia3d.errors import Error

GROUP = "emlia3d.rules"
"""The group of entry points that a package with a rule system has one in."""

ALL, TRUE = "all", "true"
"""Stand among the rules for everyone who can be asked, and for plain geometry."""

# Those of this package, for a checkout that is not installed and so has no entry points.
_OWN = ("emlia",)

Systems = Mapping[str, RuleSystem]


class InstalledSystems(Systems):
    """Rule systems by name."""

    def __init__(self) -> None:
        found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
        self._points: dict[str, EntryPoint] = {point.name: point for point in found}
        for name in _OWN:
            own = EntryPoint(name, f"emlia3d.rules.{name}:SYSTEM", GROUP)
            self._points.setdefault(name, own)

    def __getitem__(self, name: str) -> RuleSystem:
        point = self._points[name]
        try:
            system: RuleSystem = getattr(import_module(point.module), point.attr)
        except (ImportError, AttributeError) as fault:
            raise Error(f"the rule system {name} cannot be loaded: {fault}") from fault
        return system

    def __contains__(self, name: object) -> bool:
        return name in self._points

    def __iter__(self) -> Iterator[str]:
        return iter(self._points)

    def __len__(self) -> int:
        return len(self._points)
