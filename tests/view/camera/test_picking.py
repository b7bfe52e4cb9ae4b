"""What lies under the pointer."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.camera.framing import overview, top
from emlia3d.view.camera.picking import Ray, ground_hit, ray_through, unit_hit
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.scene import Camera, DrawnGround


def _towards(eye: tuple[float, float, float], place: tuple[float, float, float]) -> Ray:
    return ray_through(Camera(eye=eye, look_at=place), 0.0, 0.0, 1.0)


def test_the_middle_of_the_picture_is_what_the_camera_looks_at() -> None:
    ray = _towards((0.0, 0.0, 10.0), (30.0, 0.0, 10.0))

    assert ray.direction == pytest.approx((1.0, 0.0, 0.0))


def test_the_upper_right_corner_lies_above_and_to_the_right() -> None:
    camera = Camera(eye=(0.0, 0.0, 0.0), look_at=(0.0, 10.0, 0.0), fov_deg=90.0)

    ray = ray_through(camera, 1.0, 1.0, aspect=2.0)

    assert np.array(ray.direction) * np.sqrt(6) == pytest.approx((2.0, 1.0, 1.0))


def test_a_ray_meets_the_ground_where_they_are_equally_high(setup: Setup, start: State) -> None:
    terrain = terrain_of(setup, start)
    ray = _towards((120.0, -40.0, 60.0), (120.0, 90.0, terrain.height(120.0, 90.0)))

    distance = ground_hit(terrain, ray)

    assert distance is not None
    assert ray.at(distance) == pytest.approx((120.0, 90.0, terrain.height(120.0, 90.0)), abs=1e-3)


def test_a_ray_into_the_sky_or_beside_the_field_meets_nothing(setup: Setup, start: State) -> None:
    terrain = terrain_of(setup, start)

    assert ground_hit(terrain, _towards((120.0, 20.0, 10.0), (120.0, 90.0, 80.0))) is None
    assert ground_hit(terrain, _towards((-50.0, 20.0, 10.0), (-50.0, 90.0, 0.0))) is None


def test_a_click_on_a_unit_picks_it_in_every_view(setup: Setup, start: State) -> None:
    scene = scene_of(setup, start)
    picked = []
    for camera in (overview(scene), top(scene)):
        for banner in scene.banners:
            foot = scene.terrain.height(banner.x_m, banner.y_m) + banner.lift_m + 1.0
            ray = _towards(camera.eye, (banner.x_m, banner.y_m, foot))
            picked.append(unit_hit(setup, start, scene.terrain, ray))

    assert picked == [0, 1, 2] * 2


def test_a_click_beside_a_unit_picks_none(setup: Setup, start: State) -> None:
    terrain = terrain_of(setup, start)

    assert unit_hit(setup, start, terrain, _towards((120, 22, 90), (160, 22, 1.0))) is None


def test_slack_lets_a_far_unit_be_hit(setup: Setup, start: State) -> None:
    terrain = terrain_of(setup, start)
    beside = _towards((120.0, 22.0, 500.0), (132.0, 22.0, 0.5))

    assert unit_hit(setup, start, terrain, beside) is None
    assert unit_hit(setup, start, terrain, beside, slack=0.01) == 0


def test_a_unit_behind_a_ridge_is_not_picked(setup: Setup, start: State) -> None:
    ridge = np.zeros((16, 24), np.float32)
    ridge[9] = 30.0
    terrain = DrawnGround(elevation_m=ridge, size_m=(240.0, 160.0))
    ray = _towards((120.0, 2.0, 1.0), (120.0, 100.0, 1.0))
    level = DrawnGround(elevation_m=ridge * 0, size_m=(240.0, 160.0))

    assert (
        unit_hit(setup, start, terrain, _towards((120.0, 45.0, 1.0), (120.0, 100.0, 1.0))) is None
    )
    assert unit_hit(setup, start, level, ray) == 0


def test_a_unit_that_has_left_is_not_picked(setup: Setup, start: State, later: State) -> None:
    later.units.writable("present")[1] = 0
    terrain = terrain_of(setup, later)
    above = _towards((120.0, 100.0, 80.0), (120.0, 100.5, 4.0))

    assert unit_hit(setup, later, terrain, above) is None
