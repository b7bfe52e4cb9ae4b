"""Emlia, chapter 1: measuring, on a table or on a board of cells.

Holds `emlia.measure.cells`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.field.hexes import HexGrid, steps_between
from emlia3d.rules.rulebook import rule

Cells = Literal["none", "squares", "hexes"]
"""The cells of a field; a table has none."""

CELLS: tuple[Cells, ...] = ("none", "squares", "hexes")

_INSIDE = 1 / 1024
_HEXES = HexGrid(across=1.0)
"""Hexagons of 1 GSU, one of them around the field's south-west corner."""


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
    return int(steps_between(*_HEXES.tiles_at([(ax, ay), (bx, by)])))


def _towards(one: Polygon, other: Polygon, gap: tuple[float, float]) -> tuple[float, float]:
    """Return a very short step from one outline to the other; if they touch, between centres."""
    if gap == (0.0, 0.0):
        gap = (other.centroid.x - one.centroid.x, other.centroid.y - one.centroid.y)
    length = float(np.hypot(*gap)) or 1.0
    return gap[0] / length * _INSIDE, gap[1] / length * _INSIDE
