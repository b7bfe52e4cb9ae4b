"""A camera that looks at a point on the ground, and turns, tilts and zooms around it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from emlia3d.view.moment.scene import Camera, DrawnGround, Point

LOWEST_DEG, HIGHEST_DEG = 2.0, 89.0
NEAREST_M, FARTHEST_M = 4.0, 60_000.0
CLEARANCE_M = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Rig:
    """The camera relative to its target.

    target : the point at the centre of the picture, metres
    bearing_deg : the compass direction in which the camera looks
    tilt_deg : tilt below the horizon; 89 is a map, 2 nearly level
    distance_m : from the camera to the target
    """

    target: Point
    bearing_deg: float
    tilt_deg: float
    distance_m: float
    fov_deg: float = 36.0

    @classmethod
    def of(cls, camera: Camera) -> Rig:
        """Return the rig of a camera."""
        east, north, up = np.array(camera.look_at, np.float64) - np.array(camera.eye, np.float64)
        level = float(np.hypot(east, north))
        return cls(
            target=camera.look_at,
            bearing_deg=float(np.degrees(np.arctan2(east, north))) % 360.0,
            tilt_deg=float(np.degrees(np.arctan2(-up, level))),
            distance_m=float(np.hypot(level, up)),
            fov_deg=camera.fov_deg,
        )

    def camera(self, terrain: DrawnGround) -> Camera:
        """Return the camera, never below the ground."""
        bearing, tilt = np.radians(self.bearing_deg), np.radians(self.tilt_deg)
        level = self.distance_m * float(np.cos(tilt))
        x = self.target[0] - level * float(np.sin(bearing))
        y = self.target[1] - level * float(np.cos(bearing))
        z = self.target[2] + self.distance_m * float(np.sin(tilt))
        floor = terrain.height(x, y) + CLEARANCE_M
        return Camera(eye=(x, y, max(z, floor)), look_at=self.target, fov_deg=self.fov_deg)

    def turned(self, degrees: float) -> Rig:
        """Return the view turned around the target, clockwise seen from above."""
        return replace(self, bearing_deg=(self.bearing_deg + degrees) % 360.0)

    def tilted(self, degrees: float) -> Rig:
        """Return the view tilted down more steeply."""
        tilt = min(max(self.tilt_deg + degrees, LOWEST_DEG), HIGHEST_DEG)
        return replace(self, tilt_deg=tilt)

    def zoomed(self, factor: float, towards: Point | None = None) -> Rig:
        """Return the view at *factor* times the distance; *towards* keeps its screen position."""
        distance = min(max(self.distance_m * factor, NEAREST_M), FARTHEST_M)
        if towards is None:
            return replace(self, distance_m=distance)
        factor = distance / self.distance_m
        target = np.array(towards) + (np.array(self.target) - np.array(towards)) * factor
        return replace(self, distance_m=distance, target=_point(target))

    def panned(self, right_m: float, ahead_m: float) -> Rig:
        """Return the view moved to the right and ahead over level ground."""
        bearing = np.radians(self.bearing_deg)
        sine, cosine = float(np.sin(bearing)), float(np.cos(bearing))
        x = self.target[0] + right_m * cosine + ahead_m * sine
        y = self.target[1] - right_m * sine + ahead_m * cosine
        return replace(self, target=(x, y, self.target[2]))

    def on_ground(self, terrain: DrawnGround) -> Rig:
        """Return the view with its target on the ground of the field."""
        x = min(max(self.target[0], 0.0), terrain.size_m[0])
        y = min(max(self.target[1], 0.0), terrain.size_m[1])
        return replace(self, target=(x, y, terrain.height(x, y)))

    def looking_at(self, x_m: float, y_m: float) -> Rig:
        """Return the view of another point."""
        return replace(self, target=(x_m, y_m, self.target[2]))


def _point(place: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Point:
    x, y, z = place
    return float(x), float(y), float(z)
