"""Peoples of legend, told apart from afar by height, breadth, and the colour of the skin."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from emlia3d.view.panda.models.people import (
    BRASS,
    HIDE,
    LEATHER,
    MAIL,
    SKIN,
    STEEL,
    WHITE,
    WOOD,
    shield,
)
from emlia3d.view.panda.models.shape import CLOTH, DARK_CLOTH, Colour, Shape, opaque

GOBLIN_SKIN = opaque(0.55, 0.62, 0.28)
ORC_SKIN = opaque(0.33, 0.40, 0.26)
FAIR = opaque(0.88, 0.74, 0.62)
RED_BEARD = opaque(0.66, 0.32, 0.14)
IRON = opaque(0.30, 0.31, 0.33)
STONE = opaque(0.42, 0.42, 0.46)
FUR, DARK_FUR = opaque(0.40, 0.37, 0.34), opaque(0.20, 0.19, 0.19)
BONE = opaque(0.82, 0.78, 0.66)


def _legs(shape: Shape, high: float, apart: float, thick: float, colour: Colour) -> None:
    """Two legs up to the hips."""
    for x, ahead in ((-apart, -0.05), (apart, 0.08)):
        shape.loft(
            [
                (x, ahead, 0, thick, 1.7 * thick),
                (x, ahead * 0.6, 0.28 * high, 0.8 * thick, thick),
                (x * 0.9, 0, high, 1.3 * thick, 1.4 * thick),
            ],
            [LEATHER, colour],
            open_above=True,
        )


def _arm(
    shape: Shape,
    shoulder: tuple[float, float, float],
    hand: tuple[float, float, float],
    thick: float,
    colour: Colour,
) -> None:
    """Add an arm with its elbow low and outward."""
    sign = 1.0 if shoulder[0] > 0 else -1.0
    elbow = (
        (shoulder[0] + hand[0]) / 2 + 0.07 * sign,
        hand[1] * 0.35 - 0.02,
        (shoulder[2] + hand[2]) / 2 - 0.07,
    )
    shape.limb(shoulder, elbow, thick, colour)
    shape.limb(elbow, hand, 0.85 * thick, colour)


def goblin() -> Shape:
    """Small and stooped, with long ears, a rag of a tunic, and a short spear."""
    shape = Shape()
    _legs(shape, 0.46, 0.11, 0.06, GOBLIN_SKIN)
    shape.loft(
        [
            (0, 0, 0.38, 0.20, 0.15),
            (0, 0.04, 0.66, 0.15, 0.12),
            (0, 0.10, 0.92, 0.19, 0.13),
            (0, 0.12, 0.98, 0.09, 0.08),
        ],
        CLOTH,
    )
    shape.loft(
        [(0, 0.15, 0.96, 0.09, 0.10), (0, 0.18, 1.08, 0.14, 0.15), (0, 0.14, 1.24, 0.11, 0.12)],
        GOBLIN_SKIN,
        sides=7,
    )
    shape.limb((0, 0.30, 1.10), (0, 0.42, 1.04), 0.035, GOBLIN_SKIN, taper=0.3)
    for sign in (-1.0, 1.0):
        shape.sheet(
            (0.11 * sign, 0.14, 1.04), (0.36 * sign, 0.04, 1.24), (0.11 * sign, 0.14, 1.16),
            colour=GOBLIN_SKIN,
        )  # fmt: skip
    shape.loft(
        [(0, 0.12, 1.18, 0.13, 0.14), (0, 0.08, 1.30, 0.08, 0.09), (0, 0.02, 1.40, 0, 0)],
        DARK_CLOTH,
        sides=6,
    )
    _arm(shape, (-0.19, 0.10, 0.90), (-0.22, 0.32, 0.66), 0.05, GOBLIN_SKIN)
    _arm(shape, (0.19, 0.10, 0.90), (0.26, 0.28, 0.76), 0.05, GOBLIN_SKIN)
    shape.limb((0.28, 0.10, 0.10), (0.24, 0.46, 1.42), 0.016, WOOD)
    shape.loft([(0.235, 0.47, 1.40, 0.03, 0.012), (0.23, 0.52, 1.58, 0, 0)], IRON)
    return shape


def dwarf() -> Shape:
    """Short and as broad as a human, with a beard to the belt, a horned helmet and an axe."""
    shape = Shape()
    _legs(shape, 0.42, 0.15, 0.095, LEATHER)
    shape.loft(
        [
            (0, 0, 0.32, 0.31, 0.22),
            (0, 0, 0.62, 0.30, 0.21),
            (0, 0, 0.98, 0.37, 0.22),
            (0, 0, 1.06, 0.16, 0.12),
        ],
        [CLOTH, MAIL, MAIL],
        sides=8,
    )
    shape.limb((-0.31, 0, 0.62), (0.31, 0, 0.62), 0.05, BRASS, depth=0.22)
    shape.loft([(0, 0.03, 1.02, 0.11, 0.12), (0, 0.03, 1.24, 0.12, 0.13)], SKIN, sides=7)
    shape.loft(
        [(0, 0.24, 0.56, 0.03, 0.03), (0, 0.22, 0.86, 0.15, 0.07), (0, 0.13, 1.14, 0.15, 0.09)],
        RED_BEARD,
        sides=6,
    )
    shape.loft(
        [(0, 0.02, 1.20, 0.16, 0.18), (0, 0, 1.30, 0.13, 0.14), (0, -0.01, 1.42, 0, 0)],
        STEEL,
        sides=7,
    )
    for sign in (-1.0, 1.0):
        shape.limb((0.13 * sign, 0, 1.27), (0.27 * sign, 0.02, 1.44), 0.035, BONE, taper=0.2)
    _arm(shape, (-0.38, 0, 0.95), (-0.38, 0.30, 0.72), 0.09, MAIL)
    _arm(shape, (0.38, 0, 0.95), (0.42, 0.28, 0.86), 0.09, MAIL)
    shape.limb((0.44, 0.18, 0.30), (0.42, 0.36, 1.36), 0.025, WOOD)
    shape.sheet(
        (0.42, 0.30, 1.08), (0.40, 0.64, 0.98), (0.40, 0.68, 1.38), (0.42, 0.34, 1.34),
        colour=STEEL,
    )  # fmt: skip
    shield(shape, (-0.38, 0.38, 0.70), 0.32)
    return shape


def elf() -> Shape:
    """Tall and slender, with a plumed helmet, a long cloak, and a bow taller than a human."""
    shape = Shape()
    _legs(shape, 0.98, 0.09, 0.06, WHITE)
    shape.loft(
        [
            (0, 0, 0.70, 0.20, 0.14),
            (0, 0, 1.18, 0.14, 0.10),
            (0, 0, 1.56, 0.22, 0.12),
            (0, 0, 1.64, 0.09, 0.07),
        ],
        CLOTH,
    )
    shape.sheet(
        (-0.24, -0.26, 0.18), (0.24, -0.26, 0.18), (0.19, -0.12, 1.60), (-0.19, -0.12, 1.60),
        colour=DARK_CLOTH,
    )  # fmt: skip
    shape.loft([(0, 0.02, 1.64, 0.07, 0.08), (0, 0.02, 1.86, 0.075, 0.09)], FAIR, sides=6)
    shape.loft(
        [(0, 0, 1.80, 0.11, 0.13), (0, -0.01, 1.98, 0.09, 0.11), (0, -0.04, 2.22, 0, 0)],
        BRASS,
        sides=7,
    )
    shape.sheet(
        (0, -0.06, 2.02), (0, -0.10, 2.26), (0, -0.44, 1.86), (0, -0.30, 1.70), colour=CLOTH
    )
    _arm(shape, (-0.23, 0, 1.52), (-0.30, 0.46, 1.34), 0.055, CLOTH)
    _arm(shape, (0.23, 0, 1.52), (0.24, 0.16, 1.12), 0.055, CLOTH)
    bow = (
        (-0.30, 0.26, 0.36),
        (-0.31, 0.46, 0.84),
        (-0.30, 0.54, 1.34),
        (-0.31, 0.46, 1.84),
        (-0.30, 0.26, 2.32),
    )
    for low, high in pairwise(bow):
        shape.limb(low, high, 0.018, WHITE)
    shape.limb((0.06, -0.18, 1.06), (0.18, -0.2, 1.66), 0.05, LEATHER, sides=5)
    return shape


def orc() -> Shape:
    """As tall as a human and far broader: a jutting jaw, iron plates, a notched blade, a shield."""
    shape = Shape()
    _legs(shape, 0.76, 0.20, 0.12, LEATHER)
    shape.loft(
        [
            (0, 0, 0.60, 0.36, 0.26),
            (0, 0.02, 1.00, 0.34, 0.26),
            (0, 0.08, 1.44, 0.50, 0.28),
            (0, 0.12, 1.56, 0.22, 0.18),
        ],
        [CLOTH, IRON, IRON],
        sides=8,
    )
    shape.loft(
        [(0, 0.20, 1.50, 0.15, 0.17), (0, 0.23, 1.64, 0.17, 0.19), (0, 0.15, 1.84, 0.12, 0.14)],
        ORC_SKIN,
        sides=7,
    )
    for sign in (-1.0, 1.0):
        shape.limb((0.09 * sign, 0.40, 1.56), (0.10 * sign, 0.42, 1.70), 0.03, BONE, taper=0.2)
        shape.loft(
            [(0.50 * sign, 0.06, 1.32, 0.15, 0.18), (0.46 * sign, 0.06, 1.54, 0.14, 0.17)], IRON
        )
    shape.loft(
        [(0, 0.14, 1.76, 0.18, 0.20), (0, 0.10, 1.90, 0.10, 0.12), (0, 0.08, 1.96, 0, 0)],
        IRON,
        sides=7,
    )
    _arm(shape, (-0.50, 0.06, 1.40), (-0.50, 0.36, 1.02), 0.12, ORC_SKIN)
    _arm(shape, (0.50, 0.06, 1.40), (0.58, 0.34, 1.20), 0.12, ORC_SKIN)
    shape.sheet(
        (0.56, 0.36, 1.14), (0.62, 0.50, 1.10), (0.74, 0.78, 1.98), (0.62, 0.70, 2.04),
        colour=STEEL,
    )  # fmt: skip
    shield(shape, (-0.50, 0.46, 1.00), 0.42)
    return shape


def monster() -> Shape:
    """Return a troll of stone and hide, 3.1 m, on its knuckles, with horns and spines."""
    shape = Shape()
    for x in (-0.55, 0.55):
        shape.loft(
            [
                (x, -0.55, 0, 0.26, 0.36),
                (x, -0.60, 0.55, 0.22, 0.26),
                (x * 0.9, -0.45, 1.35, 0.38, 0.44),
            ],
            STONE,
            sides=6,
        )
    shape.loft(
        [
            (0, -0.55, 1.15, 0.66, 0.55),
            (0, -0.15, 1.70, 0.92, 0.74),
            (0, 0.25, 2.40, 1.02, 0.62),
            (0, 0.45, 2.72, 0.52, 0.40),
        ],
        [CLOTH, STONE, STONE],
        sides=8,
    )
    shape.loft(
        [(0, 0.80, 2.20, 0.28, 0.30), (0, 0.95, 2.46, 0.36, 0.42), (0, 0.80, 2.84, 0.26, 0.28)],
        STONE,
        sides=7,
    )
    shape.loft([(0, 1.14, 2.18, 0.24, 0.20), (0, 1.18, 2.32, 0.26, 0.20)], BONE, sides=6)
    for sign in (-1.0, 1.0):
        shape.limb((0.28 * sign, 0.85, 2.72), (0.66 * sign, 1.05, 3.10), 0.10, BONE, taper=0.15)
        shape.limb((1.00 * sign, 0.30, 2.30), (1.28 * sign, 0.60, 1.25), 0.30, STONE, sides=6)
        shape.limb((1.28 * sign, 0.60, 1.25), (1.05 * sign, 1.05, 0.26), 0.26, STONE, sides=6)
        shape.limb((1.05 * sign, 1.00, 0.25), (1.05 * sign, 1.35, 0.22), 0.22, HIDE)
    for along, tall in ((0.30, 2.98), (-0.05, 2.62), (-0.40, 2.20)):
        shape.sheet(
            (0, along + 0.16, tall - 0.42), (0, along - 0.12, tall), (0, along - 0.30, tall - 0.62),
            colour=BONE,
        )  # fmt: skip
    shape.limb((0, -0.95, 1.35), (0, -1.75, 0.55), 0.24, STONE, taper=0.5, sides=6)
    shape.limb((0, -1.75, 0.55), (0.35, -2.35, 0.14), 0.12, STONE, taper=0.2, sides=6)
    shape.limb((-0.9, 0.35, 2.55), (0.75, 0.55, 1.62), 0.12, CLOTH)
    return shape


def wolf() -> Shape:
    """Return a great wolf with raised hackles, its head low, in a collar of the side's colour."""
    shape = Shape()
    for x, y, ahead in (
        (-0.17, -0.62, -0.10),
        (0.17, -0.62, 0.06),
        (-0.17, 0.48, 0.10),
        (0.17, 0.48, -0.04),
    ):
        shape.limb((x, y, 0.72), (x, y - 0.06, 0.36), 0.10, FUR, taper=0.6)
        shape.limb((x, y - 0.06, 0.36), (x, y + ahead, 0.05), 0.055, FUR)
        shape.loft([(x, y + ahead + 0.04, 0, 0.06, 0.10), (x, y + ahead, 0.08, 0.05, 0.06)], FUR)
    frame = np.eye(4)
    frame[:3, 0], frame[:3, 1], frame[:3, 2] = (-1, 0, 0), (0, 0, 1), (0, 1, 0)
    shape.loft(
        [(0, 0.80, -0.82, 0.15, 0.17), (0, 0.80, -0.20, 0.21, 0.23), (0, 0.88, 0.62, 0.26, 0.30)],
        FUR,
        frame=frame,
        sides=7,
    )
    shape.sheet(
        (0, -0.40, 0.98), (0, 0.10, 1.22), (0, 0.66, 1.26), (0, 0.62, 1.02), colour=DARK_FUR
    )
    shape.limb((0, 0.55, 0.95), (0, 0.80, 1.00), 0.25, CLOTH, taper=0.8, sides=6)
    shape.limb((0, 0.80, 1.02), (0, 1.08, 0.98), 0.17, FUR, depth=0.18, taper=0.8, sides=6)
    shape.limb((0, 1.05, 0.94), (0, 1.36, 0.88), 0.09, DARK_FUR, taper=0.6)
    for sign in (-1.0, 1.0):
        shape.limb((0.10 * sign, 0.92, 1.12), (0.13 * sign, 0.88, 1.30), 0.05, DARK_FUR, taper=0.2)
    shape.limb((0, -0.80, 0.86), (0, -1.30, 0.52), 0.09, DARK_FUR, taper=0.4)
    return shape
