"""The small map: what lies where on it, and which of it the camera sees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emlia3d.battle.apply import apply
from emlia3d.battle.changes import Leave, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.rules.emlia.events.movement import Fled
from emlia3d.view.camera.shots import framed
from emlia3d.view.colours import colour_of
from emlia3d.view.layout.panel import PanelShape, Rect
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.scene import Camera
from emlia3d.view.plans.country import country_map
from emlia3d.view.window.minimap import MiniMap, seen_m, signs, wedge
from tests.made_up import made_up

RECT = Rect(1000, 500, 240, 160)
SIZE_M = (240.0, 160.0)
"""A pixel is a metre, and a half GSU."""

CHART = MiniMap(RECT, SIZE_M)


def remove(state: State, feature: int) -> None:
    gone = Set(table="feature", row=feature, column="present", value=0)
    apply(state, Event(facts=Unread(event="gone"), changes=(gone,)))


def middle(shape: PanelShape) -> tuple[float, float]:
    x, y = np.array(shape.corners).mean(axis=0)
    return float(x), float(y)


def area(shape: PanelShape) -> float:
    x, y = np.array(shape.corners).T
    return abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) / 2


def test_north_is_up_and_the_corners_are_those_of_the_field() -> None:
    corners = CHART.put(np.array([[0.0, 0.0], [240.0, 160.0]]))

    assert corners.tolist() == [[1000, 660], [1240, 500]]


def test_a_click_goes_to_the_place_under_it_and_beyond_the_edge_to_the_nearest() -> None:
    assert CHART.place(1060.0, 540.0) == (60.0, 120.0)
    assert CHART.place(900.0, 700.0) == (0.0, 0.0)


def test_the_map_has_the_fields_proportions_and_lies_in_the_corner() -> None:
    found = MiniMap.within(Rect(0, 0, 300, 300), SIZE_M)

    assert found.rect == Rect(0, 100, 300, 200)


def test_each_side_has_a_sign_of_its_own_colour_and_shape(setup: Setup, start: State) -> None:
    shapes = signs(CHART, setup, start, None)

    found = {}
    for side, looks in enumerate(setup.sides):
        found[side] = [shape for shape in shapes if shape.colour == colour_of(looks.colour)]
    assert len(found[1]) == 2, "the bandits and the dragon"
    square, diamond = found[0][-1], found[1][0]
    assert {x for x, _ in square.corners} == {min(square.corners)[0], max(square.corners)[0]}
    assert len({x for x, _ in diamond.corners}) == 3


def test_a_sign_lies_where_its_unit_stands(setup: Setup, start: State) -> None:
    shapes = signs(CHART, setup, start, None)

    red = [shape for shape in shapes if shape.colour == colour_of("#b03030")]
    assert middle(red[0]) == pytest.approx((1120, 560), abs=2.5), "60, 50 GSU of 2 m"
    assert middle(red[1]) == pytest.approx((1180, 540), abs=2.5)


def test_the_chosen_unit_lies_uppermost_with_a_wider_rim(setup: Setup, start: State) -> None:
    plain = signs(CHART, setup, start, None)
    chosen = signs(CHART, setup, start, 0)

    assert chosen[-1].colour == colour_of("#2a5caa")
    rim = chosen[-2]
    assert area(rim) > 1.3 * max(area(shape) for shape in plain if len(shape.corners) == 4)


def test_who_has_left_the_field_has_no_sign(setup: Setup, start: State) -> None:
    before = len(signs(CHART, setup, start, None))
    apply(start, Event(facts=made_up(Fled), unit=1, changes=(Leave(unit=1),)))

    assert len(signs(CHART, setup, start, None)) == before - 2


def test_the_wedge_holds_what_the_camera_looks_at_and_stays_on_the_map(
    setup: Setup, start: State
) -> None:
    scene = scene_of(setup, start)
    for view in ("overview", "top", "eye"):
        camera = framed(setup, start, scene, view, unit=0, aspect=16 / 9)
        tint, *edges = wedge(CHART, camera, 16 / 9)

        x, y = np.array(tint.corners).T
        assert 1000 <= x.min() < x.max() <= 1240, view
        assert 500 <= y.min() < y.max() <= 660, view
        assert edges


def test_a_camera_straight_above_sees_an_oblong_as_wide_as_its_angle() -> None:
    camera = Camera(eye=(100.0, 50.0, 100.0), look_at=(100.0, 50.0, 0.0), fov_deg=90.0)

    corners = seen_m(camera, 1.5, 1000.0)

    np.testing.assert_allclose(corners.min(axis=0), (-50.0, -50.0), atol=1e-6)
    np.testing.assert_allclose(corners.max(axis=0), (250.0, 150.0), atol=1e-6)


def test_a_camera_that_looks_over_the_horizon_sees_as_far_as_it_is_let() -> None:
    camera = Camera(eye=(0.0, 0.0, 2.0), look_at=(0.0, 100.0, 2.0), fov_deg=40.0)

    far = seen_m(camera, 1.0, 500.0)[2:]

    np.testing.assert_allclose(np.hypot(*far.T), 500.0)


def test_a_camera_that_sees_nothing_of_the_field_has_no_wedge() -> None:
    camera = Camera(eye=(-900.0, -900.0, 9.0), look_at=(-950.0, -950.0, 0.0))

    assert wedge(CHART, camera, 16 / 9) == ()


def test_the_country_shows_what_stands_on_it_until_it_falls(setup: Setup, start: State) -> None:
    whole = country_map(setup, start, (240, 160)).astype(int)
    remove(start, 0)
    broken = country_map(setup, start, (240, 160)).astype(int)

    changed = np.argwhere(np.abs(whole - broken).sum(axis=2) > 20)
    assert whole.shape == (160, 240, 3)
    assert changed.min(axis=0).tolist() == pytest.approx([88, 120], abs=1), "the rock: 60, 30 GSU"
    assert changed.max(axis=0).tolist() == pytest.approx([99, 131], abs=1)
    grove = whole[160 - 120, 40]
    assert grove[1] > grove[0] > grove[2], "green"


def test_between_the_stars_the_map_is_dark(setup: Setup, start: State) -> None:
    space = replace(setup, field=replace(setup.field, look="space", features=()))
    for row in range(2):
        remove(start, row)

    assert country_map(space, start, (240, 160)).mean() < 40
