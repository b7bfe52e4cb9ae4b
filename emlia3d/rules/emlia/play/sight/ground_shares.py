"""Fractions of sight corridors that the ground of a raster blocks, in columns."""

from __future__ import annotations

import numpy as np

from emlia3d.geometry import Bodies, Surface, blocked_fractions
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.kernels.corridor_obstacles import CorridorHits, SightQueries
from emlia3d.rules.emlia.play.sight.sight_pairs import Floats, Numbers, SightPairs

_MARKS = np.array([1.0, 0.5])
"""Fractions of the observed unit's height at which sight lines over the ground end."""
_HALF = 0.5
"""Half of a corridor, plus a tolerance that covers rounding."""


def ground_shares(surface: Surface, bodies: Bodies, asked: SightQueries, some: Numbers) -> Floats:
    """Return the fractions that the ground blocks, (n, 2): up to the top, and up to half height.

    some : (n,) rows of questions
    """
    eyes, marks = _lines(asked, some)
    return blocked_fractions(surface, bodies, asked.ends[some], eyes, marks)


def deciding_shares(surface: Surface | None, questions: SightPairs, found: CorridorHits) -> Floats:
    """Return the shares of all questions on which levels depend; 0 on level ground."""
    asked, out = found.asked, np.zeros((len(found.asked), 2))
    if surface is None:
        return out
    clear, bodies = questions.clear, questions.endpoints.bodies
    some = np.flatnonzero(~found.hidden if clear is None else ~(found.hidden | clear))
    eyes, marks = _lines(asked, some)
    # For a unit hidden in part anyway, ground below its top changes nothing.
    partly = asked.floors[some] >= Level.PARTIAL
    marks[partly] = marks[partly, :1]
    # Half of the width to the top hides totally, so more ground changes nothing.
    out[some] = blocked_fractions(surface, bodies, asked.ends[some], eyes, marks, enough=_HALF)
    return out


def _lines(asked: SightQueries, some: Numbers) -> tuple[Floats, Floats]:
    """Return the heights at which sight lines over the ground start, (n,), and end, (n, 2)."""
    observers, observed = asked.observers[some], asked.observed[some]
    return observers[:, 0] + observers[:, 1], observed[:, :1] + observed[:, 1:2] * _MARKS
