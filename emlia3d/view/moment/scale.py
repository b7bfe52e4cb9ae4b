"""From the table to the picture: GSU, height units and facings to metres and degrees.

Nowhere else in the view is one turned into the other.
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
    """Facings in 64ths of a degree as degrees clockwise from north."""
    return facings / 64


def outline_m(outline: Polygon, scale: Scale) -> NDArray[np.float64]:
    """Return the outside of an outline in GSU as a ring (n, 2) float64, metres, not closed."""
    return np.asarray(outline.exterior.coords, np.float64)[:-1] * scale.metres_per_gsu


def block_m(setup: Setup, state: State, unit: int) -> NDArray[np.float64]:
    """Corners of a unit's ranks and files: front left, front right, rear right, rear left.

    (4, 2) float64, metres.
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
    """Return the blocks of a unit and of its parts that stand on the field."""
    own, parents = [unit], state.units.ints("parent")
    there = units_in_sight(state) if (parents >= 0).any() else []
    for above in own:  # grows meanwhile: parts may have parts
        own += [part for part in there if parents[part] == above]
    return [block_m(setup, state, each) for each in own]


def units_in_sight(state: State) -> list[int]:
    """Units on the field with at least one figure that stands, by row."""
    there = (state.units["present"] != 0) & (state.units.ints("members") > 0)
    return [int(unit) for unit in np.flatnonzero(there)]
