"""The ground along a straight line: its profile, what it hides, and where it blocks most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from emlia3d._ext import rays as _kernel
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.ground_surface import Surface
from emlia3d.geometry.sightline import lines_of_sight, places, relief_of
from emlia3d.geometry.threads import in_chunks

_LINES_AT_ONCE = 1024
_SAME = 1e-12


class BlockingPlace(NamedTuple):
    """The point at which the ground rises highest above a line: x, y in GSU, excess in its unit."""

    x: float
    y: float
    excess: float


def profile(surface: Surface, ax: float, ay: float, bx: float, by: float) -> tuple[Floats, Floats]:
    """Return the ground along a straight line, at its ends and at every bend between them.

    Between two neighbours in the answer the ground is straight, so this is all of it.

    Parameters
    ----------
    surface : Surface
    ax, ay, bx, by : float, GSU, the line's ends; they may lie beyond the raster

    Returns
    -------
    distances : (n,) float64, GSU from a, rising from 0 to the line's length
    heights : (n,) float64, the ground's there, in the surface's unit

    Raises
    ------
    ValueError
        A number that is not finite.
    """
    ends = places([[ax, ay, 0], [bx, by, 0]], "profile")
    parts = _bends(surface, ends)
    run = ends[1] - ends[0]
    heights = surface.heights_at(ends[0, 0] + parts * run[0], ends[0, 1] + parts * run[1])
    return parts * np.hypot(run[0], run[1]), heights


def blocking_place(surface: Surface, a: ArrayLike, b: ArrayLike) -> BlockingPlace | None:
    """Return the point at which the ground rises highest above the line from a to b; None if free.

    a, b : x and y in GSU, z in the surface's unit of height and from its zero

    Of points equally high above the line, the nearest to a. `lines_of_sight` decides whether
    there is one; the excess is rounded, and may be 0 if it is below rounding.
    """
    ends = np.concatenate([places(a, "a"), places(b, "b")])
    if len(ends) != 2:
        raise ValueError("blocking_place: needs one a and one b")
    if lines_of_sight(surface, ends[0], ends[1])[0]:
        return None
    parts = _bends(surface, ends)
    x, y, z = (ends[0] + parts[:, None] * (ends[1] - ends[0])).T
    # At the ends themselves nothing is multiplied, so that they are as given.
    x[-1], y[-1], z[-1] = ends[1]
    excess = surface.heights_at(x, y) - z
    most = int(excess.argmax())
    return BlockingPlace(float(x[most]), float(y[most]), max(float(excess[most]), 0.0))


def min_visible_height(surface: Surface, eye: ArrayLike, x: ArrayLike, y: ArrayLike) -> Floats:
    """Return the minimum z that an eye sees at a point of the map, or at each of several points.

    `lines_of_sight` from the eye to that z is free, and to the next lower number it is blocked.

    Parameters
    ----------
    surface : Surface
    eye : x and y in GSU, z in the surface's unit of height and from its zero
    x, y : float, GSU, of shapes that go together; the answer has their common shape

    Returns
    -------
    float64
        At least the ground's height there; infinite where the eye is below the ground, and
        sees nothing at any height.

    Raises
    ------
    ValueError
        A number that is not finite.
    """
    origin = places(eye, "eye")
    if len(origin) != 1:
        raise ValueError("min_visible_height: needs one eye")
    east, north = np.broadcast_arrays(np.asarray(x, np.float64), np.asarray(y, np.float64))
    spots = np.stack([east.ravel(), north.ravel()], axis=-1)
    if not np.isfinite(spots).all():
        raise ValueError("min_visible_height: needs finite numbers")
    relief = relief_of(surface)
    out = np.empty(len(spots))

    def settle(begin: int, end: int) -> None:
        _kernel.least(*relief, origin[0], spots[begin:end], out[begin:end])

    in_chunks(settle, len(out), _LINES_AT_ONCE)
    return out.reshape(east.shape)


def _bends(surface: Surface, ends: Floats) -> Floats:
    """Return the positions on a line where the ground bends, from 0 to 1, both included."""
    rows, cols = surface.heights.shape
    u = (ends[:, 0] - surface.west) / surface.cell
    v = (surface.north - ends[:, 1]) / surface.cell
    found = [np.empty(0)]
    for (start, stop), last in ((u, cols - 1), (v, rows - 1), (u + v, rows + cols - 2)):
        if start != stop:
            first, final = np.clip(sorted((start, stop)), 0, last)
            bends = np.arange(np.ceil(first), np.floor(final) + 1)
            found.append((bends - start) / (stop - start))
    parts = np.unique(np.concatenate(found))
    # If three kinds of bends meet, at a centre, rounding may tell them apart.
    between = parts[(parts > _SAME) & (parts < 1 - _SAME)]
    between = between[np.diff(between, prepend=0.0) > _SAME]
    return np.concatenate([[0.0], between, [1.0]])
