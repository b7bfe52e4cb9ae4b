"""The battle at any moment."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.battle.apply import apply
from emlia3d.battle.events import Event
from emlia3d.battle.state import State
from emlia3d.view.session.timeline import MOST_CHECKPOINTS, Timeline


def test_an_event_that_is_part_of_the_last_makes_no_step(
    start: State, story: tuple[Event, ...]
) -> None:
    timeline = Timeline(start, story)
    timeline.close()

    assert len(timeline) == 7
    assert [event.name for event in timeline.events(4)] == ["shot", "lost"]


def test_the_last_step_of_a_running_battle_is_held_back_until_it_is_whole(
    start: State, story: tuple[Event, ...]
) -> None:
    timeline = Timeline(start, story[:4])

    assert len(timeline) == 3
    timeline.extend(story[4])
    timeline.extend(story[5])
    assert len(timeline) == 4
    assert timeline.moment(4).units.integer("members", 1) == 4


def test_any_moment_is_what_folding_from_the_start_gives(
    start: State, story: tuple[Event, ...]
) -> None:
    timeline = Timeline(start, story, every=2)
    timeline.close()
    frames = [start.key_frame()]
    for event in story:
        apply(start, event)
        frames.append(start.key_frame())
    del frames[4]  # between the volley and its losses

    for step in (7, 0, 3, 2, 4, 6, 5, 1, 7):
        assert timeline.moment(step).key_frame() == frames[step]


def test_the_state_that_a_timeline_starts_from_stays_as_it_was(
    start: State, story: tuple[Event, ...]
) -> None:
    before = start.key_frame()

    Timeline(start, story).moment(5)

    assert start.key_frame() == before


def test_each_turn_begins_at_a_step(start: State, story: tuple[Event, ...]) -> None:
    timeline = Timeline(start, story)
    timeline.close()

    assert timeline.turn_starts == (2, 5)
    assert [timeline.turn(step) for step in range(8)] == [0, 0, 1, 1, 1, 2, 2, 2]


def test_a_long_battle_keeps_no_more_checkpoints_than_a_short_one(
    start: State, story: tuple[Event, ...]
) -> None:
    march = [event for event in story if event.name == "marched"]
    timeline = Timeline(start, march * 500, every=1)
    timeline.close()

    assert len(timeline._checkpoints) <= MOST_CHECKPOINTS
    np.testing.assert_allclose(timeline.moment(499).figures.floats("y")[0], 19.5)


@pytest.mark.parametrize("events", range(9))
def test_what_is_taken_back_is_as_if_it_had_never_been(
    start: State, story: tuple[Event, ...], events: int
) -> None:
    timeline = Timeline(start, story, every=2)
    timeline.close()
    straight = Timeline(start, story[:events], every=2)
    straight.close()

    timeline.cut(events)

    assert (timeline.count, len(timeline)) == (straight.count, len(straight))
    assert timeline.turn_starts == straight.turn_starts
    end = len(timeline)
    assert timeline.moment(end).key_frame() == straight.moment(end).key_frame()


def test_a_battle_goes_on_from_where_it_was_cut(start: State, story: tuple[Event, ...]) -> None:
    timeline = Timeline(start, story, every=2)
    timeline.cut(3)
    for event in story[3:]:
        timeline.extend(event)
    timeline.close()

    whole = Timeline(start, story)
    whole.close()
    assert timeline.moment(len(timeline)).key_frame() == whole.moment(len(whole)).key_frame()


def test_who_is_asked_sees_all_that_has_happened(start: State, story: tuple[Event, ...]) -> None:
    """Between a volley and its losses: what belongs to it and comes later is a step of its own."""
    timeline = Timeline(start, story[:4])

    timeline.pause()
    seen = len(timeline)
    timeline.extend(story[4])
    timeline.close()

    assert (seen, len(timeline)) == (4, 5)
    assert timeline.moment(5).units.integer("members", 1) == 4
