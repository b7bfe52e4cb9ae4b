"""Looking at a battle that is fought, by every means of the window, changes nothing of it."""

from __future__ import annotations

import pytest

from emlia3d.cli.drawing import referee_of
from emlia3d.errors import DisplayError
from emlia3d.scenario import load
from emlia3d.view.panda.app import App
from emlia3d.view.window.settings import Liking, Settings

HANDS = ("next", "range", "range", "small_map", "larger", "contrast", "chart", "top", "small_map")


def test_a_battle_that_is_watched_ends_as_one_that_is_not() -> None:
    alone, watched = (load("bandits").battle(seed=4, turns=1) for _ in range(2))
    for _ in alone.run():
        pass

    try:
        app = App(
            watched.setup,
            watched.state,
            watched.run(),
            referee=referee_of(watched),
            liking=Liking(Settings(speed=64.0)),
            offscreen=True,
            size=(640, 360),
        )
    except DisplayError as flaw:
        pytest.skip(str(flaw))
    try:
        app.viewer.playback.playing = True
        for step in range(4000):
            if step % 5 == 0:
                app._acts[HANDS[step // 5 % len(HANDS)]]()
            app.step(0.2)
            if not app.viewer.course.live and app.viewer.playback.at_end:
                break
        assert app.viewer.playback.at_end
    finally:
        app.close()

    assert watched.digest.hexdigest() == alone.digest.hexdigest()
