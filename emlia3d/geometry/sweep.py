"""One eye's sweep over a raster: the ground made ready for the horizon kernel, and its calls."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d._ext import horizon as _kernel
from emlia3d._ext import ranges as _ranges
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.ground_surface import Surface
from emlia3d.geometry.threads import in_chunks
from emlia3d.geometry.tops import highest_of_tiles

Marks = NDArray[np.uint8]

DOUBTFUL, OPEN = 2, -1.0
"""A mark, and a least height, that are left to the walk."""

_TILE = 16
"""Cells, both ways, that are passed over at once where they lie below the horizon."""

_PARTS = 16
"""Parts of the compass; the time for quarters or eighths would differ too much to share it."""

_FEW_CENTRES = 1 << 14
"""Centres of all observers, up to which one thread finishes before others would start."""

_ROWS_AT_ONCE = 128
"""Rows of a raster that one thread inspects."""

_PIECES_A_COLUMN, _PIECES_MORE = 16, 256
"""The pieces of a horizon that there is room for; the walk goes where they do not suffice."""


class GroundColumns(NamedTuple):
    """A surface in the form for the horizon kernel.

    heights, margin : with `margin` more centres on every side, at the height of the nearest centre
    tops, turned_tops : the highest of each tile's centres, its borders included; and the same with
        rows as columns
    step_east, step_south : the greatest steps from centre to centre
    low, high : the least and the greatest height
    """

    heights: Floats
    margin: int
    tops: Floats
    turned_tops: Floats
    step_east: float
    step_south: float
    low: float
    high: float


@lru_cache(maxsize=4)
def _ground_of(surface: Surface, margin: int) -> GroundColumns:
    heights = np.pad(surface.heights, margin, mode="edge") if margin else surface.heights
    tops = highest_of_tiles(heights, _TILE)
    ranges = np.empty((-(-len(heights) // _ROWS_AT_ONCE), 4))

    def measure(begin: int, end: int) -> None:
        _ranges.ranges(heights, begin, end, ranges[begin // _ROWS_AT_ONCE])

    in_chunks(measure, len(heights), _ROWS_AT_ONCE)
    return GroundColumns(
        heights,
        margin,
        tops,
        np.ascontiguousarray(tops.T),
        step_east=float(ranges[:, 2].max()),
        step_south=float(ranges[:, 3].max()),
        low=float(ranges[:, 0].min()),
        high=float(ranges[:, 1].max()),
    )


def ground_for(surface: Surface, eye: Floats) -> GroundColumns:
    """Return the surface for an eye, extended if the eye is near or beyond the edge of the raster.

    The kernel needs centres all round the eye; the eye may be up to a cell beyond the outermost.
    """
    rows, cols = surface.heights.shape
    u, v = cells_to(surface, eye)
    return _ground_of(surface, 0 if 1 <= u <= cols - 2 and 1 <= v <= rows - 2 else 1)


def sweep(
    surface: Surface, eyes: Floats, target: float, marks: Marks | None, least: Floats | None
) -> None:
    """Mark the cells that eyes see, or find the minimum heights that they see."""
    bounds = [_bounds(surface, eye, target) for eye in eyes]

    def sweep_parts(begin: int, end: int) -> None:
        for each in range(begin, end):
            observer, part = divmod(each, _PARTS)
            within = bounds[observer]
            mark = None if marks is None else marks[observer]
            heights = None if least is None else least[observer]
            if within is not None:
                _mark(surface, eyes[observer], target, within, part, (mark, heights))
            elif part == 0 and marks is not None:
                marks[observer] = DOUBTFUL

    size = len(eyes) * surface.heights.size
    in_chunks(sweep_parts, _PARTS * len(eyes), at_once(size, _PARTS * len(eyes)))


def at_once(size: int, count: int) -> int:
    """Return the number of tasks for a thread; all of them if there is little to do."""
    return max(count, 1) if size <= _FEW_CENTRES else 1


def _bounds(surface: Surface, eye: Floats, target_height: float) -> Floats | None:
    """Return the error bounds of the kernel; None if all centres need the walk.

    Ground within `nearest` of an eye that stands well above it is too low to hide any centre a
    cell away or further. The horizon is nowhere steeper across than the ground, so that a piece
    of it that is may be left out.
    """
    ground = ground_for(surface, eye)
    rows, cols = surface.heights.shape
    u, v = cells_to(surface, eye)
    if not (-1 <= u <= cols and -1 <= v <= rows):
        return None
    step = ground.step_east + ground.step_south
    drop = max(float(eye[2]) - ground.low, 0.0)
    rise = max(ground.high - float(eye[2]), 0.0) + target_height
    tallest = max(abs(ground.low), abs(ground.high))
    rounding = 2**-44 * max(tallest, abs(float(eye[2])), target_height)
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
    out: tuple[Marks | None, Floats | None],
) -> None:
    """Mark what one eye sees in a part: 1 seen, 0 hidden, 2 too close for doubles.

    part : a fourth of a quarter; of the south first, then the north, the east and the west
    out : marks, or least heights
    """
    ground = ground_for(surface, eye)
    margin = ground.margin
    u, v = (cells + margin for cells in cells_to(surface, eye))
    quarter, west = part // 4, (part % 4 - 2) / 2
    turned, back = quarter >= 2, quarter % 2 == 1
    across, away = (v, u) if turned else (u, v)
    width = ground.heights.shape[0 if turned else 1]
    if across <= margin if west < 0 else across > width - 1 - margin:
        return
    room = _PIECES_A_COLUMN * width + _PIECES_MORE
    _kernel.part(
        ground.heights, margin, ground.turned_tops if turned else ground.tops, _TILE,
        across, away, eye[2], back, turned, west, west + 0.5,
        target_height, bounds, np.empty(12 * room + 3 * width), room, *out,
    )  # fmt: skip


def cells_to(surface: Surface, eye: Floats) -> tuple[float, float]:
    """Return the distance of an eye east and south of the first centre, in cells."""
    return (
        float((eye[0] - surface.west) / surface.cell),
        float((surface.north - eye[1]) / surface.cell),
    )
