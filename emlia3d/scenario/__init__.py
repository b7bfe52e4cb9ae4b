"""Files into a battle ready to start, and every mistake in them at once.

A scenario file is TOML (`emlia3d.scenario.model` has its keys). It names unit-set entries, which
its rule system reads (`emlia3d.scenario.tables.entries`), and perhaps a file with elevation;
nothing that it names lies outside its folder but the unit sets that ship. What is wrong is told all
at once, each mistake with its line (`emlia3d.scenario.ledger`).
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
"""The scenario that is played where nobody names one."""

_CHECKING, _SCENARIO = "emlia3d.scenario.checking", "emlia3d.scenario.scenario"
__getattr__ = on_demand(
    __name__,
    {
        **dict.fromkeys(("Review", "check", "review"), _CHECKING),
        **dict.fromkeys(("Scenario", "from_header", "load"), _SCENARIO),
        "shipped": "emlia3d.scenario.bundled",
    },
)
