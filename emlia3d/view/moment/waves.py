"""Waves of shots and falls along a line: neighbours follow shortly after each other.

Start times are relative to the duration of the step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Shares = NDArray[np.float64]

WAY = np.array([0.0093, 0.0061])
"""Waves per metre to the east and north, as in the vertex shader of figures."""

FALLS_FROM, FALLS_OVER = 0.15, 0.68

VOLLEY_OVER = 0.55
"""Part of a step in which all shots of a volley start."""

GOLDEN = 0.618033988749895


def falls(places_m: NDArray[np.float64]) -> Shares:
    """Return the start times of falls at these points, (n,)."""
    turn = places_m @ WAY % 1.0
    return np.asarray(FALLS_FROM + FALLS_OVER * np.abs(2.0 * turn - 1.0))


def volley(count: int) -> Shares:
    """Return the start time of each shot of a line, from right to left, (count,)."""
    ragged = np.arange(count) * GOLDEN % 1.0
    return np.asarray(VOLLEY_OVER * (np.arange(count) + 0.6 * ragged) / max(count, 1))


def scattered(count: int, chosen: int) -> NDArray[np.bool_]:
    """Return a mask of *chosen* of *count* shots, spread over the whole line, (count,)."""
    order = np.argsort(np.arange(count) * GOLDEN % 1.0)
    found = np.zeros(count, bool)
    found[order[:chosen]] = True
    return found
