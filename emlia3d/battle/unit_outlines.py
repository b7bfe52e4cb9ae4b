"""Positions and outlines of units in a state, under any rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import GRID, boundary, front_of
from emlia3d.force.roster import UnitDeployment

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def places_of(state: State, unit: int) -> NDArray[np.float64]:
    """Return the positions of standing members, (members, 2), GSU; empty for an absent unit."""
    if not state.units.value("present", unit):
        return np.empty((0, 2))
    stands, figures = state.roster.standing(unit), state.figures
    return np.column_stack((figures.floats("x")[stands], figures.floats("y")[stands]))


def members_ahead(moment: Moment, side: int) -> float:
    """Return the number of a side's and its allies' members on the field minus its enemies'."""
    setup, units = moment.setup, moment.state.units
    here = (units["present"] != 0) * units["members"]
    signs = [-1 if setup.hostile(side, other) else 1 for other in range(len(setup.sides))]
    return float((here * np.array(signs)[units["side"]]).sum())


def outline_of(setup: Setup, state: State, unit: int) -> Polygon:
    """Return the current boundary, drawn or around the members; empty without standing members."""
    spots = places_of(state, unit)
    if not len(spots):
        return Polygon()
    units, drawn = state.units, setup.units[unit].outline
    pose = (float(units.value("x", unit)), float(units.value("y", unit)))
    facing = units.integer("facing", unit)
    if drawn is not None:
        return carried(setup.units[unit].muster, drawn, pose, facing)
    return boundary(state.roster.drill(unit), *pose, facing, spots)


def carried(
    muster: UnitDeployment, drawn: Polygon, pose: tuple[float, float], facing: int
) -> Polygon:
    """Return a drawn boundary moved to a pose, on the grid; unchanged at its starting pose."""
    start = front_of(muster.drill, *muster.at, muster.facing)
    if (*start, muster.facing) == (*pose, facing):
        return drawn
    east, north = unit_vector(facing - muster.facing)
    x, y = (shapely.get_coordinates(drawn) - start).T
    moved = np.column_stack((pose[0] + x * north + y * east, pose[1] + y * north - x * east))
    return Polygon(np.round(moved * GRID) / GRID)
