"""Viewsheds and least visible heights: the typed wrapper of the horizon kernel."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import rays as _rays
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.ground_surface import Surface
from emlia3d.geometry.sightline import GroundRelief, places, plain_relief, relief_of
from emlia3d.geometry.sweep import DOUBTFUL, OPEN, Marks, at_once, cells_to, ground_for, sweep
from emlia3d.geometry.threads import in_chunks

_CENTRES_AT_ONCE = 4096

_SAME_CENTRE = 1e-9
"""Cells that a place is from a centre at most to be that centre."""

_WALKED = 1 / 8
"""Cells of all walks for each cell of the raster, up to which they go without slabs."""


@dataclass(frozen=True, slots=True, eq=False)
class Viewshed:
    """The cell centres of a raster that each observer sees.

    identity : (n, rows, cols) bool, for each observer, row 0 northernmost
    """

    identity: NDArray[np.bool_]

    @property
    def counts(self) -> NDArray[np.int32]:
        """(rows, cols) int32, number of observers that see each centre."""
        return np.asarray(self.identity.sum(axis=0, dtype=np.int32))

    @property
    def seen(self) -> NDArray[np.bool_]:
        """(rows, cols) bool, whether any observer sees each centre."""
        return np.asarray(self.identity.any(axis=0))


def viewshed(
    surface: Surface,
    observers: ArrayLike,
    target_height: float = 0.0,
    *,
    area: tuple[float, float, float, float] | None = None,
) -> Viewshed:
    """Return the centres of a raster at which observers see a target.

    A centre is seen if no ground rises above the straight line from the eye to the point
    *target_height* above the ground there: cell by cell what `lines_of_sight` answers for the
    centre's true place.

    Parameters
    ----------
    surface : Surface
    observers : (n, 3) float, or (3,) for one
        Their eyes: x and y in GSU, z in the surface's unit of height and from its zero.
    target_height : float
        In the surface's unit; below 0 nothing is seen, as it is under the ground.
    area : west, south, east and north in GSU, optional
        Only centres within these bounds, borders included, are looked at; others count as unseen.

    Raises
    ------
    ValueError
        Observers that are not rows of x, y and z, or a number that is not finite.

    Notes
    -----
    Source: design, units of measure. The horizon of each sixteenth of the compass is raised row by
    row from the eye outwards, as hidden surfaces are removed from front to back.
    """
    eyes = places(observers, "observers")
    target = _target(target_height)
    rows, cols = _within(surface, area)
    marks = np.zeros((len(eyes), *surface.heights.shape), dtype=np.uint8)
    if target < 0:
        return Viewshed(marks.view(np.bool_))
    sweep(surface, eyes, target, marks, None)
    marks[:, : rows.start] = marks[:, rows.stop :] = 0
    marks[:, :, : cols.start] = marks[:, :, cols.stop :] = 0

    def settle(begin: int, end: int) -> None:
        for observer in range(begin, end):
            _settle(surface, eyes[observer], target, marks[observer])

    in_chunks(settle, len(eyes), at_once(marks.size, len(eyes)))
    return Viewshed(marks.view(np.bool_))


def min_visible_heights(
    surface: Surface,
    observers: ArrayLike,
    target_height: float = 0.0,
    *,
    area: tuple[float, float, float, float] | None = None,
) -> Floats:
    """Return the minimum height above the ground at which a point is visible, at each centre.

    Parameters
    ----------
    surface : Surface
    observers : (n, 3) float, or (3,) for one
        Their eyes: x and y in GSU, z in the surface's unit of height and from its zero.
    target_height : float
        A height, 0 or more, that the answer is exact about: it is no greater than this exactly
        where `viewshed` sees a target of this height.
    area : west, south, east and north in GSU, optional
        Only centres within these bounds, borders included, are looked at.

    Returns
    -------
    (n, rows, cols) float64
        In the surface's unit. 0 exactly where the ground itself is seen, touched lines included;
        infinite where no height is enough, and outside *area*. Other values are rounded.

    Raises
    ------
    ValueError
        Observers that are not rows of x, y and z, a number that is not finite, or a target below 0.

    Notes
    -----
    Source: design, units of measure. One pass of the horizon, as for `viewshed`.
    """
    eyes = places(observers, "observers")
    target = _target(target_height)
    if target < 0:
        raise ValueError("min_visible_heights: expected a target_height of 0 or more")
    rows, cols = _within(surface, area)
    least = np.full((len(eyes), *surface.heights.shape), OPEN)
    sweep(surface, eyes, target, None, least)
    least[:, : rows.start] = least[:, rows.stop :] = np.inf
    least[:, :, : cols.start] = least[:, :, cols.stop :] = np.inf
    for eye, heights in zip(eyes, least, strict=True):
        _settle_least(surface, eye, target, heights)
    return least


def visible_counts(
    surface: Surface,
    observers: ArrayLike,
    target_height: float = 0.0,
    *,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.int32]:
    """Return the number of observers that see a target at each centre of a raster.

    The result equals ``viewshed(...).counts``, but the memory in use does not grow with the number
    of observers.

    Parameters
    ----------
    surface : Surface
    observers : (n, 3) float, or (3,) for one
    target_height : float
        As for `viewshed`.
    progress : optional
        Called with the proportion that is done, from one thread at a time.

    Returns
    -------
    (rows, cols) int32
    """
    eyes = places(observers, "observers")
    counts = np.zeros(surface.heights.shape, dtype=np.int32)
    done = threading.Lock()
    left = deque(range(len(eyes)))

    def count(begin: int, end: int) -> None:
        for each in range(begin, end):
            seen = viewshed(surface, eyes[each], target_height).identity[0]
            with done:
                np.add(counts, seen, out=counts)
                left.pop()
                if progress is not None:
                    progress(1 - len(left) / len(eyes))

    in_chunks(count, len(eyes), 1)
    return counts


def centre_cells(
    surface: Surface, places: Floats
) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """Return the rows and columns of the centres at these points; None if a point is not a centre.

    places : (n, 2) float64, GSU; a billionth of a cell from a centre counts as the centre
    """
    columns = (places[:, 0] - surface.west) / surface.cell
    rows = (surface.north - places[:, 1]) / surface.cell
    whole = np.rint(rows), np.rint(columns)
    off = max(np.abs(rows - whole[0]).max(initial=0.0), np.abs(columns - whole[1]).max(initial=0.0))
    inside = all(
        each.min(initial=0) >= 0 and each.max(initial=0) < count
        for each, count in zip(whole, surface.heights.shape, strict=True)
    )
    if not inside or off > _SAME_CENTRE:
        return None
    return whole[0].astype(np.intp), whole[1].astype(np.intp)


def _target(height: float) -> float:
    if not np.isfinite(height):
        raise ValueError("viewshed: expected a finite target_height")
    return float(height)


def _within(
    surface: Surface, area: tuple[float, float, float, float] | None
) -> tuple[slice, slice]:
    """Return which rows and columns have their centres within the bounds."""
    rows, cols = surface.heights.shape
    if area is None:
        return slice(0, rows), slice(0, cols)
    west, south, east, north = (float(bound) for bound in area)
    if not np.isfinite([west, south, east, north]).all():
        raise ValueError("viewshed: expected finite numbers for area")
    x = surface.west + surface.cell * np.arange(cols)
    y = surface.north - surface.cell * np.arange(rows)
    return (
        slice(int((y > north).sum()), int((y >= south).sum())),
        slice(int((x < west).sum()), int((x <= east).sum())),
    )


def _settle(surface: Surface, eye: Floats, target_height: float, mark: Marks) -> None:
    """Walk to the centres that the horizon leaves open."""
    # Several times as fast as np.argwhere, which takes longer than the kernel where little is seen.
    left_open = np.flatnonzero(mark.ravel() == DOUBTFUL)
    cells = np.empty((len(left_open), 2), dtype=np.int32)
    cells[:, 0], cells[:, 1] = np.divmod(left_open, mark.shape[1])
    settled = np.empty(len(cells), dtype=np.uint8)
    relief = _relief_for(surface, eye, cells)

    def walk(begin: int, end: int) -> None:
        _rays.centres(*relief, eye, target_height, cells[begin:end], settled[begin:end])

    in_chunks(walk, len(cells), _CENTRES_AT_ONCE)
    mark.ravel()[left_open] = settled


def _settle_least(surface: Surface, eye: Floats, target: float, least: Floats) -> None:
    """Walk to the centres whose least height the horizon leaves open."""
    left_open = np.flatnonzero(least.ravel() == OPEN)
    cells = np.column_stack(np.divmod(left_open, least.shape[1])).astype(np.int32)
    settled = np.empty(len(cells))
    relief = _relief_for(surface, eye, cells)

    def walk(begin: int, end: int) -> None:
        _rays.least_at_centres(*relief, eye, target, cells[begin:end], settled[begin:end])

    in_chunks(walk, len(cells), _CENTRES_AT_ONCE)
    least.ravel()[left_open] = settled


def _relief_for(surface: Surface, eye: Floats, cells: NDArray[np.int32]) -> GroundRelief:
    """Return a surface for walks from an eye to centres: without slabs if all of them are short.

    To lay slabs out takes longer than to walk over a small part of the raster cell by cell.
    """
    u, v = cells_to(surface, eye)
    away = np.abs(cells - np.array([v, u])).sum()
    if away > surface.heights.size * _WALKED:
        return relief_of(surface)
    ground = ground_for(surface, eye)
    return plain_relief(surface, ground.low, ground.high)
