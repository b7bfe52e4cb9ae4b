"""Facings: whole 64ths of a degree, clockwise from north, and their unit vectors.

A facing is an integer, so that turning is exact. Its unit vector comes from a table rounded to
2^-30, which no mathematical library's last bit can disturb; the table is made from its first
octant by symmetry, so that opposite and mirrored facings have exactly mirrored vectors.
"""

from __future__ import annotations

import functools
import math

FULL_CIRCLE = 360 * 64
_OCTANT = FULL_CIRCLE // 8
_GRID = 2.0**30


def _first_octant() -> tuple[tuple[float, float], ...]:
    """(sine, cosine) of each facing from north to north-east, both ends included."""
    steps = (math.radians(step / 64) for step in range(_OCTANT + 1))
    table = [
        (round(math.sin(a) * _GRID) / _GRID, round(math.cos(a) * _GRID) / _GRID) for a in steps
    ]
    table[_OCTANT] = (table[_OCTANT][0], table[_OCTANT][0])
    return tuple(table)


_TABLE = _first_octant()


def facing_of_degrees(degrees: float) -> int:
    """Return the facing nearest to a bearing in degrees; any number of turns."""
    return round(degrees * 64) % FULL_CIRCLE


def degrees_of(facing: int) -> float:
    """Return a facing as degrees clockwise from north, [0, 360)."""
    return facing % FULL_CIRCLE / 64


@functools.lru_cache(maxsize=FULL_CIRCLE)
def unit_vector(facing: int) -> tuple[float, float]:
    """Return (east, north) of length one in the direction of *facing*, rounded to 2^-30."""
    octant, step = divmod(facing % FULL_CIRCLE, _OCTANT)
    sine, cosine = _TABLE[_OCTANT - step if octant % 2 else step]
    east, north = (cosine, sine) if octant in {1, 2, 5, 6} else (sine, cosine)
    return (-east if octant >= 4 else east), (-north if octant in {2, 3, 4, 5} else north)


def facing_towards(east: float, north: float) -> int:
    """Return the facing nearest to the direction (*east*, *north*); north for the zero vector.

    It compares products with the table. An arc tangent would differ in its last bit between
    machines.
    """
    if east == 0 and north == 0:
        return 0
    minor, major = sorted((abs(east), abs(north)))
    low, high = 0, _OCTANT
    while high - low > 1:
        middle = (low + high) // 2
        sine, cosine = _TABLE[middle]
        low, high = (middle, high) if minor * cosine >= major * sine else (low, middle)
    angle = low if _off(minor, major, low) <= _off(minor, major, high) else high
    if abs(east) > abs(north):
        angle = 2 * _OCTANT - angle
    if north < 0:
        angle = 4 * _OCTANT - angle
    return (FULL_CIRCLE - angle if east < 0 else angle) % FULL_CIRCLE


def _off(minor: float, major: float, step: int) -> float:
    """Return how far (*minor*, *major*) lies beside the direction of a step of the first octant."""
    sine, cosine = _TABLE[step]
    return abs(minor * cosine - major * sine)


def turn_between(before: int, after: int) -> int:
    """Return the shorter turn between two facings, (-half, half]; right is positive."""
    turn = (after - before) % FULL_CIRCLE
    return turn - FULL_CIRCLE if turn > FULL_CIRCLE // 2 else turn
