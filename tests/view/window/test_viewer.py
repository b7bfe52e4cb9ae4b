"""Watching a battle, without a window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import IllegalOrderError
from emlia3d.view.window.viewer import Viewer
from tests.view.ruled import ruled


@pytest.fixture
def viewer(setup: Setup, start: State, story: tuple[Event, ...]) -> Viewer:
    return Viewer(setup, start, story)


def _pulled(viewer: Viewer) -> Viewer:
    while viewer.course.live:
        viewer.tick(0.0)
    return viewer


def test_news_are_the_steps_so_far_with_the_rules_of_the_last(viewer: Viewer) -> None:
    viewer.playback.seek(4)

    news = viewer.status().news

    assert [told.text for told in news[-2:]] == [
        "archers: shot > bandits (dice 3, modifier 0, successes 2, faces 12 6 1)",
        "bandits: lost",
    ]
    assert news[-1].because == ("nobody.fire", "nobody.fire.short")


def test_a_rule_system_tells_events_and_units_in_its_own_words(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    rules = ruled(
        setup,
        tell=lambda event, state: f"{event.name} in turn {state.turn}" * (event.unit is not None),
        card=lambda unit, state: (("number", str(unit)),),
    )
    viewer = Viewer(setup, start, story, rules)
    viewer.playback.seek(3)
    viewer.selected = 1

    status = viewer.status()

    assert [told.text for told in status.news] == ["marched in turn 1"]
    assert status.card is not None
    assert status.card.rows == (("number", "1"),)


def test_the_title_bar_counts_who_is_left(viewer: Viewer) -> None:
    viewer.playback.seek(4)
    after_the_volley = [side.left for side in viewer.status().sides]
    viewer.playback.seek(7)

    assert after_the_volley == ["20 of 20", "5 of 7"]
    assert [side.left for side in viewer.status().sides] == ["20 of 20", "1 of 7"]


def test_the_turn_is_told_in_words(viewer: Viewer) -> None:
    before = viewer.status().turn
    viewer.playback.seek(5)

    assert (before, viewer.status().turn) == ("before the first turn", "Turn 2 of 3")


def test_next_and_previous_go_round_the_units_on_the_field(viewer: Viewer) -> None:
    viewer.playback.seek(7)

    chosen = []
    for by in (1, 1, 1, -1, -1):
        viewer.select_next(by)
        chosen.append(viewer.selected)

    assert chosen == [0, 2, 0, 2, 0], "the bandits have fled"


def test_escape_closes_the_keys_before_it_lets_go_of_a_unit(viewer: Viewer) -> None:
    viewer.selected = 1
    viewer.toggle_help()

    viewer.dismiss()
    assert (viewer.help, viewer.selected) == (False, 1)
    viewer.dismiss()
    assert viewer.selected is None


def test_a_battle_is_watched_while_it_is_fought(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    viewer = Viewer(setup, start, iter(story))

    assert viewer.course.live
    assert viewer.status().turn == "before the first turn, in progress"
    assert len(_pulled(viewer).timeline) == 7
    assert viewer.status().alarm == ""


def test_a_battle_that_breaks_off_is_an_alarm_and_can_still_be_watched(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    def battle() -> Iterator[Event]:
        yield from story[:3]
        raise IllegalOrderError("the order is refused")

    viewer = _pulled(Viewer(setup, start, battle()))

    assert viewer.status().alarm == "the order is refused"
    assert len(viewer.timeline) == 3


def test_a_notice_goes_away_by_itself(viewer: Viewer) -> None:
    viewer.say("saved emlia3d-1.png")

    viewer.tick(1.0)
    assert viewer.status().notice == "saved emlia3d-1.png"
    viewer.tick(9.0)
    assert viewer.status().notice == ""
