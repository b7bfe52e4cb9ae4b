"""Reads files into a battle that is ready to start, and reports all their errors at once.

A scenario file is TOML (`emlia3d.scenario.file_model` has its keys). It names unit-set entries,
which its rule system reads (`emlia3d.scenario.tables.unit_set_files`), and can name a file with
elevation. Apart from bundled unit sets, it cannot name files outside its folder. All errors are
reported at once, each with its line (`emlia3d.scenario.error_collector`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.scenario.bundled import shipped
    from emlia3d.scenario.checking import Review, check, review
    from emlia3d.scenario.scenario import Scenario, from_header, load

__all__ = ["DEFAULT", "Review", "Scenario", "check", "from_header", "load", "review", "shipped"]

DEFAULT = "ridge"
"""The scenario that is played by default."""

_CHECKING, _SCENARIO = "emlia3d.scenario.checking", "emlia3d.scenario.scenario"
__getattr__ = on_demand(
    __name__,
    {
        **dict.fromkeys(("Review", "check", "review"), _CHECKING),
        **dict.fromkeys(("Scenario", "from_header", "load"), _SCENARIO),
        "shipped": "emlia3d.scenario.bundled",
    },
)
