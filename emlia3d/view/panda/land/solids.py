"""Walls, hedges, fences, bridges and blocks, raised from their outlines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from emlia3d.view.moment.scene import DrawnGround, Patch
from emlia3d.view.panda.land import castles, industry
from emlia3d.view.panda.land.bricks import (
    CAPSTONE,
    ROOTED_M,
    STONE,
    Bricks,
    Floats,
    LandSolids,
    anticlockwise,
    dense,
    lid,
    toward_middle,
    upright,
)
from emlia3d.view.panda.land.ruins import ruin
from emlia3d.view.panda.noise import fraction

LEAVES, LEAVES_TOP = (0.25, 0.34, 0.16), (0.33, 0.43, 0.20)
TIMBER, TURF = (0.46, 0.36, 0.25), (0.44, 0.47, 0.28)
STRANGE = (0.55, 0.60, 0.72)


def solids_of(terrain: DrawnGround) -> Iterator[LandSolids]:
    """Return all bodies that are raised from their outlines, one mesh for each look."""
    firm, glass = Bricks(), Bricks()
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


def masonry(blocks: Sequence[Patch], terrain: DrawnGround) -> LandSolids:
    """Return blocks of stone on the ground, at least one."""
    bricks = Bricks()
    for block in blocks:
        _wall(bricks, block, terrain)
    return bricks.solids()


PAINTED_ONLY = frozenset(
    {"wood", "scrub", "orchard", "stream", "river", "lake", "marsh", "road", "track", "field",
     "rock", "building", "farm", "village", "camp", "ford", "tree"}
)  # fmt: skip


def _wall(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Build a wall of grey stones in courses, with pale capstones."""
    height = patch.height_m or 1.2
    ring = dense(anticlockwise(patch.outline_m[0]), 1.0)
    courses = max(2, round(height / 0.4))
    levels = np.linspace(0, height * 0.88, courses + 1)
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    edges = [(here, (here + 1) % len(ring)) for here in range(len(ring))]
    for course, (low, high) in enumerate(pairwise(levels)):
        number = np.arange(len(ring))
        grey = 0.74 + 0.42 * fraction(number, np.full(len(ring), course), patch.seed)
        foot = low if course else -ROOTED_M
        for a, b in edges:
            bricks.face(upright(ring, ground, a, b, foot, high), STONE, float(grey[a]))
    for a, b in edges:
        bricks.face(upright(ring, ground, a, b, height * 0.88, height), CAPSTONE, 0.9)
    lid(bricks, ring, ground + height, CAPSTONE)


def _hedge(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Build a hedge of irregular height and width."""
    height = patch.height_m or 1.8
    ring = dense(anticlockwise(patch.outline_m[0]), 1.3)
    centre = toward_middle(ring)
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
    lid(bricks, ring, ground + top, LEAVES_TOP)


def _fence(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Build posts and two rails along one long side of the outline."""
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


def _bridge(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Build a level deck of stone with a parapet along its two longer sides."""
    ring = anticlockwise(patch.outline_m[0])
    level = float(terrain.heights(ring[:, 0], ring[:, 1]).max()) + 0.12
    deck = np.full(len(ring), level)
    edges = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T)
    for a in range(len(ring)):
        b = (a + 1) % len(ring)
        bricks.face(upright(ring, deck, a, b, -3.0, 0.0), STONE, 0.85)
        if edges[a] > 0.8 * edges.max():
            parapet = patch.height_m or 0.9
            inward = toward_middle(ring)
            inner = np.array([ring[a] + 0.4 * inward[a], ring[b] + 0.4 * inward[b]])
            bricks.face(upright(ring, deck, a, b, 0.0, parapet), STONE, 1.0)
            top = [[*point, level + parapet] for point in (ring[a], ring[b], inner[1], inner[0])]
            bricks.face(np.array(top), CAPSTONE)
            low = [[*inner[1], level], [*inner[0], level]]
            high = [[*inner[0], level + parapet], [*inner[1], level + parapet]]
            bricks.face(np.array(low + high), STONE, 0.9)
    lid(bricks, ring, deck, (0.64, 0.57, 0.44))


def _hill(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Build a mound of turf with sloping sides."""
    if patch.height_m <= 0:
        return
    ring = dense(anticlockwise(patch.outline_m[0]), 6.0)
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    crest = ring + toward_middle(ring) * min(
        patch.height_m, 0.12 * float(np.ptp(ring, axis=0).min())
    )
    for a in range(len(ring)):
        b = (a + 1) % len(ring)
        foot = [[*ring[a], ground[a] - ROOTED_M], [*ring[b], ground[b] - ROOTED_M]]
        top = [[*crest[b], ground[b] + patch.height_m], [*crest[a], ground[a] + patch.height_m]]
        bricks.face(np.array(foot + top), TURF, 0.86)
    lid(bricks, crest, ground + patch.height_m, TURF)


def _block(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Add a plain block for a kind without a model of its own."""
    ring = dense(anticlockwise(patch.outline_m[0]), 8.0)
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    for a in range(len(ring)):
        b = (a + 1) % len(ring)
        bricks.face(upright(ring, ground, a, b, -ROOTED_M, patch.height_m), STRANGE)
    lid(bricks, ring, ground + patch.height_m, STRANGE)


_BUILDERS: dict[str, Callable[[Bricks, Patch, DrawnGround], None]] = {
    "wall": _wall,
    "hedge": _hedge,
    "fence": _fence,
    "bridge": _bridge,
    "hill": _hill,
    "rampart": castles.rampart,
    "tower": castles.tower,
    "keep": castles.tower,
    "gate": castles.gate,
    "ruin": ruin,
    "works": industry.works,
    "storage-tank": industry.storage_tank,
}


def _long_side(ring: Floats) -> Floats:
    """Return the corners from one end of a thin outline to the other, along one side."""
    apart = ((ring[:, None] - ring[None]) ** 2).sum(axis=2)
    one, two = sorted(divmod(int(np.argmax(apart)), len(ring)))
    return ring[one : two + 1]
