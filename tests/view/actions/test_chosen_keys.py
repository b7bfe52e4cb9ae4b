"""A window whose keys are not the default ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from panda3d.core import ButtonRegistry

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.actions.key_map import KeyMap
from emlia3d.view.panda.app import App
from emlia3d.view.window.settings import Settings, SettingsStore
from tests.view.panda.window_driver import Hand, opened

KEYS = KeyMap(
    (
        ("forward", ("x",)),
        ("latest", ("ctrl+f6",)),
        ("exchange", (".",)),
        ("pan_forward", ("i",)),
        ("close", ("f3",)),
        ("bookmark", ()),
    )
)


@pytest.fixture
def app(setup: Setup, start: State, story: tuple[Event, ...]) -> Iterator[App]:
    app = opened(setup, start, story, liking=SettingsStore(Settings(keys=KEYS)))
    app.step(0.0)
    yield app
    app.close()


@pytest.fixture
def hand(app: App) -> Hand:
    return Hand(app)


def test_a_chosen_key_acts_and_the_default_one_no_longer_does(app: App, hand: Hand) -> None:
    hand.press(".")
    before = app.viewer.course.step
    hand.press("x")
    after = app.viewer.course.step
    hand.press("end")

    assert (before, after, app.viewer.course.step) == (1, 2, 2)


def test_control_goes_with_a_key_that_is_no_letter(app: App, hand: Hand) -> None:
    control = ButtonRegistry.ptr().get_button("control")
    hand.press("f6")
    alone = app.viewer.course.step
    hand.hold(control)
    hand.press("f6")
    hand.let_go(control)

    assert (alone, app.viewer.course.step) == (4, 7)


def test_a_key_of_a_tool_acts_while_that_is_in_hand(app: App, hand: Hand) -> None:
    viewer = app.viewer
    hand.press("v")
    viewer.select(0)
    viewer.select(1)
    hand.press(".")
    exchanged = viewer.tool.observer
    hand.press("f3")

    assert exchanged == 1
    assert not viewer.tool.active
    assert viewer.course.step == 1


def test_the_camera_moves_while_a_chosen_key_is_down(app: App, hand: Hand) -> None:
    places = [app.steering.camera.look_at]
    for key in ("w", "i"):
        hand.hold(ButtonRegistry.ptr().get_button(key))
        app.step(0.2)
        hand.let_go(ButtonRegistry.ptr().get_button(key))
        places.append(app.steering.camera.look_at)

    assert places[1] == places[0]
    assert places[2] != places[1]


def test_the_list_of_keys_shows_the_chosen_ones(app: App, hand: Hand) -> None:
    hand.press("f1")

    words = [text.text for text in app._mouse.layout.texts]
    assert "Ctrl+F6" in words
    assert "none" in words, "an action without a key"
    assert "F6" in words
