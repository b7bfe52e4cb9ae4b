"""Lines across a raster: how far away they are, and the swell of ground along them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from emlia3d.field.noise import Floats

Points = tuple[tuple[float, float], ...]

Knot = tuple[float, float, float]
"""A point of a line, x and y in GSU, with a figure that goes from knot to knot."""

# Cuttings that round a line: each halves the length of its corners.
_CUTTINGS = 3


@dataclass(frozen=True, slots=True)
class CentreGrid:
    """The positions of a raster's centres.

    x : (1, columns) float64, GSU, from the west; y : (rows, 1) float64, GSU, from the north
    size : of the field, east and north, GSU
    cell : GSU between centres
    """

    x: Floats
    y: Floats
    size: tuple[float, float]
    cell: float


def falloff(away: Floats) -> Floats:
    """Return values from 1 at the centre to 0 at the foot; `away` is the squared proportion."""
    left = np.maximum(1 - away, 0.0)
    return left * left * left


def max_falloff(
    line: Sequence[Knot], width: float, x: Floats, y: Floats, place: CentreGrid
) -> Floats:
    """Return the maximum of the falloffs along a line, each with the height of the line there.

    x, y : (rows, columns) float64, GSU, of the centres of *place*, displaced or not
    """
    share = np.zeros(x.shape)
    reach = width + max(float(np.abs(x - place.x).max()), float(np.abs(y - place.y).max()))
    for start, end in itertools.pairwise(line):
        # Beyond the width a bell adds nothing.
        near = box(place, start, end, reach)
        away, height = segment_distance(x[near], y[near], start, end)
        share[near] = np.maximum(share[near], height * falloff(away / (width * width)))
    return share


def segment_distance(x: Floats, y: Floats, start: Knot, end: Knot) -> tuple[Floats, Floats]:
    """Return the squared distance to a segment, and the segment's third value there."""
    east, north = end[0] - start[0], end[1] - start[1]
    length = east * east + north * north
    share = ((x - start[0]) * east + (y - start[1]) * north) / length if length else 0.0 * x
    share = np.clip(share, 0.0, 1.0)
    off_east, off_north = x - (start[0] + share * east), y - (start[1] + share * north)
    return off_east * off_east + off_north * off_north, start[2] + share * (end[2] - start[2])


def rounded(line: Sequence[Knot]) -> list[Knot]:
    """Return a line with its corners cut repeatedly (Chaikin 1974); its ends stay."""
    for _ in range(_CUTTINGS):
        cut = [line[0]]
        for a, b in itertools.pairwise(line):
            cut.append(_mixed(a, b, 0.25))
            cut.append(_mixed(a, b, 0.75))
        line = [*cut, line[-1]]
    return list(line)


def _mixed(a: Knot, b: Knot, share: float) -> Knot:
    return (
        a[0] + share * (b[0] - a[0]),
        a[1] + share * (b[1] - a[1]),
        a[2] + share * (b[2] - a[2]),
    )


def stepped(path: Points, step: float) -> list[tuple[float, float]]:
    """Return a path with a point at least every `step` GSU."""
    line = [path[0]]
    for (x, y), (to_x, to_y) in itertools.pairwise(path):
        length = math.sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y))
        count = max(1, math.ceil(length / step))
        line += [(x + (to_x - x) * k / count, y + (to_y - y) * k / count) for k in range(1, count)]
        line.append((to_x, to_y))
    return line


def box(place: CentreGrid, start: Knot, end: Knot, reach: float) -> tuple[slice, slice]:
    """Return the rows and columns that contain all centres within `reach` of a segment."""
    west, east = min(start[0], end[0]) - reach, max(start[0], end[0]) + reach
    south, north = min(start[1], end[1]) - reach, max(start[1], end[1]) + reach
    rows = place.size[1] - north, place.size[1] - south
    return _cells(*rows, place.cell), _cells(west, east, place.cell)


def _cells(first: float, last: float, cell: float) -> slice:
    start, stop = math.floor(first / cell) - 1, math.ceil(last / cell) + 1
    return slice(max(0, start), max(0, stop))
