"""Straight moves of discs and oriented rectangles, up to the first body or outline.

`emlia3d.geometry.footprints` makes the footprints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d._ext import footprints as _kernel
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.footprints import COLUMNS, SLACK, Footprints, footprints, places_in


@dataclass(frozen=True, slots=True, eq=False)
class Walls:
    """Edges of outlines that end moves.

    columns : (k, 7) float64, as footprints without depth
    of : (k,) int32, the outline of each edge
    """

    columns: Floats
    of: NDArray[np.int32]


def walls(outlines: Iterable[BaseGeometry]) -> Walls:
    """Return the edges of polygons or lines as walls; ValueError for a point beyond the limit.

    A footprint can start within an outline. Only the edge of the outline ends the move.
    """
    shapes = np.array([*outlines], dtype=np.object_)
    rings, of_ring = _rings(shapes)
    starts: list[Floats] = []
    ends: list[Floats] = []
    of: list[NDArray[np.int32]] = []
    for ring, owner in zip(rings, of_ring.tolist(), strict=True):
        corners = shapely.get_coordinates(ring)
        longer = (corners[1:] != corners[:-1]).any(axis=1)
        starts.append(corners[:-1][longer])
        ends.append(corners[1:][longer])
        of.append(np.full(int(longer.sum()), owner, dtype=np.int32))
    if not starts:
        return Walls(np.empty((0, COLUMNS)), np.empty(0, np.int32))
    one, other = np.concatenate(starts), np.concatenate(ends)
    step = other - one
    length = np.sqrt(step[:, 0] * step[:, 0] + step[:, 1] * step[:, 1])
    facing = np.column_stack((-step[:, 1], step[:, 0]))
    found = footprints((one + other) / 2, facing, width=length)
    return Walls(found.columns, np.concatenate(of))


def _rings(shapes: NDArray[np.object_]) -> tuple[NDArray[np.object_], NDArray[np.intp]]:
    """Return the rings of polygons, and lines as they are, with the row of each."""
    parts, of_part = shapely.get_parts(shapes, return_index=True)
    is_polygon = shapely.get_dimensions(parts) == 2
    rings, of_polygon = shapely.get_rings(parts[is_polygon], return_index=True)
    lines = np.concatenate((rings, parts[~is_polygon]))
    return lines, np.concatenate((of_part[is_polygon][of_polygon], of_part[~is_polygon]))


NO_WALLS = Walls(np.empty((0, COLUMNS)), np.empty(0, np.int32))
"""Walls of an open field."""


@dataclass(frozen=True, slots=True)
class FreeMove:
    """The free part of a straight move.

    part : free part of the move, 0 to 1
    body : row of the footprint that ends it; None if none does
    outline : row of the outline that ends it; None if none does
    """

    part: float
    body: int | None = None
    outline: int | None = None

    @property
    def is_whole(self) -> bool:
        """True if nothing ends the move."""
        return self.body is None and self.outline is None


def free_moves(
    mover: Footprints,
    moves: ArrayLike,
    bodies: Footprints,
    ignored: ArrayLike = (),
    outlines: Walls = NO_WALLS,
    slack: float = SLACK,
) -> list[FreeMove]:
    """Return the free part of straight moves, up to the first body or outline that they touch.

    If the footprint touches one at the start, it can move away from it or along it, but not into it
    by more than 1.5 times the slack. If it overlaps a body by more, it can only move out.

    Parameters
    ----------
    mover
        One footprint.
    moves
        (k, 2) float, GSU, east and north of each move.
    bodies
        Footprints that can end a move.
    ignored
        Rows of *bodies* through which it can move, such as its own.
    outlines
        Edges that can end a move.
    slack
        Maximum gap that counts as contact, GSU.

    Returns
    -------
    list of FreeMove
        One for each move. A touch at its very end is named, too.

    Raises
    ------
    ValueError
        If *mover* is not one footprint.
    IndexError
        If an ignored row is out of range.
    """
    if len(mover) != 1:
        raise ValueError(f"mover: expected one footprint, got {len(mover)}")
    steps = places_in(moves)
    passed = np.zeros(len(bodies), dtype=np.uint8)
    passed[np.asarray(ignored, dtype=np.intp)] = 1
    part, met = np.empty(len(steps)), np.empty(len(steps), dtype=np.int32)
    _kernel.first_met(
        mover.columns, steps, bodies.columns, passed, outlines.columns, slack, part, met
    )
    return [
        _free_move(share, row, len(bodies), outlines)
        for share, row in zip(part.tolist(), met.tolist(), strict=True)
    ]


def _free_move(part: float, row: int, bodies: int, outlines: Walls) -> FreeMove:
    if row < 0:
        return FreeMove(part)
    if row < bodies:
        return FreeMove(part, body=row)
    return FreeMove(part, outline=outlines.of.item(row - bodies))
