"""Heights of figures above the drawn ground: at an altitude, or on walls and towers."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.unit_outlines import places_of

FLYERS = {"dragon", "cruiser"}
"""Bodies that need no support at any height."""

MOUND = "hill"
"""The kind of feature that is drawn as ground, so that it does not lift figures."""


def masonry_m(setup: Setup, state: State, spots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the height of walls and towers at each point, metres; 0 elsewhere.

    spots : (n, 2), GSU; a point on an edge is on the wall
    """
    lift = np.zeros(len(spots))
    for row, feature in enumerate(setup.field.features):
        carries = feature.facts.stood_on and feature.look != MOUND and feature.height > 0
        if carries and state.features.value("present", row):
            on = shapely.intersects_xy(feature.outline, spots[:, 0], spots[:, 1])
            lift[on] = np.maximum(lift[on], setup.field.scale.metres_of_heights(feature.height))
    return lift


def lift_m(setup: Setup, state: State, unit: int) -> float:
    """Return the height of a unit above the drawn ground, metres: the median of its members."""
    perch = setup.field.scale.metres_of_heights(float(state.units.value("on_height", unit)))
    masonry = masonry_m(setup, state, places_of(state, unit))
    return float(perch) + (float(np.median(masonry)) if masonry.any() else 0.0)
