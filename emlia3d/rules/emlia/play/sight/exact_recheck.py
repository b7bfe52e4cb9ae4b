"""Sight questions that rounding could decide, settled row by row with GEOS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.rules.emlia.play.sight.sight_bodies import SightScene
from emlia3d.rules.emlia.play.sight.sight_pairs import (
    Flags,
    Floats,
    Numbers,
    SightEndpoints,
    SightPairs,
)
from emlia3d.rules.emlia.tables.terrain import is_solid_through

if TYPE_CHECKING:
    from emlia3d.rules.emlia.play.sight.body_distances import BodyDistances


def is_solid(
    scene: SightScene, asked: SightPairs, which: Numbers, bodies: NDArray[np.int32], limits: Floats
) -> Flags:
    """Return whether sight-limiting terrain is thick enough along the axes of some questions.

    which : the questions
    bodies, limits : the row of the terrain in the scene, and its limit in GSU, for each
    """
    endpoints, ends = asked.endpoints, (asked.near[which], asked.far[which])
    swapped = endpoints.unit[ends[0]] > endpoints.unit[ends[1]]
    # Always from the same end, so that rounding cannot make the two answers differ.
    first, last = (
        endpoints.outlines(np.where(swapped, one, other)) for one, other in (ends[::-1], ends)
    )
    axes = shapely.linestrings(np.stack([_middles(first), _middles(last)], axis=1))
    chords = shapely.intersection(axes, scene.outlines[bodies])
    for end in (first, last):
        chords = shapely.difference(chords, end)
    lengths = shapely.length(chords).tolist()
    return np.array(list(map(is_solid_through, lengths, limits.tolist())), dtype=np.bool_)


def depths(
    scene: SightScene,
    gaps: BodyDistances,
    endpoints: SightEndpoints,
    bodies: Numbers,
    ends: tuple[Numbers, Numbers],
) -> Floats:
    """Return the distance from each body to the farthest member of the shorter unit.

    bodies : their numbers; NaN if the body casts no shadow on the shorter unit
    ends : the shorter and the taller of each row
    """
    shorter, taller = ends
    outlines, shapes = endpoints.outlines(shorter), scene.outlines[scene.row_of[bodies]]
    out = np.asarray(shapely.distance(shapes, outlines), dtype=np.float64)
    many = ~endpoints.alone[shorter]
    out[many] = gaps.depth(scene, endpoints.unit[shorter[many]], bodies[many])
    out[~is_behind(outlines, endpoints.outlines(taller), shapes)] = np.nan
    return out


def _middles(outlines: NDArray[np.object_]) -> Floats:
    return shapely.get_coordinates(shapely.centroid(outlines))


def is_behind(
    shorter: NDArray[np.object_], taller: NDArray[np.object_], bodies: NDArray[np.object_]
) -> Flags:
    """Return (k,) whether each corridor from the taller reaches the body before the shorter."""
    if not len(bodies):
        return np.empty(0, dtype=np.bool_)
    ways = _middles(shorter) - _middles(taller)
    front, _ = _reach(shorter, ways)
    least, most = _reach(bodies, ways)
    behind = least < front
    across = np.flatnonzero(behind & (most > front))
    hulls = shapely.convex_hull(shapely.union(taller[across], shorter[across]))
    least, _ = _reach(shapely.intersection(hulls, bodies[across]), ways[across])
    behind[across] = least < front[across]
    return behind


def _reach(outlines: NDArray[np.object_], ways: Floats) -> tuple[Floats, Floats]:
    """Return where each outline begins and ends in its direction; (inf, -inf) if it is empty."""
    points, owner = shapely.get_coordinates(outlines, return_index=True)
    far = _along(points, ways[owner])
    least, most = np.full(len(outlines), np.inf), np.full(len(outlines), -np.inf)
    np.minimum.at(least, owner, far)
    np.maximum.at(most, owner, far)
    return least, most


def _along(points: NDArray[np.float64], way: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the dot products of points and *way*, which order the points along it.

    No matrix product is used, because its last bit differs between machines.
    """
    return np.asarray(points[:, 0] * way[..., 0] + points[:, 1] * way[..., 1])
