"""A battle as one side knows it, as a separate battle without any other data.

It follows the true battle by the change stamps of the units, and has no reference to it. Unknown
units are off its field, and it lacks their starting positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Setup, UnitSetup
from emlia3d.battle.state import State
from emlia3d.force.roster import FigureCondition
from emlia3d.force.table import Table, tick

_ALWAYS_KNOWN = ("side", "first", "until", "strength", "width", "depth")
"""Columns of a unit that the army list shows, with the values at the start."""


class Knowledge:
    """One side's knowledge of a battle, as a battle.

    battle : of the side; its seed and dice are not the seed and dice of the true battle
    """

    def __init__(self, moment: Moment, side: int) -> None:
        self.battle = Battle(_known_setup(moment.setup, side), moment.system, seed=0)
        state = self.battle.state
        self._listed = _as_listed(state.units)
        units = len(state.units)
        self._stamps = np.full(units, -1, dtype=np.int64)
        self._figure_stamps = np.full(units, -1, dtype=np.int64)
        self._clock = -1
        self._when = {name: np.full_like(one.when, -1) for name, one in state.written.items()}
        self._unknown = np.zeros(units, dtype=np.bool_)
        self._pair_stamps: dict[str, int] = {}
        self._lists: dict[str, tuple[int, bytes | None]] = {}

    def follow(
        self, true: State, unknown: NDArray[np.bool_], told: Mapping[str, NDArray[np.bool_]]
    ) -> Battle:
        """Update the side's battle from the true one and return it.

        Only rows of changed units are copied.

        unknown : (units,) whether the side does not know a unit
        told : by list, (rows,) rows that the side knows; lists without an entry are copied whole
        """
        mine = self.battle.state
        changed = np.flatnonzero((self._stamps != true.stamps) | (self._unknown != unknown))
        if self._clock != true.clock or len(changed):
            mine.clock = tick()
            mine.stamps[changed] = mine.clock
            self._take_stamps(true, changed, unknown)
            self._stamps[changed] = true.stamps[changed]
            self._take_units(true, changed, unknown)
            self._take_pairs(true, unknown)
            self._clock, self._unknown = true.clock, unknown
        for name in ("side", "feature", "battle"):
            mine.table(name).take(true.table(name))
        for name, rows in true.lists.items():
            self._take_list(name, rows, told.get(name))
        if mine.stretch != true.stretch:
            mine.stretch = true.stretch
            self.battle.dice = SeededDice(0, mine.stretch)
        return self.battle

    def _take_stamps(
        self, true: State, changed: NDArray[np.intp], unknown: NDArray[np.bool_]
    ) -> None:
        """Copy the change stamps, and mark units that become known or unknown."""
        mine, now = self.battle.state, true.written["unit"].when[:, changed]
        cells = now != self._when["unit"][:, changed]
        cells |= unknown[changed] != self._unknown[changed]
        mine.written["unit"].note_where(cells, changed, mine.clock)
        self._when["unit"][:, changed] = now
        features = true.written["feature"].when
        cells = features != self._when["feature"]
        mine.written["feature"].note_where(cells, np.arange(len(true.features)), mine.clock)
        self._when["feature"] = features.copy()

    def _take_units(
        self, true: State, changed: NDArray[np.intp], unknown: NDArray[np.bool_]
    ) -> None:
        """Copy these units; unknown ones only with the data of the army list."""
        mine, hidden = self.battle.state, unknown[changed]
        mine.units.take(true.units, changed[~hidden])
        mine.units.take(self._listed, changed[hidden])
        others = self._figure_stamps[changed] != true.figure_stamps[changed]
        moved = changed[others | (hidden != self._unknown[changed])]
        mine.figure_stamps[moved] = mine.clock
        self._figure_stamps[moved] = true.figure_stamps[moved]
        for unit in moved.tolist():
            _copy_figures(mine, true, unit, known=not unknown[unit])

    def _take_pairs(self, true: State, unknown: NDArray[np.bool_]) -> None:
        """Copy the data of pairs of units that are both known."""
        mine, alike = self.battle.state, np.array_equal(self._unknown, unknown)
        of = unknown.tolist()
        for name, cells in true.pairs.items():
            if not alike or true.pair_stamps[name] != self._pair_stamps.get(name):
                self._pair_stamps[name] = true.pair_stamps[name]
                mine.pairs[name] = {
                    (a, b): value for (a, b), value in cells.items() if not (of[a] or of[b])
                }
                mine.pair_stamps[name] = mine.clock

    def _take_list(self, name: str, rows: Table, told: NDArray[np.bool_] | None) -> None:
        """Copy the known rows of a list, or all rows, if they changed."""
        now = rows.stamp, None if told is None else told.tobytes()
        if now != self._lists.get(name):
            self._lists[name] = now
            self.battle.state.clock = tick()
            self.battle.state.lists[name].become(rows, slice(None) if told is None else told)


def _as_listed(units: Table) -> Table:
    """Return the units off the field, with only the data of the army list."""
    listed = units.copy()
    for column in units.columns:
        if column.name not in _ALWAYS_KNOWN:
            listed.writable(column.name)[:] = column.default
    for gone in ("present", "members"):
        listed.writable(gone)[:] = 0
    return listed


def _known_setup(setup: Setup, side: int) -> Setup:
    """Return the setup with starting positions of the side and its allies only."""
    units = (
        _of_unknown_start(unit) if setup.hostile(side, unit.muster.side) else unit
        for unit in setup.units
    )
    return replace(setup, units=tuple(units))


def _of_unknown_start(unit: UnitSetup) -> UnitSetup:
    """Return a unit of known type and unknown position; a body with an outline keeps it."""
    east, north = unit.muster.at
    outline, facing = unit.outline, 0
    if outline is not None:
        outline, facing = (
            shapely.transform(outline, lambda xy: xy - (east, north)),
            unit.muster.facing,
        )
    muster = replace(unit.muster, at=(0.0, 0.0), facing=facing, on_height=0.0)
    return replace(unit, muster=muster, outline=outline, states=(), arrives=0)


def _copy_figures(mine: State, true: State, unit: int, *, known: bool) -> None:
    """Copy a unit's figures, or replace them by figures that left the field if it is unknown."""
    men = true.roster.figures_of(unit)
    if known:
        mine.figures.take(true.figures, men)
        return
    for column in true.figures.columns:
        if column.name != "unit":
            mine.figures.writable(column.name)[men] = column.default
    mine.figures.writable("condition")[men] = FigureCondition.GONE
