"""Plain words for systems that bring none."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.questions.captions import caption, card_of, wind
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State


def test_an_event_is_told_by_its_names_and_facts(setup: Setup, story: tuple[Event, ...]) -> None:
    assert (
        caption(setup, story[3])
        == "archers: shot > bandits (dice 3, modifier 0, successes 2, faces 12 6 1)"
    )
    assert caption(setup, story[1]) == "turn began"


def test_a_card_shows_declared_columns_by_their_labels(setup: Setup, later: State) -> None:
    rows = dict(card_of(setup, later, 1))

    assert rows["side"] == "Bob"
    assert rows["members"] == "4 of 6"
    assert rows["state"] == "shaken"
    assert rows["faces"] == "south"
    assert "courage" not in rows, "it is as it was at the start"


@pytest.mark.parametrize(
    ("bearing", "name"), [(0, "north"), (22, "north"), (23, "north-east"), (350, "north")]
)
def test_a_bearing_has_the_nearest_wind(bearing: float, name: str) -> None:
    assert wind(bearing) == name
