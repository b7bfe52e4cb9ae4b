"""The camera on its boom."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.view.camera.rig import Rig
from emlia3d.view.moment.scene import Camera, flat

FIELD = flat((200.0, 200.0))
RIG = Rig(target=(100.0, 100.0, 0.0), bearing_deg=0.0, tilt_deg=30.0, distance_m=80.0)


def _place(camera: Camera, point: tuple[float, float, float]) -> tuple[float, float]:
    """Where a place lies in the picture, as shares of the distance ahead."""
    eye, ahead = np.array(camera.eye), np.array(camera.look_at) - np.array(camera.eye)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, (0, 0, 1))
    right /= np.linalg.norm(right)
    offset = np.array(point) - eye
    deep = offset @ ahead
    return offset @ right / deep, offset @ np.cross(right, ahead) / deep


def test_a_rig_stands_where_the_camera_stood() -> None:
    camera = Camera(eye=(30.0, 20.0, 50.0), look_at=(90.0, 100.0, 2.0), fov_deg=40.0)

    again = Rig.of(camera).camera(FIELD)

    assert again.eye == pytest.approx(camera.eye)
    assert (again.look_at, again.fov_deg) == (camera.look_at, camera.fov_deg)


def test_a_rig_that_looks_north_stands_in_the_south() -> None:
    assert RIG.camera(FIELD).eye == pytest.approx((100.0, 100.0 - 40 * 3**0.5, 40.0))


def test_turning_goes_round_the_target() -> None:
    eye = RIG.turned(90.0).camera(FIELD).eye

    assert eye == pytest.approx((100.0 - 40 * 3**0.5, 100.0, 40.0))


def test_zooming_keeps_the_place_under_the_pointer() -> None:
    pointed = (120.0, 130.0, 0.0)

    near = RIG.zoomed(0.5, towards=pointed)

    assert near.distance_m == 40.0
    assert _place(near.camera(FIELD), pointed) == pytest.approx(_place(RIG.camera(FIELD), pointed))


def test_the_tilt_ends_short_of_the_zenith_and_of_the_horizon() -> None:
    assert RIG.tilted(500.0).tilt_deg == 89.0
    assert RIG.tilted(-500.0).tilt_deg == 2.0


def test_panning_moves_as_the_camera_sees_it() -> None:
    east = RIG.turned(90.0).panned(right_m=5.0, ahead_m=20.0)

    assert east.target == pytest.approx((120.0, 95.0, 0.0))


def test_the_target_stays_on_the_field() -> None:
    assert RIG.panned(0.0, 5000.0).on_ground(FIELD).target == (100.0, 200.0, 0.0)


def test_the_eye_stays_above_the_ground() -> None:
    low = RIG.tilted(-28.0).zoomed(0.1)

    assert low.camera(FIELD).eye[2] >= 1.2


def test_where_the_zoom_ends_the_picture_stands_still() -> None:
    nearest = RIG.zoomed(1e-6)

    assert nearest.distance_m == 4.0
    assert nearest.zoomed(0.5, towards=(150.0, 150.0, 0.0)) == nearest
