"""The route of least exposure over a raster."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator
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
Cells = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Route:
    """A route over the centres of cells of a raster, or of a grid over a field.

    path : (n, 2) float64, its vertices, in the CRS of the raster
    length_m, seen_m : all of it, and how much of it observers see
    steepest : the greatest slope on it, degrees
    """

    path: Floats
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
    ends = [_cell(model, at) for at in (start, end)]
    terrain = RouteTerrain(
        name=model.name,
        heights=model.surface.heights,
        spacing_m=model.spacing_m,
        closed=model.holes,
    )
    cells = least_exposed(terrain, counts, (ends[0], ends[1]), max_slope, detour)
    row, column = np.divmod(cells, model.shape[1])
    places = [model.place_of(c, r) for r, c in zip(row.tolist(), column.tolist(), strict=True)]
    return described(terrain, cells, counts, np.array(places))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RouteTerrain:
    """The cells over which a route is sought.

    name : of the file
    heights : (rows, columns) float64, elevations of the centres, metres
    spacing_m : metres between centres, east and north
    closed : (rows, columns) bool, cells that are not entered; None if there are none
    barred : given two arrays of neighbouring cells, returns which steps between them are not
        possible; None if all are
    """

    name: str
    heights: Floats
    spacing_m: tuple[float, float]
    closed: NDArray[np.bool_] | None = None
    barred: Callable[[Cells, Cells], NDArray[np.bool_]] | None = None


def least_exposed(
    terrain: RouteTerrain,
    counts: NDArray[np.int32],
    ends: tuple[int, int],
    max_slope: float,
    detour: float,
) -> Cells:
    """Return the cells of the route of least exposure, from the first to the last.

    Cells are numbered row by row. `route` documents the other parameters and the errors.
    """
    rows, columns = terrain.heights.shape
    if rows * columns > MAX_CELLS:
        raise Error(
            f"{terrain.name}: a route is sought on at most {MAX_CELLS} cells, and it has "
            f"{rows * columns}; cut a part out of it first"
        )
    if not 0 < max_slope < 90:
        raise Error(f"expected a slope limit between 0 and 90 degrees, got {max_slope:g}")
    if not (math.isfinite(detour) and detour >= 0):
        raise Error(f"expected a detour of 0 or more metres, got {detour:g}")
    graph = _graph(terrain, counts, math.tan(math.radians(max_slope)), detour)
    csgraph: Any = importlib.import_module("scipy.sparse.csgraph")
    _, before = csgraph.dijkstra(graph, directed=False, indices=ends[0], return_predecessors=True)
    path = [ends[1]]
    while path[-1] != ends[0]:
        last = int(before[path[-1]])
        if last < 0:
            what = "" if terrain.barred is None else " and impassable terrain"
            raise Error(f"no route avoids slopes over {max_slope:g} degrees{what}")
        path.append(last)
    return np.array(path[::-1], dtype=np.int32)


def _cell(model: ElevationModel, at: Station) -> int:
    rows, columns = model.shape
    row = min(max(round(at.row), 0), rows - 1)
    return row * columns + min(max(round(at.column), 0), columns - 1)


def _graph(terrain: RouteTerrain, counts: NDArray[np.int32], max_rise: float, detour: float) -> Any:
    """Return the costs of steps between neighbours as a sparse matrix."""
    try:
        sparse: Any = importlib.import_module("scipy.sparse")
    except ImportError as fault:
        raise MissingExtraError("finding a route", "geo") from fault
    size = terrain.heights.size
    parts = list(_steps(terrain, counts, max_rise, detour))
    begin, end, cost = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return sparse.coo_array((cost, (begin, end)), shape=(size, size)).tocsr()


def _steps(
    terrain: RouteTerrain, counts: NDArray[np.int32], max_rise: float, detour: float
) -> Iterator[tuple[Cells, Cells, Floats]]:
    """Yield first cell, second cell and cost of steps that are possible and not too steep."""
    heights = terrain.heights
    cells = np.arange(heights.size, dtype=np.int32).reshape(heights.shape)
    east, north = terrain.spacing_m
    open_ = np.ones(heights.shape, dtype=bool) if terrain.closed is None else ~terrain.closed
    for down, right in _STEPS:
        rows, columns = heights.shape
        a = slice(0, rows - down), slice(max(0, -right), columns - max(0, right))
        b = slice(down, rows), slice(max(0, right), columns + min(0, right))
        level = math.hypot(down * north, right * east)
        rise = heights[b] - heights[a]
        good = (np.abs(rise) <= max_rise * level) & open_[a] & open_[b]
        if terrain.barred is not None:
            good[good] = ~terrain.barred(cells[a][good], cells[b][good])
        length = np.hypot(rise[good], level)
        seen = (counts[a][good] + counts[b][good]) / 2
        yield cells[a][good], cells[b][good], length * (1 + detour * seen)


def described(
    terrain: RouteTerrain, cells: Cells, counts: NDArray[np.int32], places: Floats
) -> Route:
    """Return the route through cells, with the places of their centres, (n, 2)."""
    row, column = np.divmod(cells, terrain.heights.shape[1])
    east, north = terrain.spacing_m
    level = np.hypot(np.diff(column) * east, np.diff(row) * north)
    rise = np.abs(np.diff(terrain.heights[row, column]))
    seen = (counts[row, column] > 0).astype(np.float64)
    return Route(
        path=places,
        length_m=float(level.sum()),
        seen_m=float((level * (seen[1:] + seen[:-1]) / 2).sum()),
        steepest=math.degrees(math.atan(float((rise / level).max(initial=0.0)))),
    )
