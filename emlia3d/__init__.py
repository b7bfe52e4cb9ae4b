"""Plays, shows in 3D and explains tabletop battles.

The public names are loaded when they are first used, so that importing the package stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from emlia3d.battle.result import Result
    from emlia3d.errors import (
        DisplayError,
        Error,
        FileError,
        IllegalOrderError,
        LogError,
        MissingExtraError,
        Mistake,
        ScenarioError,
    )
    from emlia3d.scenario import Scenario, load

__version__ = "0.1.0"

__all__ = [
    "DisplayError",
    "Error",
    "FileError",
    "IllegalOrderError",
    "LogError",
    "MissingExtraError",
    "Mistake",
    "Result",
    "Scenario",
    "ScenarioError",
    "__version__",
    "load",
]

_HOMES = {
    "Result": "emlia3d.battle.result",
    "Scenario": "emlia3d.scenario",
    "load": "emlia3d.scenario",
}


def __getattr__(name: str) -> Any:
    """A public name, imported from where it lives (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module 'emlia3d' has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, "emlia3d.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__})
