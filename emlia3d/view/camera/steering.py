"""Control of the camera with drags, wheel and keys. It needs no window."""

from __future__ import annotations

from collections.abc import Collection

from emlia3d.view.camera.picking import Ray, ground_hit, ray_through
from emlia3d.view.camera.rig import Rig
from emlia3d.view.moment.scene import Camera, DrawnGround, Point

PAN_A_SECOND = 0.9  # relative to the distance of the target
TURN_A_SECOND = 75.0
TILT_A_SECOND = 45.0
WHEEL_STEP = 0.84
ORBIT_DEG = 130.0  # for a drag from the centre of the picture to its edge

PANS = {
    "pan_forward": (0.0, 1.0),
    "pan_back": (0.0, -1.0),
    "pan_left": (-1.0, 0.0),
    "pan_right": (1.0, 0.0),
}
TURNS = {"turn_left": -1.0, "turn_right": 1.0}
TILTS = {"look_down": 1.0, "look_ahead": -1.0}
STEERING = (*PANS, *TURNS, *TILTS)
"""Names of the motions of the camera that last as long as a key is down."""

Pointer = tuple[float, float]
"""A point in the picture: -1 to 1 to the right and upwards."""


class Steering:
    """The camera and its motion."""

    def __init__(self, camera: Camera, terrain: DrawnGround) -> None:
        self._rig = Rig.of(camera)
        self._terrain = terrain

    @property
    def camera(self) -> Camera:
        """The current camera."""
        return self._rig.camera(self._terrain)

    @property
    def rig(self) -> Rig:
        """The camera relative to its target."""
        return self._rig

    def guide(self, x_m: float, y_m: float, distance_m: float) -> None:
        """View another point from another distance."""
        nearer = distance_m / self._rig.distance_m
        self._rig = self._rig.zoomed(nearer).looking_at(x_m, y_m).on_ground(self._terrain)

    def over(self, terrain: DrawnGround) -> None:
        """Use another ground."""
        self._terrain = terrain

    def jump(self, camera: Camera) -> None:
        """Move to the position of *camera*."""
        self._rig = Rig.of(camera)

    def look_at(self, x_m: float, y_m: float) -> None:
        """View another point."""
        self._rig = self._rig.looking_at(x_m, y_m).on_ground(self._terrain)

    def carry(self, east_m: float, north_m: float) -> None:
        """Move the camera and its target over the ground."""
        if east_m or north_m:
            x, y, _ = self._rig.target
            self.look_at(x + east_m, y + north_m)

    def zoom(self, factor: float) -> None:
        """Change the distance to *factor* times the current one."""
        self._rig = self._rig.zoomed(factor)

    def ray(self, pointer: Pointer, aspect: float) -> Ray:
        """Return the ray under the pointer."""
        return ray_through(self.camera, *pointer, aspect)

    def orbit(self, before: Pointer, now: Pointer) -> None:
        """Turn and tilt by a drag."""
        right, up = now[0] - before[0], now[1] - before[1]
        self._rig = self._rig.turned(right * ORBIT_DEG).tilted(-up * ORBIT_DEG / 2)

    def drag(self, before: Pointer, now: Pointer, aspect: float) -> None:
        """Move the ground along with a drag; ignore drags over the sky."""
        held = self._level_point(self.ray(before, aspect))
        there = self._level_point(self.ray(now, aspect))
        if held is None or there is None:
            return
        target = self._rig.target
        x, y = target[0] + held[0] - there[0], target[1] + held[1] - there[1]
        self._rig = self._rig.looking_at(x, y).on_ground(self._terrain)

    def wheel(self, clicks: int, pointer: Pointer, aspect: float) -> None:
        """Move towards the point under the cursor for positive *clicks*, away for negative."""
        ray = self.ray(pointer, aspect)
        distance = ground_hit(self._terrain, ray)
        towards = None if distance is None else ray.at(distance)
        self._rig = self._rig.zoomed(WHEEL_STEP**clicks, towards)

    def steer(self, motions: Collection[str], seconds: float) -> None:
        """Move by motions of `STEERING` for some time."""
        right = sum(PANS[motion][0] for motion in motions if motion in PANS)
        ahead = sum(PANS[motion][1] for motion in motions if motion in PANS)
        turn = sum(TURNS.get(motion, 0.0) for motion in motions)
        tilt = sum(TILTS.get(motion, 0.0) for motion in motions)
        if right or ahead:
            reach = self._rig.distance_m * PAN_A_SECOND * seconds
            self._rig = self._rig.panned(right * reach, ahead * reach).on_ground(self._terrain)
        if turn or tilt:
            turned = self._rig.turned(turn * TURN_A_SECOND * seconds)
            self._rig = turned.tilted(tilt * TILT_A_SECOND * seconds)

    def _level_point(self, ray: Ray) -> Point | None:
        """Return the point of a ray at the level of the camera's target, if it is not too far away.

        A drag on the uneven ground would jump whenever the cursor crosses a crest.
        """
        fall = -ray.direction[2]
        if fall <= 0.02:
            return None
        distance = (ray.origin[2] - self._rig.target[2]) / fall
        return ray.at(distance) if distance > 0 else None
