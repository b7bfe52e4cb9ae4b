"""The rule systems that are installed, each loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from emlia3d.battle.system import System
from emlia3d.errors import RuleSystemError, cut

if TYPE_CHECKING:
    from emlia3d.battle.facts import Facts
    from emlia3d.battle.questions.answer import Answer

GROUP = "emlia3d.rules"
"""The group of entry points that a package with a rule system has one in."""

ALL, TRUE = "all", "true"
"""Stand among the rules for everyone who can be asked, and for plain geometry."""

KNOWN = ("emlia", "oathmark", "dbmm", "epic", "runolfsson")
"""The rule systems that scenarios may name, installed or not."""

# Those of this package: no other package can replace them, and a checkout that is not installed
# has no entry points.
_OWN = ("emlia",)

_NAMED = ("name", "title", "entry_model")
"""What every rule system says of itself."""

Systems = Mapping[str, System]


class InstalledSystems(Systems):
    """Rule systems by name."""

    def __init__(self) -> None:
        found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
        points: dict[str, EntryPoint] = {point.name: point for point in found}
        for name in _OWN:
            points[name] = EntryPoint(name, f"emlia3d.rules.{name}:SYSTEM", GROUP)
        self._points = {name: points[name] for name in points if name not in {ALL, TRUE}}

    def __getitem__(self, name: str) -> System:
        """Load a rule system.

        Raises
        ------
        KeyError
            If no package provides one of this name.
        RuleSystemError
            If it raises an exception or exits while it loads, is no `System`, or lacks its name.
        """
        point = self._points[name]
        try:
            system = getattr(import_module(point.module), point.attr)
        except (Exception, SystemExit) as fault:  # the code of another package
            raise RuleSystemError(
                f"{self.origin(name)} cannot be loaded: {_told(fault)}"
            ) from fault
        if not isinstance(system, System):
            raise RuleSystemError(f"{self.origin(name)} is no emlia3d.battle.system.System")
        lacking = [member for member in _NAMED if not hasattr(system, member)]
        if lacking:
            raise RuleSystemError(f"{self.origin(name)} lacks {', '.join(lacking)}")
        return system

    def origin(self, name: str) -> str:
        """Return the rule system with the package that provides it, for a message."""
        package = self.package(name)
        whose = f" (package {package[0]} {package[1]})" if package else ""
        return f"the rule system {name}{whose}"

    def package(self, name: str) -> tuple[str, str] | None:
        """Return the other package that provides a rule system, and its version; None for ours."""
        package = self._points[name].dist if name in self._points and name not in _OWN else None
        return None if package is None else (package.name, package.version)

    def __contains__(self, name: object) -> bool:
        return name in self._points

    def __iter__(self) -> Iterator[str]:
        return iter(self._points)

    def __len__(self) -> int:
        return len(self._points)


def or_installed(systems: Systems | None) -> Systems:
    """These rule systems, or those that are installed."""
    return InstalledSystems() if systems is None else systems


def package_of(systems: Systems, name: str) -> dict[str, str]:
    """Return name and version of the other package that provides a rule system; {} for ours."""
    found = systems.package(name) if isinstance(systems, InstalledSystems) else None
    return {} if found is None else {"name": found[0], "version": found[1]}


def answer_of(
    systems: Systems, name: str, facts: Facts, pair: tuple[str, str], damage: int
) -> Answer:
    """Return what another rule system than the battle's own says of one unit that sees another.

    Raises
    ------
    RuleSystemError
        If it cannot be loaded, or gives no answer.
    """
    system = systems[name]
    rows = [unit.name for unit in facts.units]
    try:
        return system.sight_of(facts, rows.index(pair[0]), rows.index(pair[1]), damage)
    except Exception as fault:  # the code of another package
        whose = systems.origin(name) if isinstance(systems, InstalledSystems) else name
        raise RuleSystemError(f"{whose} gives no answer: {_told(fault)}") from fault


def _told(fault: BaseException) -> str:
    """Return an exception in one line."""
    text = " ".join(f"{type(fault).__name__}: {fault}".split())
    return cut(text.removesuffix(":"))
