"""The rule systems of this program and of other packages: names, packages and modules.

Each folder here with an ``__init__.py`` is a rule system of ours, by the name of the folder.
Another package names its rule systems by entry points in the group `GROUP`.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from emlia3d.errors import RuleSystemError, cut

GROUP = "emlia3d.rules"
"""The group of entry points that a package with a rule system has one in."""

HERE = Path(__file__).parent

OWN = tuple(sorted(found.name for found in pkgutil.iter_modules([str(HERE)]) if found.ispkg))
"""Names of our rule systems."""


def installed() -> dict[str, EntryPoint]:
    """Return the entry point of each rule system by its name; no package replaces one of ours."""
    found = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    # A checkout that is not installed has no entry points, so ours are made here.
    own = (EntryPoint(name, f"emlia3d.rules.{name}:SYSTEM", GROUP) for name in OWN)
    return {point.name: point for point in (*found, *own)}


def package_of_system(point: EntryPoint) -> tuple[str, str] | None:
    """Return the other package that provides a rule system, and its version; None for ours."""
    return None if point.dist is None else (point.dist.name, point.dist.version)


def described(point: EntryPoint) -> str:
    """Return a rule system with the package that provides it, for a message."""
    package = package_of_system(point)
    whose = f" (package {package[0]} {package[1]})" if package else ""
    return f"the rule system {point.name}{whose}"


def load(point: EntryPoint) -> object:
    """Load the object that an entry point names.

    Raises
    ------
    RuleSystemError
        If its module raises an exception or exits.
    """
    try:
        return getattr(import_module(point.module), point.attr)
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # the code of another package
        raise RuleSystemError(
            f"{described(point)} cannot be loaded: {fault_line(fault)}"
        ) from fault


def load_module(point: EntryPoint, name: str) -> None:
    """Import a module of a rule system.

    Raises
    ------
    RuleSystemError
        If it raises an exception or exits.
    """
    try:
        import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # the code of another package
        raise RuleSystemError(f"{described(point)}: {name}: {fault_line(fault)}") from fault


def fault_line(fault: BaseException) -> str:
    """Return an exception in one line, or its type alone if it cannot be printed."""
    kind = type(fault).__name__
    try:
        text = " ".join(f"{kind}: {fault}".split())
    except Exception:  # the code of another package
        text = kind
    return cut(text.removesuffix(":"))
