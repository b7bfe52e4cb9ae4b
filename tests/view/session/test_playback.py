"""Play, pause, step and seek, with a clock that the test holds."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.state import State
from emlia3d.view.session.playback import Playback, Position
from emlia3d.view.session.timeline import Timeline


@pytest.fixture
def timeline(start: State, story: tuple[Event, ...]) -> Timeline:
    timeline = Timeline(start, story)
    timeline.close()
    return timeline


def test_nothing_moves_before_someone_plays(timeline: Timeline) -> None:
    playback = Playback(timeline)

    playback.tick(100.0)

    assert playback.position == Position(0, 1.0)


def test_a_march_takes_its_time(timeline: Timeline) -> None:
    playback = Playback(timeline, step=2)
    playback.toggle()

    playback.tick(0.55)

    assert playback.position == Position(3, pytest.approx(0.5))


def test_what_shows_nothing_takes_no_time(timeline: Timeline) -> None:
    playback = Playback(timeline)
    playback.toggle()

    playback.tick(0.0)

    assert playback.position.step == 2, "past the muster, to the turn's beginning"


def test_twice_the_speed_goes_twice_as_far(timeline: Timeline) -> None:
    playback = Playback(timeline, step=2)
    playback.faster()
    playback.toggle()

    playback.tick(0.55)

    assert playback.position == Position(4, 0.0)


def test_play_stops_at_the_end_and_starts_over(timeline: Timeline) -> None:
    playback = Playback(timeline)
    playback.toggle()

    playback.tick(60.0)

    assert (playback.position, playback.playing) == (Position(7, 1.0), False)
    playback.toggle()
    assert (playback.position.step, playback.playing) == (0, True)


def test_at_the_end_of_a_running_battle_play_waits(start: State, story: tuple[Event, ...]) -> None:
    timeline = Timeline(start, story[:4])
    playback = Playback(timeline)
    playback.toggle()

    playback.tick(60.0)
    waiting = playback.position, playback.playing
    for event in story[4:6]:
        timeline.extend(event)
    playback.tick(0.1)

    assert waiting == (Position(3, 1.0), True)
    assert playback.position.step == 4


def test_a_step_forward_plays_its_movement_and_no_more(timeline: Timeline) -> None:
    playback = Playback(timeline, step=2)

    playback.forward()
    playback.tick(0.55)
    half = playback.position.alpha
    playback.tick(60.0)

    assert half == pytest.approx(0.5)
    assert playback.position == Position(3, 1.0)


def test_a_step_back_shows_the_end_of_the_step_before(timeline: Timeline) -> None:
    playback = Playback(timeline, step=3)

    playback.back()

    assert playback.position == Position(2, 1.0)


def test_turns_are_jumped_to_in_both_directions(timeline: Timeline) -> None:
    playback = Playback(timeline)

    steps = []
    for move in (playback.turn_forward,) * 3 + (playback.turn_back,) * 3:
        move()
        steps.append(playback.position.step)

    assert steps == [2, 5, 7, 5, 2, 0]


def test_seeking_beyond_an_end_stays_at_it(timeline: Timeline) -> None:
    playback = Playback(timeline)

    playback.seek(99)
    assert playback.position.step == 7
    playback.seek(-5)
    assert playback.position.step == 0
