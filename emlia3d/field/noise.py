"""Numbers that look random and are the same bits on every machine.

Integer hashing and ``+ - * /`` alone: no transcendental function, no generator of a library whose
stream may change, and no compound operation that a compiler may contract.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Words = NDArray[np.uint64]

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


def hashed(seed: int, column: ArrayLike, row: ArrayLike) -> Words:
    """A word of 64 even bits for each cell of an endless lattice.

    column, row : integers of any sign, broadcast against each other
    """
    words = np.atleast_1d(np.asarray(column, dtype=np.int64)).astype(np.uint64) * _STEPS[0]
    words = _mixed(words + np.asarray([seed & (2**64 - 1)], dtype=np.uint64) * _STEPS[2])
    return _mixed(words + np.asarray(row, dtype=np.int64).astype(np.uint64) * _STEPS[1])


def shares(words: Words, part: int) -> Floats:
    """Even shares in [0, 1) on a grid of 1/2^20, from bits of each word; `part` is 0, 1 or 2."""
    assert part in {0, 1, 2}
    bits = (words >> np.uint64(20 * part)) & np.uint64(0xFFFFF)
    return bits.astype(np.float64) * 2.0**-20


def gradient_noise(seed: int, x: Floats, y: Floats) -> Floats:
    """Smooth noise about 0, its lumps one unit across: 0 at every whole (x, y), within -1..1.

    Perlin's improved noise (2002) with hashed gradients.
    """
    column, row = np.floor(x), np.floor(y)
    right, up = x - column, y - row
    across, along = _eased(right), _eased(up)
    rows = [
        _between(
            _pull(seed, column, row + step, right, up - step),
            _pull(seed, column + 1, row + step, right - 1, up - step),
            across,
        )
        for step in (0, 1)
    ]
    return _between(rows[0], rows[1], along)


def fractal(seed: int, x: Floats, y: Floats, *, octaves: int, roughness: float) -> Floats:
    """Layers of noise, each half as large and `roughness` times as high as the one before it."""
    total = np.zeros(np.broadcast_shapes(np.shape(x), np.shape(y)))
    share = 1.0
    for octave in range(octaves):
        total = total + share * gradient_noise(seed + octave, x, y)
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


def _pull(seed: int, column: Floats, row: Floats, right: Floats, up: Floats) -> Floats:
    words = hashed(seed, column.astype(np.int64), row.astype(np.int64))
    return (2 * shares(words, 0) - 1) * right + (2 * shares(words, 1) - 1) * up


def _eased(share: Floats) -> Floats:
    return share * share * share * (share * (share * 6 - 15) + 10)


def _between(low: Floats, high: Floats, share: Floats) -> Floats:
    return low + share * (high - low)
