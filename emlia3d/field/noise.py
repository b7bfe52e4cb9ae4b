"""Numbers that look random and are the same bits on every machine.

Integer hashing and ``+ - * /`` alone: no transcendental function, no generator of a library whose
stream may change, and no compound operation that a compiler may contract.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Words = NDArray[np.uint64]
Gradient = tuple[Floats, Floats]

# The finaliser of SplitMix64 (Steele, Lea and Flood 2014), and three odd constants to tell the
# words that go in apart.
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_STEPS = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xC2B2AE3D27D4EB4F),
    np.uint64(0x165667B19E3779F9),
)

# Each octave is turned by the 3-4-5 triangle, so that the lattices of two never line up.
_TURN_COS, _TURN_SIN = 0.8, 0.6

# Places that are looked at together: their columns stay in a processor's cache.
_AT_ONCE = 1 << 12


def hashed(seed: int, column: ArrayLike, row: ArrayLike) -> Words:
    """Return a word of 64 uniform bits for each cell of an infinite lattice.

    column, row : integers of any sign, broadcast against each other
    """
    words = np.atleast_1d(np.asarray(column, dtype=np.int64)).astype(np.uint64) * _STEPS[0]
    words = _mixed(words + np.asarray([seed & (2**64 - 1)], dtype=np.uint64) * _STEPS[2])
    return _mixed(words + np.asarray(row, dtype=np.int64).astype(np.uint64) * _STEPS[1])


def shares(words: Words, part: int) -> Floats:
    """Return uniform numbers in [0, 1), multiples of 1/2^20, from words; `part` is 0 to 2."""
    assert part in {0, 1, 2}
    bits = (words >> np.uint64(20 * part)) & np.uint64(0xFFFFF)
    return bits.astype(np.float64) * 2.0**-20


def gradient_noise(seed: int, x: Floats, y: Floats) -> Floats:
    """Return smooth noise from -1 to 1 with features one unit across: 0 at every whole (x, y).

    Perlin's improved noise (2002) with hashed gradients.
    """
    column, row = np.floor(x), np.floor(y)
    right, up = x - column, y - row
    across, along = _eased(right), _eased(up)
    rows = [
        _between(_pull(west, right, up - step), _pull(east, right - 1, up - step), across)
        for step, (west, east) in enumerate(_corners(seed, column, row))
    ]
    return _between(rows[0], rows[1], along)


def fractal(seed: int, x: Floats, y: Floats, *, octaves: int, roughness: float) -> Floats:
    """Return layers of noise, each half as large and `roughness` times as high as the last."""
    x, y = np.broadcast_arrays(x, y)
    total = np.empty(x.shape)
    step = max(1, _AT_ONCE // max(1, x[:1].size))
    for start in range(0, len(x), step):
        part = slice(start, start + step)
        total[part] = _layers(seed, x[part], y[part], octaves, roughness)
    return total


def _layers(seed: int, x: Floats, y: Floats, octaves: int, roughness: float) -> Floats:
    total, share = np.zeros(x.shape), 1.0
    for octave in range(octaves):
        total += share * gradient_noise(seed + octave, x, y)
        x, y = (
            2 * (_TURN_COS * x - _TURN_SIN * y) + 0.5,
            2 * (_TURN_SIN * x + _TURN_COS * y) + 0.5,
        )
        share *= roughness
    return total


def _mixed(words: Words) -> Words:
    words = (words ^ (words >> np.uint64(30))) * _MIX[0]
    words = (words ^ (words >> np.uint64(27))) * _MIX[1]
    return words ^ (words >> np.uint64(31))


def _corners(
    seed: int, column: Floats, row: Floats
) -> tuple[tuple[Gradient, Gradient], tuple[Gradient, Gradient]]:
    """Return the gradients at the corners of lattice cells: lower west, east; upper west, east.

    column, row : whole numbers, of the lower left corners
    """
    west, south = int(column.min()), int(row.min())
    width, height = int(column.max()) - west + 2, int(row.max()) - south + 2
    cells = (row - south) * width + (column - west)
    if width * height > cells.size:
        # Lumps so fine that few corners are asked for twice.
        low, high = (
            (_gradient(seed, column, row + up), _gradient(seed, column + 1, row + up))
            for up in (0, 1)
        )
        return low, high
    table = _gradient(seed, west + np.arange(width), south + np.arange(height)[:, None])
    first = cells.astype(np.intp)
    east, north = (part.ravel() for part in table)
    low, high = (
        ((east[at:].take(first), north[at:].take(first)),
         (east[at + 1 :].take(first), north[at + 1 :].take(first)))
        for at in (0, width)
    )  # fmt: skip
    return low, high


def _gradient(seed: int, column: NDArray[Any], row: NDArray[Any]) -> Gradient:
    """Return how steep the noise is at corners of its lattice, eastward and northward."""
    words = hashed(seed, column.astype(np.int64), row.astype(np.int64))
    return 2 * shares(words, 0) - 1, 2 * shares(words, 1) - 1


def _pull(gradient: Gradient, right: Floats, up: Floats) -> Floats:
    east, north = gradient
    return east * right + north * up


def _eased(share: Floats) -> Floats:
    return share * share * share * (share * (share * 6 - 15) + 10)


def _between(low: Floats, high: Floats, share: Floats) -> Floats:
    return low + share * (high - low)
