"""Formations: where the members of a unit stand, and the outline round them.

A unit's pose is the middle of its front line and its facing; from them, its formation, its
files and the room of one figure follow all places, so an event that moves five hundred members
carries one pose. Places are rounded to 1/1024 GSU, where they are laid out.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import isqrt

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.force.facing import unit_vector

GRID = 1024.0
"""Places are whole multiples of 1/GRID GSU."""

LAYOUT_VERSION = 1
"""Stands in every battle file: a later layout would place the figures of a pose otherwise."""


class Formation(IntEnum):
    """The spacing of members: see `emlia3d.force.formation.GAPS`."""

    OPEN = 0
    CLOSE = 1
    RANKED = 2


def usual_files(members: int) -> int:
    """Return the default number of files of a formation, about twice as wide as deep.

    It is the root of twice the number of members, rounded up (`emlia.form.spacing`), and at most
    the number of members.
    """
    return min(members, isqrt(max(2 * members - 1, 0)) + 1)


FORMATIONS = tuple(formation.name.lower() for formation in Formation)

GAPS = {Formation.OPEN: (2.0, 10.0), Formation.CLOSE: (0.5, 1.0), Formation.RANKED: (0.0, 0.0)}
"""The gap between figures, in figure widths, and its greatest value, GSU."""


@dataclass(frozen=True, kw_only=True)
class FormationLayout:
    """The layout of a unit without its pose.

    Its measures are computed once, because a unit tests many poses in the same layout.

    count : number of members
    files : number of figures in a full rank
    width, depth : space of one figure across and along the facing, GSU
    """

    formation: Formation
    count: int
    files: int
    width: float
    depth: float

    @property
    def ranks(self) -> int:
        """Number of ranks; the last can be incomplete."""
        return -(-self.count // self.files)

    @functools.cached_property
    def spacing(self) -> tuple[float, float]:
        """Distance between the centres of neighbouring figures: across, along; GSU."""
        times, most = GAPS[self.formation]
        return (
            self.width + min(times * self.width, most),
            self.depth + min(times * self.depth, most),
        )

    @functools.cached_property
    def frontage(self) -> float:
        """Distance between the left and right edge of the front rank, GSU."""
        files = min(self.files, max(self.count, 1))
        return (files - 1) * self.spacing[0] + self.width

    @functools.cached_property
    def length(self) -> float:
        """Distance between the front and rear edge, GSU."""
        return (max(self.ranks, 1) - 1) * self.spacing[1] + self.depth


def snapped(value: float) -> float:
    """Return the nearest position on the grid of stored coordinates."""
    return round(value * GRID) / GRID


def places(drill: FormationLayout, x: float, y: float, facing: int) -> NDArray[np.float64]:
    """Return the positions of the members: (count, 2) float64, GSU, on the grid.

    Row 0 is the left member of the front rank. Ranks follow from front to rear, each from left to
    right. An incomplete last rank stands in the centre (`emlia.form.spacing`).
    """
    return np.asarray(places_along(drill, np.array([(x, y)]), facing)[0])


def places_along(
    drill: FormationLayout, fronts: NDArray[np.float64], facing: int
) -> NDArray[np.float64]:
    """Return the positions of the members, as `places` does, for several poses with one facing.

    Parameters
    ----------
    drill
        Layout of the unit.
    fronts
        (k, 2) float64, GSU, centre of the front line at each pose.
    facing
        Facing at all poses.

    Returns
    -------
    ndarray
        (k, count, 2) float64, GSU, on the grid.
    """
    across, along = _ranks_and_files(drill)
    east, north = unit_vector(facing)
    x, y = fronts.T[:, :, None]
    out = np.empty((len(fronts), drill.count, 2))
    out[:, :, 0] = np.round((x + across * north + along * east) * GRID) / GRID
    out[:, :, 1] = np.round((y - across * east + along * north) * GRID) / GRID
    return out


@functools.lru_cache(maxsize=64)
def _ranks_and_files(drill: FormationLayout) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far each member stands right of the front line's centre, and before it.

    Independent of the pose; a unit tries many poses, one after another.
    """
    slot = np.arange(drill.count)
    rank, file = slot // drill.files, slot % drill.files
    in_rank = np.where(
        rank == drill.ranks - 1, drill.count - (drill.ranks - 1) * drill.files, drill.files
    )
    across_step, along_step = drill.spacing
    across = (file - (in_rank - 1) / 2) * across_step
    along = np.asarray(-(drill.depth / 2 + rank * along_step), dtype=np.float64)
    for column in (across, along):
        column.flags.writeable = False
    return across, along


def block(drill: FormationLayout, x: float, y: float, facing: int) -> NDArray[np.float64]:
    """Return the corners of the rectangle of ranks and files: (4, 2) float64, GSU.

    Front left, front right, rear right, rear left.
    """
    east, north = unit_vector(facing)
    half, deep = drill.frontage / 2, drill.length
    local = ((-half, 0.0), (half, 0.0), (half, -deep), (-half, -deep))
    return np.array([(x + a * north + b * east, y - a * east + b * north) for a, b in local])


def centre(drill: FormationLayout, x: float, y: float, facing: int) -> tuple[float, float]:
    """Return the centre of a rectangle whose front line has its centre at (*x*, *y*)."""
    east, north = unit_vector(facing)
    return x - drill.length / 2 * east, y - drill.length / 2 * north


def front_of(drill: FormationLayout, x: float, y: float, facing: int) -> tuple[float, float]:
    """Return the centre of the front line of a rectangle with centre (*x*, *y*), on the grid."""
    east, north = unit_vector(facing)
    return snapped(x + drill.length / 2 * east), snapped(y + drill.length / 2 * north)


_ROUND = np.array([unit_vector(step * 64 * 360 // 16) for step in range(16)])
_NO_CORNERS = np.empty((0, 2))


def footprint_corners(
    drill: FormationLayout, spots: NDArray[np.float64], facing: int
) -> NDArray[np.float64]:
    """Return the outline of each member: (count, corners, 2) float64, GSU.

    In ranks, its rectangle in the ranks; otherwise a sixteen-sided disc.

    spots : (count, 2) positions
    """
    return np.asarray(spots[:, None] + figure_outline(drill, facing)[:-1])


def footprints(
    drills: Sequence[FormationLayout],
    facings: Sequence[int],
    counts: Sequence[int],
    spots: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the outlines of the members of several units: points, and the start of each outline.

    It does the same as `footprint_corners` for all units at once. Each outline is closed.

    counts : number of members of each unit
    spots : (all members, 2) positions
    """
    figures = [figure_outline(drill, facing) for drill, facing in zip(drills, facings, strict=True)]
    sizes = np.repeat([len(figure) for figure in figures], counts)
    offsets = np.zeros(len(spots) + 1, dtype=np.int32)
    np.cumsum(sizes, out=offsets[1:])
    each = [figure for figure, count in zip(figures, counts, strict=True) for _ in range(count)]
    return np.repeat(spots, sizes, axis=0) + np.concatenate([_NO_CORNERS, *each]), offsets


def figure_outline(drill: FormationLayout, facing: int) -> NDArray[np.float64]:
    """Return the outline of a member relative to its position: (n, 2) GSU, closed."""
    if drill.formation is not Formation.RANKED:
        return _disc(max(drill.width, drill.depth) / 2)
    return _rectangle(drill.width, drill.depth, facing)


@functools.lru_cache(maxsize=256)
def _disc(radius: float) -> NDArray[np.float64]:
    """(17, 2): a disc of sixteen sides, closed."""
    return _closed(radius * _ROUND)


@functools.lru_cache(maxsize=1024)
def _rectangle(width: float, depth: float, facing: int) -> NDArray[np.float64]:
    """(5, 2): front left, front right, rear right, rear left, and front left again."""
    east, north = unit_vector(facing)
    across = width / 2 * np.array([-1.0, 1.0, 1.0, -1.0])
    along = depth / 2 * np.array([1.0, 1.0, -1.0, -1.0])
    corners = (across * north + along * east, along * north - across * east)
    return _closed(np.stack(corners, axis=-1))


def _closed(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners with the first again after the last, read-only."""
    ring = np.concatenate([corners, corners[:1]])
    ring.flags.writeable = False
    return ring


def _discs(spots: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """(n, 16, 2): sixteen-sided discs about places."""
    return np.asarray(spots[:, None] + _disc(radius)[:-1])


def boundary(
    drill: FormationLayout,
    x: float,
    y: float,
    facing: int,
    figures: NDArray[np.float64] | None = None,
) -> Polygon:
    """Return the boundary of a unit, from the positions *figures* of its members, (count, 2).

    Without *figures*, use the positions from `places`. For a ranked unit, the boundary is the
    rectangle of ranks and files. For an open unit, it is the convex hull of the members'
    footprints. For a close unit, it is their footprints and the links between them, closed by
    1 GSU (`emlia.entity.boundary`). Footprints are sixteen-sided discs. If figures are in their
    places, links need no drawing, because closing fills the gaps. A unit that has no members and
    is not ranked has an empty boundary.
    """
    if drill.formation is Formation.RANKED:
        rectangle: Polygon = np.asarray(shapely.polygons([block(drill, x, y, facing)])).item()
        return rectangle
    if not drill.count:
        return Polygon()
    if figures is None:
        figures = places(drill, x, y, facing)
    if drill.formation is Formation.OPEN or drill.count == 1:
        return _hull(drill, figures)
    origin = np.round(figures[0] * GRID) / GRID
    linked = _linked(max(drill.width, drill.depth) / 2, (figures - origin).tobytes())
    if isinstance(linked, Polygon) and not linked.is_empty:
        return shapely.transform(linked, lambda corners: corners + origin)
    return _hull(drill, figures)


def boundaries(
    drill: FormationLayout, fronts: NDArray[np.float64], facing: int, figures: NDArray[np.float64]
) -> list[Polygon]:
    """Return the `boundary` at each of several poses with one facing.

    Parameters
    ----------
    drill
        Layout of a unit with members.
    fronts
        (k, 2) float64, GSU, centre of the front line at each pose.
    facing
        Facing at all poses.
    figures
        (k, count, 2) float64, GSU, positions of the members at each pose.
    """
    poses = fronts.tolist()
    if drill.formation is Formation.RANKED:
        rows = [block(drill, x, y, facing) for x, y in poses]
        blocks: list[Polygon] = np.asarray(shapely.polygons(rows)).tolist()
        return blocks
    if drill.formation is Formation.OPEN or drill.count == 1:
        return _hulls(drill, figures)
    return [
        boundary(drill, x, y, facing, spots) for (x, y), spots in zip(poses, figures, strict=True)
    ]


@functools.lru_cache(maxsize=256)
def _linked(radius: float, spots: bytes) -> BaseGeometry:
    """Return the discs of members in close formation and their links, seen from one of them.

    The same wherever a body goes without turning, so a march, of which each step is tried, asks
    for it once.
    """
    discs = shapely.polygons(_discs(np.frombuffer(spots).reshape(-1, 2), radius))
    closed = shapely.union_all(discs).buffer(1.0, quad_segs=4).buffer(-1.0, quad_segs=4)
    return shapely.set_precision(closed, 1 / GRID)


def _hull(drill: FormationLayout, figures: NDArray[np.float64]) -> Polygon:
    """Return the convex hull of the discs of unranked members."""
    return _hulls(drill, figures[None])[0]


def _hulls(drill: FormationLayout, figures: NDArray[np.float64]) -> list[Polygon]:
    """Return the hull of the members at each pose, from their places (k, count, 2)."""
    poses, count, _ = figures.shape
    corners, pose = figures.reshape(-1, 2), np.repeat(np.arange(poses), count)
    if count > 1:
        # A member within the hull of the others' places adds nothing to the hull of all discs.
        around = shapely.convex_hull(shapely.linestrings(figures))
        corners, pose = shapely.get_coordinates(around, return_index=True)
    rims = _discs(corners, max(drill.width, drill.depth) / 2)
    lines = shapely.linestrings(rims.reshape(-1, 2), indices=np.repeat(pose, rims.shape[1]))
    hulls: list[Polygon] = np.asarray(shapely.convex_hull(lines)).tolist()
    return hulls
