"""The camera in the viewer's hand."""

from __future__ import annotations

import pytest

from emlia3d.view.camera.picking import ground_hit
from emlia3d.view.camera.steering import Pointer, Steering
from emlia3d.view.moment.scene import Camera, flat

FIELD = flat((200.0, 200.0))
ASPECT = 16 / 9


@pytest.fixture
def steering() -> Steering:
    return Steering(Camera(eye=(100.0, 20.0, 60.0), look_at=(100.0, 100.0, 0.0)), FIELD)


def _ground(steering: Steering, pointer: Pointer) -> tuple[float, float, float]:
    ray = steering.ray(pointer, ASPECT)
    distance = ground_hit(FIELD, ray)
    assert distance is not None
    return ray.at(distance)


def test_a_drag_takes_the_ground_under_the_pointer_along(steering: Steering) -> None:
    held = _ground(steering, (-0.2, -0.3))

    steering.drag((-0.2, -0.3), (0.3, 0.1), ASPECT)

    assert _ground(steering, (0.3, 0.1)) == pytest.approx(held, abs=0.01)


def test_a_drag_on_the_sky_does_nothing(steering: Steering) -> None:
    steering.jump(Camera(eye=(100.0, 20.0, 6.0), look_at=(100.0, 100.0, 5.0)))
    before = steering.camera

    steering.drag((0.0, 0.9), (0.5, 0.8), ASPECT)

    assert steering.camera == before


def test_the_wheel_zooms_to_the_pointer(steering: Steering) -> None:
    pointed = _ground(steering, (0.4, 0.2))

    steering.wheel(3, (0.4, 0.2), ASPECT)

    assert _ground(steering, (0.4, 0.2)) == pytest.approx(pointed, abs=0.01)
    assert steering.camera.eye[2] < 45.0


def test_an_orbit_to_the_right_goes_round_to_the_west_of_the_target(steering: Steering) -> None:
    steering.orbit((0.0, 0.0), (0.3, 0.0))

    eye = steering.camera.eye
    assert eye[0] < 80.0
    assert steering.camera.look_at == (100.0, 100.0, 0.0)


def test_keys_move_turn_and_tilt(steering: Steering) -> None:
    steering.steer(["pan_forward"], 0.5)
    ahead = steering.camera
    steering.steer(["look_down"], 0.5)

    assert ahead.look_at == pytest.approx((100.0, 145.0, 0.0))
    assert ahead.eye[0] == pytest.approx(100.0)
    assert steering.camera.eye[2] > ahead.eye[2]
