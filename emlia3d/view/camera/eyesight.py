"""The projection of a camera: what it sees, how large, and where in the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.moment.scene import Camera


@dataclass(frozen=True, slots=True, eq=False)
class Eyesight:
    """A camera and the size of its picture.

    axes : (3, 3) float64, unit vectors to the right, upward and ahead
    half : tangent of half the angle upward; size : width and height in pixels
    """

    eye: NDArray[np.float64]
    axes: NDArray[np.float64]
    half: float
    size: tuple[int, int]

    @property
    def pixels_a_radian(self) -> float:
        """Pixels per radian in the centre of the picture."""
        return self.size[1] / (2 * self.half)

    def project(self, points_m: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the projections of points (n, 3), (n, 2) pixels, y down; NaN behind the eye."""
        across, upward, deep = self.axes @ (np.asarray(points_m, np.float64) - self.eye).T
        deep = np.where(deep > 1e-6, deep, np.nan)
        scale = self.pixels_a_radian / deep
        width, height = self.size
        return np.stack([width / 2 + across * scale, height / 2 - upward * scale], axis=1)

    def heights_px(
        self, places: NDArray[np.float32], tall: NDArray[np.float32]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Return which upright objects (n, 3) are in the picture, and their heights, pixels."""
        offset = places - self.eye.astype(np.float32)
        across, upward, deep = self.axes.astype(np.float32) @ offset.T
        slack = 2 * tall + 2
        reach_y = self.half * np.maximum(deep, 0) + slack
        reach_x = self.half * self.size[0] / self.size[1] * np.maximum(deep, 0) + slack
        seen = (deep > -slack) & (np.abs(across) < reach_x) & (np.abs(upward) < reach_y)
        away = np.maximum(np.sqrt((offset * offset).sum(axis=1)), 0.5)
        return np.asarray(seen), np.asarray(tall * np.float32(self.pixels_a_radian) / away)


def eyesight(camera: Camera, size: tuple[int, int] = (1280, 720)) -> Eyesight:
    """Return the projection of a camera; north is up if it looks straight down.

    size : width and height of the picture in pixels, on which neither axes nor half depend
    """
    eye = np.array(camera.eye, np.float64)
    x, y, z = (float(end) - float(start) for start, end in zip(eye, camera.look_at, strict=True))
    length = max(math.hypot(x, y, z), 1e-9)
    x, y, z = x / length, y / length, z / length
    level = math.hypot(x, y)
    right_x, right_y = (y / level, -x / level) if level > 1e-6 else (1.0, 0.0)
    # The cross product of right and ahead; numpy's function takes ten times as long.
    upward = right_y * z, -right_x * z, right_x * y - right_y * x
    half = math.tan(math.radians(camera.fov_deg) / 2)
    return Eyesight(eye, np.array([(right_x, right_y, 0.0), upward, (x, y, z)]), half, size)
