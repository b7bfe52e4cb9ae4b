"""Picking under the cursor: rays from the camera to units and to the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.moment.base_heights import lift_m
from emlia3d.view.moment.scale import block_m, units_in_sight
from emlia3d.view.moment.scene import Camera, DrawnGround, Point

BODY_M = 2.6
"""Height above the ground up to which a unit is picked, metres, including standards."""

MOST_SAMPLES = 4096
HALVINGS = 32


@dataclass(frozen=True, slots=True)
class Ray:
    """A half-line from the eye.

    direction : a unit vector
    """

    origin: Point
    direction: Point

    def at(self, distance_m: float) -> Point:
        """Return the point at a distance along the ray."""
        x, y, z = np.array(self.origin) + np.array(self.direction) * distance_m
        return float(x), float(y), float(z)


def ray_through(camera: Camera, across: float, upward: float, aspect: float) -> Ray:
    """Return the ray through a point of the picture.

    across, upward : -1 at the left and bottom edge, 1 at the right and top one
    aspect : the picture's width over its height
    """
    sight = eyesight(camera)
    direction = np.array([across * sight.half * aspect, upward * sight.half, 1.0]) @ sight.axes
    x, y, z = direction / np.linalg.norm(direction)
    return Ray(camera.eye, (float(x), float(y), float(z)))


def ground_hit(terrain: DrawnGround, ray: Ray) -> float | None:
    """Return the distance along a ray to the ground of the field, metres; None if it misses.

    Samples are half a raster cell apart, so narrower ridges can be missed.
    """
    span = _span_over(terrain, ray)
    if span is None:
        return None
    near, far = span
    level = max(np.hypot(*ray.direction[:2]) * (far - near), 1e-9)
    count = int(np.clip(2 * level / min(terrain.cell_m), 64, MOST_SAMPLES))
    distances = np.linspace(near, far, count)
    under = np.flatnonzero(_over(terrain, ray, distances) <= 0)
    if len(under) == 0:
        return None
    first = int(under[0])
    low, high = distances[max(first - 1, 0)], distances[first]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _over(terrain, ray, np.array([middle]))[0] > 0:
            low = middle
        else:
            high = middle
    return float(high)


def unit_hit(
    setup: Setup, state: State, terrain: DrawnGround, ray: Ray, slack: float = 0.0
) -> int | None:
    """Return the first unit that a ray hits before the ground; None if there is none.

    slack : enlargement of blocks on all sides per metre of distance, so that a distant unit is easy
        to hit; a unit that is hit without enlargement has priority
    """
    units = units_in_sight(state)
    if not units:
        return None
    blocks = np.array([block_m(setup, state, unit) for unit in units])
    lifts_m = np.array([lift_m(setup, state, unit) for unit in units])
    ground = ground_hit(terrain, ray)
    for grown in (0.0, slack / 2, slack):
        enters, leaves = _through(terrain, blocks, lifts_m, ray, grown)
        hidden = leaves < 0 if ground is None else (leaves < 0) | (enters > ground + 1.0)
        enters = np.where((enters > leaves) | hidden, np.inf, enters)
        nearest = int(enters.argmin())
        if np.isfinite(enters[nearest]):
            return units[nearest]
    return None


def _through(
    terrain: DrawnGround,
    blocks: NDArray[np.float64],
    lift_m: NDArray[np.float64],
    ray: Ray,
    slack: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where a ray enters and leaves each block's box; enters > leaves for a miss.

    blocks : (n, 4, 2), metres; each box extends from the lowest ground at its corners to a body's
        height above the highest
    """
    middle = blocks.mean(axis=1)
    across, along = blocks[:, 1] - blocks[:, 0], blocks[:, 0] - blocks[:, 3]
    half = np.stack([np.hypot(*across.T) / 2, np.hypot(*along.T) / 2], axis=1)
    across /= np.maximum(2 * half[:, :1], 1e-9)
    along /= np.maximum(2 * half[:, 1:], 1e-9)
    ground = terrain.heights(blocks[..., 0].ravel(), blocks[..., 1].ravel()).reshape(-1, 4)
    offset = middle - ray.origin[:2]
    grown = slack * np.sqrt((offset**2).sum(axis=1) + (ground[:, 0] - ray.origin[2]) ** 2)
    low = ground.min(axis=1) + lift_m - grown
    high = ground.max(axis=1) + lift_m + BODY_M + grown
    heading = np.array(ray.direction[:2])
    starts = np.stack(
        [-(offset * across).sum(axis=1), -(offset * along).sum(axis=1),
         ray.origin[2] - (low + high) / 2], axis=1
    )  # fmt: skip
    speeds = np.stack([across @ heading, along @ heading, np.full(len(blocks), ray.direction[2])],
                      axis=1)  # fmt: skip
    sizes = np.stack([half[:, 0] + grown, half[:, 1] + grown, (high - low) / 2], axis=1)
    speeds = np.where(np.abs(speeds) < 1e-12, 1e-12, speeds)
    one, other = (-sizes - starts) / speeds, (sizes - starts) / speeds
    return np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)


def _span_over(terrain: DrawnGround, ray: Ray) -> tuple[float, float] | None:
    """Return the part of a ray over the field, between its lowest and highest ground."""
    low, high = float(terrain.elevation_m.min()), float(terrain.elevation_m.max())
    near, far = 0.0, np.inf
    edges = ((0.0, terrain.size_m[0]), (0.0, terrain.size_m[1]), (low - 1.0, high + 1.0))
    for start, speed, (least, most) in zip(ray.origin, ray.direction, edges, strict=True):
        if abs(speed) < 1e-12:
            if not least <= start <= most:
                return None
            continue
        one, other = (least - start) / speed, (most - start) / speed
        near, far = max(near, min(one, other)), min(far, max(one, other))
    return (near, far) if near < far < np.inf else None


def _over(terrain: DrawnGround, ray: Ray, distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the height of a ray above the ground at each distance, metres."""
    x, y, z = (start + speed * distances for start, speed in
               zip(ray.origin, ray.direction, strict=True))  # fmt: skip
    return z - terrain.heights(x, y)
