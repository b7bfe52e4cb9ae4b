"""Sight between a wide front and figures on a raster, as far as the ground hides all of it.

The corridor between a unit and a figure is nowhere wider than the unit. One pass of the horizon
along the middles of the corridors, over a surface below all ground within that width, finds
figures that are hidden at a whole cross-section. The others need their corridors.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from emlia3d.battle.questions.area import Floats
from emlia3d.geometry import Surface, centre_cells, lowest_within, min_visible_heights
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.ground_first import (
    FEW,
    ROUNDING,
    PostStand,
    SettledByGround,
    Upright,
)

_WIDEST_CELLS = 64.0
"""Greatest distance of a front's end from its middle, in cells; few would be settled."""


def hidden_from_front(
    surface: Surface | None, front: PostStand, figure: Upright, spots: Floats, footings: Floats
) -> SettledByGround:
    """Return Level.TOTAL where the ground alone hides a figure and a front from each other.

    front : the unit; its radius is the distance from the middle to the farthest of its outline
    spots, footings : of the figures, which are all alike
    """
    settled = SettledByGround.nothing(len(spots))
    wide, cells = front.who.radius, None
    if surface is not None and len(spots) >= FEW and wide <= _WIDEST_CELLS * surface.cell:
        cells = centre_cells(surface, spots)
    if surface is None or cells is None:
        return settled
    top = front.footing + front.who.height
    marks = footings + figure.height
    blur = ROUNDING * (abs(surface.highest) + np.abs(footings) + abs(top) + figure.height)
    lowered = lowest_within(surface, max(wide, figure.radius))
    # The ground that the unit stands on is no part of a corridor.
    floor = min(float(lowered.min()), top, float(marks.min())) - 1.0
    lowered[_centres_within(surface, front.place, wide + 2 * surface.cell)] = floor
    lowered = np.ascontiguousarray(lowered)
    lowered.flags.writeable = False
    least = min_visible_heights(replace(surface, heights=lowered), (*front.place, top))[0]
    least += lowered
    length = np.hypot(*(spots - front.place).T)
    apart = length > 2 * (wide + figure.radius)
    # Nor is the ground under the figure, which is no lower than the lowered surface about it.
    fall = np.abs(marks - top) * (figure.radius / np.maximum(length, wide))
    above = surface.heights[cells] + fall + blur < marks
    settled.levels[apart & above & (least[cells] > marks + blur)] = Level.TOTAL
    return settled


def _centres_within(
    surface: Surface, place: tuple[float, float], distance: float
) -> tuple[slice, slice]:
    """Return rows and columns that have all centres up to a distance from a place."""
    east = (place[0] - surface.west) / surface.cell
    south = (surface.north - place[1]) / surface.cell
    reach = distance / surface.cell
    rows, columns = (
        slice(max(math.floor(middle - reach), 0), max(math.ceil(middle + reach) + 1, 0))
        for middle in (south, east)
    )
    return rows, columns
