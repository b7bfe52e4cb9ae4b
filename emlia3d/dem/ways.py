"""The visible parts of a path over a raster."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.dem.line import Run
from emlia3d.dem.model import HAIR_M, Curvature, ElevationModel, Station
from emlia3d.errors import Error
from emlia3d.geometry.sightline import lines_of_sight

STEPS_A_CELL = 1024
"""Points of a path that are asked about, for each cell that it crosses."""

MAX_POINTS = 1 << 28
"""Points of a path times observers."""

_AT_ONCE = 1 << 18

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]
Progress = Callable[[float], None]


class FirstView(NamedTuple):
    """The place at which a target on a path is first seen.

    distance_m : along the path
    x, y : in the CRS of the raster
    observer : its number
    """

    distance_m: float
    x: float
    y: float
    observer: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exposure:
    """The visible parts of a path.

    way : (n, 2) float64, its vertices in the CRS of the raster
    length_m : horizontal
    each : for each observer, its visible and its hidden stretches
    together : the same for all observers together
    first : where it first comes into view; None if it never does
    distances, ground : (m,) float64, the profile of the path: metres along it, and elevations
    """

    way: Floats
    length_m: float
    target_m: float
    observers: tuple[Station, ...]
    curvature: Curvature | None
    each: tuple[tuple[Run, ...], ...]
    together: tuple[Run, ...]
    first: FirstView | None
    distances: Floats
    ground: Floats

    @property
    def share(self) -> float:
        """Proportion of the path in view, 0 to 1."""
        return visible_m(self.together) / self.length_m


def visible_m(runs: Sequence[Run]) -> float:
    """Return the length of stretches that are in view, metres."""
    return sum(run.end_m - run.start_m for run in runs if run.visible)


def exposure(
    model: ElevationModel,
    way: ArrayLike,
    observers: Sequence[Station],
    target_m: float,
    *,
    curvature: Curvature | None = None,
    progress: Progress | None = None,
) -> Exposure:
    """Return the visible parts of a path.

    Parameters
    ----------
    model : ElevationModel
    way : (n, 2) float
        The vertices, in the CRS of the raster; straight lines between them.
    observers : of Station
    target_m : float
        Height of the target above the ground.
    curvature : Curvature, optional
        Lower the ground with distance.
    progress : optional
        Called with the proportion that is done.

    Raises
    ------
    Error
        Fewer than two different vertices, one off the raster, no observers, or too many points.

    Notes
    -----
    Each line of sight is exact. The path is asked about every 1/1024 of a cell, so that only
    shorter stretches can be missed.
    """
    if not observers:
        raise Error("expected an observer, got none")
    cells, metres = _points(model, way)
    if len(cells) * len(observers) > MAX_POINTS:
        raise Error(
            f"the path is too long for {len(observers)} observers: it crosses "
            f"{len(cells) // STEPS_A_CELL} cells, and at most "
            f"{MAX_POINTS // STEPS_A_CELL // len(observers)} are asked about"
        )
    seen_by_any = np.zeros(len(cells), dtype=bool)
    each, first = [], None
    for number, eye in enumerate(observers):
        seen = _seen(model, eye, cells, target_m, curvature)
        seen_by_any |= seen
        at = int(seen.argmax())
        if seen[at] and (first is None or metres[at] < first.distance_m):
            x, y = model.place_of(*cells[at].tolist())
            first = FirstView(float(metres[at]), x, y, number)
        each.append(runs_of(metres, seen))
        if progress is not None:
            progress((number + 1) / len(observers))
    shown = np.unique(np.r_[: len(cells) : max(STEPS_A_CELL // 8, 1), len(cells) - 1])
    return Exposure(
        way=np.asarray(way, dtype=np.float64),
        length_m=float(metres[-1]),
        target_m=target_m,
        observers=tuple(observers),
        curvature=curvature,
        each=tuple(each),
        together=runs_of(metres, seen_by_any),
        first=first,
        distances=metres[shown],
        ground=model.surface.heights_at(cells[shown, 0], -cells[shown, 1]),
    )


def runs_of(metres: Floats, seen: Marks) -> tuple[Run, ...]:
    """Return points along a path as stretches; each ends where the next begins."""
    turns = np.flatnonzero(seen[1:] != seen[:-1]) + 1
    starts = np.concatenate([[0], turns])
    ends = metres[np.concatenate([turns, [len(seen) - 1]])]
    return tuple(
        Run(start, end, shown)
        for start, end, shown in zip(
            metres[starts].tolist(), ends.tolist(), seen[starts].tolist(), strict=True
        )
    )


def _points(model: ElevationModel, way: ArrayLike) -> tuple[Floats, Floats]:
    """Return the points of a path, column and row, and their distances along it in metres."""
    stations = [model.station((x, y), 0.0) for x, y in np.asarray(way, dtype=np.float64).tolist()]
    corners = np.array([(at.column, at.row) for at in stations]).reshape(-1, 2)
    if len(corners) < 2 or (corners == corners[0]).all():
        raise Error("expected a path of at least two different places")
    points, metres, done = [corners[:1]], [np.zeros(1)], 0.0
    for (a, b), (start, stop) in zip(pairwise(stations), pairwise(corners), strict=True):
        length = model.metres_between(a, b)
        if length == 0:
            continue
        count = math.ceil(float(np.abs(stop - start).max()) * STEPS_A_CELL)
        share = np.arange(1, count + 1) / count
        points.append(start + share[:, None] * (stop - start))
        metres.append(done + share * length)
        done += length
    return np.concatenate(points), np.concatenate(metres)


def _seen(
    model: ElevationModel,
    eye: Station,
    cells: Floats,
    target_m: float,
    curvature: Curvature | None,
) -> Marks:
    surface = model.seen_from(eye, curvature)
    seen = np.empty(len(cells), dtype=bool)
    for begin in range(0, len(cells), _AT_ONCE):
        column, row = cells[begin : begin + _AT_ONCE].T
        tops = surface.heights_at(column, -row) + max(target_m, HAIR_M)
        seen[begin : begin + _AT_ONCE] = lines_of_sight(
            surface, eye.point, np.column_stack([column, -row, tops])
        )
    return seen
