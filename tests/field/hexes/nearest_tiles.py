"""The tiles nearest to points of a line, in exact fractions: the oracle of lines and sight."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

Tile = tuple[int, int]


@cache
def nearest_to_points(way: Tile) -> tuple[tuple[Tile, ...], ...]:
    """The tiles nearest to each point between (0, 0) and *way*, in exact fractions."""
    steps = max(abs(way[0]), abs(way[1]), abs(sum(way)))
    found = []
    for step in range(1, steps):
        q, r = Fraction(way[0] * step, steps), Fraction(way[1] * step, steps)
        away = {
            (column, row): (column - q) ** 2 + (column - q) * (row - r) + (row - r) ** 2
            for column in range(round(q) - 1, round(q) + 2)
            for row in range(round(r) - 1, round(r) + 2)
        }
        least = min(away.values())
        found.append(tuple(sorted(tile for tile, distance in away.items() if distance == least)))
    return tuple(found)
