"""Walls, hedges, fences, bridges and blocks: bodies raised from their outlines on the ground."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.panda.meshes import VERTEX
from emlia3d.view.panda.scatter import fraction
from emlia3d.view.scene import Patch, Terrain

Floats: TypeAlias = NDArray[np.float64]
Rgb: TypeAlias = tuple[float, float, float]

STONE, CAPSTONE = (0.55, 0.53, 0.48), (0.66, 0.64, 0.58)
LEAVES, LEAVES_TOP = (0.25, 0.34, 0.16), (0.33, 0.43, 0.20)
TIMBER, TURF = (0.46, 0.36, 0.25), (0.44, 0.47, 0.28)
STRANGE = (0.55, 0.60, 0.72)
ROOTED_M = 0.6  # bodies reach this far into the ground, so that no slope shows under them


@dataclass(frozen=True, slots=True, eq=False)
class Solids:
    """A mesh ready to draw: VERTEX rows, corner rows (m, 3), and how solid it looks."""

    vertices: NDArray[np.void]
    triangles: NDArray[np.int64]
    alpha: float = 1.0
    two_sided: bool = False


def solids_of(terrain: Terrain) -> Iterator[Solids]:
    """Every body of a terrain that is raised from its outline: one mesh a look."""
    firm, glass = _Bricks(), _Bricks()
    for patch in terrain.patches:
        if patch.kind in PAINTED_ONLY:
            continue
        builder = _BUILDERS.get(patch.kind)
        if builder is not None:
            builder(firm, patch, terrain)
        elif patch.height_m > 0:
            _block(glass, patch, terrain)
    if firm.faces:
        yield firm.solids()
    if glass.faces:
        yield glass.solids(alpha=0.45)


def masonry(blocks: Sequence[Patch], terrain: Terrain) -> Solids:
    """Blocks of stone that stand on the ground, at least one."""
    bricks = _Bricks()
    for block in blocks:
        _wall(bricks, block, terrain)
    return bricks.solids()


PAINTED_ONLY = frozenset(
    {"wood", "scrub", "orchard", "stream", "river", "lake", "marsh", "road", "track", "field",
     "rock", "building", "farm", "village", "ford", "tree"}
)  # fmt: skip


class _Bricks:
    """Flat faces, each with its colour."""

    def __init__(self) -> None:
        self.faces: list[Floats] = []
        self.colours: list[Rgb] = []

    def face(self, corners: Floats, colour: Rgb, light: float = 1.0) -> None:
        """A quad or triangle, (4 or 3, 3)."""
        for one, two in zip(range(1, len(corners) - 1), range(2, len(corners)), strict=True):
            self.faces.append(corners[[0, one, two]])
            self.colours.append((colour[0] * light, colour[1] * light, colour[2] * light))

    def box(self, low: Floats, high: Floats, along: Floats, half: float, colour: Rgb) -> None:
        """A beam of square section between two points; `along` is its level direction."""
        side = np.array([-along[1], along[0], 0.0]) * half
        rise = np.array([0.0, 0.0, half])
        ring = [-side - rise, side - rise, side + rise, -side + rise]
        for number in range(4):
            one, two = ring[number], ring[(number + 1) % 4]
            self.face(np.array([low + one, high + one, high + two, low + two]), colour)
        self.face(np.array([low + edge for edge in ring]), colour)
        self.face(np.array([high + edge for edge in ring[::-1]]), colour)

    def solids(self, alpha: float = 1.0) -> Solids:
        corners = np.array(self.faces)
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-12
        vertices = np.zeros(corners.shape[0] * 3, VERTEX)
        vertices["place"] = corners.reshape(-1, 3)
        vertices["normal"] = np.repeat(normal, 3, axis=0)
        colour = np.clip(np.array(self.colours) * 255, 0, 255)
        vertices["colour"][:, :3] = np.repeat(colour, 3, axis=0)
        vertices["colour"][:, 3] = 255
        return Solids(vertices, np.arange(len(vertices)).reshape(-1, 3), alpha, two_sided=True)


def _wall(bricks: _Bricks, patch: Patch, terrain: Terrain) -> None:
    """Courses of stones of many greys under pale capstones."""
    height = patch.height_m or 1.2
    ring = dense(_anticlockwise(patch.outline_m[0]), 1.0)
    courses = max(2, round(height / 0.4))
    levels = np.linspace(0, height * 0.88, courses + 1)
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    edges = [(here, (here + 1) % len(ring)) for here in range(len(ring))]
    for course, (low, high) in enumerate(pairwise(levels)):
        number = np.arange(len(ring))
        grey = 0.74 + 0.42 * fraction(number, np.full(len(ring), course), patch.seed)
        foot = low if course else -ROOTED_M
        for a, b in edges:
            bricks.face(_upright(ring, ground, a, b, foot, high), STONE, float(grey[a]))
    for a, b in edges:
        bricks.face(_upright(ring, ground, a, b, height * 0.88, height), CAPSTONE, 0.9)
    _lid(bricks, ring, ground + height, CAPSTONE)


def _hedge(bricks: _Bricks, patch: Patch, terrain: Terrain) -> None:
    """Ragged leaves: no two places of the same height or width."""
    height = patch.height_m or 1.8
    ring = dense(_anticlockwise(patch.outline_m[0]), 1.3)
    centre = _toward_middle(ring)
    number = np.arange(len(ring))
    rough = fraction(number, np.zeros(len(ring)), patch.seed)
    bulge = ring - centre * (0.35 * (rough - 0.75))[:, None]
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    top = height * (0.86 + 0.28 * fraction(number, np.ones(len(ring)), patch.seed))
    for a in range(len(ring)):
        b = (a + 1) % len(ring)
        light = 0.8 + 0.4 * float(rough[a])
        foot = np.array([[*bulge[b], ground[b] - ROOTED_M], [*bulge[a], ground[a] - ROOTED_M]])
        waist = np.array(
            [[*bulge[a], ground[a] + top[a] * 0.7], [*bulge[b], ground[b] + top[b] * 0.7]]
        )
        crest = np.array([[*ring[b], ground[b] + top[b]], [*ring[a], ground[a] + top[a]]])
        bricks.face(np.concatenate([foot[::-1], waist[::-1]]), LEAVES, light)
        bricks.face(np.concatenate([waist, crest]), LEAVES_TOP, light)
    _lid(bricks, ring, ground + top, LEAVES_TOP)


def _fence(bricks: _Bricks, patch: Patch, terrain: Terrain) -> None:
    """Posts and two rails along one long side of the outline."""
    height = patch.height_m or 1.2
    line = _long_side(patch.outline_m[0])
    line = dense(line, 2.6, closed=False)
    feet = np.column_stack([line, terrain.heights(line[:, 0], line[:, 1])])
    up = np.array([0.0, 0.0, 1.0])
    for foot, following in pairwise(feet):
        along = following[:2] - foot[:2]
        along = along / max(float(np.hypot(*along)), 1e-9)
        for level in (0.45, 0.85):
            bricks.box(
                foot + up * height * level, following + up * height * level, along, 0.05, TIMBER
            )
    for foot in feet:
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.08
        for number in range(4):
            one, two = corners[number], corners[(number + 1) % 4]
            quad = np.array([[*one, -ROOTED_M], [*two, -ROOTED_M], [*two, height], [*one, height]])
            bricks.face(quad + foot, TIMBER, 0.85)


def _bridge(bricks: _Bricks, patch: Patch, terrain: Terrain) -> None:
    """A level deck of stone with a parapet along its two longer sides."""
    ring = _anticlockwise(patch.outline_m[0])
    level = float(terrain.heights(ring[:, 0], ring[:, 1]).max()) + 0.12
    deck = np.full(len(ring), level)
    edges = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T)
    for a in range(len(ring)):
        b = (a + 1) % len(ring)
        bricks.face(_upright(ring, deck, a, b, -3.0, 0.0), STONE, 0.85)
        if edges[a] > 0.8 * edges.max():
            parapet = patch.height_m or 0.9
            inward = _toward_middle(ring)
            inner = np.array([ring[a] + 0.4 * inward[a], ring[b] + 0.4 * inward[b]])
            bricks.face(_upright(ring, deck, a, b, 0.0, parapet), STONE, 1.0)
            top = [[*point, level + parapet] for point in (ring[a], ring[b], inner[1], inner[0])]
            bricks.face(np.array(top), CAPSTONE)
            low = [[*inner[1], level], [*inner[0], level]]
            high = [[*inner[0], level + parapet], [*inner[1], level + parapet]]
            bricks.face(np.array(low + high), STONE, 0.9)
    _lid(bricks, ring, deck, (0.64, 0.57, 0.44))


def _hill(bricks: _Bricks, patch: Patch, terrain: Terrain) -> None:
    """A mound of turf with sloping sides."""
    if patch.height_m <= 0:
        return
    ring = dense(_anticlockwise(patch.outline_m[0]), 6.0)
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    crest = ring + _toward_middle(ring) * min(
        patch.height_m, 0.12 * float(np.ptp(ring, axis=0).min())
    )
    for a in range(len(ring)):
        b = (a + 1) % len(ring)
        foot = [[*ring[a], ground[a] - ROOTED_M], [*ring[b], ground[b] - ROOTED_M]]
        top = [[*crest[b], ground[b] + patch.height_m], [*crest[a], ground[a] + patch.height_m]]
        bricks.face(np.array(foot + top), TURF, 0.86)
    _lid(bricks, crest, ground + patch.height_m, TURF)


def _block(bricks: _Bricks, patch: Patch, terrain: Terrain) -> None:
    """A plain block for what nobody has drawn yet."""
    ring = dense(_anticlockwise(patch.outline_m[0]), 8.0)
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    for a in range(len(ring)):
        b = (a + 1) % len(ring)
        bricks.face(_upright(ring, ground, a, b, -ROOTED_M, patch.height_m), STRANGE)
    _lid(bricks, ring, ground + patch.height_m, STRANGE)


_BUILDERS: dict[str, Callable[[_Bricks, Patch, Terrain], None]] = {
    "wall": _wall,
    "hedge": _hedge,
    "fence": _fence,
    "bridge": _bridge,
    "hill": _hill,
}


def triangulate(ring: Floats) -> NDArray[np.int64]:
    """A simple polygon's triangles, (m, 3) rows of its corners, by cutting off ears.

    (Panda3D's Triangulator never ends on some outlines that touch themselves.) Where no ear
    is left, as in an outline that crosses itself, the flattest corner goes instead.
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
    """A corner of an anticlockwise ring that can be cut off."""
    before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
    turn = _cross(ring - before, after - ring)
    hollow = ring[turn <= 0]
    # Long thin triangles follow the ground badly: try the shortest cuts first.
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
    """A line or ring with points at most `step` apart."""
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


def _anticlockwise(ring: Floats) -> Floats:
    after = np.roll(ring, -1, axis=0)
    area = float((ring[:, 0] * after[:, 1] - ring[:, 1] * after[:, 0]).sum())
    return ring if area >= 0 else ring[::-1]


def _toward_middle(ring: Floats) -> Floats:
    """Unit vectors inward from each corner of an anticlockwise ring, (n, 2)."""
    tangent = np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)
    inward = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    return np.asarray(inward / (np.linalg.norm(inward, axis=1, keepdims=True) + 1e-9))


def _long_side(ring: Floats) -> Floats:
    """The corners from one end of a thin outline to the other, along one side."""
    apart = ((ring[:, None] - ring[None]) ** 2).sum(axis=2)
    one, two = sorted(divmod(int(np.argmax(apart)), len(ring)))
    return ring[one : two + 1]


def _upright(ring: Floats, ground: Floats, a: int, b: int, low: float, high: float) -> Floats:
    """The upright face over an edge of an anticlockwise ring, seen from outside."""
    return np.array(
        [
            [*ring[a], ground[a] + low],
            [*ring[b], ground[b] + low],
            [*ring[b], ground[b] + high],
            [*ring[a], ground[a] + high],
        ]
    )


def _lid(bricks: _Bricks, ring: Floats, height: Floats, colour: Rgb) -> None:
    corners = np.column_stack([ring, height])
    for triangle in triangulate(ring):
        face = corners[triangle]
        flat = np.cross(face[1] - face[0], face[2] - face[0])[2]
        bricks.face(face if flat >= 0 else face[::-1], colour)
