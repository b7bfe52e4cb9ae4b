"""Industry: storage tanks, and works with a sawtooth roof and a chimney."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from emlia3d.view.moment.scene import DrawnGround, Patch
from emlia3d.view.panda.land.bricks import ROOTED_M, Bricks, Floats, Rgb, dense
from emlia3d.view.panda.noise import fraction

STEEL, RIM, ROOF, RUST = (
    (0.70, 0.72, 0.72),
    (0.52, 0.54, 0.55),
    (0.80, 0.81, 0.80),
    (0.50, 0.36, 0.27),
)
PIPE, BRICK, SLATE = (0.62, 0.47, 0.22), (0.50, 0.32, 0.25), (0.35, 0.37, 0.41)
GLASS, PALE, SOOT = (0.55, 0.66, 0.72), (0.66, 0.60, 0.52), (0.17, 0.16, 0.16)

PANELS = 20
"""Number of panels of a storage tank; a chimney has half as many."""

STOUT = 0.42
"""Radius of a storage tank, relative to its space."""

TANK_M, HALL_M = 4.0, 3.6
"""Heights of a storage tank and of a hall without a height of their own, metres."""

ROUND = 1.1
"""Minimum ratio of the variances along and across an elongated outline."""

TOOTH_M = 3.2
"""Maximum length of a tooth of the roof, metres."""


def storage_tank(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Add as many steel tanks as there is room for in a row, and a pipe from each to the next."""
    centre, way, (across, along) = _lie(patch)
    count = max(1, round(along / across))
    radius = STOUT * min(across, along / count)
    middles = [centre + way * along * ((number + 0.5) / count - 0.5) for number in range(count)]
    height, feet = patch.height_m or TANK_M, [_ground(terrain, each) for each in middles]
    for number, (middle, foot) in enumerate(zip(middles, feet, strict=True)):
        tone = 0.94 + 0.12 * float(fraction(np.array([number]), np.zeros(1), patch.seed)[0])
        _tank(bricks, np.array([*middle, foot]), radius, height, tone)
        _stairs(bricks, np.array([*middle, foot]), radius, height)
    for number in range(count - 1):
        ends = [np.array([*middles[at], feet[at] + 0.5]) for at in (number, number + 1)]
        bricks.box(ends[0], ends[1], way, 0.16, PIPE)


def works(bricks: Bricks, patch: Patch, terrain: DrawnGround) -> None:
    """Add a hall of brick under a sawtooth roof with windows, and a chimney at its end."""
    centre, way, (across, along) = _lie(patch)
    side = np.array([way[1], -way[0]])
    long, wide = 0.66 * along, 0.62 * across
    start = centre - way * 0.44 * along
    corners = [start + way * a * long + side * b * wide / 2 for a, b in _SQUARE]
    foot = min(_ground(terrain, each) for each in corners)
    eaves = 0.62 * (patch.height_m or HALL_M)
    ridge = patch.height_m or HALL_M
    for one, two in ((0, 1), (1, 2), (2, 3), (3, 0)):
        _wall(bricks, corners[one], corners[two], foot, eaves)
    teeth = max(2, int(np.ceil(long / TOOTH_M)))
    for tooth in range(teeth):
        low, high = (start + way * long * (tooth + part) / teeth for part in (0, 1))
        _tooth(bricks, (low, high), side * wide / 2, (foot + eaves, foot + ridge))
    stack = np.array([*(centre + way * 0.36 * along), foot])
    _chimney(bricks, stack, min(0.09 * across, 0.8), 2.1 * ridge)


_SQUARE = ((0.0, 1.0), (1.0, 1.0), (1.0, -1.0), (0.0, -1.0))
"""The corners of a hall: along it, and to which side of its middle line."""


def _lie(patch: Patch) -> tuple[Floats, Floats, tuple[float, float]]:
    """Return the centre of a patch, its long direction, and its extents across and along."""
    ring = patch.outline_m[0]
    points = dense(ring, 0.5)
    spreads, axes = np.linalg.eigh(np.cov((points - points.mean(axis=0)).T))
    if spreads[1] < ROUND * spreads[0]:
        axes = np.eye(2)
    across, along = axes.T
    # An axis has two directions; choose the same one on every machine.
    along = along * (1.0 if tuple(along) > (0.0, 0.0) else -1.0)
    spread = np.stack([ring @ across, ring @ along], axis=1)
    low, high = spread.min(axis=0), spread.max(axis=0)
    middle = (low + high) / 2
    wide, long = (high - low).tolist()
    return across * middle[0] + along * middle[1], along, (wide, long)


def _ground(terrain: DrawnGround, place: Floats) -> float:
    return float(terrain.heights(place[:1], place[1:2])[0])


def _ring(centre: Floats, radius: float, height: float, panels: int) -> Floats:
    """Return the corners of a level ring, anticlockwise, (panels, 3)."""
    turn = np.arange(panels) / panels * 2 * np.pi
    level = np.full(panels, centre[2] + height)
    return np.column_stack(
        (centre[0] + radius * np.cos(turn), centre[1] + radius * np.sin(turn), level)
    )


def _band(bricks: Bricks, low: Floats, high: Floats, colour: Rgb, tone: float = 1.0) -> None:
    """Add the faces between two rings."""
    for a in range(len(low)):
        b = (a + 1) % len(low)
        light = tone * (1.0 if a % 2 else 0.96)
        bricks.face(np.array([low[a], low[b], high[b], high[a]]), colour, light)


def _tank(bricks: Bricks, foot: Floats, radius: float, height: float, tone: float) -> None:
    """Add a rusty foot, a wall of two rows of panels, a rim, and a roof that is almost flat."""
    rings = [
        _ring(foot, radius, level, PANELS)
        for level in (-ROOTED_M, 0.12 * height, 0.52 * height, 0.94 * height)
    ]
    for low, high, colour in zip(rings[:-1], rings[1:], (RUST, STEEL, STEEL), strict=True):
        _band(bricks, low, high, colour, tone)
    rim = [_ring(foot, 1.04 * radius, part * height, PANELS) for part in (0.92, 1.0)]
    _band(bricks, rim[0], rim[1], RIM)
    top = foot + np.array([0.0, 0.0, 1.12 * height])
    for a in range(PANELS):
        bricks.face(np.array([rim[1][a], rim[1][(a + 1) % PANELS], top]), ROOF, tone)


def _stairs(bricks: Bricks, foot: Floats, radius: float, height: float) -> None:
    """Add stairs that wind up the southern wall of a tank."""
    steps = [
        foot + np.array([1.08 * radius * np.cos(at), 1.08 * radius * np.sin(at), level])
        for at, level in zip(
            np.linspace(-2.3, -1.0, 7), np.linspace(0.1, 0.98 * height, 7), strict=True
        )
    ]
    for low, high in pairwise(steps):
        along = (high - low)[:2]
        bricks.box(low, high, along / np.hypot(*along), 0.09, RIM)


def _wall(bricks: Bricks, one: Floats, two: Floats, foot: float, eaves: float) -> None:
    """Add a wall of brick with a row of windows and a pale cornice."""

    def strip(
        low: float, high: float, out: float = 0.0, ends: tuple[float, float] = (0.0, 1.0)
    ) -> Floats:
        along = (two - one) / np.hypot(*(two - one))
        outward = np.array([along[1], -along[0]]) * out
        a, b = (one + (two - one) * part + outward for part in ends)
        return np.array([[*a, foot + low], [*b, foot + low], [*b, foot + high], [*a, foot + high]])

    bricks.face(strip(-ROOTED_M, eaves), BRICK)
    bricks.face(strip(0.88 * eaves, eaves, 0.05), PALE)
    count = max(1, int(np.hypot(*(two - one)) / 1.3))
    for number in range(count):
        ends = (number + 0.25) / count, (number + 0.75) / count
        bricks.face(strip(0.32 * eaves, 0.74 * eaves, 0.04, ends), SOOT)


def _tooth(
    bricks: Bricks, along: tuple[Floats, Floats], half: Floats, levels: tuple[float, float]
) -> None:
    """Add a tooth of a roof: glass that stands upright, slates behind it, and both gables."""
    (low, high), (eaves, ridge) = along, levels
    left, right = ([*(low + sign * half), eaves] for sign in (1, -1))
    top_left, top_right = ([*(low + sign * half), ridge] for sign in (1, -1))
    far_left, far_right = ([*(high + sign * half), eaves] for sign in (1, -1))
    bricks.face(np.array([left, right, top_right, top_left]), GLASS)
    bricks.face(np.array([top_left, top_right, far_right, far_left]), SLATE)
    bricks.face(np.array([left, top_left, far_left]), BRICK, 0.95)
    bricks.face(np.array([right, far_right, top_right]), BRICK, 0.95)


def _chimney(bricks: Bricks, foot: Floats, radius: float, height: float) -> None:
    """Add a chimney that grows thinner upward, with a pale ring and a sooty mouth."""
    parts = (-ROOTED_M / height, 0.82, 0.88, 1.0)
    rings = [
        _ring(foot, radius * (1.0 - 0.35 * max(part, 0.0)), part * height, PANELS // 2)
        for part in parts
    ]
    for low, high, colour in zip(rings[:-1], rings[1:], (BRICK, PALE, BRICK), strict=True):
        _band(bricks, low, high, colour)
    mouth = foot + np.array([0.0, 0.0, 0.97 * height])
    for a in range(len(rings[3])):
        bricks.face(np.array([rings[3][a], rings[3][(a + 1) % len(rings[3])], mouth]), SOOT)
