"""Armoured vehicles and war engines of later ages, with the side's colour in broad faces."""

from __future__ import annotations

import numpy as np

from emlia3d.view.panda.models.moderns import GLASS, GUNMETAL, OLIVE, PLATE
from emlia3d.view.panda.models.people import BLACK, STEEL
from emlia3d.view.panda.models.shape import CLOTH, DARK_CLOTH, Shape, Slice, opaque

RUBBER = opaque(0.13, 0.13, 0.14)
LAMP = opaque(0.98, 0.90, 0.62)
ACROSS = np.eye(4)
ACROSS[:3, 0], ACROSS[:3, 1], ACROSS[:3, 2] = (0, 1, 0), (0, 0, 1), (1, 0, 0)
"""Puts a body that is lofted upright on its left side, its top to the right."""


def _wheel(shape: Shape, x: float, y: float, radius: float, half: float = 0.16) -> None:
    """Add a wheel with a tyre, by the middle of its hub."""
    for wide, out, colour in ((radius, half, RUBBER), (radius / 2, half + 0.02, STEEL)):
        slices: list[Slice] = [(y, radius, x - out, wide, wide), (y, radius, x + out, wide, wide)]
        shape.loft(slices, colour, sides=10, frame=ACROSS)


def _track(shape: Shape, x: float, half: float, ends: tuple[float, float], tall: float) -> None:
    """Add a track with its wheels, from its rear end to its front end."""
    rear, front = ends
    middle, long = (front + rear) / 2, (front - rear) / 2
    shape.loft(
        [
            (x, middle, 0, half, long * 0.80),
            (x, middle, tall * 0.45, half, long),
            (x, middle, tall, half, long * 0.92),
        ],
        RUBBER,
    )
    count = max(int(long * 2 / (tall * 0.75)), 3)
    for y in np.linspace(middle - long * 0.72, middle + long * 0.72, count).tolist():
        out = half + 0.03
        shape.loft(
            [(y, tall * 0.42, x - out, tall * 0.3, tall * 0.3),
             (y, tall * 0.42, x + out, tall * 0.3, tall * 0.3)],
            GUNMETAL, sides=8, frame=ACROSS,
        )  # fmt: skip


def _barrel(
    shape: Shape, start: tuple[float, float, float], length: float, width: float, rise: float = 0.0
) -> None:
    """Add a gun barrel that points ahead, with a muzzle brake."""
    x, y, z = start
    shape.limb(start, (x, y + length, z + rise), width, GUNMETAL, taper=0.8, sides=8)
    ahead = (x, y + length * 0.88, z + rise * 0.88)
    shape.limb(ahead, (x, y + length * 1.02, z + rise * 1.02), width * 1.35, BLACK, sides=8)


def scout_car() -> Shape:
    """Return an open car on four tall wheels, with a machine gun on a ring."""
    shape = Shape()
    for x in (-1.0, 1.0):
        for y in (-1.35, 1.35):
            _wheel(shape, x, y, 0.55)
    shape.loft(
        [
            (0, 0, 0.50, 0.72, 1.90),
            (0, 0, 0.85, 0.92, 2.15),
            (0, -0.05, 1.30, 0.86, 1.95),
        ],
        [GUNMETAL, CLOTH],
    )
    shape.loft([(0, 1.25, 1.30, 0.84, 0.62), (0, 1.15, 1.42, 0.70, 0.50)], CLOTH)
    shape.sheet(
        (-0.72, 0.55, 1.36), (-0.62, 0.40, 1.78), (0.62, 0.40, 1.78), (0.72, 0.55, 1.36),
        colour=GLASS,
    )  # fmt: skip
    shape.loft([(0, -0.55, 1.20, 0.60, 0.75), (0, -0.55, 1.34, 0.60, 0.75)], BLACK)
    # The gunner, whose coat has the side's colour, at a gun on a ring.
    shape.loft(
        [(0, -0.60, 1.25, 0.24, 0.18), (0, -0.58, 1.85, 0.26, 0.19), (0, -0.57, 1.92, 0.12, 0.10)],
        CLOTH,
    )
    shape.loft(
        [(0, -0.56, 1.94, 0.13, 0.15), (0, -0.56, 2.12, 0.14, 0.16), (0, -0.56, 2.22, 0.07, 0.08)],
        OLIVE, sides=7,
    )  # fmt: skip
    shape.limb((0, -0.10, 1.34), (0, -0.10, 1.80), 0.05, STEEL)
    shape.limb((0, -0.35, 1.84), (0, 0.95, 1.88), 0.05, BLACK, sides=6)
    shape.limb((0.86, -1.80, 1.20), (0.95, -2.0, 3.0), 0.02, BLACK)
    for x in (-0.55, 0.55):
        shape.loft([(x, 2.05, 0.90, 0.12, 0.08), (x, 2.05, 1.12, 0.12, 0.08)], LAMP)
    return shape


def carrier() -> Shape:
    """Return a tall box on tracks with sloped sides, doors at its back and a small turret."""
    shape = Shape()
    for x in (-1.25, 1.25):
        _track(shape, x, 0.24, (-2.5, 2.5), 0.95)
    shape.loft(
        [
            (0, -0.05, 0.45, 0.98, 2.45),
            (0, 0, 1.00, 1.48, 2.75),
            (0, -0.35, 2.10, 1.18, 2.10),
        ],
        [GUNMETAL, CLOTH],
    )
    shape.loft([(0, -0.35, 2.08, 1.10, 2.00), (0, -0.35, 2.16, 1.10, 2.00)], PLATE)
    for x in (-0.5, 0.5):
        shape.loft([(x, -1.55, 2.16, 0.42, 0.62), (x, -1.55, 2.24, 0.40, 0.60)], DARK_CLOTH)
    shape.loft([(0.35, 0.75, 2.14, 0.46, 0.46), (0.35, 0.75, 2.52, 0.34, 0.34)], PLATE, sides=8)
    shape.limb((0.35, 1.05, 2.36), (0.35, 1.95, 2.38), 0.05, BLACK, sides=6)
    shape.facet(
        (0.80, 2.39, 1.42), (0.20, 2.39, 1.42), (0.20, 2.14, 1.70), (0.80, 2.14, 1.70),
        colour=GLASS,
    )  # fmt: skip
    for x in (-0.95, 0.95):
        shape.loft([(x, 2.62, 1.05, 0.14, 0.10), (x, 2.55, 1.25, 0.14, 0.10)], LAMP)
    return shape


def tank() -> Shape:
    """Return a low hull between broad tracks, with a wide turret and a long gun."""
    shape = Shape()
    for x in (-1.42, 1.42):
        _track(shape, x, 0.38, (-3.1, 3.1), 1.05)
        shape.loft([(x, -0.1, 1.05, 0.46, 3.0), (x, -0.1, 1.13, 0.46, 2.95)], CLOTH)
        shape.loft([(x * 1.29, -0.2, 0.72, 0.05, 2.7), (x * 1.29, -0.2, 1.12, 0.05, 2.7)], CLOTH)
    shape.loft(
        [(0, 0, 0.45, 1.0, 2.7), (0, 0.1, 0.95, 1.0, 3.15), (0, -0.25, 1.45, 1.25, 2.45)],
        [GUNMETAL, DARK_CLOTH],
    )
    shape.loft(
        [
            (0, -0.35, 1.42, 1.05, 1.30),
            (0, -0.40, 1.70, 1.32, 1.62),
            (0, -0.55, 2.25, 0.92, 1.15),
        ],
        CLOTH,
        sides=8,
    )
    shape.loft([(0, 1.10, 1.55, 0.42, 0.28), (0, 1.10, 2.02, 0.36, 0.22)], PLATE)
    _barrel(shape, (0, 1.2, 1.80), 3.3, 0.13, 0.06)
    shape.loft([(-0.42, -0.75, 2.24, 0.34, 0.34), (-0.42, -0.75, 2.46, 0.28, 0.28)], PLATE, sides=8)
    shape.limb((-0.42, -0.45, 2.58), (-0.42, 0.35, 2.60), 0.04, BLACK)
    shape.limb((0.62, -1.30, 2.10), (0.66, -1.45, 3.5), 0.02, BLACK)
    return shape


def siege_gun() -> Shape:
    """Return a heavy howitzer that points up from an open platform on tracks, with a spade."""
    shape = Shape()
    for x in (-1.22, 1.22):
        _track(shape, x, 0.32, (-2.7, 2.5), 0.95)
    shape.loft([(0, 0, 0.45, 0.9, 2.4), (0, 0, 1.05, 1.55, 2.6)], GUNMETAL)
    shape.loft([(0, 1.70, 1.05, 1.45, 0.85), (0, 1.55, 1.75, 1.20, 0.55)], CLOTH)
    # Walls round the crew on three sides.
    for x in (-1.42, 1.42):
        shape.loft([(x, -0.85, 1.05, 0.08, 1.65), (x * 0.95, -0.85, 1.95, 0.08, 1.45)], CLOTH)
    shape.loft([(0, 0.55, 1.05, 1.40, 0.12), (0, 0.45, 2.25, 1.15, 0.10)], DARK_CLOTH)
    shape.limb((0, -1.7, 1.45), (0, 1.0, 2.85), 0.42, GUNMETAL, sides=8)
    shape.limb((0, 0.8, 2.75), (0, 3.1, 3.95), 0.30, GUNMETAL, taper=0.85, sides=10)
    shape.limb((0, 2.9, 3.84), (0, 3.35, 4.08), 0.36, BLACK, sides=10)
    shape.limb((-0.5, -1.2, 1.7), (-0.5, 0.9, 2.8), 0.14, STEEL, sides=6)
    shape.limb((0.5, -1.2, 1.7), (0.5, 0.9, 2.8), 0.14, STEEL, sides=6)
    shape.loft([(0, -2.85, 0.0, 1.1, 0.12), (0, -2.75, 0.8, 1.0, 0.12)], STEEL)
    return shape


def titan() -> Shape:
    """Return a war engine on two legs, 12 m: a gun for each arm, a bridge between its shoulders."""
    shape = Shape()
    for x in (-2.0, 2.0):
        shape.loft([(x, 0.5, 0, 1.25, 1.9), (x, 0.3, 0.7, 0.85, 1.2)], GUNMETAL, sides=6)
        shape.limb((x, 0.1, 0.5), (x, -0.4, 2.6), 0.65, STEEL, sides=6)
        shape.loft(
            [(x, -0.2, 1.0, 0.95, 0.9), (x, -0.3, 3.0, 1.05, 1.0), (x, -0.4, 3.5, 0.85, 0.8)],
            CLOTH,
        )
        shape.limb((x, -0.4, 2.9), (x * 0.75, 0.2, 5.3), 0.70, GUNMETAL, sides=6)
    shape.loft(
        [(0, 0, 4.6, 1.5, 1.1), (0, 0, 5.3, 2.1, 1.5), (0, 0, 5.9, 1.5, 1.3)], GUNMETAL, sides=8
    )
    shape.sheet((-0.9, 1.5, 5.6), (-0.6, 1.6, 3.4), (0.6, 1.6, 3.4), (0.9, 1.5, 5.6), colour=CLOTH)
    shape.loft(
        [
            (0, 0.1, 5.8, 1.7, 1.5),
            (0, 0.2, 7.4, 2.7, 2.1),
            (0, -0.2, 9.6, 2.5, 1.9),
            (0, -0.5, 10.2, 1.6, 1.3),
        ],
        [CLOTH, CLOTH, PLATE],
        sides=8,
    )
    shape.loft(
        [(0, 1.9, 8.1, 0.75, 0.8), (0, 2.1, 8.8, 0.95, 0.9), (0, 1.8, 9.7, 0.6, 0.6)],
        PLATE, sides=8,
    )  # fmt: skip
    for x in (-0.38, 0.38):
        shape.facet(
            (x + 0.26, 2.90, 8.58), (x - 0.26, 2.90, 8.58),
            (x - 0.26, 2.98, 8.84), (x + 0.26, 2.98, 8.84),
            colour=LAMP,
        )  # fmt: skip
    for sign in (-1.0, 1.0):
        shape.loft(
            [
                (3.3 * sign, -0.1, 8.4, 1.15, 1.6),
                (3.2 * sign, -0.1, 9.8, 1.05, 1.4),
                (2.9 * sign, -0.1, 10.4, 0.5, 0.9),
            ],
            CLOTH,
        )
        shape.limb((3.4 * sign, 0, 8.7), (3.5 * sign, 0.2, 6.8), 0.6, GUNMETAL, sides=6)
    shape.limb((3.5, -1.0, 6.6), (3.5, 2.4, 6.5), 0.85, PLATE, sides=8)
    _barrel(shape, (3.5, 2.3, 6.5), 3.2, 0.42)
    shape.limb((-3.5, -1.0, 6.6), (-3.5, 1.8, 6.5), 0.80, DARK_CLOTH, sides=8)
    for x, z in ((-0.32, 0.3), (0.32, 0.3), (-0.32, -0.3), (0.32, -0.3)):
        shape.limb((-3.5 + x, 1.7, 6.5 + z), (-3.5 + x, 4.2, 6.5 + z), 0.20, BLACK, sides=6)
    for x in (-1.3, 1.3):
        shape.loft(
            [(x, -1.6, 8.5, 0.55, 0.55), (x, -1.7, 11.4, 0.45, 0.45), (x, -1.7, 12.0, 0.6, 0.6)],
            [GUNMETAL, BLACK], sides=8,
        )  # fmt: skip
    return shape


def crawler() -> Shape:
    """Return a war engine on four tracks, a fort of three steps with turrets."""
    shape = Shape()
    for x in (-2.6, 2.6):
        for ends in ((-5.2, -0.3), (0.3, 5.2)):
            _track(shape, x, 0.85, ends, 1.9)
    shape.loft([(0, 0, 0.9, 1.9, 4.9), (0, 0, 1.9, 3.4, 5.3)], GUNMETAL)
    shape.loft([(0, 0, 1.9, 3.45, 5.35), (0, -0.2, 3.6, 2.9, 4.6)], CLOTH)
    shape.loft([(0, -0.2, 3.6, 2.9, 4.6), (0, -0.2, 3.75, 2.9, 4.6)], PLATE)
    shape.loft([(0, -1.3, 3.7, 2.3, 2.7), (0, -1.4, 5.4, 1.9, 2.2)], CLOTH)
    shape.loft([(0, -2.3, 5.4, 1.2, 1.1), (0, -2.3, 7.0, 0.95, 0.9)], PLATE, sides=8)
    shape.loft([(0, -2.3, 6.3, 1.12, 1.05), (0, -2.3, 6.6, 1.08, 1.0)], LAMP, sides=8)
    shape.limb((0.6, -2.9, 6.9), (0.7, -3.1, 9.4), 0.06, BLACK)
    shape.sheet(
        (-0.4, -3.0, 7.0), (-0.4, -3.0, 8.9), (-0.4, -4.7, 8.6), (-0.4, -4.7, 7.4), colour=CLOTH
    )
    shape.limb((-0.4, -3.0, 6.9), (-0.4, -3.0, 9.1), 0.06, BLACK)
    # The main turret ahead, and two beside the upper step.
    shape.loft(
        [(0, 2.5, 3.7, 1.6, 1.6), (0, 2.4, 4.4, 1.75, 1.75), (0, 2.2, 5.2, 1.2, 1.2)],
        DARK_CLOTH, sides=8,
    )  # fmt: skip
    for x in (-0.5, 0.5):
        _barrel(shape, (x, 3.6, 4.5), 3.4, 0.26, 0.3)
    for sign in (-1.0, 1.0):
        x = 2.75 * sign
        shape.loft([(x, 0.2, 3.6, 0.75, 0.75), (x, 0.2, 4.5, 0.6, 0.6)], PLATE, sides=8)
        for away in (-0.2, 0.2):
            shape.limb((x + away, 0.7, 4.1), (x + away, 2.3, 4.2), 0.10, BLACK, sides=6)
    for x in (-2.6, 2.6):
        shape.loft([(x, -4.4, 2.4, 0.4, 0.4), (x, -4.7, 5.2, 0.32, 0.32)], BLACK, sides=8)
    return shape
