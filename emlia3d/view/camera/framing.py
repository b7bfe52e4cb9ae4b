"""Cameras that frame the fight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.moment.bodies import BODIES
from emlia3d.view.moment.scene import FALLEN, Camera, Point, Scene

FOV_DEG = 36.0
MAP_FOV_DEG = 24.0  # a longer focal length, so that trees and ridges lean less
EYE_FOV_DEG = 42.0
EYE_HEIGHT_M = 1.7
ROOMS_M = np.array([body.room for body in BODIES.values()])
"""Space that a figure needs in the picture: metres to each side, and above its feet."""
MARGIN = 0.90  # maximum part of half the picture that the fight fills
MAP_MARGIN = 0.80
CLEARANCE_M = 1.2
HOT_M = 60.0  # from the enemy
MOST_PLACES = 1500  # maximum number of figures that determine the frame
OUT_OF_IT = 2.2  # relative distance from the enemy at which a unit is outside the fight
LEAST_FAR_M = 120.0  # minimum distance for a unit outside the fight
MOST, FAR_OFF = 0.75, 1.2  # quantile of distances from the middle, and part of it that is near
BEARINGS_DEG = (20.0, -20.0, 40.0, -40.0)  # off the line of advance, where ranks hide ranks
SIGHT_STEPS = 24
CORRIDOR_BEARINGS_DEG = (-75.0, 75.0, -105.0, 105.0)  # off the line of sight
CORRIDOR_STEEP_DEG = 38.0
CORRIDOR_MARGIN = 0.84


def overview(scene: Scene, aspect: float = 16 / 9) -> Camera:
    """Return the fight from a low hill behind the first side.

    It is the best of a few bearings near the line of advance: the figures are large, and the ground
    hides few of them. Units far outside the fight (routed units, a baggage guard) do not count. A
    field without figures is shown completely.
    """
    if not (scene.figures.pose != FALLEN).any():
        return whole_field(scene, aspect)
    places = _the_fight(scene)
    points = with_heads(places)
    advance = line_of_advance(scene)
    extent = float(np.ptp(points[:, :2], axis=0).max())
    # A skirmish is seen from above; an army extends to the horizon.
    steep = np.radians(float(np.interp(extent, [60.0, 400.0], [24.0, 15.0])))
    cameras = [
        back_off(scene, points, advance + np.radians(off), steep, aspect) for off in BEARINGS_DEG
    ]
    return max(cameras, key=lambda camera: _shown_well(scene, places, camera))


def top(scene: Scene, aspect: float = 16 / 9) -> Camera:
    """Return a map view of the fight: from straight above, north up, with its surroundings."""
    points = with_heads(_the_fight(scene))
    straight_down = np.radians(89.0)
    return back_off(
        scene, points, 0.0, straight_down, aspect, fov_deg=MAP_FOV_DEG, margin=MAP_MARGIN
    )


def whole_field(scene: Scene, aspect: float = 16 / 9) -> Camera:
    """Return the whole field from the south, corner to corner."""
    width, depth = scene.terrain.size_m
    x, y = np.array([0.0, width, width, 0.0]), np.array([0.0, 0.0, depth, depth])
    corners = np.stack([x, y, scene.terrain.heights(x, y)], axis=1)
    return back_off(scene, corners, azimuth=0.0, elevation=np.radians(38.0), aspect=aspect)


def eye_level(  # noqa: PLR0913  where the person stands, and the head's tilt
    scene: Scene,
    x_m: float,
    y_m: float,
    facing_deg: float,
    *,
    height_m: float = EYE_HEIGHT_M,
    back_m: float = 0.0,
    ahead_m: float = 100.0,
    lower_deg: float = 0.0,
) -> Camera:
    """Return the view of a person at a point; `back_m` moves it back, to look over shoulders.

    The camera looks at the ground ahead or lower, and never starts below the ground.
    """
    east, north = np.sin(np.radians(facing_deg)), np.cos(np.radians(facing_deg))
    x, y = x_m - east * back_m, y_m - north * back_m
    eye_z = scene.terrain.height(x, y) + height_m
    ahead_x, ahead_y = x_m + east * ahead_m, y_m + north * ahead_m
    level = scene.terrain.height(ahead_x, ahead_y) + EYE_HEIGHT_M
    level -= float(np.tan(np.radians(lower_deg))) * (ahead_m + back_m)
    gaze = max(level, eye_z - 0.28 * (ahead_m + back_m))
    return Camera(eye=(x, y, eye_z), look_at=(ahead_x, ahead_y, gaze), fov_deg=EYE_FOV_DEG)


def close_up(scene: Scene, x_m: float, y_m: float, facing_deg: float) -> Camera:
    """Return a view of a unit from ten metres ahead, aside and above its heads."""
    bearing = np.radians(facing_deg - 38.0)
    x, y = x_m + 11.0 * float(np.sin(bearing)), y_m + 11.0 * float(np.cos(bearing))
    eye_z = scene.terrain.height(x, y) + 2.6
    target = scene.terrain.height(x_m, y_m) + 1.1
    return Camera(eye=(x, y, eye_z), look_at=(x_m, y_m, target), fov_deg=40.0)


def corridor(
    scene: Scene,
    places_m: NDArray[np.float64],
    aspect: float = 16 / 9,
    aside: float = 0.0,
    steep_deg: float = CORRIDOR_STEEP_DEG,
) -> Camera:
    """Return a side view of a sight corridor that shows its whole length.

    places_m : (n, 3), points that must be in view, the tops of observer and target first
    aside : part of the picture's width, at its right, that stays free for a panel
    steep_deg : angle of the camera below the horizon
    """
    run = places_m[1] - places_m[0]
    bearing = float(np.arctan2(run[0], run[1]))
    places = np.column_stack([places_m[:2], np.zeros((2, 2))])
    cameras = [
        back_off(
            scene,
            places_m,
            bearing + np.radians(off),
            np.radians(steep_deg),
            aspect * (1 - aside),
            margin=CORRIDOR_MARGIN,
        )
        for off in CORRIDOR_BEARINGS_DEG
    ]
    return _moved_aside(
        max(cameras, key=lambda camera: _shown_well(scene, places, camera)), aside * aspect
    )


def _moved_aside(camera: Camera, share: float) -> Camera:
    """Return the view with its target moved left of the centre, in half heights."""
    eye, look_at = np.array(camera.eye), np.array(camera.look_at)
    sight = eyesight(camera)
    by = sight.axes[0] * np.linalg.norm(look_at - eye) * sight.half * share
    return Camera(eye=_point(*(eye + by)), look_at=_point(*(look_at + by)), fov_deg=camera.fov_deg)


def _the_fight(scene: Scene) -> NDArray[np.float64]:
    """Return the figures that must be in the picture, or the corners of an empty field.

    The result is (n, 5): x, y, z of their feet, and their space to each side and upward, metres.

    It includes all standing figures, except those much farther than most from any enemy or from the
    point where enemies are nearest. It always includes the front half of each side.
    """
    figures, terrain = scene.figures, scene.terrain
    up = np.flatnonzero(figures.pose != FALLEN)
    if len(up) == 0:
        width, depth = terrain.size_m
        x, y = np.array([0.0, width, width, 0.0]), np.array([0.0, 0.0, depth, depth])
        room = np.broadcast_to(ROOMS_M[0], (4, 2))
        return np.column_stack([x, y, terrain.heights(x, y), room])
    up = up[:: -(-len(up) // MOST_PLACES)]
    x, y = figures.x_m[up].astype(np.float64), figures.y_m[up].astype(np.float64)
    away = to_the_enemy(x, y, figures.team[up])
    near = away <= max(OUT_OF_IT * float(np.median(away)), LEAST_FAR_M)
    hot = 1.0 / (HOT_M + away)
    from_the_middle = np.hypot(x - np.average(x, weights=hot), y - np.average(y, weights=hot))
    most = float(np.quantile(from_the_middle, MOST))
    near &= from_the_middle <= max(FAR_OFF * most, LEAST_FAR_M)
    near |= _foremost(away, figures.team[up])
    return rooms_of(scene, up[near])


def rooms_of(scene: Scene, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the feet of n figures (x, y, z), and their space aside and upward, (n, 5), metres."""
    figures = scene.figures
    x, y = figures.x_m[rows].astype(np.float64), figures.y_m[rows].astype(np.float64)
    foot = scene.terrain.heights(x, y) + figures.lift_m[rows]
    bulk = ROOMS_M[figures.model[rows]] * figures.size[rows][:, None]
    return np.column_stack([x, y, foot, bulk])


def _foremost(away: NDArray[np.float64], team: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which figures are in the half of their side that is nearest to the enemy, (n,)."""
    foremost = np.zeros(len(away), bool)
    for side in np.unique(team):
        foremost |= (team == side) & (away <= np.median(away[team == side]))
    return foremost


def to_the_enemy(
    x: NDArray[np.float64], y: NDArray[np.float64], team: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """Return the distance of each figure to the nearest enemy, (n,), metres; 0 without enemies."""
    away = np.zeros(len(x))
    for side in np.unique(team):
        own, other = team == side, team != side
        if other.any():
            off = np.hypot(x[own][:, None] - x[other], y[own][:, None] - y[other])
            away[own] = off.min(axis=1)
    return away


def with_heads(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the corners of the space around each figure, (4 n, 3)."""
    aside = places[:, 3:4] * np.array([1.0, 1.0, 0.0])
    head = places[:, 4:5] * np.array([0.0, 0.0, 1.0])
    low, high = places[:, :3] - aside, places[:, :3] + aside
    return np.concatenate([low, high, low + head, high + head])


def _shown_well(scene: Scene, places: NDArray[np.float64], camera: Camera) -> float:
    """Return the geometric mean size of figures times the proportion that is visible."""
    eye = np.array(camera.eye)
    sight = places[:, :3] + np.array([0.0, 0.0, EYE_HEIGHT_M]) - eye
    share = (np.arange(1, SIGHT_STEPS) / SIGHT_STEPS)[:, None, None]
    on_the_way = eye + sight[None] * share
    ground = scene.terrain.heights(on_the_way[..., 0].ravel(), on_the_way[..., 1].ravel())
    free = (on_the_way[..., 2] >= ground.reshape(on_the_way.shape[:2])).all(axis=0)
    away = np.linalg.norm(sight, axis=1)
    return float(free.mean() * np.exp(-np.log(np.maximum(away, 1.0)).mean()))


def line_of_advance(scene: Scene) -> float:
    """Return the bearing from the first side's centre to the others', radians; north if alone."""
    figures = scene.figures
    first = figures.team == 0
    if not first.any() or first.all():
        return 0.0
    east = float(figures.x_m[~first].mean() - figures.x_m[first].mean())
    north = float(figures.y_m[~first].mean() - figures.y_m[first].mean())
    return float(np.arctan2(east, north))


def back_off(  # noqa: PLR0913  a camera's bearing, height and frame
    scene: Scene,
    points: NDArray[np.float64],
    azimuth: float,
    elevation: float,
    aspect: float,
    *,
    fov_deg: float = FOV_DEG,
    margin: float = MARGIN,
) -> Camera:
    """Return the nearest camera with a given bearing that shows all points."""
    half = np.tan(np.radians(fov_deg) / 2)
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
    for _ in range(6):
        across, upward, deep = np.stack([right, above, ahead]) @ (points - middle).T
        needed = np.maximum(np.abs(across) / aspect, np.abs(upward)) / (margin * half) - deep
        distance = max(float(needed.max()), 12.0)
        for values, axis in ((upward, above), (across, right)):
            seen = values / (distance + deep)
            middle = middle + axis * float(seen.max() + seen.min()) / 2 * distance
    eye = middle - ahead * distance
    floor = scene.terrain.height(float(eye[0]), float(eye[1])) + CLEARANCE_M
    eye_z = max(float(eye[2]), floor)
    return Camera(eye=_point(eye[0], eye[1], eye_z), look_at=_point(*middle), fov_deg=fov_deg)


def _point(x: float, y: float, z: float) -> Point:
    return (float(x), float(y), float(z))
