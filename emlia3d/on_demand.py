"""Names of a package that are imported on first use (PEP 562).

So a package is cheap to import however much lies behind its names: a command that draws nothing
loads no view, and its ``--help`` not even a battle.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_demand(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` that imports the names of a package when they are first used.

    homes : the module that defines each name; for a module of the package, its own name
    """

    def found(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(homes[name])
        value = home if homes[name] == f"{package}.{name}" else getattr(home, name)
        setattr(sys.modules[package], name, value)
        return value

    return found
