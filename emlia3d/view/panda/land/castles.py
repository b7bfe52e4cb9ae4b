"""Castles: walls with walks behind battlements, towers, a keep and gates."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from emlia3d.view.moment.scene import DrawnGround, Patch
from emlia3d.view.panda.land.bricks import (
    CAPSTONE,
    ROOTED_M,
    STONE,
    Bricks,
    Floats,
    Rgb,
    anticlockwise,
    dense,
    lid,
    upright,
)
from emlia3d.view.panda.noise import fraction

PLANK, IRON, SLIT = (0.40, 0.28, 0.17), (0.22, 0.21, 0.21), (0.10, 0.09, 0.09)
WALK = (0.58, 0.54, 0.47)
COURSE_M = 0.55
PARAPET_M, MERLON_M, THICK_M = 0.75, 0.85, 0.45
MERLON_GAP_M = 2.2
LONG = 0.55  # part of the longest edge; shorter ends have no battlements
SLIT_M = (0.28, 1.3)


def rampart(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Build a wall of coursed stone with a walk between two low battlements."""
    ring, ground = _walls(bricks, patch, terrain)
    lid(bricks, ring, ground + patch.height_m, WALK)
    _battlements(bricks, ring, ground + patch.height_m)


def tower(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Build a tower: a wall with rows of arrow slits."""
    rampart(bricks, patch, terrain)
    ring = anticlockwise(patch.outline_m[0])
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    for one, two in _edges(ring):
        length = float(np.hypot(*(ring[two] - ring[one])))
        for number in range(1, max(2, int(length // 6) + 1)):
            share = number / max(2, int(length // 6) + 1)
            for level in np.arange(2.2, patch.height_m - 1.0, 3.6):
                _slit(bricks, ring, (one, two), share, float(ground[one] + level))


def gate(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Build a gate: two faces of planks with iron bands, under a lintel with battlements."""
    ring = anticlockwise(patch.outline_m[0])
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    leaf = patch.height_m * 0.8
    for one, two in _edges(ring):
        length = float(np.hypot(*(ring[two] - ring[one])))
        planks = np.linspace(0, 1, max(2, round(length / 0.45)) + 1)
        tone = 0.8 + 0.4 * fraction(np.arange(len(planks)), np.full(len(planks), one), patch.seed)
        for number, (start, stop) in enumerate(pairwise(planks)):
            corners = _strip(ring, ground, (one, two), (start, stop), (-ROOTED_M, leaf))
            bricks.face(corners, PLANK, float(tone[number]))
        outward = _outward(ring[two] - ring[one]) * 0.04
        for low in (0.2 * leaf, 0.72 * leaf):
            band = _strip(ring, ground, (one, two), (0.0, 1.0), (low, low + 0.22))
            band[:, :2] += outward
            bricks.face(band, IRON)
        bricks.face(upright(ring, ground, one, two, leaf, patch.height_m), STONE, 0.95)
    lid(bricks, ring, ground + patch.height_m, WALK)
    _battlements(bricks, ring, ground + patch.height_m)


def _walls(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> tuple[Floats, Floats]:
    """Add the upright sides in courses; return the outline and the ground under its corners."""
    ring = dense(anticlockwise(patch.outline_m[0]), 1.6)
    ground = terrain.heights(ring[:, 0], ring[:, 1])
    levels = np.linspace(0, patch.height_m, max(2, round(patch.height_m / COURSE_M)) + 1)
    number = np.arange(len(ring))
    for course, (low, high) in enumerate(pairwise(levels)):
        grey = 0.80 + 0.32 * fraction(number, np.full(len(ring), course), patch.seed)
        foot = low if course else -ROOTED_M
        for one, two in _edges(ring):
            face = upright(ring, ground, one, two, foot, high)
            bricks.face(face, STONE, float(grey[one]))
    return ring, ground


def _battlements(bricks: Bricks, ring: Floats, top: Floats) -> None:
    """Add parapets along the long sides, with alternating merlons and gaps."""
    corners, high = _corners(ring, top)
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    for one, two in _edges(corners):
        if lengths[one] < LONG * lengths.max():
            continue
        count = max(1, round(float(lengths[one]) / MERLON_GAP_M))
        _block(bricks, corners, high, (one, two), (0.0, 1.0), (0.0, PARAPET_M), STONE)
        for number in range(count):
            start, stop = (number + 0.2) / count, (number + 0.8) / count
            rise = (PARAPET_M, PARAPET_M + MERLON_M)
            _block(bricks, corners, high, (one, two), (start, stop), rise, CAPSTONE)


def _corners(ring: Floats, top: Floats) -> tuple[Floats, Floats]:
    """Return the corners of a dense ring, and their heights."""
    ahead, behind = np.roll(ring, -1, axis=0) - ring, ring - np.roll(ring, 1, axis=0)
    turn = ahead[:, 0] * behind[:, 1] - ahead[:, 1] * behind[:, 0]
    scale = np.hypot(*ahead.T) * np.hypot(*behind.T)
    turns = np.abs(turn) > 0.05 * scale
    return ring[turns], top[turns]


def _block(  # noqa: PLR0913, PLR0917  where, along which edge, from where to where, how high
    bricks: Bricks,
    ring: Floats,
    ground: Floats,
    edge: tuple[int, int],
    shares: tuple[float, float],
    rise: tuple[float, float],
    colour: Rgb,
) -> None:
    """Add a block of stone on an edge, as thick inward as a parapet is."""
    outer = _strip(ring, ground, edge, shares, rise)
    inward = -_outward(ring[edge[1]] - ring[edge[0]]) * THICK_M
    inner = outer.copy()
    inner[:, :2] += inward
    bricks.face(outer, colour)
    bricks.face(inner[[1, 0, 3, 2]], colour, 0.9)
    bricks.face(np.array([outer[3], outer[2], inner[2], inner[3]]), colour, 1.08)
    bricks.face(np.array([outer[0], outer[3], inner[3], inner[0]]), colour, 0.95)
    bricks.face(np.array([outer[2], outer[1], inner[1], inner[2]]), colour, 0.95)


def _slit(bricks: Bricks, ring: Floats, edge: tuple[int, int], share: float, level: float) -> None:
    """Add a dark arrow slit to a wall, its foot at this level."""
    one, two = ring[edge[0]], ring[edge[1]]
    along = (two - one) / np.hypot(*(two - one))
    middle = one + (two - one) * share + _outward(two - one) * 0.03
    left, right = middle - along * SLIT_M[0] / 2, middle + along * SLIT_M[0] / 2
    high = level + SLIT_M[1]
    bricks.face(np.array([[*left, level], [*right, level], [*right, high], [*left, high]]), SLIT)


def _strip(
    ring: Floats,
    ground: Floats,
    edge: tuple[int, int],
    shares: tuple[float, float],
    rise: tuple[float, float],
) -> Floats:
    """Return a part of the upright face over an edge, (4, 3)."""
    one, two = edge
    ends = [ring[one] + (ring[two] - ring[one]) * share for share in shares]
    feet = [float(ground[one] + (ground[two] - ground[one]) * share) for share in shares]
    low, high = rise
    return np.array(
        [
            [*ends[0], feet[0] + low],
            [*ends[1], feet[1] + low],
            [*ends[1], feet[1] + high],
            [*ends[0], feet[0] + high],
        ]
    )


def _outward(along: Floats) -> Floats:
    """Return the outward unit vector of an edge of an anticlockwise ring."""
    return np.array([along[1], -along[0]]) / max(float(np.hypot(*along)), 1e-9)


def _edges(ring: Floats) -> list[tuple[int, int]]:
    return [(number, (number + 1) % len(ring)) for number in range(len(ring))]
