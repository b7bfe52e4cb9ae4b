"""Horse, gun and dragon."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from emlia3d.view.panda.models.people import (
    BLACK,
    BRASS,
    SKIN,
    STEEL,
    WHITE,
    WOOD,
    musketeer,
)
from emlia3d.view.panda.models.shape import CLOTH, DARK_CLOTH, Colour, Shape, opaque

BAY = opaque(0.46, 0.31, 0.21)
DARK_BAY = opaque(0.24, 0.16, 0.12)
GREY = opaque(0.74, 0.72, 0.68)
DARK_GREY = opaque(0.42, 0.41, 0.40)
CARRIAGE = opaque(0.36, 0.42, 0.32)
SCALES: Colour = (0.62, 0.62, 0.62, 0.75)


def rider() -> Shape:
    """Return a trooper with a raised sabre."""
    shape = Shape()
    horse(shape, BAY, DARK_BAY)
    _entry(shape)
    shape.loft(
        [(0, -0.09, 2.30, 0.11, 0.13), (0, -0.1, 2.42, 0.10, 0.12), (0, -0.1, 2.52, 0.05, 0.08)],
        STEEL,
        sides=6,
    )
    shape.loft([(0, -0.12, 2.50, 0.03, 0.14), (0, -0.18, 2.68, 0.03, 0.16)], BLACK)
    shape.limb((-0.25, -0.1, 2.04), (-0.30, 0.22, 1.70), 0.067, CLOTH)
    shape.limb((0.25, -0.1, 2.04), (0.42, 0.1, 1.85), 0.067, CLOTH)
    shape.limb((0.42, 0.1, 1.85), (0.42, 0.3, 2.0), 0.05, SKIN)
    shape.limb((0.42, 0.3, 1.95), (0.40, 0.10, 2.85), 0.016, STEEL, depth=0.032)
    return shape


def general() -> Shape:
    """Return a commander on a grey: cocked hat, sash, arm stretched out."""
    shape = Shape()
    horse(shape, GREY, DARK_GREY)
    _entry(shape)
    shape.loft(
        [(0, -0.09, 2.32, 0.26, 0.09), (0, -0.09, 2.44, 0.16, 0.08), (0, -0.09, 2.56, 0, 0)],
        BLACK,
        sides=6,
    )
    shape.sheet(
        (-0.20, 0.05, 2.02),
        (-0.12, 0.05, 2.06),
        (0.20, 0.06, 1.66),
        (0.14, 0.06, 1.60),
        colour=BRASS,
    )
    shape.limb((-0.25, -0.1, 2.04), (-0.30, 0.22, 1.70), 0.067, CLOTH)
    shape.limb((0.25, -0.1, 2.04), (0.34, 0.42, 2.12), 0.067, CLOTH)
    shape.limb((0.34, 0.42, 2.12), (0.34, 0.60, 2.18), 0.045, SKIN)
    return shape


def horse(shape: Shape, coat: Colour, dark: Colour) -> None:
    """Add a standing horse with a saddle cloth of the side's colour."""
    for x in (-0.17, 0.17):
        for y, bend in ((-0.62, 0.08), (0.55, -0.03)):
            shape.limb((x, y, 0), (x, y + bend, 0.42), 0.055, dark, depth=0.06)
            shape.limb(
                (x, y + bend, 0.42),
                (x * 0.95, y - bend * 0.3, 1.0),
                0.062,
                coat,
                depth=0.10,
                taper=1.5,
            )
    frame = np.eye(4)
    frame[:3, 0], frame[:3, 1], frame[:3, 2] = (-1, 0, 0), (0, 0, 1), (0, 1, 0)
    shape.loft(
        [
            (0, 1.12, -0.88, 0.15, 0.16),
            (0, 1.16, -0.62, 0.29, 0.31),
            (0, 1.10, 0, 0.29, 0.32),
            (0, 1.14, 0.45, 0.27, 0.34),
            (0, 1.22, 0.74, 0.14, 0.20),
        ],
        coat,
        sides=7,
        frame=frame,
    )
    shape.limb((0, 0.52, 1.22), (0, 1.00, 1.88), 0.13, coat, depth=0.22, taper=0.6)
    shape.limb((0, 0.95, 1.95), (0, 1.40, 1.66), 0.095, coat, depth=0.13, taper=0.6)
    for x in (-0.06, 0.06):
        shape.loft([(x, 0.93, 2.02, 0.03, 0.03), (x, 0.93, 2.14, 0, 0)], coat)
    shape.sheet((0, 0.42, 1.46), (0, 0.60, 1.40), (0, 1.0, 2.02), (0, 0.84, 2.08), colour=dark)
    shape.limb((0, -0.85, 1.25), (0, -1.12, 0.55), 0.07, dark, taper=0.5)
    shape.loft(
        [(0, -0.08, 1.10, 0.325, 0.42), (0, -0.08, 1.36, 0.31, 0.40), (0, -0.08, 1.46, 0.28, 0.38)],
        CLOTH,
        open_below=True,
    )


def gun() -> Shape:
    """Return a field gun with four of its crew."""
    shape = Shape()
    for x in (-0.62, 0.62):
        wheel(shape, x, 0.0, 0.66, 0.66)
    shape.limb((-0.62, 0, 0.66), (0.62, 0, 0.66), 0.06, WOOD)
    for x in (-0.17, 0.17):
        shape.limb((x, 0.35, 0.80), (x * 0.8, -1.9, 0.12), 0.06, CARRIAGE, depth=0.12)
    shape.limb((0, -0.55, 0.93), (0, 0.1, 0.98), 0.15, BRASS, taper=0.9, sides=8)
    shape.limb((0, 0.1, 0.98), (0, 1.05, 1.05), 0.125, BRASS, taper=0.75, sides=8)
    shape.limb((0, 1.0, 1.047), (0, 1.1, 1.055), 0.115, BRASS, sides=8)
    crew = musketeer()
    for x, y, turn in (
        (-1.35, 0.2, 30.0),
        (1.4, -0.1, -25.0),
        (-1.2, -1.5, 10.0),
        (1.3, -1.8, -8.0),
    ):
        shape.add(crew, (x, y, 0), turn)
    return shape


def dragon() -> Shape:
    """Seven metres from nose to tail tip, wings spread."""
    shape = Shape()
    belly = opaque(0.72, 0.62, 0.40)
    spine = [
        (-4.6, 0.35, 0.05),
        (-3.4, 0.5, 0.16),
        (-2.2, 0.95, 0.34),
        (-1.0, 1.45, 0.72),
        (0.2, 1.55, 0.80),
        (1.1, 1.85, 0.52),
        (1.8, 2.6, 0.34),
        (2.3, 3.25, 0.28),
    ]
    frame = np.eye(4)
    frame[:3, 0], frame[:3, 1], frame[:3, 2] = (-1, 0, 0), (0, 0, 1), (0, 1, 0)
    shape.loft([(0, z, y, half, half * 1.05) for y, z, half in spine], SCALES, sides=8, frame=frame)
    shape.limb((0, 2.25, 3.30), (0, 3.30, 3.10), 0.30, SCALES, depth=0.26, taper=0.55, sides=6)
    shape.limb((0, 2.35, 3.05), (0, 3.15, 2.86), 0.20, belly, depth=0.10, taper=0.6, sides=5)
    for sign in (-1.0, 1.0):
        shape.limb((0.16 * sign, 2.25, 3.45), (0.30 * sign, 1.75, 3.85), 0.07, WHITE, taper=0.2)
        for y, z in ((-0.9, 1.2), (0.7, 1.3)):
            shape.limb((0.55 * sign, y, z), (0.85 * sign, y + 0.25, 0.62), 0.26, SCALES, taper=0.7)
            shape.limb((0.85 * sign, y + 0.25, 0.62), (0.85 * sign, y + 0.10, 0.08), 0.17, SCALES)
            shape.loft(
                [(0.85 * sign, y + 0.28, 0, 0.20, 0.34), (0.85 * sign, y + 0.25, 0.18, 0.13, 0.2)],
                SCALES,
            )
        _wing(shape, sign)
    for y, z, half in spine[1:7]:
        foot, tip = z + 0.8 * half, z + 1.7 * half + 0.3
        shape.loft(
            [(0, y - 0.1, foot, 0.05, 0.16 + 0.1 * half), (0, y - 0.3, tip, 0, 0)],
            DARK_CLOTH,
        )
    return shape


def _wing(shape: Shape, sign: float) -> None:
    root, elbow = (0.5 * sign, 0.35, 2.1), (2.0 * sign, 0.75, 3.7)
    tips = [
        (4.6 * sign, 0.2, 3.4),
        (4.2 * sign, -1.2, 2.6),
        (3.0 * sign, -2.0, 2.0),
        (0.5 * sign, -1.3, 1.8),
    ]
    shape.limb(root, elbow, 0.12, SCALES, taper=0.7)
    for tip in tips[:3]:
        shape.limb(elbow, tip, 0.07, SCALES, taper=0.4)
    for here, there in pairwise(tips):
        shape.sheet(elbow, here, there, colour=CLOTH)
    shape.sheet(elbow, tips[3], root, colour=CLOTH)


def _entry(shape: Shape) -> None:
    """Add the rider's legs, body and face."""
    for sign in (-1.0, 1.0):
        shape.limb((sign * 0.17, -0.08, 1.5), (sign * 0.38, 0.16, 1.18), 0.09, WHITE, depth=0.10)
        shape.limb((sign * 0.38, 0.16, 1.18), (sign * 0.37, 0.02, 0.72), 0.07, BLACK, depth=0.08)
    shape.loft(
        [
            (0, -0.1, 1.42, 0.20, 0.14),
            (0, -0.1, 1.75, 0.17, 0.125),
            (0, -0.1, 2.06, 0.245, 0.14),
            (0, -0.1, 2.12, 0.12, 0.09),
        ],
        CLOTH,
    )
    shape.loft(
        [(0, -0.08, 2.12, 0.075, 0.08), (0, -0.07, 2.34, 0.085, 0.10)],
        SKIN,
        sides=6,
        open_below=True,
    )


def wheel(shape: Shape, x: float, y: float, z: float, radius: float) -> None:
    """Add a spoked wheel that rolls ahead, by its hub."""
    spokes, half = 10, np.array([0.05, 0.0, 0.0])
    angle = np.arange(spokes) * 2 * np.pi / spokes
    spin = np.stack([np.zeros(spokes), np.cos(angle), np.sin(angle)], axis=1)
    hub = np.array([x, y, z])
    rim, felly = hub + radius * spin, hub + 0.82 * radius * spin
    tyre = opaque(0.22, 0.22, 0.23)
    for here in range(spokes):
        there = (here + 1) % spokes
        shape.facet(
            rim[here] + half,
            rim[there] + half,
            felly[there] + half,
            felly[here] + half,
            colour=WOOD,
        )
        shape.facet(
            rim[there] - half,
            rim[here] - half,
            felly[here] - half,
            felly[there] - half,
            colour=WOOD,
        )
        shape.facet(
            rim[here] - half, rim[there] - half, rim[there] + half, rim[here] + half, colour=tyre
        )
    for here in range(spokes // 2):
        shape.limb(hub - spin[here] * radius * 0.85, hub + spin[here] * radius * 0.85, 0.025, WOOD)
