"""Construction of bodies from flat faces and outlines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.panda.meshes import VERTEX

Floats: TypeAlias = NDArray[np.float64]
Rgb: TypeAlias = tuple[float, float, float]

STONE, CAPSTONE = (0.55, 0.53, 0.48), (0.66, 0.64, 0.58)
ROOTED_M = 0.6  # bodies reach this far into the ground, so that no slope shows under them


@dataclass(frozen=True, slots=True, eq=False)
class LandSolids:
    """A mesh ready to draw: VERTEX rows, corner rows (m, 3), and its opacity."""

    vertices: NDArray[np.void]
    triangles: NDArray[np.int64]
    alpha: float = 1.0
    two_sided: bool = False


class Bricks:
    """Builder of flat faces with colours."""

    def __init__(self) -> None:
        self.faces: list[Floats] = []
        self.colours: list[Rgb] = []

    def face(self, corners: Floats, colour: Rgb, light: float = 1.0) -> None:
        """Add a quad or triangle, (4 or 3, 3)."""
        for one, two in zip(range(1, len(corners) - 1), range(2, len(corners)), strict=True):
            self.faces.append(corners[[0, one, two]])
            self.colours.append((colour[0] * light, colour[1] * light, colour[2] * light))

    def box(self, low: Floats, high: Floats, along: Floats, half: float, colour: Rgb) -> None:
        """Add a beam of square section between two points; `along` is its level direction."""
        side = np.array([-along[1], along[0], 0.0]) * half
        rise = np.array([0.0, 0.0, half])
        ring = [-side - rise, side - rise, side + rise, -side + rise]
        for number in range(4):
            one, two = ring[number], ring[(number + 1) % 4]
            self.face(np.array([low + one, high + one, high + two, low + two]), colour)
        self.face(np.array([low + edge for edge in ring]), colour)
        self.face(np.array([high + edge for edge in ring[::-1]]), colour)

    def solids(self, alpha: float = 1.0) -> LandSolids:
        """Return all faces as one mesh."""
        corners = np.array(self.faces)
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-12
        vertices = np.zeros(corners.shape[0] * 3, VERTEX)
        vertices["place"] = corners.reshape(-1, 3)
        vertices["normal"] = np.repeat(normal, 3, axis=0)
        colour = np.clip(np.array(self.colours) * 255, 0, 255)
        vertices["colour"][:, :3] = np.repeat(colour, 3, axis=0)
        vertices["colour"][:, 3] = 255
        return LandSolids(vertices, np.arange(len(vertices)).reshape(-1, 3), alpha, two_sided=True)


def triangulate(ring: Floats) -> NDArray[np.int64]:
    """Return a simple polygon's triangles, (m, 3) rows of its corners, by ear clipping.

    (Panda3D's Triangulator does not terminate on some outlines that touch themselves.) If no ear is
    left, as in an outline that crosses itself, the flattest corner is removed instead.
    """
    area = float(_cross(ring, np.roll(ring, -1, axis=0)).sum())
    left = list(range(len(ring))) if area >= 0 else list(range(len(ring)))[::-1]
    triangles = []
    while len(left) > 3:
        ear = _ear(ring[left])
        triangles.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    return np.array([*triangles, left], np.int64)


def _ear(ring: Floats) -> int:
    """Return a corner of an anticlockwise ring that can be cut off."""
    before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
    turn = _cross(ring - before, after - ring)
    hollow = ring[turn <= 0]
    # Long thin triangles follow the ground badly, so try the shortest cuts first.
    for corner in np.argsort(((after - before) ** 2).sum(axis=1), kind="stable"):
        if turn[corner] <= 0:
            continue
        a, b, c = before[corner], ring[corner], after[corner]
        within = (
            (_cross(b - a, hollow - a) > 0)
            & (_cross(c - b, hollow - b) > 0)
            & (_cross(a - c, hollow - c) > 0)
        )
        if not within.any():
            return int(corner)
    return int(np.argmin(np.abs(turn)))


def _cross(one: Floats, two: Floats) -> Floats:
    return np.asarray(one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0])


def dense(ring: Floats, step: float, closed: bool = True) -> Floats:
    """Return a line or ring with points at most `step` apart."""
    after = np.roll(ring, -1, axis=0) if closed else ring[1:]
    before = ring if closed else ring[:-1]
    parts = []
    for here, there in zip(before, after, strict=True):
        pieces = max(1, int(np.ceil(np.hypot(*(there - here)) / step)))
        share = np.arange(pieces)[:, None] / pieces
        parts.append(here + (there - here) * share)
    if not closed:
        parts.append(ring[-1:])
    return np.concatenate(parts)


def anticlockwise(ring: Floats) -> Floats:
    """Return the ring with its corners counter-clockwise."""
    after = np.roll(ring, -1, axis=0)
    area = float((ring[:, 0] * after[:, 1] - ring[:, 1] * after[:, 0]).sum())
    return ring if area >= 0 else ring[::-1]


def toward_middle(ring: Floats) -> Floats:
    """Return unit vectors inward from each corner of an anticlockwise ring, (n, 2)."""
    tangent = np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)
    inward = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    return np.asarray(inward / (np.linalg.norm(inward, axis=1, keepdims=True) + 1e-9))


def upright(ring: Floats, ground: Floats, a: int, b: int, low: float, high: float) -> Floats:
    """Return the upright face over an edge of an anticlockwise ring, seen from outside."""
    return np.array(
        [
            [*ring[a], ground[a] + low],
            [*ring[b], ground[b] + low],
            [*ring[b], ground[b] + high],
            [*ring[a], ground[a] + high],
        ]
    )


def lid(bricks: Bricks, ring: Floats, height: Floats, colour: Rgb) -> None:
    """Add the top of a body, over an anticlockwise ring at these heights."""
    corners = np.column_stack([ring, height])
    for triangle in triangulate(ring):
        face = corners[triangle]
        flat = np.cross(face[1] - face[0], face[2] - face[0])[2]
        bricks.face(face if flat >= 0 else face[::-1], colour)
