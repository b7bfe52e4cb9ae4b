"""Strengths of the sides of a battle, at the start and now."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from emlia3d.battle.battle import Battle


class SideLosses(TypedDict):
    """A side's strength at the start and at the end."""

    units: int
    units_left: int
    figures: int
    figures_left: int


def losses_by_side(battle: Battle) -> dict[str, SideLosses]:
    """Return the strengths of all sides by name, at the current moment of *battle*."""
    return {side.name: _losses(battle, row) for row, side in enumerate(battle.setup.sides)}


def _losses(battle: Battle, side: int) -> SideLosses:
    """Return the losses of units that had figures at the start, with their parts."""
    units, setup = battle.state.units, battle.setup
    mine = (units.ints("side") == side) & (units.ints("strength") > 0)
    left = mine & (units["present"] != 0)
    mustered = np.array([setup.deployed_as(row) for row in range(len(units))], dtype=np.int64)
    return SideLosses(
        units=len(np.unique(mustered[mine])),
        units_left=len(np.unique(mustered[left])),
        figures=int(units.ints("strength")[mine].sum()),
        figures_left=int(units.ints("members")[left].sum()),
    )
