"""Events of a running battle."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from emlia3d.battle.events import Event, Unread
from emlia3d.errors import IllegalOrderError
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.view.session.event_queue import Feed
from tests.made_up import made_up


def _all(feed: Feed) -> list[Event]:
    events: list[Event] = []
    while not feed.finished:
        events += feed.take()
    return events


def test_events_come_in_their_order_and_none_is_lost() -> None:
    story = [Event(facts=Unread(event=f"event {number}")) for number in range(2000)]

    assert _all(Feed(iter(story), ahead=16)) == story


def test_taking_never_waits_for_a_battle_that_thinks() -> None:
    thinking = threading.Event()

    def battle() -> Iterator[Event]:
        thinking.wait()
        yield Event(facts=made_up(Moved))

    feed = Feed(battle())

    assert (feed.take(), feed.finished) == ([], False)
    thinking.set()
    assert [event.name for event in _all(feed)] == ["moved"]


def test_what_breaks_a_battle_off_is_raised_after_what_came_before() -> None:
    def battle() -> Iterator[Event]:
        yield Event(facts=made_up(Moved))
        raise IllegalOrderError("it is not one of the options")

    feed = Feed(battle())
    feed._thread.join()

    assert [event.name for event in feed.take()] == ["moved"]
    with pytest.raises(IllegalOrderError, match="not one of the options"):
        feed.take()
    assert feed.take() == []


def test_a_stopped_feed_pulls_no_more() -> None:
    pulled = []

    def battle() -> Iterator[Event]:
        for number in range(10_000):
            pulled.append(number)
            yield Event(facts=made_up(Moved))

    feed = Feed(battle(), ahead=4)
    feed.stop()

    assert len(pulled) < 10
