"""Trees, houses, rocks and a standard's pole."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from emlia3d.view.panda.models.people import WOOD
from emlia3d.view.panda.models.shape import Colour, Shape, opaque
from emlia3d.view.panda.noise import fraction

BARK = opaque(0.30, 0.23, 0.16)
STONE = opaque(0.56, 0.54, 0.49)
WINDOW = opaque(0.17, 0.18, 0.21)
DOOR = opaque(0.32, 0.21, 0.13)


def conifer() -> Shape:
    """Return a spruce of 9 m in four tiers."""
    shape = Shape()
    shape.loft([(0, 0, 0, 0.22, 0.22), (0, 0, 2.2, 0.16, 0.16)], BARK, sides=5, open_above=True)
    lowest = 1.3
    for tier, (radius, tall) in enumerate(((2.0, 3.2), (1.65, 3.0), (1.2, 2.8), (0.8, 2.4))):
        light = 0.86 + 0.10 * tier
        green = opaque(0.17 * light, 0.31 * light, 0.18 * light)
        shape.loft(
            [(0, 0, lowest, radius, radius), (0, 0, lowest + tall, 0, 0)],
            green,
            sides=8,
            turn=tier * 0.7,
        )
        lowest += 1.75
    return shape


def broadleaf() -> Shape:
    """Return an oak of 8 m: three crowns on a trunk."""
    shape = Shape()
    shape.loft([(0, 0, 0, 0.32, 0.32), (0.1, 0, 2.8, 0.2, 0.2)], BARK, sides=5, open_above=True)
    for number, (x, y, z, radius) in enumerate(
        ((0, 0, 5.2, 2.4), (1.3, 0.5, 4.3, 1.7), (-1.2, -0.8, 4.4, 1.8))
    ):
        _crown(shape, (x, y, z), radius, number)
    return shape


def apple() -> Shape:
    """Return a small orchard tree of 4 m."""
    shape = Shape()
    shape.loft([(0, 0, 0, 0.14, 0.14), (0.05, 0, 1.5, 0.1, 0.1)], BARK, sides=5, open_above=True)
    _crown(shape, (0.0, 0.0, 2.5), 1.5, 5, green=(0.34, 0.44, 0.18))
    return shape


def bush() -> Shape:
    """Return a shrub of 1.6 m."""
    shape = Shape()
    _crown(shape, (0.0, 0.0, 0.7), 0.95, 7, green=(0.33, 0.38, 0.17))
    return shape


def far_conifer() -> Shape:
    """Return a spruce for the distance: ten triangles."""
    shape = Shape()
    shape.loft(
        [(0, 0, 0.8, 2.0, 2.0), (0, 0, 9.3, 0, 0)],
        opaque(0.16, 0.30, 0.18),
        sides=5,
        open_below=True,
    )
    return shape


def far_broadleaf() -> Shape:
    """Return an oak for the distance."""
    shape = Shape()
    shape.loft(
        [
            (0, 0, 2.0, 1.5, 1.5),
            (0.1, 0, 4.2, 2.9, 2.7),
            (0, 0.1, 6.1, 2.0, 2.1),
            (0, 0, 7.3, 0, 0),
        ],
        [opaque(0.22, 0.30, 0.13), opaque(0.28, 0.38, 0.16), opaque(0.33, 0.43, 0.19)],
        sides=6,
        open_below=True,
    )
    shape.limb((0, 0, 0), (0, 0, 2.4), 0.25, BARK, sides=3)
    return shape


def rock() -> Shape:
    """Return a boulder one metre in half width and one high; stretched to the outline it fills."""
    sides, levels = 9, (-0.35, 0.25, 0.62, 0.92)
    reach = (1.0, 0.98, 0.74, 0.36)
    shape = Shape()
    number = np.arange(sides)
    rings = []
    for level, (z, half) in enumerate(zip(levels, reach, strict=True)):
        rough = fraction(number, np.full(sides, level), 3)
        angle = (number + 0.7 * (rough - 0.5)) * 2 * np.pi / sides
        out = half * (0.80 + 0.32 * fraction(number, np.full(sides, level), 4))
        rise = z + 0.16 * (fraction(number, np.full(sides, level), 5) - 0.5)
        rings.append(np.stack([out * np.cos(angle), out * np.sin(angle), rise], axis=1))
    for low, high in pairwise(rings):
        for here in range(sides):
            there = (here + 1) % sides
            light = 0.86 + 0.22 * float(fraction(here, int(low[here, 2] * 100), 6)[0])
            grey = opaque(0.58 * light, 0.56 * light, 0.51 * light)
            shape.facet(low[here], low[there], high[there], colour=grey)
            shape.facet(low[here], high[there], high[here], colour=grey)
    summit = np.array([0.06, -0.04, 1.0])
    for here in range(sides):
        shape.facet(
            rings[-1][here], rings[-1][(here + 1) % sides], summit, colour=opaque(0.64, 0.62, 0.56)
        )
    return shape


def house(roof: Colour, wall: Colour, chimney: bool = True) -> Shape:
    """Return a house of 8 by 12 m and 6 m: its length runs north."""
    shape = Shape()
    half_x, half_y, eaves, over, ridge = 4.0, 6.0, 3.1, 0.45, 6.2
    shape.loft([(0, 0, -2, half_x, half_y), (0, 0, 0.45, half_x, half_y)], STONE)
    shape.loft(
        [
            (0, 0, 0.45, half_x * 0.985, half_y * 0.985),
            (0, 0, eaves, half_x * 0.985, half_y * 0.985),
        ],
        wall,
        open_below=True,
        open_above=True,
    )
    low = eaves - 0.25
    wide, deep = half_x + over, half_y + over
    shape.facet(
        (wide, -deep, low), (wide, deep, low), (0, deep, ridge), (0, -deep, ridge), colour=roof
    )
    shape.facet(
        (-wide, deep, low), (-wide, -deep, low), (0, -deep, ridge), (0, deep, ridge), colour=roof
    )
    under = tuple(part * 0.55 for part in roof[:3])
    shape.facet(
        (-wide, -deep, low),
        (-wide, deep, low),
        (wide, deep, low),
        (wide, -deep, low),
        colour=opaque(*under),
    )
    for y, sign in ((-half_y * 0.985, 1), (half_y * 0.985, -1)):
        left, right = (
            (-half_x * 0.98 * sign, y, eaves - 0.1),
            (half_x * 0.98 * sign, y, eaves - 0.1),
        )
        shape.facet(left, right, (0, y, ridge - 0.2), colour=wall)
    if chimney:
        shape.loft(
            [(1.2, 3.0, 4.2, 0.45, 0.45), (1.2, 3.0, ridge + 0.9, 0.42, 0.42)],
            opaque(0.48, 0.36, 0.30),
        )
    _openings(shape, half_x * 0.985 + 0.02, half_y * 0.985 + 0.02)
    return shape


def tent() -> Shape:
    """Return a ridge tent of 3.2 by 4.4 m and 2.4 m, doorway north, laced up at the back."""
    shape = Shape()
    canvas, shade = opaque(0.80, 0.77, 0.67), opaque(0.30, 0.28, 0.24)
    wide, deep, eaves, ridge = 1.6, 2.2, 0.55, 2.4
    for sign in (-1, 1):
        foot = [(sign * wide, -sign * deep, 0), (sign * wide, sign * deep, 0)]
        edge = [(sign * wide * 0.9, -sign * deep, eaves), (sign * wide * 0.9, sign * deep, eaves)]
        shape.facet(*foot, edge[1], edge[0], colour=canvas)
        shape.facet(edge[0], edge[1], (0, sign * deep, ridge), (0, -sign * deep, ridge),
                    colour=canvas)  # fmt: skip
        low, high = (wide * sign, sign * deep, 0), (wide * 0.9 * sign, sign * deep, eaves)
        other = (-wide * 0.9 * sign, sign * deep, eaves), (-wide * sign, sign * deep, 0)
        shape.facet(low, *other[::-1], (0, sign * deep, ridge), high, colour=canvas)
    shape.facet(
        (0.55, deep + 0.02, 0), (-0.55, deep + 0.02, 0), (0, deep + 0.02, 1.9), colour=shade
    )
    for y in (-deep, deep):
        shape.limb((0, y, 0), (0, y, ridge + 0.35), 0.04, WOOD, sides=3)
        for x in (-1, 1):
            shape.limb((0, y, ridge), (x * 1.1, y * 1.5, 0), 0.012, WOOD, sides=3)
    return shape


def pole() -> Shape:
    """Return a standard's pole of 5 m with a gilt tip."""
    shape = Shape()
    shape.limb((0, 0, 0), (0, 0, 4.9), 0.045, WOOD, sides=5)
    shape.loft([(0, 0, 4.9, 0.09, 0.09), (0, 0, 5.2, 0, 0)], opaque(0.85, 0.68, 0.28))
    return shape


def _crown(
    shape: Shape,
    centre: tuple[float, float, float],
    radius: float,
    seed: int,
    green: tuple[float, float, float] = (0.31, 0.41, 0.17),
) -> None:
    """Add a rough ball of leaves, lighter toward its top."""
    x, y, z = centre
    levels = np.array([-0.85, -0.45, 0.15, 0.65, 1.0]) * radius
    spread = np.sqrt(np.clip(radius * radius - levels**2, 0, None))
    rough = 0.86 + 0.26 * fraction(np.arange(10), np.zeros(10), seed)
    slices = [
        (x, y, z + float(level) * 0.9, float(wide * rough[2 * n]), float(wide * rough[2 * n + 1]))
        for n, (level, wide) in enumerate(zip(levels, spread, strict=True))
    ]
    tints = [opaque(*(part * light for part in green)) for light in (0.68, 0.84, 1.0, 1.10)]
    shape.loft(slices, tints, sides=8, turn=seed * 0.9)


def _openings(shape: Shape, x: float, y: float) -> None:
    """Windows along the sides, a door and two windows in the south gable."""
    low, high, half = 1.3, 2.4, 0.42
    for middle in (-3.6, -1.2, 1.2, 3.6):
        shape.facet(
            (x, middle - half, low),
            (x, middle + half, low),
            (x, middle + half, high),
            (x, middle - half, high),
            colour=WINDOW,
        )
        shape.facet(
            (-x, middle + half, low),
            (-x, middle - half, low),
            (-x, middle - half, high),
            (-x, middle + half, high),
            colour=WINDOW,
        )
    shape.facet((-0.7, -y, 0.2), (0.7, -y, 0.2), (0.7, -y, 2.4), (-0.7, -y, 2.4), colour=DOOR)
    for middle in (-2.4, 2.4):
        shape.facet(
            (middle - half, -y, low),
            (middle + half, -y, low),
            (middle + half, -y, high),
            (middle - half, -y, high),
            colour=WINDOW,
        )
