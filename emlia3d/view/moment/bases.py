"""Bases of figures: discs and rectangles as thin plinths."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.view.moment.scene import Bases


def bases_of(
    setup: Setup, units: NDArray[np.integer[Any]], fallen: NDArray[np.bool_]
) -> Bases | None:
    """Return the bases of figures, or None if none has one; fallen figures lie beside their bases.

    units : (n,) the unit of each figure
    fallen : (n,) bool
    """
    troops = [unit.muster.troops for unit in setup.units]
    has_one = np.array([each.base != "none" for each in troops], dtype=np.bool_)
    rows = np.flatnonzero(has_one[units] & ~fallen) if has_one.any() else np.empty(0, np.int64)
    if not len(rows):
        return None
    is_round = np.array([each.base == "round" for each in troops], dtype=np.bool_)
    half = np.array([(each.width, each.depth) for each in troops]) / 2
    half[is_round] = half[is_round].max(axis=1, keepdims=True)
    own = units[rows]
    metres = setup.field.scale.metres_per_gsu
    return Bases(rows=rows, is_round=is_round[own], half_m=(half[own] * metres).astype(np.float32))
