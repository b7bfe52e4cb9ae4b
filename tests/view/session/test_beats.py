"""Steps that are shown together: where each beat ends, and what is seen when."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.state import State
from emlia3d.view.session.beats import BLOW_S, MOVING_S, beat_end, together
from emlia3d.view.session.playback import Playback
from emlia3d.view.session.timeline import Timeline


@pytest.fixture
def timeline(start: State, story: tuple[Event, ...]) -> Timeline:
    timeline = Timeline(start, story)
    timeline.close()
    return timeline


def _never(event: Event) -> bool:
    return False


def _mustering(event: Event) -> bool:
    return event.gesture == "march"


def test_a_turn_is_one_beat(timeline: Timeline) -> None:
    assert beat_end(timeline, 1, "turn", _never) == 4
    assert beat_end(timeline, 4, "turn", _never) == 7


def test_a_phase_ends_where_the_rules_begin_the_next(timeline: Timeline) -> None:
    assert beat_end(timeline, 1, "phase", _mustering) == 2, "before the march"
    assert beat_end(timeline, 1, "turn", _mustering) == 4, "a turn takes no notice of it"


def test_the_end_of_a_beat_is_unknown_while_more_may_happen(
    start: State, story: tuple[Event, ...]
) -> None:
    timeline = Timeline(start, story[:4])

    assert beat_end(timeline, 1, "turn", _never) is None


def test_what_has_happened_is_shown_while_a_player_is_asked(
    start: State, story: tuple[Event, ...]
) -> None:
    timeline = Timeline(start, story[:4])

    timeline.pause()

    assert beat_end(timeline, 1, "turn", _never) == 4


def test_shots_and_blows_follow_the_moves_in_their_order(timeline: Timeline) -> None:
    beat = together(timeline, 1, 7)

    assert [cue.steps for cue in beat.cues] == [(3,), (4,), (6,), (7,)]
    starts = [cue.from_s for cue in beat.cues]
    assert starts == sorted(starts)
    assert beat.cues[3].from_s >= beat.cues[2].to_s, "losses come after the blow before them"


def test_playing_turn_by_turn_shows_all_of_a_turn(timeline: Timeline) -> None:
    playback = Playback(timeline, step=1)
    playback.pace = "turn"
    playback.toggle()

    playback.tick(MOVING_S / 2)
    position = playback.position

    assert (position.since, position.step) == (1, 4)
    assert position.alpha == pytest.approx(0.5)
    assert position.marked == (3, 4), "the march, and the shot that has begun"


def test_what_is_told_keeps_pace_with_what_is_seen(timeline: Timeline) -> None:
    playback = Playback(timeline, step=1)
    playback.pace = "turn"
    playback.toggle()

    playback.tick(0.1)
    before = playback.position.latest
    playback.tick(MOVING_S / 2 + BLOW_S / 2)

    assert (before, playback.position.latest) == (1, 4)


def test_a_step_by_hand_is_one_step_at_any_pace(timeline: Timeline) -> None:
    playback = Playback(timeline, step=1)
    playback.pace = "turn"

    playback.forward()

    assert (playback.position.since, playback.position.step) == (1, 2)
