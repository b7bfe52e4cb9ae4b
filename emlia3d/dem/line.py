"""The straight line between two points over a raster: whether the ground blocks it, and where."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.dem.model import HAIR_M, Curvature, ElevationModel, Station
from emlia3d.geometry.ground_surface import Surface
from emlia3d.geometry.section import blocking_place, min_visible_height, profile
from emlia3d.geometry.sightline import lines_of_sight

Floats = NDArray[np.float64]


class Run(NamedTuple):
    """A stretch of a line's ground that is visible or hidden, metres from the observer."""

    start_m: float
    end_m: float
    visible: bool


class LinePoint(NamedTuple):
    """A point on the map below a line.

    x, y : in the CRS of the raster
    distance_m : from the observer
    gap_m : how far the line is above the ground; below 0 where the ground is higher
    """

    x: float
    y: float
    distance_m: float
    gap_m: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LineOfSight:
    """One line of sight and the ground below it.

    visible : the ground nowhere rises above the line; touching does not block
    distance_m : horizontal
    bearing : degrees clockwise from the raster's north
    angle : of the target above the observer's horizontal, degrees; as it appears, with curvature
    closest : where the ground comes nearest to a free line, its ends left out; else None
    blocked : where the ground rises highest above a blocked line; else None
    least_m : the smallest height above the ground at which the target shows; None where no height
        is enough
    runs : the ground along the line, as the observer sees points at the target's height above it
    distances, ground, line : (n,) float64, the section: metres from the observer, and elevations
        of the ground and the line there. With curvature both are as they appear from the observer.
    """

    observer: Station
    target: Station
    curvature: Curvature | None
    visible: bool
    distance_m: float
    bearing: float
    angle: float
    closest: LinePoint | None
    blocked: LinePoint | None
    least_m: float | None
    runs: tuple[Run, ...]
    distances: Floats
    ground: Floats
    line: Floats


def line_of_sight(
    model: ElevationModel,
    observer: Station,
    target: Station,
    *,
    curvature: Curvature | None = None,
) -> LineOfSight:
    """Return whether the ground blocks the line from an observer to a target, and where.

    Parameters
    ----------
    model : ElevationModel
    observer, target : Station
        From `ElevationModel.station`.
    curvature : Curvature, optional
        Lower the ground with distance; a plane earth without it.

    Notes
    -----
    Exact on the surface of triangles between the centres of cells, not sampled: cells are split
    from south-west to north-east.
    """
    surface = model.seen_from(observer, curvature)
    a, b = observer.point, _seen(surface, model, observer, target, curvature)
    length = model.metres_between(observer, target)
    distances, ground = profile(surface, *a[:2], *b[:2])
    cells = float(distances[-1])
    distances = distances * (length / cells) if cells else distances
    share = distances / length if length else np.zeros(len(distances))
    line = a[2] + share * (b[2] - a[2])
    visible = bool(lines_of_sight(surface, a, b)[0])
    blocked = None
    if not visible:
        where = blocking_place(surface, a, b)
        assert where is not None
        blocked = _place(model, observer, where.x, -where.y, -where.excess)
    least = float(min_visible_height(surface, a, *b[:2]))
    return LineOfSight(
        observer=observer,
        target=target,
        curvature=curvature,
        visible=visible,
        distance_m=length,
        bearing=_bearing(model, observer, target),
        angle=math.degrees(math.atan2(b[2] - a[2], length)) if length else 90.0,
        closest=_closest(model, observer, target, share, line - ground) if visible else None,
        blocked=blocked,
        least_m=max(least - float(surface.heights_at(*b[:2])), 0.0) if least < math.inf else None,
        runs=tuple(_runs(distances, ground, a[2], target.height)),
        distances=distances,
        ground=ground,
        line=line,
    )


def _seen(
    surface: Surface,
    model: ElevationModel,
    observer: Station,
    target: Station,
    curvature: Curvature | None,
) -> tuple[float, float, float]:
    """Return the target as it lies against the level plane through the observer."""
    if curvature is None:
        return target.point
    x, y, _ = target.point
    return x, y, float(surface.heights_at(x, y)) + max(target.height, HAIR_M)


def _bearing(model: ElevationModel, a: Station, b: Station) -> float:
    east = (b.column - a.column) * model.spacing_m[0]
    north = (a.row - b.row) * model.spacing_m[1]
    return math.degrees(math.atan2(east, north)) % 360


def _place(
    model: ElevationModel, observer: Station, column: float, row: float, gap_m: float
) -> LinePoint:
    x, y = model.place_of(column, row)
    east, north = model.spacing_m
    away = math.hypot((column - observer.column) * east, (row - observer.row) * north)
    return LinePoint(x, y, away, gap_m)


def _closest(
    model: ElevationModel, a: Station, b: Station, share: Floats, gaps: Floats
) -> LinePoint | None:
    """Return where a free line comes nearest to the ground; None if the ground bends nowhere."""
    if len(gaps) < 3:
        return None
    at = 1 + int(gaps[1:-1].argmin())
    part = float(share[at])
    column = a.column + part * (b.column - a.column)
    row = a.row + part * (b.row - a.row)
    return _place(model, a, column, row, max(float(gaps[at]), 0.0))


def _runs(distances: Floats, ground: Floats, eye: float, height: float) -> Iterator[Run]:
    """Yield the stretches in which points at a height above the ground are visible or hidden.

    A point is visible if its slope from the eye is no less than that of all ground before it. On a
    straight piece of ground the slope from the eye has no maximum inside, so the horizon rises at
    the ends of pieces only, and visibility changes at most once on each.
    """
    if len(distances) < 2 or distances[-1] == 0:
        return
    horizon, found = -math.inf, [Run(0.0, 0.0, visible=True)]
    # From a point on the ground itself, the first piece decides.
    pieces = zip(distances[:-1], distances[1:], ground[:-1] - eye, ground[1:] - eye, strict=True)
    for near, far, low, high in pieces:
        if near > 0:
            horizon = max(horizon, low / near)
        # Height above the horizon of a point over each end.
        first = low + height - horizon * near if near > 0 else math.inf
        last = high + height - horizon * far if math.isfinite(horizon) else math.inf
        if (first >= 0) == (last >= 0):
            found.append(Run(near, far, visible=bool(last >= 0)))
            continue
        turn = near + (far - near) * first / (first - last) if math.isfinite(first) else near
        found += [
            Run(near, turn, visible=bool(first >= 0)),
            Run(turn, far, visible=bool(last >= 0)),
        ]
    yield from _joined(found)


def _joined(runs: list[Run]) -> Iterator[Run]:
    """Yield runs with neighbours of one kind as one."""
    joined = runs[0]
    for run in runs[1:]:
        if run.visible == joined.visible or run.start_m == run.end_m:
            joined = joined._replace(end_m=run.end_m)
        elif joined.start_m == joined.end_m:
            joined = run
        else:
            yield joined
            joined = run
    yield Run(float(joined.start_m), float(joined.end_m), joined.visible)
