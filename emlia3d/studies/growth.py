"""Growth of time with size: the exponent of a power law, by least squares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float | None:
    """Return the exponent e of the best fit seconds = constant * size^e, in logarithms.

    None for fewer than two sizes. With 1, twice the size takes twice as long; with 2, four times.
    """
    if len(set(sizes)) < 2:
        return None
    east, north = np.log(np.asarray(sizes, float)), np.log(np.asarray(seconds, float))
    east -= east.mean()
    return float((east * north).sum() / (east * east).sum())


def forecast(sizes: Sequence[float], seconds: Sequence[float], size: float) -> float:
    """Predict the seconds of the next size from the last two; quadratic with only one."""
    slope = exponent(sizes[-2:], seconds[-2:]) if len(sizes) > 1 else 2.0
    return float(seconds[-1] * (size / sizes[-1]) ** max(slope or 0.0, 1.0))
