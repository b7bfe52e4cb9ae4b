"""The least exposed route on the field of a scenario, by its rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.questions.area import Grid, Progress, SightArea
from emlia3d.dem.routes import Cells, Route, RouteTerrain, described, least_exposed
from emlia3d.errors import Error
from emlia3d.scenario.areas import area_of
from emlia3d.scenario.paths import place_of_word, walk_of

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from emlia3d.scenario.scenario import Scenario

_TOUCH = 1 / 128
"""Tolerance for steps that only touch impassable terrain, GSU."""


class RouteOptions(TypedDict, total=False):
    """The options of `route_on_field`."""

    rules: str | None
    height: float | None
    mover: str | None
    cell: float | None
    max_slope: float
    detour: float
    progress: Progress | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FieldRoute:
    """A route on a field.

    route : its vertices in GSU
    area : the viewshed of the observers, on the cells of the search
    mover : the unit that moves; None for a figure of no unit
    """

    route: Route
    area: SightArea
    mover: str | None


def route_on_field(  # noqa: PLR0913  the options of the question
    scenario: Scenario,
    ends: tuple[str, str],
    observers: Sequence[str],
    *,
    rules: str | None = None,
    height: float | None = None,
    mover: str | None = None,
    cell: float | None = None,
    max_slope: float = 35.0,
    detour: float = 10.0,
    progress: Progress | None = None,
) -> FieldRoute:
    """Return the least exposed route between two points of a field.

    Parameters
    ----------
    scenario : Scenario
        Its `position` counts.
    ends : of str
        Start and end: "x,y" in GSU, or the name of a unit for its centre.
    observers : of str
        Names of units or sides, or points, as for `Scenario.viewshed`.
    rules, height, mover : optional As for `emlia3d.scenario.paths.exposure_on_field`. The route
        avoids terrain that the mover, or without one a person on foot, cannot enter.
    cell : float, optional Distance between neighbouring points of the route, GSU; None for the
        default of `Scenario.viewshed`.
    max_slope : float Maximum slope of a step, degrees.
    detour : float
        Extra length that is acceptable to avoid one metre in view of one observer, metres.
    progress : optional
        Called with the proportion that is done.

    Raises
    ------
    Error
        An end is off the field or on impassable terrain, or there is no route.
    """
    now = scenario.position()
    places = [place_of_word(scenario, now, word) for word in ends]
    walk = walk_of(scenario, observers, mover, height)
    shapes = walk.moment.system.impassable(walk.moment, walk.row)
    area = area_of(
        scenario, walk.moment, walk.posts, asked=observers, height=walk.height, rules=rules,
        cell=cell, progress=progress,
    )  # fmt: skip
    terrain = _terrain(scenario, area.grid, np.array(list(shapes), dtype=object))
    cells = [
        _cell(terrain, area.grid, place, f"{scenario.name}: {word}")
        for place, word in zip(places, ends, strict=True)
    ]
    found = least_exposed(terrain, area.counts, (cells[0], cells[1]), max_slope, detour)
    route = described(terrain, found, area.counts, area.grid.spots[found])
    return FieldRoute(route=route, area=area, mover=mover)


def _terrain(scenario: Scenario, grid: Grid, shapes: NDArray[Any]) -> RouteTerrain:
    field, spots = scenario.setup.field, grid.spots
    inner = shapely.buffer(shapes, -_TOUCH) if len(shapes) else shapes
    inner = inner[~shapely.is_empty(inner)] if len(inner) else inner
    barred = shapely.union_all(inner) if len(inner) else None
    closed = (spots[:, 0] > field.size[0]) | (spots[:, 1] < 0)
    if barred is not None:
        shapely.prepare(barred)
        closed |= shapely.intersects_xy(barred, *spots.T)
    heights = np.asarray(field.ground.elevations_m(spots[:, 0], spots[:, 1]), dtype=np.float64)
    length_m = field.scale.metres_of_gsu(grid.cell)
    return RouteTerrain(
        name=scenario.name,
        heights=heights.reshape(grid.rows, grid.columns),
        spacing_m=(length_m, length_m),
        closed=closed.reshape(grid.rows, grid.columns),
        barred=None if barred is None else _crosses(barred, grid),
    )


def _crosses(barred: BaseGeometry, grid: Grid) -> Callable[[Cells, Cells], NDArray[np.bool_]]:
    """Return a function that finds the steps between centres that cross impassable terrain."""
    spots = grid.spots
    around = barred.buffer(1.5 * grid.cell)
    shapely.prepare(around)
    near = np.asarray(shapely.intersects_xy(around, *spots.T), dtype=np.bool_)

    def crosses(begin: Cells, end: Cells) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = near[begin] & near[end]
        some = np.flatnonzero(found)
        lines = shapely.linestrings(np.stack([spots[begin[some]], spots[end[some]]], axis=1))
        found[some] = shapely.intersects(barred, lines)
        return found

    return crosses


def _cell(terrain: RouteTerrain, grid: Grid, place: tuple[float, float], told: str) -> int:
    """Return the index of the cell that contains a point."""
    row = min(max(int((grid.north - place[1]) / grid.cell), 0), grid.rows - 1)
    column = min(max(int(place[0] / grid.cell), 0), grid.columns - 1)
    if terrain.closed is not None and terrain.closed[row, column]:
        raise Error(f"{told}: expected a point outside impassable terrain")
    return row * grid.columns + column
