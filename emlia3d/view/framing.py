"""Where to look from: cameras that hold the fight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.scene import FALLEN, Camera, Point, Scene

FOV_DEG = 36.0
EYE_HEIGHT_M = 1.7
MARGIN = 0.86  # of the half picture that the fight may fill
CLEARANCE_M = 1.2


def overview(scene: Scene, aspect: float = 16 / 9) -> Camera:
    """The whole fight from a low hill behind the first side, a little from its left."""
    points = _the_fight(scene)
    azimuth = _line_of_advance(scene) + np.radians(20.0)
    extent = float(np.ptp(points[:, :2], axis=0).max())
    # A skirmish is looked down upon; an army stretches to the horizon.
    steep = float(np.interp(extent, [60.0, 500.0], [30.0, 17.0]))
    return _back_off(scene, points, azimuth, elevation=np.radians(steep), aspect=aspect)


def top(scene: Scene, aspect: float = 16 / 9) -> Camera:
    """The whole fight as on a map: from straight above, north up."""
    points = _the_fight(scene)
    return _back_off(scene, points, azimuth=0.0, elevation=np.radians(89.0), aspect=aspect)


def whole_field(scene: Scene, aspect: float = 16 / 9) -> Camera:
    """The whole field from the south, corner to corner."""
    width, depth = scene.terrain.size_m
    x, y = np.array([0.0, width, width, 0.0]), np.array([0.0, 0.0, depth, depth])
    corners = np.stack([x, y, scene.terrain.heights(x, y)], axis=1)
    return _back_off(scene, corners, azimuth=0.0, elevation=np.radians(38.0), aspect=aspect)


def eye_level(
    scene: Scene,
    x_m: float,
    y_m: float,
    facing_deg: float,
    *,
    height_m: float = EYE_HEIGHT_M,
    back_m: float = 0.0,
) -> Camera:
    """What someone standing there sees; `back_m` steps back, to look over shoulders.

    The gaze falls on the ground a hundred metres ahead, and never runs into it.
    """
    east, north = np.sin(np.radians(facing_deg)), np.cos(np.radians(facing_deg))
    x, y = x_m - east * back_m, y_m - north * back_m
    eye_z = scene.terrain.height(x, y) + height_m
    ahead_x, ahead_y = x_m + east * 100.0, y_m + north * 100.0
    level = scene.terrain.height(ahead_x, ahead_y) + EYE_HEIGHT_M
    gaze = max(level, eye_z - 0.28 * (100.0 + back_m))
    return Camera(eye=(x, y, eye_z), look_at=(ahead_x, ahead_y, gaze), fov_deg=46.0)


def close_up(scene: Scene, x_m: float, y_m: float, facing_deg: float) -> Camera:
    """A unit from ten metres before its front, a little from the side and above its heads."""
    bearing = np.radians(facing_deg - 38.0)
    x, y = x_m + 11.0 * float(np.sin(bearing)), y_m + 11.0 * float(np.cos(bearing))
    eye_z = scene.terrain.height(x, y) + 2.6
    target = scene.terrain.height(x_m, y_m) + 1.1
    return Camera(eye=(x, y, eye_z), look_at=(x_m, y_m, target), fov_deg=40.0)


def _the_fight(scene: Scene) -> NDArray[np.float64]:
    """Places that have to be in the picture, (n, 3): every figure still up, else the field."""
    figures, terrain = scene.figures, scene.terrain
    up = figures.pose != FALLEN
    x, y = figures.x_m[up].astype(np.float64), figures.y_m[up].astype(np.float64)
    if len(x) == 0:
        width, depth = terrain.size_m
        x, y = np.array([0.0, width, width, 0.0]), np.array([0.0, 0.0, depth, depth])
    room = 3.0
    x = np.concatenate([x - room, x + room])
    y = np.concatenate([y - room, y + room])
    ground = terrain.heights(x, y)
    return np.concatenate(
        [np.stack([x, y, ground], axis=1), np.stack([x, y, ground + room], axis=1)]
    )


def _line_of_advance(scene: Scene) -> float:
    """Bearing from the first side's middle to the others', radians; north when alone."""
    figures = scene.figures
    first = figures.team == 0
    if not first.any() or first.all():
        return 0.0
    east = float(figures.x_m[~first].mean() - figures.x_m[first].mean())
    north = float(figures.y_m[~first].mean() - figures.y_m[first].mean())
    return float(np.arctan2(east, north))


def _back_off(
    scene: Scene,
    points: NDArray[np.float64],
    azimuth: float,
    elevation: float,
    aspect: float,
) -> Camera:
    """The nearest camera on a given bearing that holds all points."""
    half = np.tan(np.radians(FOV_DEG) / 2)
    ahead = np.array(
        [
            np.sin(azimuth) * np.cos(elevation),
            np.cos(azimuth) * np.cos(elevation),
            -np.sin(elevation),
        ]
    )
    right = np.array([np.cos(azimuth), -np.sin(azimuth), 0.0])
    above = np.cross(right, ahead)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    for _ in range(5):
        across, upward, deep = np.stack([right, above, ahead]) @ (points - middle).T
        needed = np.maximum(np.abs(across) / aspect, np.abs(upward)) / (MARGIN * half) - deep
        distance = max(float(needed.max()), 12.0)
        for values, axis in ((upward, above), (across, right)):
            seen = values / (distance + deep)
            middle = middle + axis * float(seen.max() + seen.min()) / 2 * distance
    eye = middle - ahead * distance
    floor = scene.terrain.height(float(eye[0]), float(eye[1])) + CLEARANCE_M
    return Camera(eye=_point(eye[0], eye[1], max(eye[2], floor)), look_at=_point(*middle))


def _point(x: float, y: float, z: float) -> Point:
    return (float(x), float(y), float(z))
