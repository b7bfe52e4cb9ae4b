"""Installed rule systems, each loaded on first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from emlia3d.battle.moment import Moment
from emlia3d.battle.system import System
from emlia3d.errors import RuleSystemError
from emlia3d.rules.installed import described, fault_line, installed, load, package_of_system

if TYPE_CHECKING:
    from emlia3d.battle.facts import BattleFacts
    from emlia3d.battle.questions.answer import SightAnswer

ALL, TRUE = "all", "true"
"""Values of *rules* for all systems with an answer, and for geometry."""

_NAMED = ("name", "title", "entry_model")
"""Attributes that every rule system defines."""

Systems = Mapping[str, System]


class InstalledSystems(Systems):
    """Rule systems by name."""

    def __init__(self) -> None:
        found = installed()
        self._points = {name: found[name] for name in found if name not in {ALL, TRUE}}

    def __getitem__(self, name: str) -> System:
        """Load a rule system.

        Raises
        ------
        KeyError
            If no package provides a system with this name.
        RuleSystemError
            If it raises an exception or exits while it loads, is not a `System`, or has no name.
        """
        system = load(self._points[name])
        if not isinstance(system, System):
            raise RuleSystemError(f"{self.origin(name)} is not an emlia3d.battle.system.System")
        try:
            lacking = [member for member in _NAMED if not hasattr(system, member)]
        except Exception as fault:  # a property in another package
            raise RuleSystemError(
                f"{self.origin(name)} cannot be loaded: {fault_line(fault)}"
            ) from fault
        if lacking:
            raise RuleSystemError(f"{self.origin(name)} lacks {', '.join(lacking)}")
        return system

    def origin(self, name: str) -> str:
        """Return the rule system with the package that provides it, for a message."""
        return described(self._points[name])

    def package(self, name: str) -> tuple[str, str] | None:
        """Return the external package of a rule system, and its version; None if it is bundled."""
        return package_of_system(self._points[name]) if name in self._points else None

    def __contains__(self, name: object) -> bool:
        return name in self._points

    def __iter__(self) -> Iterator[str]:
        return iter(self._points)

    def __len__(self) -> int:
        return len(self._points)


def or_installed(systems: Systems | None) -> Systems:
    """Return these rule systems; for None, the installed ones."""
    return InstalledSystems() if systems is None else systems


def package_of(systems: Systems, name: str) -> dict[str, str]:
    """Return name and version of the external package of a rule system; {} if it is bundled."""
    found = systems.package(name) if isinstance(systems, InstalledSystems) else None
    return {} if found is None else {"name": found[0], "version": found[1]}


def answer_of(
    systems: Systems, name: str, facts: BattleFacts, pair: tuple[str, str], damage: int
) -> SightAnswer:
    """Return the answer of another rule system to a sight question about a battle.

    Raises
    ------
    RuleSystemError
        If the system cannot be loaded, or raises an exception.
    """
    from emlia3d.battle.questions.answer import SightAnswer  # noqa: PLC0415  for this only

    rows = [unit.name for unit in facts.units]
    with _named(systems, name) as system:
        found = system.sight_of(facts, rows.index(pair[0]), rows.index(pair[1]), damage)
        _check_type(found, SightAnswer)
    return found


def taken_over(systems: Systems, name: str, facts: BattleFacts) -> Moment | None:
    """Return a battle, converted for another rule system; None if no conversion is necessary.

    Raises
    ------
    RuleSystemError
        If the system cannot be loaded, or raises an exception.
    """
    with _named(systems, name) as system:
        found = system.taken_over(facts)
        if found is not None:
            _check_type(found, Moment)
    return found


def _check_type(answer: object, expected: type) -> None:
    """Raise TypeError if an external package returned a value of the wrong type."""
    if not isinstance(answer, expected):
        raise TypeError(f"expected {expected.__name__}, got {type(answer).__name__}")


@contextmanager
def _named(systems: Systems, name: str) -> Iterator[System]:
    """Provide a system; an exception in its code becomes an error that names its package."""
    system = systems[name]
    try:
        yield system
    except KeyboardInterrupt:
        raise
    except BaseException as fault:
        whose = systems.origin(name) if isinstance(systems, InstalledSystems) else name
        raise RuleSystemError(f"{whose} gives no answer: {fault_line(fault)}") from fault
