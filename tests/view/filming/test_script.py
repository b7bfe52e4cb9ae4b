"""What a film shows when, without drawing it."""

from __future__ import annotations

import pytest

from emlia3d.scenario import load
from emlia3d.view.filming.script import RATE, eased, script_of
from emlia3d.view.moment.scene import Camera
from emlia3d.view.session.playback import Playback
from emlia3d.view.session.timeline import Timeline


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    battle = load("duel").battle(seed=2, turns=3)
    start = battle.state.copy()
    told = Timeline(start, battle.run())
    told.close()
    return told


def test_a_film_gives_each_turn_its_seconds_and_shows_all_of_the_battle(timeline: Timeline) -> None:
    script = script_of(timeline, turn_s=2.0)
    playback = Playback(timeline)
    playback.playing = True

    for dt in script.ticks():
        playback.tick(dt)

    assert script.pictures == (1.0 + len(timeline.turn_starts) * 2.0 + 2.0) * RATE
    assert playback.position.step == len(timeline)
    assert playback.position.alpha == 1.0


def test_a_film_begins_with_the_armies_as_they_stand(timeline: Timeline) -> None:
    ticks = list(script_of(timeline, turn_s=4.0).ticks())

    assert ticks[:RATE] == [0.0] * RATE
    assert min(ticks[RATE:]) > 0


def test_a_camera_turns_to_where_it_wants_to_look_without_a_jump() -> None:
    now = Camera(eye=(0.0, 0.0, 10.0), look_at=(0.0, 5.0, 0.0), fov_deg=30.0)
    wish = Camera(eye=(100.0, 0.0, 10.0), look_at=(50.0, 50.0, 0.0), fov_deg=60.0)

    camera, way = now, []
    for _ in range(4 * RATE):
        camera = eased(camera, wish, 1 / RATE)
        way.append(camera.eye[0])

    assert way == sorted(way)
    assert way[0] < 10.0
    assert way[-1] == pytest.approx(100.0, abs=0.5)
    assert camera.fov_deg == pytest.approx(60.0, abs=0.5)
    assert eased(camera, wish, 100.0) == wish
