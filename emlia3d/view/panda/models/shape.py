"""Construction of solids from triangles, with numpy only.

A colour is red, green, blue and a mask, each 0 to 1. With mask 1 the colour of the side replaces
it, with mask 0 it does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.view.panda.meshes import VERTEX

Colour: TypeAlias = tuple[float, float, float, float]
Array: TypeAlias = NDArray[np.float64]
# One slice of a loft: centre x, y, height z, half widths in x and y.
Slice: TypeAlias = tuple[float, float, float, float, float]

AO_RAYS = 40
AO_REACH_M = 1.2
GOLDEN_ANGLE = 2.399963229728653


def opaque(red: float, green: float, blue: float) -> Colour:
    """Return a colour that every side shares."""
    return (red, green, blue, 0.0)


CLOTH: Colour = (0.94, 0.94, 0.94, 1.0)
DARK_CLOTH: Colour = (0.62, 0.62, 0.62, 1.0)


@dataclass
class Shape:
    """Triangles of single colours; +y is ahead, z is up, metres."""

    corners: list[Array] = field(default_factory=list)
    colours: list[Colour] = field(default_factory=list)

    def facet(self, *points: ArrayLike, colour: Colour) -> None:
        """Add a flat convex face, its corners anticlockwise as seen from outside."""
        ring = [np.asarray(point, np.float64) for point in points]
        for second, third in pairwise(ring[1:]):
            self.corners.append(np.stack([ring[0], second, third]))
            self.colours.append(colour)

    def sheet(self, *points: ArrayLike, colour: Colour) -> None:
        """Add a face with two sides."""
        self.facet(*points, colour=colour)
        self.facet(*points[::-1], colour=colour)

    def loft(  # noqa: PLR0913 - a solid is described in one call
        self,
        slices: Sequence[Slice],
        colour: Colour | list[Colour],
        *,
        sides: int = 4,
        turn: float | None = None,
        frame: Array | None = None,
        open_below: bool = False,
        open_above: bool = False,
    ) -> None:
        """Add a body through horizontal slices from the lowest to the highest.

        colour : one, or one for each gap between slices; a slice of no width is a tip
        frame : (4, 4), transformation of the upright body
        """
        start = np.pi / sides if turn is None else turn
        angle = np.arange(sides) * 2 * np.pi / sides + start
        stretch = 1 / np.cos(np.pi / sides) if sides == 4 else 1.0
        rings = []
        for x, y, z, half_x, half_y in slices:
            ring = np.stack(
                [
                    x + half_x * stretch * np.cos(angle),
                    y + half_y * stretch * np.sin(angle),
                    np.full(sides, z),
                ],
                axis=1,
            )
            rings.append(ring if frame is None else ring @ frame[:3, :3].T + frame[:3, 3])
        gaps = len(slices) - 1
        tints = list(colour) if isinstance(colour, list) else [colour] * gaps
        for low, high, tint, upper in zip(rings[:-1], rings[1:], tints, slices[1:], strict=True):
            for here in range(sides):
                there = (here + 1) % sides
                if upper[3] == 0 and upper[4] == 0:
                    self.facet(low[here], low[there], high[here], colour=tint)
                else:
                    self.facet(low[here], low[there], high[there], high[here], colour=tint)
        if not open_below:
            self.facet(*rings[0][::-1], colour=tints[0])
        if not open_above and slices[-1][3] > 0:
            self.facet(*rings[-1], colour=tints[-1])

    def limb(  # noqa: PLR0913 - likewise
        self,
        start: ArrayLike,
        end: ArrayLike,
        width: float,
        colour: Colour,
        *,
        depth: float | None = None,
        taper: float = 1.0,
        sides: int = 4,
    ) -> None:
        """Add a straight limb or rod; half widths at its start, times `taper` at its end."""
        foot, tip = np.asarray(start, np.float64), np.asarray(end, np.float64)
        length = float(np.linalg.norm(tip - foot))
        along = (tip - foot) / length
        upward = np.array([0.0, 0.0, 1.0]) if abs(along[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
        side = np.cross(upward, along)
        side /= np.linalg.norm(side)
        frame = np.eye(4)
        frame[:3, 0], frame[:3, 1], frame[:3, 2] = side, np.cross(along, side), along
        frame[:3, 3] = foot
        thick = width if depth is None else depth
        self.loft(
            [(0, 0, 0, width, thick), (0, 0, length, width * taper, thick * taper)],
            colour,
            sides=sides,
            frame=frame,
        )

    def add(self, other: Shape, move: ArrayLike = (0, 0, 0), turn_deg: float = 0.0) -> None:
        """Add another shape, turned clockwise and moved."""
        angle = np.radians(turn_deg)
        spin = np.array(
            [
                [np.cos(angle), np.sin(angle), 0],
                [-np.sin(angle), np.cos(angle), 0],
                [0, 0, 1],
            ]
        )
        for corner in other.corners:
            self.corners.append(corner @ spin.T + np.asarray(move, np.float64))
        self.colours.extend(other.colours)

    def scaled(self, factor: float) -> Shape:
        """Return the shape, scaled."""
        return Shape([corner * factor for corner in self.corners], list(self.colours))


def finish(
    shape: Shape, round_about: ArrayLike | None = None, occlusion: float = 0.7
) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Vertices (VERTEX layout) and triangles (m, 3) of a shape, with baked shade.

    round_about : a centre from which normals lean away, so that foliage looks round
    occlusion : strength of the model's shade on itself
    """
    corners, colours = np.array(shape.corners), np.array(shape.colours)
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flat /= np.linalg.norm(flat, axis=1, keepdims=True) + 1e-12
    normals = np.repeat(flat[:, None], 3, axis=1)
    if round_about is not None:
        away = corners - np.asarray(round_about, np.float64)
        away /= np.linalg.norm(away, axis=2, keepdims=True) + 1e-9
        normals = 0.35 * normals + 0.65 * away
        normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    open_sky = _open_sky(corners, flat)
    tinted = np.repeat(colours[:, None], 3, axis=1)
    tinted[..., :3] *= (1 - occlusion * (1 - open_sky))[..., None]
    vertices = np.zeros(corners.shape[0] * 3, VERTEX)
    vertices["place"] = corners.reshape(-1, 3).round(4)
    vertices["normal"] = normals.reshape(-1, 3).round(3)
    vertices["colour"] = np.clip(tinted.reshape(-1, 4) * 255 + 0.5, 0, 255)
    unique, rows = np.unique(vertices, return_inverse=True)
    return unique, rows.reshape(-1, 3)


def _open_sky(corners: Array, normals: Array) -> Array:
    """Return the visible proportion of the sky for each corner, (m, 3)."""
    inward = corners + (corners.mean(axis=1, keepdims=True) - corners) * 0.06
    origins = (inward + normals[:, None] * 0.004).reshape(-1, 3)
    facing = np.repeat(normals, 3, axis=0)
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    lost, total = np.zeros(len(origins)), np.zeros(len(origins))
    for number in range(AO_RAYS):
        height = 1 - (2 * number + 1) / AO_RAYS
        level, angle = np.sqrt(1 - height * height), number * GOLDEN_ANGLE
        ray = np.array([level * np.cos(angle), level * np.sin(angle), height])
        weight = np.clip(facing @ ray, 0, None)
        across = np.cross(ray, two)
        volume = (one * across).sum(axis=1)
        usable = np.abs(volume) > 1e-9
        inverse = np.where(usable, 1 / np.where(usable, volume, 1), 0)
        offset = origins[:, None] - corners[None, :, 0]
        u = inverse * (offset * across).sum(axis=2)
        turned = np.cross(offset, one[None])
        v = inverse * (turned @ ray)
        distance = inverse * (turned * two[None]).sum(axis=2)
        within = (u >= 0) & (v >= 0) & (u + v <= 1) & usable
        hit = (within & (distance > 1e-3) & (distance < AO_REACH_M)).any(axis=1)
        if height < 0:
            hit |= origins[:, 2] / -height < AO_REACH_M * 0.8
        lost += weight * hit
        total += weight
    return np.asarray((1 - lost / np.maximum(total, 1e-6)).reshape(-1, 3))
