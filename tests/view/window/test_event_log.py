"""The log: terse, with the moves of a brigade in one line."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.no_rules import NoRules
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force import Formation
from emlia3d.rules.emlia.events.awareness import LookedAbout
from emlia3d.rules.emlia.events.turn import Declined, StepBegun
from emlia3d.view.rules import Rules
from emlia3d.view.session.session import BattleSession
from emlia3d.view.window.event_log import News


def _moved(unit: int, east: float) -> Event:
    place = Place(unit=unit, x=east, y=40.0, facing=0, formation=Formation.RANKED, files=1)
    return Event(
        facts=Unread(event=f"move of {unit}"), unit=unit, gesture="march", changes=(place,)
    )


def _shot(unit: int, target: int) -> Event:
    return Event(facts=Unread(event="shot"), unit=unit, target=target, gesture="shoot")


@pytest.fixture
def rules(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> Rules:
    rules = Rules(Battle(setup, NoRules(), seed=0))
    monkeypatch.setattr(rules.system, "tell", lambda moment, event: event.facts.event_name)
    return rules


def _log(setup: Setup, start: State, rules: Rules, *events: Event) -> tuple[News, int]:
    course = BattleSession(setup, start, events, rules)
    return News(setup, course, rules), len(course.timeline)


def test_moves_of_one_side_that_follow_one_another_are_one_line(
    setup: Setup, start: State, rules: Rules
) -> None:
    news, last = _log(setup, start, rules, _moved(1, 60), _moved(2, 80), _moved(1, 61), _shot(0, 1))

    assert [line.text for line in news.upto(last)] == ["+ Bob: 3 moves", "shot"]


def test_the_line_of_moves_opens_and_closes(setup: Setup, start: State, rules: Rules) -> None:
    news, last = _log(setup, start, rules, _moved(1, 60), _moved(2, 80), _shot(0, 1))
    step = news.upto(last)[0].step

    news.toggle(step)
    opened = [line.text.strip() for line in news.upto(last)]
    news.toggle(step)

    assert opened == ["- Bob: 2 moves", "move of 1", "move of 2", "shot"]
    assert len(news.upto(last)) == 2


def test_moves_of_other_sides_and_the_latest_move_stand_alone(
    setup: Setup, start: State, rules: Rules
) -> None:
    news, last = _log(setup, start, rules, _moved(0, 60), _moved(1, 80), _moved(2, 81))

    assert [line.text for line in news.upto(last)] == ["move of 0", "move of 1", "move of 2"]


def test_moves_of_two_sides_by_turns_are_a_line_a_side(
    setup: Setup, start: State, rules: Rules
) -> None:
    moves = [_moved(0, 60), _moved(1, 80), _moved(0, 61), _moved(2, 82)]
    news, last = _log(setup, start, rules, *moves, _shot(0, 1))

    assert [line.text for line in news.upto(last)] == ["+ Alice: 2 moves", "+ Bob: 2 moves", "shot"]


def test_passes_and_searches_in_vain_are_not_news(setup: Setup, start: State, rules: Rules) -> None:
    routine = (
        Event(facts=Declined(side="Bob")),
        Event(facts=StepBegun(timing=3)),
        Event(facts=LookedAbout(), unit=0),
    )
    news, last = _log(setup, start, rules, _shot(0, 1), *routine, _shot(1, 0))

    assert [line.text for line in news.upto(last)] == ["shot", "shot"]


def test_each_line_knows_its_step(setup: Setup, start: State, rules: Rules) -> None:
    news, last = _log(setup, start, rules, _shot(0, 1), _shot(1, 0))

    assert np.diff([line.step for line in news.upto(last)]).tolist() == [1]
