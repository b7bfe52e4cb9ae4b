"""The pace of play and the camera that goes to the action, in a window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.cli.parameters import PACE
from emlia3d.view.pace import PACES
from emlia3d.view.panda.app import App
from emlia3d.view.window.settings import Settings, SettingsStore
from tests.view.panda.window_driver import Hand, opened


@pytest.fixture
def kept() -> list[Settings]:
    return []


@pytest.fixture
def app(
    setup: Setup, start: State, story: tuple[Event, ...], kept: list[Settings]
) -> Iterator[App]:
    app = opened(
        setup, start, story, liking=SettingsStore(keep=kept.append), directed=True, size=(960, 540)
    )
    app.step(0.0)
    yield app
    app.close()


def _played(app: App, seconds: float) -> None:
    for _ in range(round(seconds / 0.05)):
        app.step(0.05)


def test_a_key_chooses_the_pace_and_it_is_remembered(app: App, kept: list[Settings]) -> None:
    hand = Hand(app)

    hand.press("\\")
    hand.press("\\")

    assert kept[-1].pace == "turn"
    assert app.viewer.playback.pace == "turn"
    assert "a turn at once" in app.viewer.status().notice


def test_a_turn_at_once_shows_march_and_volley_together(app: App) -> None:
    hand = Hand(app)
    hand.press("\\")
    hand.press("\\")
    app.viewer.playback.seek(1)
    app.viewer.playback.playing = True

    _played(app, 1.2)

    position = app.viewer.playback.position
    assert (position.since, position.step) == (1, 4)
    assert 0 < position.alpha < 1
    assert len(app._showing._step_marks) > 3, "the march's arrow and the shots"


def test_shots_appear_one_after_another(app: App) -> None:
    app.viewer.playback.show(4)
    app.step(0.0)
    marks = app._stage._shown()._marks

    app.step(0.01)
    first = marks._drawn[0]
    app.step(0.4)
    later = marks._drawn[0]
    app.step(1.0)

    assert first < later < marks._drawn[0] == len(marks._strokes)


def test_the_camera_goes_to_the_action_until_it_is_touched(app: App) -> None:
    app.steering.look_at(200.0, 140.0)
    app.step(0.0)
    hand = Hand(app)
    hand.press(";")
    app.viewer.playback.show(4)
    away = _from_the_fight(app)

    _played(app, 3.0)
    nearer = _from_the_fight(app)
    hand.press("e")
    there = app.steering.rig
    _played(app, 1.0)

    assert nearer < away / 2
    assert app.steering.rig == there, "the camera is the player's"
    assert not app._action.active


def test_the_camera_goes_nowhere_in_a_window_that_is_not_directed(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    app = opened(setup, start, story)
    rig = app.steering.rig

    app.viewer.playback.playing = True
    _played(app, 1.0)
    still = app.steering.rig == rig
    app.close()

    assert still


def test_the_command_line_takes_every_pace() -> None:
    def command() -> None: ...

    (option,) = PACE(command).__click_params__  # type: ignore[attr-defined]

    assert tuple(option.type.choices) == PACES


def _from_the_fight(app: App) -> float:
    return float(np.hypot(*(app._action.places.now().mean(axis=0) - app.steering.rig.target[:2])))
