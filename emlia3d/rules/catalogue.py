"""The rule catalogues that ship: which slugs there are, which are entered, which are tested.

``slugs/SYSTEM.txt`` lists every entry of a system's catalogue, one slug a line.
``untested/SYSTEM.txt`` lists those that no conformance test is marked with; it may only shrink.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files

from emlia3d.rules.rulebook import RULES

SYSTEMS = ("emlia", "oathmark", "dbmm", "epic", "runolfsson")


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of a catalogue the program plays.

    catalogue : entries in all
    implemented : of these, entered in the rulebook
    tested : of these, with a conformance test
    """

    catalogue: int
    implemented: int
    tested: int


def catalogue(system: str) -> tuple[str, ...]:
    """Every slug of a system's catalogue, in alphabetical order."""
    return _listed("slugs", system)


def untested(system: str) -> tuple[str, ...]:
    """The slugs of a system without a conformance test, in alphabetical order."""
    return _listed("untested", system)


def coverage() -> dict[str, Coverage]:
    """How much of each system's catalogue is implemented and tested."""
    import_rule_modules()
    return {system: _coverage(system) for system in SYSTEMS}


def import_rule_modules() -> None:
    """Import every module under `emlia3d.rules`, so that each enters its rules."""
    package = import_module("emlia3d.rules")
    for module in pkgutil.walk_packages(package.__path__, "emlia3d.rules."):
        import_module(module.name)


def _coverage(system: str) -> Coverage:
    slugs = set(catalogue(system))
    return Coverage(
        catalogue=len(slugs),
        implemented=len(slugs & set(RULES)),
        tested=len(slugs - set(untested(system))),
    )


def _listed(folder: str, system: str) -> tuple[str, ...]:
    path = files("emlia3d.rules").joinpath(folder, f"{system}.txt")
    return tuple(path.read_text(encoding="utf-8").split())
