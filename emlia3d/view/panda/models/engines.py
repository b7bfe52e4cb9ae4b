"""Models of engines and vehicles: a star cruiser, a ram under its roof, throwing engines."""

from __future__ import annotations

import numpy as np

from emlia3d.view.panda.models.mounts import wheel
from emlia3d.view.panda.models.people import BLACK, BRASS, STEEL, WHITE, WOOD, artificer
from emlia3d.view.panda.models.shape import CLOTH, DARK_CLOTH, Shape, opaque

HULL, PLATES, SHADOW = (
    opaque(0.66, 0.69, 0.74),
    opaque(0.52, 0.55, 0.60),
    opaque(0.20, 0.21, 0.24),
)
LIGHTS, DRIVE = opaque(0.98, 0.93, 0.70), opaque(0.50, 0.86, 1.0)
TIMBER, DARK_TIMBER, HIDES, ROPE = (
    opaque(0.47, 0.34, 0.22),
    opaque(0.30, 0.21, 0.14),
    opaque(0.46, 0.38, 0.29),
    opaque(0.68, 0.60, 0.44),
)
AHEAD = np.eye(4)
AHEAD[:3, 0], AHEAD[:3, 1], AHEAD[:3, 2] = (-1, 0, 0), (0, 0, 1), (0, 1, 0)
"""Rotation that lays an upright lofted body on its belly, with its top ahead."""


def cruiser() -> Shape:
    """Return a hull of ten metres between two drives, on a stand."""
    shape = Shape()
    shape.loft([(0, 0, 0, 0.9, 0.9), (0, 0, 0.14, 0.8, 0.8)], SHADOW, sides=12)
    shape.limb((0, 0, 0.1), (0, 0, 2.0), 0.05, STEEL, sides=6)
    shape.loft(
        [
            (0, 2.45, -4.3, 0.55, 0.42),
            (0, 2.45, -3.9, 0.86, 0.60),
            (0, 2.50, -1.8, 1.05, 0.74),
            (0, 2.45, 0.4, 0.92, 0.64),
            (0, 2.40, 1.1, 0.86, 0.58),
            (0, 2.35, 3.4, 0.50, 0.36),
            (0, 2.30, 4.9, 0.14, 0.12),
        ],
        [SHADOW, HULL, PLATES, CLOTH, HULL, PLATES],
        sides=8,
        frame=AHEAD,
    )
    shape.limb((0, 4.8, 2.30), (0, 5.7, 2.30), 0.05, STEEL, taper=0.4)
    _bridge(shape)
    for sign in (-1.0, 1.0):
        _drive(shape, sign)
        for y, z in ((1.7, 2.95), (-0.4, 3.15)):
            _turret(shape, 0.42 * sign, y, z)
    shape.loft([(0, -1.2, 1.30, 0.10, 0.5), (0, -1.2, 1.85, 0.42, 1.2)], PLATES)
    return shape


def _bridge(shape: Shape) -> None:
    shape.loft(
        [
            (0, -2.2, 3.05, 0.52, 1.05),
            (0, -2.3, 3.45, 0.42, 0.80),
            (0, -2.5, 3.62, 0.40, 0.55),
            (0, -2.5, 3.80, 0.38, 0.52),
            (0, -2.6, 4.05, 0.24, 0.32),
        ],
        [HULL, PLATES, LIGHTS, HULL],
    )
    shape.limb((0, -2.7, 4.0), (0, -2.9, 4.9), 0.035, STEEL, taper=0.4)
    for z in (2.28, 2.52):
        for sign in (-1.0, 1.0):
            shape.limb((0.80 * sign, -0.1, z), (0.62 * sign, 2.1, z), 0.03, LIGHTS)


def _drive(shape: Shape, sign: float) -> None:
    """Add a drive at the end of its wing, with the side's colour on its fin."""
    x = 1.95 * sign
    shape.limb((0.7 * sign, -2.1, 2.4), (x, -2.7, 2.3), 0.14, PLATES, depth=0.85, taper=0.8)
    shape.limb((x, -4.4, 2.3), (x, -0.5, 2.3), 0.46, HULL, taper=0.62, sides=8)
    shape.limb((x, -3.2, 2.3), (x, -2.4, 2.3), 0.45, DARK_CLOTH, sides=8)
    shape.limb((x, -4.7, 2.3), (x, -4.35, 2.3), 0.36, SHADOW, taper=1.2, sides=8)
    shape.limb((x, -4.78, 2.3), (x, -4.66, 2.3), 0.30, DRIVE, sides=8)
    shape.sheet(
        (x, -4.3, 2.6), (x, -2.6, 2.65), (x + 0.15 * sign, -3.6, 3.7),
        (x + 0.15 * sign, -4.4, 3.7), colour=CLOTH,
    )  # fmt: skip


def _turret(shape: Shape, x: float, y: float, z: float) -> None:
    shape.loft([(x, y, z - 0.15, 0.22, 0.26), (x, y, z + 0.16, 0.15, 0.17)], PLATES, sides=6)
    shape.limb((x, y + 0.1, z + 0.06), (x, y + 0.85, z + 0.12), 0.04, STEEL)


def ram() -> Shape:
    """Return a ram slung under a roof of hides on wheels, with its crew."""
    shape = Shape()
    for x in (-1.15, 1.15):
        for y in (-1.9, 1.9):
            wheel(shape, x * 1.12, y, 0.45, 0.45)
        shape.limb((x, -2.7, 0.5), (x, 2.7, 0.5), 0.10, TIMBER)
        for y in (-2.4, -0.8, 0.8, 2.4):
            shape.limb((x, y, 0.5), (x, y, 1.75), 0.08, TIMBER)
        shape.limb((x, -2.7, 1.75), (x, 2.7, 1.75), 0.09, DARK_TIMBER)
        for start, end, hide in ((-2.9, -1.0, HIDES), (-1.0, 1.0, CLOTH), (1.0, 2.9, HIDES)):
            shape.sheet(
                (x * 1.22, start, 1.55), (x * 1.22, end, 1.55), (0, end, 2.85), (0, start, 2.85),
                colour=hide,
            )  # fmt: skip
    shape.limb((0, -2.9, 2.85), (0, 2.9, 2.85), 0.08, DARK_TIMBER)
    for y in (-1.5, 1.5):
        shape.limb((0, y, 1.1), (0, y, 2.8), 0.025, BLACK)
    shape.limb((0, -2.4, 1.05), (0, 3.3, 1.05), 0.22, DARK_TIMBER, sides=8)
    shape.limb((0, 3.2, 1.05), (0, 3.8, 1.05), 0.27, STEEL, taper=0.55, sides=8)
    crew = artificer()
    for x, y, turn in ((-0.6, -1.2, 0), (0.6, -0.9, 0), (-0.6, 0.9, 0), (0.6, 1.2, 0)):
        shape.add(crew, (x, y, 0), float(turn))
    return shape


def trebuchet() -> Shape:
    """Return an arm with a counterweight on a frame of beams, with a crew of three."""
    shape = Shape()
    for x in (-0.9, 0.9):
        shape.limb((x, -2.6, 0.15), (x, 2.6, 0.15), 0.14, TIMBER)
        for y in (-2.0, 2.0):
            shape.limb((x, y, 0.2), (x * 0.55, 0, 4.1), 0.12, TIMBER)
        shape.limb((x, 0, 0.2), (x * 0.55, 0, 4.2), 0.10, DARK_TIMBER)
    for y in (-2.2, 0.0, 2.2):
        shape.limb((-1.2, y, 0.15), (1.2, y, 0.15), 0.11, DARK_TIMBER)
    shape.limb((-0.65, 0, 4.1), (0.65, 0, 4.1), 0.11, STEEL, sides=6)
    shape.limb((0, 1.5, 3.2), (0, -4.6, 6.6), 0.17, TIMBER, taper=0.45)
    shape.limb((0, 1.45, 3.2), (0, 1.45, 2.6), 0.07, STEEL)
    shape.loft(
        [(0, 1.45, 1.55, 0.55, 0.50), (0, 1.45, 2.45, 0.62, 0.58), (0, 1.45, 2.65, 0.5, 0.45)],
        [DARK_TIMBER, CLOTH],
    )
    shape.limb((0, -4.6, 6.6), (0, -4.2, 5.1), 0.03, BLACK)
    shape.loft([(0, -4.2, 4.85, 0.1, 0.1), (0, -4.2, 5.05, 0.24, 0.24), (0, -4.2, 5.3, 0, 0)],
               opaque(0.55, 0.54, 0.50), sides=7)  # fmt: skip
    crew = artificer()
    for x, y, turn in ((-1.9, -1.4, 30.0), (1.9, -0.6, -40.0), (-1.7, 1.6, 100.0)):
        shape.add(crew, (x, y, 0), turn)
    shape.limb((1.25, -2.2, 0.5), (1.25, -2.2, 1.0), 0.05, WOOD)
    return shape


def springald() -> Shape:
    """Return a bolt on its slide between two arms in skeins of rope, with a crew of two."""
    shape = Shape()
    bolt_thrower(shape, sides=6)
    for x in (-0.14, 0.14):
        shape.limb((x, -1.75, 0.98), (x * 0.5, -0.55, 1.06), 0.014, BLACK)
    for z in (0.72, 1.62):
        for x in (-0.42, 0.42):
            shape.loft([(x, 0.85, z - 0.03, 0.13, 0.13), (x, 0.85, z + 0.03, 0.13, 0.13)], BRASS,
                       sides=6)  # fmt: skip
    shape.limb((-0.42, -1.75, 0.98), (0.42, -1.75, 0.98), 0.09, DARK_TIMBER, sides=6)
    for x in (-0.42, 0.42):
        for turn in (0.0, np.pi / 2):
            y, z = 0.32 * np.cos(turn), 0.32 * np.sin(turn)
            shape.limb((x, -1.75 - y, 0.98 - z), (x, -1.75 + y, 0.98 + z), 0.022, WOOD)
    for sign in (-1.0, 1.0):
        shape.limb((0, 1.55, 1.19), (0.10 * sign, 1.30, 1.17), 0.02, WHITE, depth=0.05)
    for x, y, turn in SPRINGALD_CREW:
        shape.add(artificer(), (x, y, 0), turn)
    return shape


SPRINGALD_CREW = ((-0.85, -1.75, 80.0), (0.95, -0.75, -70.0))
"""Positions of the crew, and their facings, degrees."""


def bolt_thrower(shape: Shape, sides: int) -> None:
    """Add the parts of a springald visible from afar: bed, frame, arms, string and bolt."""
    for x in (-0.50, 0.50):
        shape.limb((x, -1.35, 0), (x * 0.5, -1.05, 0.88), 0.07, TIMBER)
        shape.limb((x, 1.25, 0), (x * 0.6, 0.85, 0.80), 0.08, TIMBER)
    shape.limb((0, -2.05, 0.90), (0, 1.35, 0.98), 0.15, TIMBER, depth=0.10)
    for z in (0.72, 1.62):
        shape.limb((-0.62, 0.85, z), (0.62, 0.85, z), 0.09, CLOTH, depth=0.07)
    for x in (-0.60, 0.60):
        shape.limb((x, 0.85, 0.70), (x, 0.85, 1.64), 0.06, DARK_TIMBER)
    for x in (-0.42, 0.42):
        shape.limb((x, 0.85, 0.72), (x, 0.85, 1.62), 0.075, ROPE, sides=sides)
        shape.limb((x, 0.85, 1.17), (2.1 * x, -0.05, 1.17), 0.045, DARK_TIMBER, taper=0.6)
        shape.limb((2.1 * x, -0.05, 1.17), (0, -0.55, 1.09), 0.014, BLACK, sides=3)
    shape.limb((0, -0.55, 1.10), (0, 1.75, 1.20), 0.035, WOOD)
    shape.loft([(0, 1.20, 1.75, 0.05, 0.05), (0, 1.22, 2.05, 0, 0)], STEEL, frame=AHEAD)
