"""Ruins: broken walls along an outline, with gaps, doorways and rubble below."""

from __future__ import annotations

import numpy as np

from emlia3d.view.moment.scene import DrawnGround, Patch
from emlia3d.view.panda.land.bricks import (
    CAPSTONE,
    ROOTED_M,
    STONE,
    Bricks,
    Floats,
    anticlockwise,
    dense,
    toward_middle,
    upright,
)
from emlia3d.view.panda.noise import fraction

INSET_M, THICK_M, PIECE_M = 0.7, 0.45, 0.9
"""Distance of a wall from the outline, its thickness, and the length of its pieces, metres."""

HOLES, LOWEST, TALLEST = 0.22, 0.3, 1.35
"""Proportion of missing pieces; heights of the others, relative to the ruin."""

COURSE_M = 0.45
BRICK, SOOT = (0.52, 0.41, 0.34), 0.72
"""The inside of a wall, and how dark its top is."""


def ruin(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Add the remaining walls of buildings."""
    height = patch.height_m or 2.4
    outline = dense(anticlockwise(patch.outline_m[0]), PIECE_M)
    inward = toward_middle(outline)
    outer, inner = outline + INSET_M * inward, outline + (INSET_M + THICK_M) * inward
    ground = terrain.heights(outer[:, 0], outer[:, 1])
    number = np.arange(len(outer))
    # Long waves make corners and gables of it, short ones the ragged edge.
    wave = fraction(number // 4, np.zeros(len(outer)), patch.seed)
    rough = fraction(number, np.ones(len(outer)), patch.seed)
    top = height * (LOWEST + (TALLEST - LOWEST) * (0.65 * wave + 0.35 * rough))
    top = np.where(0.5 * wave + 0.5 * rough < HOLES, 0.12 * height, top)
    for a in range(len(outer)):
        b = (a + 1) % len(outer)
        _piece(bricks, (outer, inner), ground, (a, b), float(top[a]), float(rough[a]))


def _piece(
    bricks: Bricks,
    faces: tuple[Floats, Floats],
    ground: Floats,
    edge: tuple[int, int],
    top: float,
    rough: float,
) -> None:
    """Add a piece of wall: courses outside, brick inside, both ends, and a sooty top."""
    outer, inner = faces
    a, b = edge
    courses = max(1, round(top / COURSE_M))
    levels = np.linspace(0.0, top, courses + 1).tolist()
    for course in range(courses):
        foot = levels[course] if course else -ROOTED_M
        light = 0.8 + 0.35 * ((rough * 7.3 + course * 0.37) % 1)
        bricks.face(upright(outer, ground, a, b, foot, levels[course + 1]), STONE, light)
    bricks.face(upright(inner, ground, b, a, -ROOTED_M, top), BRICK, 0.8 + 0.3 * rough)
    for end in (a, b):
        corners = [
            [*outer[end], ground[end] - ROOTED_M], [*inner[end], ground[end] - ROOTED_M],
            [*inner[end], ground[end] + top], [*outer[end], ground[end] + top],
        ]  # fmt: skip
        bricks.face(np.array(corners), BRICK, 0.85)
    lid = [
        [*outer[a], ground[a] + top], [*outer[b], ground[b] + top],
        [*inner[b], ground[b] + top], [*inner[a], ground[a] + top],
    ]  # fmt: skip
    bricks.face(np.array(lid), CAPSTONE, SOOT)
