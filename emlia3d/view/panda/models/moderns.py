"""Troops of later ages: riflemen, one with a jet pack, a walking machine, a brute."""

from __future__ import annotations

import numpy as np

from emlia3d.view.panda.models.people import BLACK, LEATHER, SKIN, STEEL, head
from emlia3d.view.panda.models.shape import CLOTH, DARK_CLOTH, Colour, Shape, opaque

OLIVE = opaque(0.34, 0.37, 0.26)
GUNMETAL = opaque(0.24, 0.26, 0.29)
PLATE = opaque(0.52, 0.54, 0.55)
GLASS = opaque(0.16, 0.30, 0.36)
FLAME = opaque(0.95, 0.60, 0.18)
HIDE = opaque(0.36, 0.44, 0.30)


def _trooper(shape: Shape, cloth: Colour) -> None:
    """Boots, trousers, an armoured vest, and a helmet with a visor."""
    for x, ahead in ((-0.12, -0.06), (0.12, 0.10)):
        shape.loft(
            [(x, ahead, 0, 0.085, 0.14), (x, ahead * 0.6, 0.34, 0.08, 0.09)],
            BLACK,
            open_above=True,
        )
        shape.loft(
            [(x, ahead * 0.6, 0.34, 0.09, 0.10), (x * 0.9, 0, 0.88, 0.11, 0.13)],
            cloth,
            open_below=True,
            open_above=True,
        )
    shape.loft(
        [
            (0, 0, 0.82, 0.21, 0.16),
            (0, 0, 1.12, 0.20, 0.15),
            (0, 0, 1.46, 0.28, 0.19),
            (0, 0, 1.54, 0.14, 0.11),
        ],
        [cloth, CLOTH, CLOTH],
    )
    head(shape)
    shape.loft(
        [(0, 0.01, 1.66, 0.15, 0.18), (0, 0, 1.80, 0.14, 0.16), (0, -0.01, 1.90, 0.06, 0.07)],
        DARK_CLOTH,
        sides=7,
        turn=np.pi / 2 - np.pi / 7,
    )
    shape.facet(
        (-0.075, 0.170, 1.60), (-0.075, 0.178, 1.70), (0.075, 0.178, 1.70), (0.075, 0.170, 1.60),
        colour=GLASS,
    )  # fmt: skip
    for sign in (-1.0, 1.0):
        shape.loft(
            [(0.30 * sign, 0, 1.34, 0.10, 0.12), (0.28 * sign, 0, 1.50, 0.11, 0.13)], DARK_CLOTH
        )


def _aiming(shape: Shape, barrel: float, cloth: Colour) -> None:
    """Both arms at a rifle that points ahead."""
    for shoulder, elbow, hand in (
        ((-0.28, 0.02, 1.40), (-0.34, 0.22, 1.16), (-0.06, 0.55, 1.30)),
        ((0.28, 0.02, 1.40), (0.42, 0.10, 1.16), (0.16, 0.28, 1.30)),
    ):
        shape.limb(shoulder, elbow, 0.07, CLOTH)
        shape.limb(elbow, hand, 0.06, cloth)
    shape.limb((0.17, -0.05, 1.36), (0.06, 0.62, 1.36), 0.035, GUNMETAL, depth=0.07)
    shape.limb((0.06, 0.62, 1.36), (0.0, 0.62 + barrel, 1.36), 0.018, BLACK)


def rifleman() -> Shape:
    """Return a soldier in a helmet and an armoured vest, who aims a rifle."""
    shape = Shape()
    _trooper(shape, OLIVE)
    _aiming(shape, 0.45, OLIVE)
    shape.loft([(0, -0.24, 1.04, 0.17, 0.08), (0, -0.24, 1.44, 0.17, 0.08)], OLIVE)
    return shape


def jumper() -> Shape:
    """Return a soldier with two hot jets on the back, and short wings."""
    shape = Shape()
    _trooper(shape, PLATE)
    _aiming(shape, 0.15, PLATE)
    for x in (-0.15, 0.15):
        shape.loft(
            [
                (x, -0.30, 0.72, 0.07, 0.07),
                (x, -0.30, 0.92, 0.11, 0.11),
                (x, -0.30, 1.60, 0.11, 0.11),
                (x, -0.30, 2.02, 0, 0),
            ],
            [GUNMETAL, PLATE, CLOTH],
            sides=7,
        )
        shape.loft([(x, -0.30, 0.46, 0.01, 0.01), (x, -0.30, 0.74, 0.06, 0.06)], FLAME, sides=5)
        sign = 1.0 if x > 0 else -1.0
        shape.sheet(
            (x + 0.08 * sign, -0.30, 1.52), (0.72 * sign, -0.42, 1.34),
            (0.66 * sign, -0.42, 1.18), (x + 0.08 * sign, -0.30, 1.10),
            colour=CLOTH,
        )  # fmt: skip
    return shape


def heavy_weapon() -> Shape:
    """Return a soldier behind a long gun with a shield, on three legs."""
    shape = Shape()
    _trooper(shape, OLIVE)
    for shoulder, elbow, hand in (
        ((-0.28, 0.02, 1.40), (-0.44, 0.22, 1.10), (-0.16, 0.50, 1.12)),
        ((0.28, 0.02, 1.40), (0.44, 0.22, 1.10), (0.16, 0.50, 1.12)),
    ):
        shape.limb(shoulder, elbow, 0.07, CLOTH)
        shape.limb(elbow, hand, 0.06, OLIVE)
    for foot in ((-0.62, 0.75, 0.0), (0.62, 0.75, 0.0), (0.0, 1.75, 0.0)):
        shape.limb((0, 1.0, 1.0), foot, 0.05, GUNMETAL, sides=5)
    shape.limb((0, 0.42, 1.10), (0, 1.30, 1.16), 0.13, GUNMETAL, sides=6)
    shape.limb((0, 1.25, 1.15), (0, 2.65, 1.22), 0.06, BLACK, sides=6)
    shape.limb((0, 2.45, 1.21), (0, 2.75, 1.23), 0.10, BLACK, sides=6)
    for sign in (-1.0, 1.0):
        shape.sheet(
            (0.10 * sign, 1.18, 0.52), (0.72 * sign, 1.02, 0.62),
            (0.66 * sign, 0.98, 1.40), (0.10 * sign, 1.14, 1.48),
            colour=CLOTH,
        )  # fmt: skip
    shape.loft([(0.34, 0.90, 0.82, 0.14, 0.20), (0.34, 0.90, 1.08, 0.14, 0.20)], OLIVE)
    return shape


def walker() -> Shape:
    """Return a machine on two legs, 3.6 m: a cabin with a window, a gun and a claw."""
    shape = Shape()
    for x in (-0.62, 0.62):
        shape.loft([(x, 0.18, 0, 0.30, 0.52), (x, 0.05, 0.22, 0.20, 0.30)], GUNMETAL, sides=6)
        shape.limb((x, 0.02, 0.20), (x, -0.28, 1.05), 0.15, PLATE)
        shape.limb((x, -0.28, 1.05), (x * 0.8, 0.12, 1.75), 0.19, GUNMETAL, sides=6)
    shape.loft(
        [(0, 0, 1.60, 0.55, 0.42), (0, 0, 1.85, 0.62, 0.50), (0, 0, 2.05, 0.45, 0.40)], GUNMETAL
    )
    shape.loft(
        [
            (0, 0.02, 2.00, 0.62, 0.55),
            (0, 0.05, 2.50, 0.82, 0.70),
            (0, -0.02, 3.10, 0.74, 0.60),
            (0, -0.10, 3.36, 0.48, 0.40),
        ],
        [CLOTH, CLOTH, PLATE],
        sides=8,
    )
    shape.facet(
        (-0.36, 0.70, 2.58), (-0.30, 0.64, 2.98), (0.30, 0.64, 2.98), (0.36, 0.70, 2.58),
        colour=GLASS,
    )  # fmt: skip
    shape.limb((0.35, -0.25, 3.30), (0.35, -0.30, 3.60), 0.03, BLACK)
    for sign in (-1.0, 1.0):
        shape.limb((0.78 * sign, 0, 2.75), (1.02 * sign, 0.05, 2.30), 0.20, PLATE, sides=6)
        shape.limb((1.02 * sign, 0.05, 2.30), (1.00 * sign, 0.70, 2.18), 0.17, CLOTH, sides=6)
    for away in (-0.07, 0.07):
        shape.limb((1.00 + away, 0.65, 2.20), (0.98 + away, 1.50, 2.20), 0.05, BLACK, sides=6)
    for rise in (-0.12, 0.12):
        shape.limb((-1.00, 0.68, 2.18), (-0.94, 1.08, 2.18 + rise), 0.07, STEEL, taper=0.3)
    return shape


def brute() -> Shape:
    """Return a brute, a head and a half above a person, with a scrap axe and a spike."""
    shape = Shape()
    for x, ahead in ((-0.30, -0.08), (0.30, 0.14)):
        shape.loft(
            [
                (x, ahead, 0, 0.17, 0.26),
                (x, ahead * 0.5, 0.28, 0.15, 0.17),
                (x * 0.9, 0, 0.95, 0.24, 0.26),
            ],
            [BLACK, LEATHER],
        )
    shape.loft(
        [
            (0, 0, 0.82, 0.42, 0.32),
            (0, 0.06, 1.30, 0.46, 0.38),
            (0, 0.14, 1.90, 0.66, 0.42),
            (0, 0.20, 2.12, 0.34, 0.28),
        ],
        [LEATHER, CLOTH, HIDE],
        sides=8,
    )
    shape.loft(
        [(0, 0.34, 1.96, 0.17, 0.18), (0, 0.38, 2.16, 0.21, 0.24), (0, 0.32, 2.42, 0.14, 0.16)],
        HIDE,
        sides=7,
    )
    shape.loft([(0, 0.50, 1.98, 0.17, 0.10), (0, 0.52, 2.08, 0.18, 0.10)], STEEL, sides=6)
    for sign, hand in ((-1.0, (-0.80, 0.46, 0.92)), (1.0, (0.84, 0.52, 1.30))):
        shape.limb((0.62 * sign, 0.12, 1.86), (0.86 * sign, 0.14, 1.36), 0.19, HIDE, sides=6)
        shape.limb((0.86 * sign, 0.14, 1.36), hand, 0.16, HIDE, sides=6)
    shape.loft([(-0.62, 0.10, 1.80, 0.26, 0.28), (-0.60, 0.10, 2.08, 0.16, 0.18)], PLATE, sides=7)
    shape.limb((-0.62, 0.10, 2.05), (-0.70, 0.10, 2.40), 0.05, STEEL, taper=0.1)
    shape.limb((0.82, 0.40, 0.95), (0.96, 0.86, 2.20), 0.05, BLACK)
    shape.sheet(
        (0.90, 0.70, 1.70), (1.00, 1.34, 1.72), (1.05, 1.24, 2.22), (0.95, 0.80, 2.18),
        colour=STEEL,
    )  # fmt: skip
    shape.limb((-0.42, 0.36, 1.95), (0.40, 0.42, 1.10), 0.06, SKIN)
    return shape
