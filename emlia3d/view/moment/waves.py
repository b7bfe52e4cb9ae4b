"""The wave in which the shots of a line go off, and the hit fall: neighbours shortly after another.

A share of the duration of its step says when each begins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Shares = NDArray[np.float64]

WAY = np.array([0.0093, 0.0061])
"""Waves a metre to the east and north, as the vertex shader of figures has them."""

FALLS_FROM, FALLS_OVER = 0.15, 0.68

VOLLEY_OVER = 0.55
"""Share of a step in which all shots of a volley leave."""

GOLDEN = 0.618033988749895


def falls(places_m: NDArray[np.float64]) -> Shares:
    """Return when figures at these places fall, (n,)."""
    turn = places_m @ WAY % 1.0
    return np.asarray(FALLS_FROM + FALLS_OVER * np.abs(2.0 * turn - 1.0))


def volley(count: int) -> Shares:
    """Return when each shot of a line leaves, from its right to its left, (count,)."""
    ragged = np.arange(count) * GOLDEN % 1.0
    return np.asarray(VOLLEY_OVER * (np.arange(count) + 0.6 * ragged) / max(count, 1))


def scattered(count: int, chosen: int) -> NDArray[np.bool_]:
    """Return *chosen* of *count* shots, spread over the whole line, (count,)."""
    order = np.argsort(np.arange(count) * GOLDEN % 1.0)
    found = np.zeros(count, bool)
    found[order[:chosen]] = True
    return found
