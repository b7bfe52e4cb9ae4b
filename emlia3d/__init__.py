"""Plays, shows in 3D and explains tabletop battles.

The public names are loaded when they are first used, so that importing the package stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.battle.result import Result
    from emlia3d.errors import (
        Diagnostic,
        DisplayError,
        Error,
        FileError,
        IllegalOrderError,
        LogError,
        MissingExtraError,
        ScenarioError,
    )
    from emlia3d.scenario import Scenario, load
    from emlia3d.studies.battles.study_result import StudyResult
    from emlia3d.studies.battles.study_run import study

__version__ = "0.1.0"

__all__ = [
    "Diagnostic",
    "DisplayError",
    "Error",
    "FileError",
    "IllegalOrderError",
    "LogError",
    "MissingExtraError",
    "Result",
    "Scenario",
    "ScenarioError",
    "StudyResult",
    "__version__",
    "load",
    "study",
]

_HOMES = {
    **dict.fromkeys(__all__, "emlia3d.errors"),
    "Result": "emlia3d.battle.result",
    "env": "emlia3d.env",
    "Scenario": "emlia3d.scenario.scenario",
    "load": "emlia3d.scenario.scenario",
    "StudyResult": "emlia3d.studies.battles.study_result",
    "study": "emlia3d.studies.battles.study_run",
}
__getattr__ = on_demand(__name__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*globals(), *__all__})
