"""The camera that goes to the action by itself."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.view.camera.director import CLOSER, FARTHER, Director
from emlia3d.view.camera.steering import Steering
from emlia3d.view.moment.scene import Camera, DrawnGround

FIGHT = np.array([[700.0, 620.0], [760.0, 620.0], [760.0, 650.0], [700.0, 650.0]])


@pytest.fixture
def steering() -> Steering:
    flat = DrawnGround(elevation_m=np.zeros((8, 8), np.float32), size_m=(1000.0, 1000.0))
    return Steering(Camera(eye=(100, 0, 200), look_at=(100, 300, 0)), flat)


def _directed(director: Director, seconds: float) -> None:
    for _ in range(round(seconds * 20)):
        director.heed()
        director.follow(FIGHT, 0.05)


def test_it_brings_the_action_into_the_middle(steering: Steering) -> None:
    director = Director(steering, active=True)

    _directed(director, 10.0)

    x, y, _ = steering.rig.target
    assert (x, y) == pytest.approx((730.0, 635.0), abs=15.0)


def test_it_keeps_the_direction_of_view(steering: Steering) -> None:
    before = steering.rig
    director = Director(steering, active=True)

    _directed(director, 10.0)

    assert steering.rig.bearing_deg == before.bearing_deg
    assert steering.rig.tilt_deg == before.tilt_deg


def test_it_stays_where_all_is_well_in_the_picture(steering: Steering) -> None:
    director = Director(steering, active=True)
    _directed(director, 12.0)
    rig = steering.rig

    director.follow(FIGHT + 1.0, 0.05)

    assert steering.rig == rig
    assert CLOSER < 1 < FARTHER


def test_the_first_touch_of_the_camera_ends_it(steering: Steering) -> None:
    director = Director(steering, active=True)
    _directed(director, 1.0)
    steering.zoom(0.9)

    touched = director.heed()

    assert touched
    assert not director.active
