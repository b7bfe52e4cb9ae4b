"""All that observers see of the ground: the typed front of the horizon kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import horizon as _kernel
from emlia3d._ext import rays as _rays
from emlia3d.geometry.bodies import Floats
from emlia3d.geometry.ground import Surface
from emlia3d.geometry.sightline import places, relief_of
from emlia3d.geometry.threads import in_chunks
from emlia3d.geometry.tops import highest_of_tiles

Marks: TypeAlias = NDArray[np.uint8]

_DOUBTFUL = 2
_CENTRES_AT_ONCE = 4096
_TILE = 16
"""Cells, both ways, that are passed over at once where they lie below the horizon."""

_PARTS = 16
"""Of the compass: quarters and eighths differ too much in how long they take to be shared well."""

_FEW_CENTRES = 1 << 14
"""Up to so many, all observers together, one thread is done before others would have begun."""

_PIECES_A_COLUMN, _PIECES_MORE = 16, 256
"""The pieces of a horizon that there is room for; the walk goes where they do not suffice."""


@dataclass(frozen=True, slots=True, eq=False)
class Viewshed:
    """Which centres of a raster each of some observers sees.

    identity : (n, rows, cols) bool, for each observer, row 0 northernmost
    """

    identity: NDArray[np.bool_]

    @property
    def counts(self) -> NDArray[np.int32]:
        """(rows, cols) int32, how many observers see each centre."""
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
    """Which centres of the raster have a point above them that observers see.

    A centre is seen where no ground rises above the straight line from the eye to the point
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
    if not np.isfinite(target_height):
        raise ValueError("viewshed: target_height wants a finite number")
    rows, cols = _within(surface, area)
    marks = np.zeros((len(eyes), *surface.heights.shape), dtype=np.uint8)
    if target_height < 0:
        return Viewshed(marks.view(np.bool_))
    bounds = [_bounds(surface, eye, float(target_height)) for eye in eyes]

    def mark(begin: int, end: int) -> None:
        for each in range(begin, end):
            observer, part = divmod(each, _PARTS)
            within = bounds[observer]
            if within is not None:
                _mark(surface, eyes[observer], target_height, within, part, marks[observer])
            elif part == 0:
                marks[observer] = _DOUBTFUL

    def settle(begin: int, end: int) -> None:
        for observer in range(begin, end):
            _settle(surface, eyes[observer], target_height, marks[observer])

    at_once = max(_PARTS * len(eyes), 1) if marks.size <= _FEW_CENTRES else 1
    in_chunks(mark, _PARTS * len(eyes), at_once)
    marks[:, : rows.start] = marks[:, rows.stop :] = 0
    marks[:, :, : cols.start] = marks[:, :, cols.stop :] = 0
    in_chunks(settle, len(eyes), at_once)
    return Viewshed(marks.view(np.bool_))


class _Ground(NamedTuple):
    """A surface as the horizon kernel takes it.

    heights, turned : one centre more on every side, where the ground goes on level, so that eyes
        up to a cell beyond the outermost centres are among them; and the same with rows as columns
    tops, turned_tops : the highest of each tile's centres, those on its borders too
    step_east, step_south : the greatest steps from centre to centre
    tallest : the greatest height without its sign
    """

    heights: Floats
    turned: Floats
    tops: Floats
    turned_tops: Floats
    step_east: float
    step_south: float
    tallest: float


@lru_cache(maxsize=4)
def _ground_of(surface: Surface) -> _Ground:
    heights = np.pad(surface.heights, 1, mode="edge")
    tops = highest_of_tiles(heights, _TILE)
    return _Ground(
        heights,
        np.ascontiguousarray(heights.T),
        tops,
        np.ascontiguousarray(tops.T),
        float(np.abs(np.diff(heights, axis=1)).max()),
        float(np.abs(np.diff(heights, axis=0)).max()),
        float(np.abs(heights).max()),
    )


def _within(
    surface: Surface, area: tuple[float, float, float, float] | None
) -> tuple[slice, slice]:
    """Which rows and columns have their centres within the bounds."""
    rows, cols = surface.heights.shape
    if area is None:
        return slice(0, rows), slice(0, cols)
    west, south, east, north = (float(bound) for bound in area)
    if not np.isfinite([west, south, east, north]).all():
        raise ValueError("viewshed: area wants finite numbers")
    x = surface.west + surface.cell * np.arange(cols)
    y = surface.north - surface.cell * np.arange(rows)
    return (
        slice(int((y > north).sum()), int((y >= south).sum())),
        slice(int((x < west).sum()), int((x <= east).sum())),
    )


def _settle(surface: Surface, eye: Floats, target_height: float, mark: Marks) -> None:
    """Walk to the centres that the horizon leaves open."""
    # Several times as fast as np.argwhere, which takes longer than the kernel where little is seen.
    left_open = np.flatnonzero(mark.ravel() == _DOUBTFUL)
    cells = np.empty((len(left_open), 2), dtype=np.int32)
    cells[:, 0], cells[:, 1] = np.divmod(left_open, mark.shape[1])
    settled = np.empty(len(cells), dtype=np.uint8)
    relief = relief_of(surface)

    def walk(begin: int, end: int) -> None:
        _rays.centres(*relief, eye, target_height, cells[begin:end], settled[begin:end])

    in_chunks(walk, len(cells), _CENTRES_AT_ONCE)
    mark.ravel()[left_open] = settled


def _bounds(surface: Surface, eye: Floats, target_height: float) -> Floats | None:
    """What the kernel's rounding may do; None where only the walk can tell.

    Ground within `nearest` of an eye that stands well above it is too low to hide any centre a
    cell away or further. The horizon is nowhere steeper across than the ground, so that a piece
    of it that is may be left out.
    """
    ground = _ground_of(surface)
    rows, cols = ground.heights.shape
    u, v = _cells_to(surface, eye)
    if not (0 <= u <= cols - 1 and 0 <= v <= rows - 1):
        return None
    frame = relief_of(surface).frame
    step = ground.step_east + ground.step_south
    drop = max(float(eye[2] - frame[3]), 0.0)
    rise = max(float(frame[4] - eye[2]), 0.0) + target_height
    rounding = 2**-44 * max(ground.tallest, abs(float(eye[2])), target_height)
    clear = float(eye[2] - surface.heights_at(eye[0], eye[1])) - rounding
    nearest = min(clear / (drop + 2 * step + 1e-300), 1.0)
    if nearest < 2**-20:
        return None
    scale = drop + rise + 4 * step
    doubt = 2**-40 * scale * (1 + 1 / nearest) * max(1.0, max(rows, cols) / 4096) + rounding
    return np.array([nearest, 8 * step + 1e-300, doubt, -4 * scale - 1])


def _mark(
    surface: Surface,
    eye: Floats,
    target_height: float,
    bounds: Floats,
    part: int,
    marks: Marks,
) -> None:
    """Mark what one eye sees in a part: 1 seen, 0 hidden, 2 too close for doubles to tell.

    part : a fourth of a quarter; of the south first, then the north, the east and the west
    """
    ground = _ground_of(surface)
    u, v = _cells_to(surface, eye)
    quarter, west = part // 4, (part % 4 - 2) / 2
    turned, back = quarter >= 2, quarter % 2 == 1
    heights, tops = (ground.turned, ground.turned_tops) if turned else (ground.heights, ground.tops)
    across, away = (v, u) if turned else (u, v)
    width = heights.shape[1]
    if across <= 1 if west < 0 else across > width - 2:
        return
    room = _PIECES_A_COLUMN * width + _PIECES_MORE
    _kernel.part(
        heights, tops, _TILE, across, away, eye[2], back, turned, west, west + 0.5,
        target_height, bounds, np.empty(12 * room + 3 * width), room, marks,
    )  # fmt: skip


def _cells_to(surface: Surface, eye: Floats) -> tuple[float, float]:
    """How many cells an eye is east and south of the first centre of the widened raster."""
    return (
        float((eye[0] - surface.west) / surface.cell) + 1,
        float((surface.north - eye[1]) / surface.cell) + 1,
    )
