"""The window, clicked for real: on a picture buffer, with a mouse and keys that a test moves."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from panda3d.core import ButtonRegistry, MouseButton

from emlia3d.view.actions.window_actions import ACTIONS
from emlia3d.view.panda.app import App
from tests.view.panda.window_driver import SIZE, Hand


def test_a_click_on_a_unit_shows_its_card(app: App, hand: Hand) -> None:
    for unit, name in enumerate(("archers", "bandits", "dragon")):
        hand.click_unit(unit)

        card = app.viewer.status().card
        assert card is not None
        assert card.name == name


def test_a_click_on_empty_ground_chooses_none(app: App, hand: Hand) -> None:
    hand.click_unit(0)

    hand.click(150, 200)

    assert app.viewer.selected is None


def test_a_click_on_a_button_does_not_reach_the_field(app: App, hand: Hand) -> None:
    hand.click_unit(0)
    camera = app.steering.camera

    step = app.viewer.playback.position.step

    hand.click_button("forward")

    assert app.viewer.playback.position.step == step + 1
    assert (app.viewer.selected, app.steering.camera) == (0, camera)


def test_a_click_on_a_panel_does_not_reach_the_field(app: App, hand: Hand) -> None:
    hand.click_unit(0)

    hand.click(SIZE[0] / 2, 5)

    assert app.viewer.selected == 0


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        ([], 1),
        ("...", 4),
        ("...,", 3),
        (["page_down", "page_down"], 5),
        (["end"], 7),
        (["end", "page_up"], 5),
    ],
)
def test_keys_step_through_the_battle(
    app: App, hand: Hand, keys: str | list[str], step: int
) -> None:
    for key in keys:
        hand.press(key)

    assert app.viewer.playback.position.step == step


def test_space_plays_and_the_battle_goes_on(app: App, hand: Hand) -> None:
    hand.press("space")
    for _ in range(100):
        app.step(0.1)

    assert app.viewer.playback.position.step == 7


def test_the_timeline_can_be_dragged(app: App, hand: Hand) -> None:
    rail = app._mouse.layout.timeline
    hand.point(rail.x + 2, rail.y + rail.h / 2)
    hand.hold(MouseButton.one())

    hand.point(rail.x + rail.w * 4 / 7, rail.y + rail.h / 2)
    shown = app.viewer.playback.position.step
    hand.let_go(MouseButton.one())
    hand.point(rail.x + rail.w, rail.y + rail.h / 2)

    assert (shown, app.viewer.playback.position.step) == (4, 4)


def test_a_click_within_a_frame_seeks_on_the_timeline(app: App, hand: Hand) -> None:
    rail = app._mouse.layout.timeline

    hand.click_within_a_frame(rail.x + rail.w * 4 / 7, rail.y + rail.h / 2)
    hand.point(rail.x + rail.w, rail.y + rail.h / 2)

    assert app.viewer.playback.position.step == 4


def test_a_drag_moves_the_field_and_chooses_nothing(app: App, hand: Hand) -> None:
    before = app.steering.camera
    hand.point(300, 200)
    hand.hold(MouseButton.one())
    hand.point(360, 220)
    hand.let_go(MouseButton.one())

    after = app.steering.camera
    assert app.viewer.selected is None
    assert after.look_at[:2] != before.look_at[:2]
    np.testing.assert_allclose(
        np.subtract(after.eye, after.look_at), np.subtract(before.eye, before.look_at), atol=1.0
    )


def test_keys_change_the_letters_and_the_contrast(app: App, hand: Hand) -> None:
    sizes = [app._stage.text_size]
    for key in ("f10", "f10", "f9"):
        hand.press(key)
        sizes.append(app._stage.text_size)
    hand.press("`")

    assert sizes == [1.0, 1.15, 1.3, 1.15]
    assert app.viewer.status().stark


def test_full_screen_is_remembered(app: App, hand: Hand) -> None:
    chosen = []
    for _ in range(2):
        hand.press("f11")
        chosen.append((app.surface.full_screen, app.viewer.liking.settings.full_screen))

    assert chosen == [(True, True), (False, False)]


def test_a_right_drag_goes_round_what_is_looked_at(app: App, hand: Hand) -> None:
    before = app.steering.camera
    hand.point(300, 200)
    hand.hold(MouseButton.three())
    hand.point(400, 200)
    hand.let_go(MouseButton.three())

    after = app.steering.camera
    assert after.look_at == before.look_at
    assert abs(after.eye[0] - before.eye[0]) > 5.0


def test_the_wheel_goes_nearer(app: App, hand: Hand) -> None:
    before = app.steering.camera.eye[2]
    hand.point(320, 180)

    hand.press("wheel_up")

    assert app.steering.camera.eye[2] < before


def test_next_chooses_a_unit_and_brings_it_into_the_middle(app: App, hand: Hand) -> None:
    hand.press("n")

    assert app.viewer.selected == 0
    assert app.steering.camera.look_at[:2] == (120.0, 22.0)


def test_the_panels_are_drawn_over_the_picture(app: App, hand: Hand) -> None:
    def pale(image: NDArray[np.uint8], rows: slice) -> float:
        return float((image[rows].min(axis=2) > 180).mean())

    shut = app.image()
    hand.press("f1")
    opened = app.image()

    bar = slice(0, round(32 * 0.62))
    assert 0.005 < pale(shut, bar) < 0.4, "light letters in a dark bar"
    middle = opened[140:220, 280:300].mean()
    assert middle < shut[140:220, 280:300].mean() * 0.6, "a dark sheet over the field"


def test_the_picture_shows_the_moment(app: App, hand: Hand) -> None:
    """The bandits flee in the last step: their red is gone from where they stood."""

    def red(image: NDArray[np.uint8]) -> int:
        place = app._stage.project(np.array([[120.0, 100.0, 6.0]]))[0].astype(int)
        spot = image[place[1] - 14 : place[1] + 8, place[0] - 14 : place[0] + 14].astype(int)
        return int((spot[..., 0] > 1.6 * spot[..., 1]).sum())

    there = red(app.image())
    hand.press("end")
    gone = red(app.image())

    assert there > 8
    assert gone < there / 4


def test_f2_draws_the_ground_another_way_and_back(app: App, hand: Hand) -> None:
    seen = [app.image()]
    for _ in range(3):
        hand.press("f2")
        told = app.viewer.status().notice
        assert "ground" in told
        app.viewer.say("")
        app.step(0.0)
        seen.append(app.image())
    assert "as it is" in told
    middle = [picture[180:300, 200:500].astype(int) for picture in seen]
    for one, two in ((0, 1), (1, 2), (2, 3)):
        assert np.abs(middle[one] - middle[two]).mean() > 8
    assert np.abs(middle[0] - middle[3]).mean() < 1


def test_the_camera_goes_along_with_the_chosen_unit_until_it_is_gone(app: App, hand: Hand) -> None:
    def play() -> None:
        hand.press(".")
        for _ in range(80):
            app.step(0.05)

    hand.click_unit(0)
    hand.press("5")
    before = app.steering.camera.look_at
    play()
    play()
    marched = app.steering.camera.look_at
    hand.press("5")
    hand.press(",")
    for _ in range(20):
        app.step(0.05)
    assert marched[1] - before[1] == pytest.approx(16.0, abs=0.2), "eight GSU to the north"
    assert app.steering.camera.look_at == marched, "it was let go"

    hand.click_unit(1)
    hand.press("5")
    hand.press("end")
    app.step(0.1)
    assert "bandits has left the field" in app.viewer.status().notice


def test_without_a_chosen_unit_there_is_nobody_to_go_along_with(app: App, hand: Hand) -> None:
    hand.press("5")

    assert "select" in app.viewer.status().notice


def test_every_action_that_is_no_order_and_no_motion_is_done_by_the_window(app: App) -> None:
    others = {name for name, row in ACTIONS.items() if row.tool != "orders" and not row.steers}

    assert others == set(app._acts)


def test_the_next_turning_point_is_a_key_or_a_click_away(app: App, hand: Hand) -> None:
    hand.press("f6")
    by_key = app.viewer.course.step
    hand.click_button("mark:7")
    by_click = app.viewer.course.step
    hand.press("f5")

    assert (by_key, by_click, app.viewer.course.step) == (4, 7, 6)


def test_a_list_takes_its_digits_and_escape_closes_it(app: App, hand: Hand) -> None:
    camera = app.steering.camera
    hand.press("f7")
    hand.press("1")
    hand.click_button("kind:2")
    shown = app.viewer.status().highlights
    hand.press("escape")

    assert [one.kind for one in shown] == ["gone"]
    assert app.viewer.status().drawer is None
    assert app.steering.camera == camera, "1 is the view of the whole battle at other times"


def test_control_and_a_letter_are_a_key_of_their_own(app: App, hand: Hand) -> None:
    control = ButtonRegistry.ptr().get_button("control")
    before = app.steering.camera

    app.viewer.select(0)
    hand.hold(control)
    hand.press("f")
    hand.let_go(control)
    followed = app.viewer.notice
    hand.press("f")

    assert followed.startswith("the camera follows")
    assert app.viewer.notice == followed
    assert app.steering.camera != before


def test_a_letter_with_control_that_has_no_action_acts_like_the_letter(
    app: App, hand: Hand
) -> None:
    control = ButtonRegistry.ptr().get_button("control")

    hand.hold(control)
    hand.press("v")
    hand.let_go(control)

    assert app.viewer.tool.active
