"""The small map in the window, clicked and dragged for real."""

from __future__ import annotations

import numpy as np
import pytest
from panda3d.core import MouseButton

from emlia3d.view.panda.app import App
from tests.view.panda.window_driver import Hand


def test_a_click_within_a_frame_goes_where_the_small_map_is_clicked(app: App, hand: Hand) -> None:
    rect = app._mouse.layout.small_map
    assert rect is not None

    hand.click_within_a_frame(rect.x + rect.w / 4, rect.y + rect.h / 4)

    assert app.steering.camera.look_at[:2] == pytest.approx((60.0, 120.0), abs=3.0)


def test_a_click_on_the_small_map_goes_there(app: App, hand: Hand) -> None:
    rect = app._mouse.layout.small_map
    assert rect is not None

    hand.click(rect.x + rect.w / 4, rect.y + rect.h / 4)

    assert app.steering.camera.look_at[:2] == pytest.approx((60.0, 120.0), abs=3.0)
    assert app.viewer.selected is None


def test_the_view_goes_where_the_pointer_is_dragged_on_the_small_map(app: App, hand: Hand) -> None:
    rect = app._mouse.layout.small_map
    assert rect is not None
    hand.point(rect.x + 5, rect.y + 5)
    hand.hold(MouseButton.one())
    hand.point(rect.x + rect.w / 2, rect.y + rect.h / 2)
    hand.let_go(MouseButton.one())
    hand.point(rect.x + rect.w - 5, rect.y + rect.h - 5)

    assert app.steering.camera.look_at[:2] == pytest.approx((120.0, 80.0), abs=3.0)


def test_the_small_map_shows_the_country_and_is_put_away_by_its_key(app: App, hand: Hand) -> None:
    rect = app._mouse.layout.small_map
    assert rect is not None
    part = (
        slice(round(rect.y), round(rect.y + rect.h)),
        slice(round(rect.x), round(rect.x + rect.w)),
    )
    app.image()
    there = app.image()[part].astype(int)

    hand.press("o")
    app.image()
    gone = app.image()[part].astype(int)

    assert app._mouse.layout.small_map is None
    assert there.mean() > 130, "pale, as a map on paper"
    blue = (there[..., 2] > there[..., 0] + 60).sum()
    assert blue > 10, "the archers' sign"
    assert np.abs(there - gone).mean() > 25


def test_nothing_of_the_small_map_is_drawn_anew_while_nothing_moves(app: App, hand: Hand) -> None:
    camera = app.steering.camera
    rect = app._mouse.layout.small_map

    still = app._small_map.update(rect, app.viewer, camera)
    hand.press("n")
    moved = app._small_map.update(rect, app.viewer, camera)

    assert not still
    assert moved, "another camera's view, and a chosen unit"
