"""Growth of time with size: the exponent of a power law, by least squares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float | None:
    """Return the e for which the seconds come nearest to some constant times size^e, in logarithms.

    None for fewer than two sizes. 1 where twice the size takes twice as long, 2 where four times.
    """
    if len(set(sizes)) < 2:
        return None
    east, north = np.log(np.asarray(sizes, float)), np.log(np.asarray(seconds, float))
    east -= east.mean()
    return float((east * north).sum() / (east * east).sum())


def forecast(sizes: Sequence[float], seconds: Sequence[float], size: float) -> float:
    """Seconds that the next size would take, going on as between the last two; squared at first."""
    slope = exponent(sizes[-2:], seconds[-2:]) if len(sizes) > 1 else 2.0
    return float(seconds[-1] * (size / sizes[-1]) ** max(slope or 0.0, 1.0))
