"""The ground's height and lines of sight in fractions, without rounding."""

from __future__ import annotations

import math
from fractions import Fraction


def height(surface, u, v) -> Fraction:
    """The ground's height, u cells east and v south of the first centre."""
    rows, cols = surface.heights.shape
    u, v = (
        min(max(u, Fraction(0)), Fraction(cols - 1)),
        min(max(v, Fraction(0)), Fraction(rows - 1)),
    )
    col, row = min(int(u), max(cols - 2, 0)), min(int(v), max(rows - 2, 0))

    def at(i, j):
        return Fraction(float(surface.heights[min(i, rows - 1), min(j, cols - 1)]))

    u, v = u - col, v - row
    nw, ne, sw, se = at(row, col), at(row, col + 1), at(row + 1, col), at(row + 1, col + 1)
    if u + v <= 1:
        return nw + u * (ne - nw) + v * (sw - nw)
    return se + (1 - u) * (sw - se) + (1 - v) * (ne - se)


def seen_by_fractions(surface, a, b) -> bool:
    def in_cells(x, y, z):
        east, south = Fraction(x) - Fraction(surface.west), Fraction(surface.north) - Fraction(y)
        return east / Fraction(surface.cell), south / Fraction(surface.cell), Fraction(z)

    a, b = in_cells(*map(float, a)), in_cells(*map(float, b))
    parts = {Fraction(0), Fraction(1)}
    for start, stop in ((a[0], b[0]), (a[1], b[1]), (a[0] + a[1], b[0] + b[1])):
        if start != stop:
            bends = range(math.ceil(min(start, stop)), math.floor(max(start, stop)) + 1)
            parts |= {(bend - start) / (stop - start) for bend in bends}
    u, v, z = ([p + t * (q - p) for t in parts] for p, q in zip(a, b, strict=True))
    return all(height(surface, *place) <= line for *place, line in zip(u, v, z, strict=True))
