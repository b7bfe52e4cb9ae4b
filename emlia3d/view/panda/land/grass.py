"""A tuft of grass, which is drawn thousands of times around the eye."""

from __future__ import annotations

import numpy as np
from panda3d.core import Geom

from emlia3d.view.panda.meshes import VERTEX, mesh
from emlia3d.view.panda.noise import fraction

BLADES = 6


def tuft() -> Geom:
    """Return six blades, one unit high, that lean in all directions."""
    blade = np.arange(BLADES)
    turn, reach, lean = (fraction(blade, np.full(BLADES, number), 31) for number in range(3))
    angle = 2 * np.pi * (turn + blade) / BLADES
    foot = 0.5 * reach[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    half = 0.10 * np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    tip = foot + (0.3 + 0.5 * lean[:, None]) * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    vertices = np.zeros((BLADES, 3), VERTEX)
    vertices["place"][:, 0, :2], vertices["place"][:, 1, :2] = foot - half, foot + half
    vertices["place"][:, 2, :2], vertices["place"][:, 2, 2] = tip, 0.6 + 0.4 * reach
    vertices["normal"] = (0, 0, 1)
    vertices["colour"] = 255
    return mesh(vertices.reshape(-1), np.arange(3 * BLADES).reshape(-1, 3), "tuft")
