"""Looking at a battle that is fought, by every means of the window, changes nothing of it."""

from __future__ import annotations

from collections.abc import Iterator

from emlia3d.battle.events import Event
from emlia3d.scenario import load
from emlia3d.view.rules import Rules
from emlia3d.view.window.settings import Settings, SettingsStore
from tests.view.panda.window_driver import opened

HANDS = (
    "unit_forward",
    "ranges",
    "ranges",
    "minimap",
    "larger",
    "contrast",
    "ground",
    "map",
    "minimap",
)


def test_after_every_frame_a_watched_battle_is_what_one_is_that_nobody_watches() -> None:
    alone, watched = (load("bandits").battle(seed=4, turns=1) for _ in range(2))
    digests = [alone.digest.hexdigest(), *(alone.digest.hexdigest() for _ in alone.run())]
    happened = 0

    def events() -> Iterator[Event]:
        nonlocal happened
        for event in watched.run():
            happened += 1
            yield event

    app = opened(
        watched.setup, watched.state, events(), rules=Rules(watched),
        liking=SettingsStore(Settings(speed=64.0)),
    )  # fmt: skip
    try:
        app.viewer.playback.playing = True
        for step in range(4000):
            if step % 5 == 0:
                app._acts[HANDS[step // 5 % len(HANDS)]]()
            app.step(0.2)
            assert watched.digest.hexdigest() == digests[happened]
            if not app.viewer.course.live and app.viewer.playback.at_end:
                break
        assert app.viewer.playback.at_end
    finally:
        app.close()

    assert happened == len(digests) - 1
    assert watched.state.key_frame() == alone.state.key_frame()
