"""The points that hits are expected to remove."""

from __future__ import annotations

from typing import Any

import numpy as np

from emlia3d.battle.derived import Derived
from emlia3d.battle.moment import Moment
from emlia3d.geometry.arrays import Floats
from emlia3d.rules.runolfsson.contacts import entry_of, models_of
from emlia3d.rules.runolfsson.core import SLACK
from emlia3d.rules.runolfsson.victory import condition_of, cost

SAVES = 0.6
"""Proportion of saving dice that succeed."""


def removed(moment: Moment, target: Any, hits: Any) -> Any:
    """Return the approximate mean points that hits remove from models.

    target, hits : rows and numbers, or arrays of them that broadcast
    """
    units, hits = moment.state.units, np.asarray(hits, dtype=np.float64)
    saves = SAVES * units.ints("save")[target]
    through = hits * hits / np.maximum(hits + saves, SLACK)
    left = np.maximum(units.ints("hits_left")[target], 1)
    return np.minimum(through / left, 1.0) * prices_of(moment)[target]


def enough_hits(moment: Moment, target: int) -> float:
    """Return the number of hits that should be enough to remove a model."""
    units = moment.state.units
    return units.integer("hits_left", target) + SAVES * units.integer("save", target) + 0.7


def _prices(moment: Moment) -> Floats:
    """Return (units,) the worth of models: their points, or equal parts if models count."""
    setup = moment.setup
    own = np.array([cost(entry_of(setup, row)) for row in range(len(setup.units))], dtype=float)
    if condition_of(setup) != "sudden death":
        return own
    sides = models_of(moment).side
    mean = np.array([own[sides == side].mean() for side in (0, 1)])
    return np.asarray((own + mean[sides]) / 2)


prices_of = Derived(make=_prices)
