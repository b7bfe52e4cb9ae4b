"""Figures at middle distance: a coat, a hat and a weapon, a horse, a gun.

They have the visible parts of the near models with equal positions and colours, so that the change
is not noticeable.
"""

from __future__ import annotations

import numpy as np

from emlia3d.view.panda.models.engines import SPRINGALD_CREW, bolt_thrower
from emlia3d.view.panda.models.mounts import BAY, CARRIAGE, DARK_BAY, DARK_GREY, GREY
from emlia3d.view.panda.models.people import (
    BLACK,
    BRASS,
    LEATHER,
    SKIN,
    STEEL,
    WHITE,
    WOOD,
    shield,
)
from emlia3d.view.panda.models.shape import CLOTH, DARK_CLOTH, Colour, Shape


def middling(hat: str, weapon: str) -> Shape:
    """Return a foot figure for the middle distance: some fifty triangles."""
    shape = Shape()
    trousers = {"musket": (*WHITE[:3], 0.4), "rifle": DARK_CLOTH}.get(weapon, LEATHER)
    shape.loft(
        [(0, 0, 0, 0.16, 0.13), (0, 0, 0.22, 0.15, 0.11), (0, 0, 0.82, 0.18, 0.12)],
        [BLACK, trousers],
        open_above=True,
    )
    shape.loft([(0, -0.04, 0.78, 0.25, 0.17), (0, -0.04, 1.48, 0.29, 0.19)], CLOTH, open_below=True)
    shape.loft([(0, 0, 1.48, 0.09, 0.09), (0, 0, 1.72, 0.10, 0.11)], SKIN, open_below=True)
    tall = {"shako": BLACK, "helmet": STEEL}.get(hat, DARK_CLOTH)
    top = 2.0 if hat == "shako" else 1.88
    shape.loft([(0, 0, 1.70, 0.13, 0.135), (0, 0, top, 0.11, 0.115)], tall)
    if weapon == "musket":
        shape.loft([(0, -0.21, 1.08, 0.15, 0.08), (0, -0.21, 1.45, 0.15, 0.08)], LEATHER)
        for hand in (-1.0, 1.0):
            belt = [
                (-0.2, 0.185, 1.44),
                (-0.11, 0.185, 1.44),
                (0.2, 0.18, 0.98),
                (0.11, 0.18, 0.98),
            ]
            shape.sheet(*((hand * x, y, z) for x, y, z in belt), colour=WHITE)
        shape.limb((-0.22, 0.20, 0.95), (-0.28, -0.02, 2.5), 0.022, STEEL)
    elif weapon == "rifle":
        shape.limb((0.32, 0.22, 0.95), (-0.55, 0.34, 1.5), 0.025, WOOD)
    elif weapon == "spear":
        shape.limb((0.33, 0.22, 0.05), (0.33, 0.22, 3.0), 0.022, WOOD)
        shield(shape, (-0.28, 0.32, 1.08), 0.36)
    elif weapon == "bow":
        shape.limb((-0.3, 0.40, 0.45), (-0.3, 0.40, 2.05), 0.022, WOOD)
    return shape


def far_rider(raised: bool = True, coat: Colour = BAY) -> Shape:
    """Horse and rider for the middle distance: some hundred and sixty triangles.

    raised : whether it raises a sabre; otherwise it stretches out an arm, like a general
    """
    shape = Shape()
    dark = DARK_BAY if coat == BAY else DARK_GREY
    for x in (-0.17, 0.17):
        for y in (-0.58, 0.55):
            shape.limb((x, y, 0), (x * 0.95, y, 1.0), 0.065, dark, depth=0.08, sides=3)
    frame = np.eye(4)
    frame[:3, 0], frame[:3, 1], frame[:3, 2] = (-1, 0, 0), (0, 0, 1), (0, 1, 0)
    shape.loft(
        [(0, 1.14, -0.86, 0.22, 0.26), (0, 1.12, 0.0, 0.28, 0.32), (0, 1.2, 0.72, 0.17, 0.24)],
        coat,
        frame=frame,
    )
    shape.limb((0, 0.52, 1.22), (0, 1.02, 1.92), 0.13, coat, depth=0.2, taper=0.7)
    shape.limb((0, 0.95, 1.95), (0, 1.40, 1.66), 0.095, coat, depth=0.13, taper=0.6, sides=3)
    shape.limb((0, -0.85, 1.25), (0, -1.12, 0.55), 0.07, dark, taper=0.5, sides=3)
    shape.loft([(0, -0.08, 1.08, 0.34, 0.42), (0, -0.08, 1.46, 0.29, 0.38)], CLOTH, open_below=True)
    for x in (-0.37, 0.37):
        shape.limb((x * 0.6, -0.06, 1.48), (x, 0.06, 0.76), 0.085, BLACK, depth=0.1, sides=3)
    shape.loft([(0, -0.1, 1.42, 0.22, 0.16), (0, -0.1, 2.10, 0.30, 0.17)], CLOTH, open_below=True)
    shape.loft([(0, -0.08, 2.12, 0.08, 0.08), (0, -0.07, 2.34, 0.09, 0.10)], SKIN, open_below=True)
    hat = (STEEL, 0.13) if raised else (BLACK, 0.24)
    shape.loft([(0, -0.09, 2.31, hat[1], 0.12), (0, -0.1, 2.56, 0.06, 0.07)], hat[0])
    if raised:
        shape.limb((0, -0.12, 2.50), (0, -0.18, 2.70), 0.06, BLACK, depth=0.12, sides=3)
    shape.limb((-0.27, -0.1, 2.04), (-0.30, 0.22, 1.70), 0.07, CLOTH, sides=3)
    hand = (0.42, 0.2, 1.9) if raised else (0.34, 0.60, 2.18)
    shape.limb((0.27, -0.1, 2.04), hand, 0.07, CLOTH, sides=3)
    if raised:
        shape.limb(hand, (0.40, 0.10, 2.85), 0.02, STEEL, depth=0.035, sides=3)
    return shape


def far_general() -> Shape:
    """Return a commander on a grey for the middle distance."""
    return far_rider(raised=False, coat=GREY)


def far_gun() -> Shape:
    """Return a field gun with four crew for the middle distance: some three hundred triangles."""
    shape = Shape()
    turn = np.arange(8) * np.pi / 4
    for x in (-0.62, 0.62):
        rim = [(x, 0.66 * np.cos(at), 0.66 + 0.66 * np.sin(at)) for at in turn]
        shape.sheet(*rim, colour=WOOD)
    shape.limb((-0.7, 0, 0.66), (0.7, 0, 0.66), 0.06, WOOD, sides=3)
    shape.limb((0, 0.35, 0.80), (0, -1.9, 0.12), 0.17, CARRIAGE, depth=0.12)
    shape.limb((0, -0.55, 0.93), (0, 1.1, 1.05), 0.15, BRASS, taper=0.75, sides=6)
    crew = middling("shako", "musket")
    for x, y, facing in (
        (-1.35, 0.2, 30.0),
        (1.4, -0.1, -25.0),
        (-1.2, -1.5, 10.0),
        (1.3, -1.8, -8.0),
    ):
        shape.add(crew, (x, y, 0), facing)
    return shape


def far_springald() -> Shape:
    """Return a bolt-thrower with two crew for the middle distance: some 300 triangles."""
    shape = Shape()
    bolt_thrower(shape, sides=3)
    crew = middling("hood", "none")
    for x, y, facing in SPRINGALD_CREW:
        shape.add(crew, (x, y, 0), facing)
    return shape
