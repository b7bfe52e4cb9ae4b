"""The route of least exposure over a raster."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.dem.model import ElevationModel, Station
from emlia3d.errors import Error, MissingExtraError

MAX_CELLS = 4_000_000
"""Cells of a raster that a route is sought on."""

_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Rows and columns to half of the eight neighbours; the others are these the other way."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Route:
    """A route over the centres of cells.

    way : (n, 2) float64, its vertices in the CRS of the raster
    length_m, seen_m : all of it, and how much of it observers see
    steepest : the greatest slope on it, degrees
    """

    way: Floats
    length_m: float
    seen_m: float
    steepest: float


def route(
    model: ElevationModel,
    start: Station,
    end: Station,
    counts: NDArray[np.int32],
    *,
    max_slope: float = 35.0,
    detour: float = 10.0,
) -> Route:
    """Return the route of least exposure between two places.

    Parameters
    ----------
    model : ElevationModel
    start, end : Station
    counts : (rows, columns) int
        How many observers see the traveller at each centre (`Show.COUNTS`).
    max_slope : float
        No step goes up or down a steeper slope, degrees.
    detour : float
        Extra metres that avoiding one metre in view of one observer is worth.

    Raises
    ------
    Error
        There is no route within the slope limit, or the raster is too large.
    MissingExtraError
        scipy is not installed.

    Notes
    -----
    The shortest path by Dijkstra's algorithm (scipy) over the graph of cells and their eight
    neighbours. A step costs its length along the slope, and `detour` times as much again for each
    observer, with the mean of its two ends. Cells without data are not entered.
    """
    rows, columns = model.shape
    if rows * columns > MAX_CELLS:
        raise Error(
            f"{model.name}: a route is sought on at most {MAX_CELLS} cells, and it has "
            f"{rows * columns}; cut a part out of it first"
        )
    if not 0 < max_slope < 90:
        raise Error(f"expected a slope limit between 0 and 90 degrees, got {max_slope:g}")
    if not (math.isfinite(detour) and detour >= 0):
        raise Error(f"expected a detour of 0 or more metres, got {detour:g}")
    cells = [_cell(model, at) for at in (start, end)]
    graph = _graph(model, counts, math.tan(math.radians(max_slope)), detour)
    csgraph: Any = importlib.import_module("scipy.sparse.csgraph")
    _, before = csgraph.dijkstra(graph, directed=False, indices=cells[0], return_predecessors=True)
    way = [cells[1]]
    while way[-1] != cells[0]:
        last = int(before[way[-1]])
        if last < 0:
            raise Error(f"no route avoids slopes over {max_slope:g} degrees")
        way.append(last)
    return _described(model, np.array(way[::-1]), counts)


def _cell(model: ElevationModel, at: Station) -> int:
    rows, columns = model.shape
    row = min(max(round(at.row), 0), rows - 1)
    return row * columns + min(max(round(at.column), 0), columns - 1)


def _graph(model: ElevationModel, counts: NDArray[np.int32], max_rise: float, detour: float) -> Any:
    """Return the costs of steps between neighbours as a sparse matrix."""
    try:
        sparse: Any = importlib.import_module("scipy.sparse")
    except ImportError as fault:
        raise MissingExtraError("finding a route", "geo") from fault
    size = model.shape[0] * model.shape[1]
    parts = list(_steps(model, counts, max_rise, detour))
    begin, end, cost = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return sparse.coo_array((cost, (begin, end)), shape=(size, size)).tocsr()


def _steps(
    model: ElevationModel, counts: NDArray[np.int32], max_rise: float, detour: float
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32], Floats]]:
    """Yield first cell, second cell and cost of steps that are not too steep."""
    heights = model.surface.heights
    cells = np.arange(heights.size, dtype=np.int32).reshape(heights.shape)
    east, north = model.spacing_m
    open_ = np.ones(heights.shape, dtype=bool) if model.holes is None else ~model.holes
    for down, right in _STEPS:
        rows, columns = heights.shape
        a = slice(0, rows - down), slice(max(0, -right), columns - max(0, right))
        b = slice(down, rows), slice(max(0, right), columns + min(0, right))
        level = math.hypot(down * north, right * east)
        rise = heights[b] - heights[a]
        good = (np.abs(rise) <= max_rise * level) & open_[a] & open_[b]
        length = np.hypot(rise[good], level)
        seen = (counts[a][good] + counts[b][good]) / 2
        yield cells[a][good], cells[b][good], length * (1 + detour * seen)


def _described(model: ElevationModel, cells: NDArray[np.intp], counts: NDArray[np.int32]) -> Route:
    row, column = np.divmod(cells, model.shape[1])
    east, north = model.spacing_m
    level = np.hypot(np.diff(column) * east, np.diff(row) * north)
    rise = np.abs(np.diff(model.surface.heights[row, column]))
    seen = (counts[row, column] > 0).astype(np.float64)
    places = [model.place_of(c, r) for r, c in zip(row.tolist(), column.tolist(), strict=True)]
    return Route(
        way=np.array(places),
        length_m=float(level.sum()),
        seen_m=float((level * (seen[1:] + seen[:-1]) / 2).sum()),
        steepest=math.degrees(math.atan(float((rise / level).max(initial=0.0)))),
    )
