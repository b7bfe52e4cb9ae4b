"""People on foot, as they are seen near by: a face, a pack, a weapon."""

from __future__ import annotations

from itertools import pairwise

from emlia3d.view.panda.models.shape import CLOTH, DARK_CLOTH, Shape, opaque

WHITE = opaque(0.78, 0.76, 0.70)
SKIN = opaque(0.80, 0.60, 0.46)
BLACK = opaque(0.13, 0.13, 0.14)
WOOD = opaque(0.46, 0.33, 0.22)
STEEL = opaque(0.60, 0.62, 0.66)
BRASS = opaque(0.80, 0.64, 0.28)
LEATHER = opaque(0.42, 0.30, 0.21)
HIDE = opaque(0.52, 0.38, 0.24)
MAIL = opaque(0.46, 0.48, 0.51)


def legs(shape: Shape, trousers: tuple[float, float, float, float] = WHITE) -> None:
    """Two legs in boots, the right a little ahead."""
    for x, ahead in ((-0.10, -0.05), (0.10, 0.08)):
        shape.loft(
            [(x, ahead, 0, 0.07, 0.12), (x, ahead * 0.6, 0.22, 0.06, 0.07)], BLACK, open_above=True
        )
        shape.loft(
            [(x, ahead * 0.6, 0.22, 0.075, 0.085), (x * 0.95, 0, 0.86, 0.095, 0.115)],
            trousers,
            open_below=True,
            open_above=True,
        )


def coat(shape: Shape, tails: bool = False) -> None:
    """Add the body from the hips to the neck."""
    shape.loft(
        [
            (0, 0, 0.70 if tails else 0.80, 0.23, 0.16),
            (0, 0, 1.10, 0.18, 0.125),
            (0, 0, 1.44, 0.245, 0.14),
            (0, 0, 1.52, 0.12, 0.09),
        ],
        CLOTH,
    )


def head(shape: Shape) -> None:
    """Neck and face."""
    shape.loft(
        [
            (0, 0.01, 1.52, 0.07, 0.07),
            (0, 0.02, 1.61, 0.085, 0.10),
            (0, 0.01, 1.75, 0.085, 0.10),
        ],
        SKIN,
        sides=6,
        open_below=True,
    )


def shako(shape: Shape) -> None:
    """Add a tall cap with a plate and a plume of the side's colour."""
    shape.loft(
        [(0, 0.01, 1.70, 0.115, 0.13), (0, 0, 1.76, 0.105, 0.115), (0, -0.01, 1.97, 0.125, 0.13)],
        BLACK,
        sides=7,
    )
    shape.facet(
        (-0.05, 0.135, 1.80),
        (-0.04, 0.14, 1.90),
        (0.04, 0.14, 1.90),
        (0.05, 0.135, 1.80),
        colour=BRASS,
    )
    shape.loft([(0, 0.09, 1.97, 0.035, 0.035), (0, 0.09, 2.14, 0, 0)], CLOTH)


def helmet(shape: Shape) -> None:
    """Add a steel cap with a brim."""
    shape.loft(
        [
            (0, 0.01, 1.68, 0.15, 0.17),
            (0, 0, 1.73, 0.115, 0.125),
            (0, 0, 1.84, 0.08, 0.09),
            (0, 0, 1.89, 0, 0),
        ],
        STEEL,
        sides=7,
    )


def hood(shape: Shape) -> None:
    """Add a cloth hood over the shoulders."""
    shape.loft(
        [(0, -0.01, 1.46, 0.20, 0.16), (0, -0.02, 1.66, 0.12, 0.13), (0, -0.03, 1.84, 0, 0)],
        DARK_CLOTH,
        sides=6,
    )


def arms(shape: Shape, left: tuple[float, float, float], right: tuple[float, float, float]) -> None:
    """Two arms from the shoulders to where the hands are."""
    for sign, hand in ((-1.0, left), (1.0, right)):
        shoulder = (0.27 * sign, 0.0, 1.43)
        elbow = (0.31 * sign, (hand[1]) * 0.35 - 0.02, (1.43 + hand[2]) / 2 - 0.05)
        shape.limb(shoulder, elbow, 0.068, CLOTH)
        shape.limb(elbow, hand, 0.056, CLOTH)
        shape.limb(hand, (hand[0] * 0.96, hand[1] + 0.05, hand[2] - 0.01), 0.045, SKIN)


def crossbelts(shape: Shape) -> None:
    """White belts over the chest and a pack with a rolled blanket on the back."""
    for sign in (-1.0, 1.0):
        ring = [
            (-0.15 * sign, 0.139, 1.44),
            (-0.08 * sign, 0.147, 1.46),
            (0.15 * sign, 0.139, 1.0),
            (0.10 * sign, 0.136, 0.95),
        ]
        shape.sheet(*ring, colour=WHITE)
    shape.loft([(0, -0.21, 1.08, 0.15, 0.08), (0, -0.21, 1.42, 0.15, 0.08)], LEATHER)
    shape.limb((-0.17, -0.21, 1.47), (0.17, -0.21, 1.47), 0.055, opaque(0.55, 0.53, 0.50), sides=5)


def musketeer() -> Shape:
    """Line infantry with a musket at the shoulder."""
    shape = Shape()
    legs(shape)
    coat(shape, tails=True)
    crossbelts(shape)
    head(shape)
    shako(shape)
    arms(shape, (-0.20, 0.26, 1.04), (0.28, 0.12, 0.84))
    shape.limb((-0.20, 0.27, 0.92), (-0.235, 0.17, 1.42), 0.035, WOOD, depth=0.05)
    shape.limb((-0.235, 0.17, 1.42), (-0.27, 0.02, 2.16), 0.018, STEEL, depth=0.022)
    shape.limb((-0.27, 0.02, 2.16), (-0.285, -0.06, 2.50), 0.010, STEEL, depth=0.012)
    return shape


def skirmisher() -> Shape:
    """Light infantry: a rifle across the body, a soft cap, no pack."""
    shape = Shape()
    legs(shape, DARK_CLOTH)
    coat(shape)
    head(shape)
    shape.loft(
        [(0, 0.0, 1.70, 0.125, 0.14), (0, -0.02, 1.84, 0.13, 0.14), (0, -0.02, 1.87, 0, 0)],
        DARK_CLOTH,
        sides=7,
    )
    arms(shape, (-0.22, 0.30, 1.22), (0.22, 0.24, 1.02))
    shape.limb((0.32, 0.20, 0.92), (0.02, 0.30, 1.16), 0.035, WOOD, depth=0.05)
    shape.limb((0.02, 0.30, 1.16), (-0.62, 0.38, 1.52), 0.018, STEEL)
    shape.loft([(0.1, -0.17, 0.86, 0.12, 0.06), (0.1, -0.17, 1.02, 0.12, 0.06)], LEATHER)
    return shape


def artificer() -> Shape:
    """One who serves an engine: a hood, and both hands free for it."""
    shape = Shape()
    legs(shape, LEATHER)
    coat(shape, tails=True)
    head(shape)
    hood(shape)
    arms(shape, (-0.24, 0.40, 1.12), (0.26, 0.38, 1.06))
    return shape


def spearman() -> Shape:
    """Return a spear held upright, a round shield with the side's colour, a steel cap."""
    shape = Shape()
    legs(shape, LEATHER)
    coat(shape, tails=True)
    head(shape)
    helmet(shape)
    arms(shape, (-0.30, 0.26, 1.12), (0.32, 0.20, 1.15))
    shape.limb((0.33, 0.22, 0.05), (0.33, 0.22, 2.75), 0.018, WOOD)
    shape.loft([(0.33, 0.22, 2.70, 0.035, 0.012), (0.33, 0.22, 3.0, 0, 0)], STEEL)
    shield(shape, (-0.30, 0.36, 1.08), 0.38)
    return shape


def bowman() -> Shape:
    """Return a longbow in the left hand, a quiver at the back, a hood."""
    shape = Shape()
    legs(shape, LEATHER)
    coat(shape, tails=True)
    head(shape)
    hood(shape)
    arms(shape, (-0.30, 0.42, 1.25), (0.26, 0.14, 1.05))
    bow = [
        (-0.30, 0.28, 0.40),
        (-0.30, 0.46, 0.85),
        (-0.30, 0.50, 1.25),
        (-0.30, 0.46, 1.65),
        (-0.30, 0.28, 2.10),
    ]
    for low, high in pairwise(bow):
        shape.limb(low, high, 0.018, WOOD)
    shape.limb((0.08, -0.18, 1.0), (0.20, -0.2, 1.52), 0.05, LEATHER, sides=5)
    shape.limb((0.20, -0.2, 1.52), (0.22, -0.2, 1.64), 0.045, WHITE, sides=5)
    return shape


def warrior() -> Shape:
    """Return a hero: mail, a great shield, a raised sword and a cloak of the side's colour."""
    shape = Shape()
    legs(shape, MAIL)
    shape.loft(
        [
            (0, 0, 0.62, 0.25, 0.18),
            (0, 0, 1.10, 0.20, 0.14),
            (0, 0, 1.44, 0.27, 0.15),
            (0, 0, 1.53, 0.12, 0.09),
        ],
        MAIL,
    )
    shape.sheet(
        (-0.14, 0.175, 0.66),
        (0.14, 0.175, 0.66),
        (0.15, 0.16, 1.42),
        (-0.15, 0.16, 1.42),
        colour=CLOTH,
    )
    shape.sheet(
        (-0.30, -0.30, 0.30),
        (0.30, -0.30, 0.30),
        (0.22, -0.15, 1.50),
        (-0.22, -0.15, 1.50),
        colour=CLOTH,
    )
    head(shape)
    helmet(shape)
    arms(shape, (-0.36, 0.28, 1.10), (0.42, 0.25, 1.45))
    shape.limb((0.42, 0.27, 1.42), (0.46, 0.36, 2.35), 0.028, STEEL, depth=0.012, taper=0.6)
    shape.limb((0.32, 0.28, 1.50), (0.54, 0.30, 1.50), 0.022, BRASS)
    shield(shape, (-0.36, 0.38, 1.05), 0.46)
    return shape


def caveman() -> Shape:
    """Hides, wild hair and a club."""
    shape = Shape()
    for x, ahead in ((-0.13, -0.06), (0.13, 0.10)):
        shape.loft(
            [(x, ahead, 0, 0.08, 0.13), (x, 0, 0.12, 0.07, 0.08), (x, 0, 0.75, 0.11, 0.13)], SKIN
        )
    shape.loft(
        [
            (0, 0, 0.55, 0.28, 0.20),
            (0, 0, 1.0, 0.24, 0.17),
            (0, 0.02, 1.40, 0.33, 0.19),
            (0, 0.02, 1.52, 0.16, 0.12),
        ],
        [HIDE, CLOTH, HIDE],
    )
    head(shape)
    shape.loft(
        [(0, -0.05, 1.50, 0.17, 0.14), (0, -0.02, 1.74, 0.15, 0.16), (0, 0, 1.86, 0, 0)],
        BLACK,
        sides=6,
    )
    for sign, hand in ((-1.0, (-0.42, 0.25, 0.95)), (1.0, (0.45, 0.28, 1.25))):
        shape.limb((0.34 * sign, 0, 1.40), (0.44 * sign, 0.05, 1.12), 0.09, SKIN)
        shape.limb((0.44 * sign, 0.05, 1.12), hand, 0.075, SKIN)
    shape.limb((0.45, 0.28, 1.15), (0.52, 0.42, 2.05), 0.045, WOOD, taper=2.4, sides=6)
    return shape


def ogre() -> Shape:
    """Twice as tall as a human: 3.2 m."""
    shape = Shape()
    flesh = opaque(0.50, 0.56, 0.36)
    for x in (-0.36, 0.36):
        shape.loft(
            [(x, 0.05, 0, 0.24, 0.32), (x, 0, 0.35, 0.20, 0.22), (x * 0.9, 0, 1.3, 0.30, 0.34)],
            flesh,
        )
    shape.loft(
        [
            (0, 0, 1.05, 0.68, 0.50),
            (0, 0.12, 1.6, 0.78, 0.66),
            (0, 0.05, 2.4, 0.80, 0.46),
            (0, 0, 2.62, 0.35, 0.28),
        ],
        [CLOTH, flesh, flesh],
        sides=8,
    )
    shape.loft(
        [(0, 0.16, 2.50, 0.22, 0.24), (0, 0.20, 2.78, 0.27, 0.30), (0, 0.14, 3.10, 0.20, 0.22)],
        flesh,
        sides=7,
    )
    for sign in (-1.0, 1.0):
        shape.limb((0.10 * sign, 0.46, 2.66), (0.13 * sign, 0.52, 2.86), 0.035, WHITE, taper=0.2)
    for sign, hand in ((-1.0, (-1.10, 0.45, 1.05)), (1.0, (1.12, 0.55, 1.75))):
        shape.limb((0.82 * sign, 0, 2.35), (1.10 * sign, 0.08, 1.65), 0.24, flesh)
        shape.limb((1.10 * sign, 0.08, 1.65), hand, 0.20, flesh)
    shape.limb((1.12, 0.5, 1.55), (1.35, 0.95, 3.2), 0.10, WOOD, taper=2.3, sides=7)
    shape.limb((-0.7, 0.1, 2.45), (0.7, 0.42, 1.35), 0.09, CLOTH)
    return shape


def giant() -> Shape:
    """Giant, 6 m: kilt and plaid of the side's colour, a beard, a tree for a club."""
    shape = Shape()
    beard = opaque(0.48, 0.30, 0.17)
    for x, ahead in ((-0.42, -0.25), (0.42, 0.30)):
        shape.loft(
            [
                (x, ahead, 0, 0.26, 0.46),
                (x, ahead * 0.7, 0.30, 0.22, 0.27),
                (x, ahead * 0.5, 0.75, 0.29, 0.33),
                (x, ahead * 0.3, 1.35, 0.27, 0.30),
                (x * 0.9, 0, 2.4, 0.40, 0.44),
            ],
            [LEATHER, HIDE, HIDE, SKIN],
            sides=7,
        )
    shape.loft(
        [
            (0, 0, 1.75, 0.95, 0.75),
            (0, 0, 2.75, 0.74, 0.52),
            (0, 0.03, 3.30, 0.76, 0.56),
            (0, 0, 4.40, 1.00, 0.54),
            (0, 0, 4.75, 0.42, 0.32),
        ],
        [CLOTH, LEATHER, SKIN, SKIN],
        sides=9,
    )
    shape.sheet(
        (-1.0, 0.42, 4.45), (-0.45, 0.60, 4.52), (0.85, 0.66, 2.95), (0.50, 0.66, 2.60),
        colour=DARK_CLOTH,
    )  # fmt: skip
    shape.sheet(
        (-1.0, -0.45, 4.45), (0.30, -0.62, 4.50), (0.75, -0.80, 1.60), (-0.70, -0.80, 1.60),
        colour=CLOTH,
    )  # fmt: skip
    shape.loft(
        [(0, 0.12, 4.60, 0.26, 0.28), (0, 0.16, 5.10, 0.37, 0.40), (0, 0.10, 5.70, 0.32, 0.34)],
        SKIN,
        sides=8,
    )
    shape.loft(
        [(0, 0.42, 4.30, 0.05, 0.05), (0, 0.38, 4.80, 0.30, 0.20), (0, 0.34, 5.08, 0.36, 0.22)],
        beard,
        sides=6,
    )
    shape.loft(
        [(0, -0.02, 5.25, 0.39, 0.36), (0, 0.00, 5.72, 0.35, 0.35), (0, -0.02, 6.0, 0, 0)],
        beard,
        sides=7,
    )
    for sign, hand in ((-1.0, (-1.45, 0.55, 2.45)), (1.0, (1.50, 0.75, 3.10))):
        elbow = (1.40 * sign, 0.05, 3.25)
        shape.limb((1.02 * sign, 0, 4.30), elbow, 0.30, SKIN, sides=6)
        shape.limb(elbow, hand, 0.24, SKIN, sides=6)
        shape.limb(hand, (hand[0], hand[1] + 0.25, hand[2] - 0.15), 0.24, SKIN)
    shape.limb((1.50, 0.65, 2.45), (1.85, 1.60, 5.9), 0.14, WOOD, taper=2.4, sides=7)
    shape.limb((1.76, 1.35, 5.0), (2.25, 1.25, 5.35), 0.09, WOOD, taper=0.4)
    return shape


def shield(shape: Shape, centre: tuple[float, float, float], radius: float) -> None:
    """Add a round shield that looks ahead, with a steel boss."""
    x, y, z = centre
    rim = [
        (x + radius * a, y, z + radius * b)
        for a, b in (
            (1, 0),
            (0.7, 0.7),
            (0, 1),
            (-0.7, 0.7),
            (-1, 0),
            (-0.7, -0.7),
            (0, -1),
            (0.7, -0.7),
        )
    ]
    shape.facet(*rim, colour=LEATHER)
    for here, there in zip(rim, rim[1:] + rim[:1], strict=True):
        shape.facet(there, here, (x, y + radius * 0.22, z), colour=CLOTH)
    shape.limb((x, y + radius * 0.12, z), (x, y + radius * 0.34, z), radius * 0.16, STEEL, sides=6)
