"""A camera that goes along with a unit."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.view.camera.following import Following
from emlia3d.view.camera.steering import Steering
from emlia3d.view.moment.scene import Camera, flat


@pytest.fixture
def steering() -> Steering:
    camera = Camera(eye=(500.0, 400.0, 80.0), look_at=(500.0, 500.0, 0.0), fov_deg=40.0)
    return Steering(camera, flat((1000.0, 1000.0)))


@pytest.fixture
def following(steering: Steering) -> Following:
    following = Following(steering)
    following.begin(3, (520.0, 500.0))
    return following


def _wait(following: Following, place: tuple[float, float], frames: int = 200) -> None:
    for _ in range(frames):
        following.follow(place, 0.02)


def test_the_camera_goes_as_far_as_the_unit(following: Following, steering: Steering) -> None:
    _wait(following, (560.0, 530.0))

    assert steering.camera.look_at == pytest.approx((540.0, 530.0, 0.0), abs=1e-6)
    assert steering.camera.eye == pytest.approx((540.0, 430.0, 80.0), abs=1e-6)


def test_it_goes_smoothly_and_never_past_the_unit(following: Following, steering: Steering) -> None:
    seen = []
    for _ in range(60):
        following.follow((560.0, 500.0), 0.02)
        seen.append(steering.camera.look_at[0])

    steps = np.diff([500.0, *seen])
    assert (steps >= 0).all()
    assert steps.max() < 5.0
    assert seen[-1] == pytest.approx(540.0, abs=0.5)
    assert max(seen) <= 540.0 + 1e-9


def test_what_is_steered_meanwhile_stays_so(following: Following, steering: Steering) -> None:
    _wait(following, (560.0, 500.0))
    steering.steer(["pan_right"], 0.5)
    offset = steering.camera.look_at[0] - 560.0
    _wait(following, (600.0, 500.0))

    assert offset > -20.0
    assert steering.camera.look_at[0] - 600.0 == pytest.approx(offset, abs=1e-6)


def test_one_who_stands_is_looked_at_without_a_tremor(
    following: Following, steering: Steering
) -> None:
    before = steering.camera

    _wait(following, (520.0, 500.0))

    assert steering.camera == before
