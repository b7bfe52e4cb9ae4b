"""Emlia rules, one module per chapter: values, tables and play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.rules.emlia.play.sight.matrix import conceal_matrix
    from emlia3d.rules.emlia.system import SYSTEM
    from emlia3d.rules.emlia.tables.allocation import (
        DamageResult,
        Markers,
        Targets,
        allocate_hits,
        resolve_hits,
    )

__all__ = [
    "SYSTEM",
    "DamageResult",
    "Markers",
    "Targets",
    "allocate_hits",
    "conceal_matrix",
    "resolve_hits",
]

__getattr__ = on_demand(
    __name__,
    {
        **dict.fromkeys(__all__, "emlia3d.rules.emlia.tables.allocation"),
        "SYSTEM": "emlia3d.rules.emlia.system",
        "conceal_matrix": "emlia3d.rules.emlia.play.sight.matrix",
    },
)
