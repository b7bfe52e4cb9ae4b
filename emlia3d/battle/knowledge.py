"""The battle as one side knows it: a battle of its own, in which there is nothing else.

It is kept up with the true one by the stamps of the units, and holds nothing that leads back to
it. What a side does not know of is off the field in it, and where it started is not told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.setup import Setup, UnitSetup
from emlia3d.battle.state import State
from emlia3d.force.roster import Condition

_ALWAYS_KNOWN = ("side", "first", "until", "strength", "width", "depth")
"""Columns of a unit that the army list tells: as it was mustered, whatever has come of it."""


class Knowledge:
    """What one side knows of a battle, as a battle.

    battle : the side's own; its seed and its dice are not those of the true one
    """

    def __init__(self, battle: Battle, side: int) -> None:
        self.battle = Battle(_known_setup(battle.setup, side), battle.system, seed=0)
        state = self.battle.state
        self._listed = {name: state.units[name].copy() for name in _ALWAYS_KNOWN}
        units = len(state.units)
        self._stamps = np.full(units, -1, dtype=np.int64)
        self._clock = -1
        self._unknown = np.zeros(units, dtype=np.bool_)
        self._noted: dict[str, dict[tuple[int, int], float]] = {}

    def follow(
        self, true: State, unknown: NDArray[np.bool_], told: Mapping[str, NDArray[np.bool_]]
    ) -> Battle:
        """The side's battle, up to date with the true one.

        unknown : (units,) those that are not in it
        told : by list, (rows,) those rows that are in it; lists that it lacks are as they are
        """
        mine = self.battle.state
        changed = np.flatnonzero((self._stamps != true.stamps) | (self._unknown != unknown))
        if self._clock != true.clock or len(changed):
            mine.clock += 1
            mine.stamps[changed] = mine.clock
            self._stamps[changed] = true.stamps[changed]
            alike = bool((self._unknown == unknown).all())
            self._clock, self._unknown = true.clock, unknown
            for name, cells in true.pairs.items():
                if not alike or cells != self._noted.get(name):
                    self._noted[name] = dict(cells)
                    mine.pairs[name] = _among(cells, unknown)
        for name in ("side", "feature", "battle", "unit"):
            mine.copy_table(name, true)
        self._blank(unknown)
        for unit in changed.tolist():
            _copy_figures(mine, true, unit, known=not unknown[unit])
        for name in true.lists:
            mine.copy_table(name, true, told.get(name))
        if mine.stretch != true.stretch:
            mine.stretch = true.stretch
            self.battle.dice = SeededDice(0, mine.stretch)
        return self.battle

    def _blank(self, unknown: NDArray[np.bool_]) -> None:
        """Let the rows of these units say no more than the army list does."""
        if not unknown.any():
            return
        units = self.battle.state.units
        for column in units.columns:
            listed = self._listed.get(column.name)
            cells = column.default if listed is None else listed[unknown]
            units.writable(column.name)[unknown] = cells
        for gone in ("present", "members"):
            units.writable(gone)[unknown] = 0


def _known_setup(setup: Setup, side: int) -> Setup:
    """The setup, in which nobody but the side and its allies has a place to start from."""
    units = (
        _of_unknown_start(unit) if setup.hostile(side, unit.muster.side) else unit
        for unit in setup.units
    )
    return replace(setup, units=tuple(units))


def _of_unknown_start(unit: UnitSetup) -> UnitSetup:
    """A unit of which is known what it is; a drawn body keeps its shape."""
    east, north = unit.muster.at
    outline, facing = unit.outline, 0
    if outline is not None:
        outline, facing = (
            shapely.transform(outline, lambda xy: xy - (east, north)),
            unit.muster.facing,
        )
    muster = replace(unit.muster, at=(0.0, 0.0), facing=facing, on_height=0.0)
    return replace(unit, muster=muster, outline=outline, states=(), arrives=0)


def _among(
    cells: Mapping[tuple[int, int], float], unknown: NDArray[np.bool_]
) -> dict[tuple[int, int], float]:
    """What is noted of pairs of units, both of which are known."""
    of = unknown.tolist()
    return {(a, b): value for (a, b), value in cells.items() if not (of[a] or of[b])}


def _copy_figures(mine: State, true: State, unit: int, *, known: bool) -> None:
    """Those of a unit, or such as have left the field and are of what they were known to be of."""
    men = true.roster.figures_of(unit)
    for column in true.figures.columns:
        if known or column.name != "unit":
            cells = true.figures[column.name][men] if known else column.default
            mine.figures.writable(column.name)[men] = cells
    if not known:
        mine.figures.writable("condition")[men] = Condition.GONE
