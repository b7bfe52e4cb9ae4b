"""Visible fractions of bodies seen from an eye: solid geometry, independent of rules."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import silhouette as _kernel
from emlia3d.geometry.arrays import Floats, rows_of
from emlia3d.geometry.bodies import Bodies
from emlia3d.geometry.ground_surface import Surface
from emlia3d.geometry.sightline import places
from emlia3d.geometry.threads import in_chunks

_EYES_AT_ONCE = 4
_NOTHING = 2.0**-36


def visible_shares(
    bodies: Bodies,
    eyes: ArrayLike,
    targets: ArrayLike,
    obstacles: ArrayLike,
    surface: Surface | None = None,
    *,
    ground_hides: bool = True,
) -> Floats:
    """Return the share of each target that each eye sees past the obstacles and the ground.

    A body is a prism, from its base to its base and height over its outline, and it stands on
    something: the space under it is as solid as itself. Its *silhouette* is the directions in which
    a straight line from the eye meets its side or its top. Directions are *hidden* that pass
    below the top of an obstacle, or below the ground, at a place nearer than the one where the
    line, as the map shows it, comes to the body's outline (where it comes to it again, past a
    hollow of the outline, the nearer than that hides it there, the body's own nearer part
    included). The share is the solid angle of the rest divided by the whole silhouette's: how
    large the one looks by how large the other does. It is computed exactly from the
    positions where outlines begin, end or cross, not sampled.

    Ground above a body's base where the line comes to its outline buries that part of it; what is
    buried part counts neither as visible nor in the whole. The part of the body's own outline
    that an obstacle covers hides nothing by itself.

    Parameters
    ----------
    bodies : Bodies
        Outlines, bases and heights in one unit of length. Solid or sparse has no part.
    eyes : (n, 3) float: x, y, z
    targets, obstacles : (m,), (k,) int, rows of *bodies*; no body hides itself
    surface : Surface, in the same unit; None if the ground hides and buries nothing
    ground_hides : False if the ground of *surface* only buries

    Returns
    -------
    (n, m) float64
        From 0, nothing visible, to 1, nothing hidden; both are exact, and values
        nearer to them than 2**-36 count as rounding. 1 from within a target's outline below
        its top, 0 from there within an obstacle's and for a target that is totally buried or has
        neither width nor length.

    Raises
    ------
    IndexError
        A row that *bodies* does not have.
    ValueError
        Eyes that are not rows of three finite numbers, a base that is not finite, or a height that
        is not a number from 0.
    """
    lookers = places(eyes, "eyes") if np.size(eyes) else np.empty((0, 3))
    seen = rows_of(targets, bodies, "targets")
    hiding = rows_of(obstacles, bodies, "obstacles")
    if not np.isfinite(bodies.base).all() or not np.isfinite(bodies.height).all():
        raise ValueError("visible_shares: bodies need finite bases and heights")
    if (bodies.height < 0).any():
        raise ValueError("visible_shares: bodies need heights from 0")
    out = np.zeros((len(lookers), len(seen)))
    if not out.size:
        return out
    rim = _rim(bodies, lookers, surface)
    heights = np.empty((0, 0)) if surface is None else surface.heights
    frame = np.zeros(3) if surface is None else [surface.cell, surface.west, surface.north]
    widest = int(np.diff(bodies.starts).max(initial=1))

    def measure(begin: int, end: int) -> None:
        part = np.zeros((end - begin, len(seen)))
        room, done = 64, 0
        while done < part.size:
            numbers = np.empty(17 * widest + 16 + 2 * sum(heights.shape) + 12 * room)
            done = _kernel.shares(
                bodies.x, bodies.y, bodies.rings, bodies.bodies, bodies.boxes, bodies.base,
                bodies.height, heights, np.array(frame, dtype=np.float64), rim, ground_hides,
                lookers[begin:end], seen, hiding, done, widest, room, numbers,
                np.empty(widest, dtype=np.intp), np.empty(2 * len(hiding) + 1, dtype=np.int32),
                part,
            )  # fmt: skip
            room *= 2
        out[begin:end] = part

    in_chunks(measure, len(lookers), _EYES_AT_ONCE)
    out[out <= _NOTHING] = 0
    out[out >= 1 - _NOTHING] = 1
    out[_held(bodies, lookers, np.unique(hiding)).any(axis=1)] = 0
    out[_held(bodies, lookers, seen)] = 1
    return out


def _rim(bodies: Bodies, eyes: Floats, surface: Surface | None) -> Floats:
    """West, south, east and north of all there is, and a cell beyond it."""
    if surface is None:
        return np.zeros(4)
    rows, cols = surface.heights.shape
    corners = [
        [surface.west, surface.north - (rows - 1) * surface.cell],
        [surface.west + (cols - 1) * surface.cell, surface.north],
    ]
    spots = np.concatenate([bodies.boxes[:, :2], bodies.boxes[:, 2:], eyes[:, :2], corners])
    return np.concatenate([spots.min(axis=0) - surface.cell, spots.max(axis=0) + surface.cell])


def _held(bodies: Bodies, eyes: Floats, rows: ArrayLike) -> NDArray[np.bool_]:
    """(eyes, rows) bool: whether an eye is within a body's outline and below its top."""
    chosen = np.asarray(rows)
    boxes, tops = bodies.boxes[chosen], (bodies.base + bodies.height)[chosen]
    x, y, z = eyes.T[:, :, None]
    held = (x >= boxes[:, 0]) & (y >= boxes[:, 1]) & (x <= boxes[:, 2]) & (y <= boxes[:, 3])
    held &= z < tops
    for eye, place in np.argwhere(held):
        held[eye, place] = shapely.contains_xy(bodies.shapes[chosen[place]], *eyes[eye, :2])
    return np.asarray(held)
