"""The stance of a unit at one moment, kept while its battle goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.field.ground import median
from emlia3d.force.formation import boundaries, places_along

if TYPE_CHECKING:
    from emlia3d.rules.emlia.play.situation.situation import Situation


@dataclass(frozen=True, slots=True)
class Stance:
    """The place of a unit and of its members, GSU.

    outline : its boundary
    places : (members, 2) float64, where its members stand
    corners : (k, 2) float64, the *places* that are corners of their convex hull
    footing : height units above map level
    """

    outline: Polygon
    places: NDArray[np.float64]
    corners: NDArray[np.float64]
    footing: float


def hull_corners(places: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the places at each stance that are corners of their convex hull, in its order.

    places : (k, members, 2) float64, GSU
    """
    if places.shape[1] == 1:
        return list(places)
    hulls = shapely.convex_hull(shapely.linestrings(places))
    corners, stance = shapely.get_coordinates(hulls, return_index=True)
    return np.split(corners, np.flatnonzero(np.diff(stance)) + 1)


def stances_along(situation: Situation, unit: int, fronts: NDArray[np.float64]) -> list[Stance]:
    """Return where a unit without subunits would stand, drawn up and facing as it is now.

    fronts : (k, 2) float64, GSU, the middle of its front line at each place
    """
    roster, units = situation.moment.state.roster, situation.moment.state.units
    drill, facing = roster.drill(unit), units.integer("facing", unit)
    slots = roster.figures.ints("slot")[roster.standing(unit)]
    places = places_along(drill, fronts, facing)[:, slots]
    heights = situation.ground_at(places.reshape(-1, 2)).reshape(places.shape[:2])
    raised = float(units.value("on_height", unit))
    footings = [median(each) + raised for each in heights]
    outlines = boundaries(drill, fronts, facing, places)
    columns = outlines, places, hull_corners(places), footings
    return [Stance(*stance) for stance in zip(*columns, strict=True)]
