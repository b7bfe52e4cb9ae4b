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

STEPS = 1024
"""Points of a path that are asked about, for each cell or GSU that it crosses."""

MAX_POINTS = 1 << 28
"""Points of a path times observers."""

_AT_ONCE = 1 << 18

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]
Rows = NDArray[np.intp]
Progress = Callable[[float], None]


class FirstView(NamedTuple):
    """The place at which a target on a path is first seen.

    distance_m : along the path
    x, y : in the coordinates of the path
    observer : its number
    """

    distance_m: float
    x: float
    y: float
    observer: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PathExposure:
    """The visible parts of a path, whatever decides about sight.

    path : (n, 2) float64, its vertices
    length_m : horizontal
    each : for each observer, its visible and its hidden stretches
    together : the same for all observers together
    first : where it first comes into view; None if it never does
    distances, ground : (m,) float64, the profile of the path: metres along it, and elevations
    """

    path: Floats
    length_m: float
    each: tuple[tuple[Run, ...], ...]
    together: tuple[Run, ...]
    first: FirstView | None
    distances: Floats
    ground: Floats

    @property
    def share(self) -> float:
        """Proportion of the path in view, 0 to 1."""
        return visible_m(self.together) / self.length_m


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exposure(PathExposure):
    """The visible parts of a path over a raster.

    path, first : in the CRS of the raster
    """

    target_m: float
    observers: tuple[Station, ...]
    curvature: Curvature | None


class PathPoints(NamedTuple):
    """The points of a path that are asked about, in order.

    points : (n, 2) float64
    distances_m : (n,) float64, metres along the path
    """

    points: Floats
    distances_m: Floats

    @property
    def shown(self) -> Rows:
        """The points that a profile draws: 8 for each step of `STEPS`, and the last."""
        last = len(self.points) - 1
        return np.unique(np.r_[: len(self.points) : max(STEPS // 8, 1), last])


class SeenAlong(NamedTuple):
    """The visible parts of a path by its points.

    each, together : as of `PathExposure`
    first : numbers of the first visible point and of the first observer that sees it, or None
    """

    each: tuple[tuple[Run, ...], ...]
    together: tuple[Run, ...]
    first: tuple[int, int] | None


def visible_m(runs: Sequence[Run]) -> float:
    """Return the length of stretches that are in view, metres."""
    return sum(run.end_m - run.start_m for run in runs if run.visible)


def points_along(vertices: Floats, lengths_m: Sequence[float], counts: Sequence[int]) -> PathPoints:
    """Return points along a path, vertices included.

    Parameters
    ----------
    vertices : (n, 2) float
    lengths_m : (n - 1,) float
        Lengths of the legs between them, metres.
    counts : (n - 1,) int
        Steps of equal length into which each leg is divided; 0 for a leg of no length.

    Raises
    ------
    Error
        Fewer than two different vertices.
    """
    if len(vertices) < 2 or (vertices == vertices[0]).all():
        raise Error("expected a path of at least two different places")
    points, metres, done = [vertices[:1]], [np.zeros(1)], 0.0
    legs = zip(pairwise(vertices), lengths_m, counts, strict=True)
    for (start, stop), length, count in legs:
        if count == 0:
            continue
        share = np.arange(1, count + 1) / count
        points.append(start + share[:, None] * (stop - start))
        metres.append(done + share * length)
        done += length
    return PathPoints(np.concatenate(points), np.concatenate(metres))


def marks_by_halving(count: int, stride: int, ask: Callable[[Rows], Marks]) -> Marks:
    """Return which points of a path are seen, without a question about each.

    It asks about every *stride*-th point and the last. Between two of them with different answers
    it finds the change by halving, so only shorter visible or hidden stretches can be missed.

    Parameters
    ----------
    count : int
        Points of the path, at least 1.
    stride : int
        1 asks about each point.
    ask : callable
        Given numbers of points, it returns which of them are seen.
    """
    asked = np.unique(np.r_[:count:stride, count - 1])
    found = ask(asked)
    low = asked[:-1][found[1:] != found[:-1]]
    high = asked[1:][found[1:] != found[:-1]]
    before = found[:-1][found[1:] != found[:-1]]
    while (wide := np.flatnonzero(high - low > 1)).size:
        middle = (low[wide] + high[wide]) // 2
        same = ask(middle) == before[wide]
        low[wide[same]] = middle[same]
        high[wide[~same]] = middle[~same]
    flips = np.zeros(count, dtype=np.intp)
    flips[high] = 1
    return np.asarray((flips.cumsum() + found[0]) % 2 == 1)


def seen_along(
    path: PathPoints,
    observers: int,
    seen: Callable[[int], Marks],
    progress: Progress | None = None,
) -> SeenAlong:
    """Return the visible parts of a path.

    Parameters
    ----------
    path : PathPoints
    observers : int
        Number of observers.
    seen : callable
        Returns which points of the path an observer sees, given the number of the observer.
    progress : optional
        Called with the proportion that is done.

    Raises
    ------
    Error
        If there are no observers or too many points.
    """
    if not observers:
        raise Error("expected an observer, got none")
    metres = path.distances_m
    if len(metres) * observers > MAX_POINTS:
        raise Error(
            f"the path is too long for {observers} observers: it has {len(metres)} points, and at "
            f"most {MAX_POINTS // observers} are asked about"
        )
    seen_by_any = np.zeros(len(metres), dtype=bool)
    each: list[tuple[Run, ...]] = []
    first: tuple[int, int] | None = None
    for number in range(observers):
        marks = seen(number)
        seen_by_any |= marks
        at = int(marks.argmax())
        if marks[at] and (first is None or at < first[0]):
            first = at, number
        each.append(runs_of(metres, marks))
        if progress is not None:
            progress((number + 1) / observers)
    return SeenAlong(tuple(each), runs_of(metres, seen_by_any), first)


def exposure(
    model: ElevationModel,
    path: ArrayLike,
    observers: Sequence[Station],
    target_m: float,
    *,
    curvature: Curvature | None = None,
    progress: Progress | None = None,
) -> Exposure:
    """Return the visible parts of a path over a raster.

    Parameters
    ----------
    model : ElevationModel
    path : (n, 2) float
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
    vertices = np.asarray(path, dtype=np.float64)
    stations = [model.station((x, y), 0.0) for x, y in vertices.tolist()]
    cells = np.array([(at.column, at.row) for at in stations]).reshape(-1, 2)
    lengths = [model.metres_between(a, b) for a, b in pairwise(stations)]
    counts = [math.ceil(float(np.abs(b - a).max()) * STEPS) for a, b in pairwise(cells)]
    along = points_along(cells, lengths, counts)
    points, metres = along
    found = seen_along(
        along,
        len(observers),
        lambda number: _seen(model, observers[number], points, target_m, curvature),
        progress,
    )
    first = None
    if found.first is not None:
        at, number = found.first
        first = FirstView(float(metres[at]), *model.place_of(*points[at].tolist()), number)
    shown = along.shown
    return Exposure(
        path=vertices,
        length_m=float(metres[-1]),
        target_m=target_m,
        observers=tuple(observers),
        curvature=curvature,
        each=found.each,
        together=found.together,
        first=first,
        distances=metres[shown],
        ground=model.surface.heights_at(points[shown, 0], -points[shown, 1]),
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
