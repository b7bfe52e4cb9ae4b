"""Conversion from GSU, height units and facings to metres and degrees.

No other module of the view converts between them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field import Scale
from emlia3d.force import formation


def degrees(facings: NDArray[np.int64 | np.int32]) -> NDArray[np.float64]:
    """Return facings in 64ths of a degree as degrees clockwise from north."""
    return facings / 64


def outline_m(outline: Polygon, scale: Scale) -> NDArray[np.float64]:
    """Return the outer ring of an outline in GSU, (n, 2) float64, metres, not closed."""
    return np.asarray(outline.exterior.coords, np.float64)[:-1] * scale.metres_per_gsu


def block_m(setup: Setup, state: State, unit: int) -> NDArray[np.float64]:
    """Return the corners of a unit's block: front left, front right, rear right, rear left.

    The result is (4, 2) float64, metres.
    """
    units = state.units
    corners = formation.block(
        state.roster.drill(unit),
        float(units.value("x", unit)),
        float(units.value("y", unit)),
        units.integer("facing", unit),
    )
    return corners * setup.field.scale.metres_per_gsu


def blocks_m(setup: Setup, state: State, unit: int) -> list[NDArray[np.float64]]:
    """Return the blocks of a unit and of its parts on the field."""
    own, parents = [unit], state.units.ints("parent")
    there = units_in_sight(state) if (parents >= 0).any() else []
    for above in own:  # grows during the loop, because parts can have parts
        own += [part for part in there if parents[part] == above]
    return [block_m(setup, state, each) for each in own]


def units_in_sight(state: State) -> list[int]:
    """Return the rows of units on the field with at least one standing figure."""
    there = (state.units["present"] != 0) & (state.units.ints("members") > 0)
    return [int(unit) for unit in np.flatnonzero(there)]
