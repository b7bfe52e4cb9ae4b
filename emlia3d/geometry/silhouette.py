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
    """Return the visible fraction of each target from each eye, past obstacles and ground.

    A body is a prism from its base to its top over its outline. The space below it is as solid as
    the body. Its *silhouette* is the set of directions in which a straight line from the eye meets
    its side or its top.

    A direction is *hidden* if the line passes below the top of an obstacle, or below the ground,
    at a point nearer than the first point over the body's outline. If the line, seen from above,
    leaves the outline and enters it again, that nearer part of the body can also hide the rest.
    The fraction is the solid angle of the visible directions divided by the solid angle of the
    silhouette. It is computed exactly from the positions at which outlines begin, end or cross.

    If the ground at the outline is above the body's base, it buries that part of the body. Buried
    parts count neither as visible nor in the whole. The part of the body's own outline that an
    obstacle covers hides nothing.

    Parameters
    ----------
    bodies : Bodies
        Outlines, bases and heights in one unit of length. Solidity has no effect.
    eyes : (n, 3) float
        x, y, z.
    targets, obstacles : (m,), (k,) int
        Rows of *bodies*. No body hides itself.
    surface : Surface
        Ground in the same unit; None if it hides and buries nothing.
    ground_hides : bool
        False if the ground only buries.

    Returns
    -------
    (n, m) float64
        From 0 (nothing is visible) to 1 (nothing is hidden). Both are exact, and values nearer to
        them than 2**-36 are rounded to them. 1 for an eye within the target's outline and below
        its top. 0 for an eye there within an obstacle, and for a target that is totally buried or
        has neither width nor length.

    Raises
    ------
    IndexError
        If a row is out of range.
    ValueError
        If eyes are not rows of three finite numbers, a base is not finite, or a height is
        negative or not finite.
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
