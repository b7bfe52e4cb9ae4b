"""Emlia, chapter 1: measuring, on a table or on a board of cells.

Holds `emlia.measure.cells`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.rules.rulebook import rule

Cells = Literal["none", "squares", "hexes"]
"""The cells of a field; a table has none."""

CELLS: tuple[Cells, ...] = ("none", "squares", "hexes")

_INSIDE = 1 / 1024
_ROW = 3**0.5 / 2
"""Distance between rows of hexagons whose neighbours in a row are 1 GSU apart."""


@rule("emlia.measure.cells")
def cells_apart(one: Polygon, other: Polygon, cells: Cells) -> int:
    """Return the minimum number of steps between the cells of two outlines.

    A cell is 1 GSU across. Squares that share only a corner are neighbours too. A body that
    fills a cell up to its border is not in the next cell. Bodies that overlap are 0 apart.
    """
    if shapely.area(shapely.intersection(one, other)) > 0:
        return 0
    (ax, ay), (bx, by) = shapely.get_coordinates(shapely.shortest_line(one, other)).tolist()
    east, north = _towards(one, other, (bx - ax, by - ay))
    ax, ay, bx, by = ax - east, ay - north, bx + east, by + north
    if cells == "squares":
        return max(abs(int(ax // 1) - int(bx // 1)), abs(int(ay // 1) - int(by // 1)))
    (aq, ar), (bq, br) = _hexagon(ax, ay), _hexagon(bx, by)
    q, r = aq - bq, ar - br
    return max(abs(q), abs(r), abs(q + r))


def _towards(one: Polygon, other: Polygon, gap: tuple[float, float]) -> tuple[float, float]:
    """Return a very short step from one outline to the other; if they touch, between centres."""
    if gap == (0.0, 0.0):
        gap = (other.centroid.x - one.centroid.x, other.centroid.y - one.centroid.y)
    length = float(np.hypot(*gap)) or 1.0
    return gap[0] / length * _INSIDE, gap[1] / length * _INSIDE


def _hexagon(x: float, y: float) -> tuple[int, int]:
    """Return the axial coordinates of the hexagon that contains a point: column and row."""
    r = y / _ROW
    q = x - r / 2
    rounded = [round(q), round(r), round(-q - r)]
    off = [abs(rounded[0] - q), abs(rounded[1] - r), abs(rounded[2] + q + r)]
    if off[0] > off[1] and off[0] > off[2]:
        return -rounded[1] - rounded[2], rounded[1]
    if off[1] > off[2]:
        return rounded[0], -rounded[0] - rounded[2]
    return rounded[0], rounded[1]
