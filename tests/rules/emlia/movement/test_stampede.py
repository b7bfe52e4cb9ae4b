"""Friends in retreat who run through a unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.turn import activation, phase

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def runners(field_of_battle: Build, x: float, value: float = 2, morale: int = -7) -> Battle:
    """A unit of morale 6, and so of army value 2, and another north of it, at *x*, that runs."""
    crowd = {"members": 9, "files": 3, "army_value": 1, "morale": 6}
    return field_of_battle(
        {**crowd, "at": (100, 60)},
        {**crowd, "at": (x, 72), "army_value": value, "put": {"morale": morale}},
        {"at": (100, 190), "side": "Bob"},
    )


def shaken(battle: Battle, play: Play, *, noted: bool = True) -> int:
    """The morale of the first unit once the other has fled and it has itself activated."""
    play(battle, activation.activate(battle, 1), answers=[...])
    if noted:
        play(battle, activation.activate(battle, 0), answers=[...])
    play(battle, phase.resolve(battle))
    return battle.state.units.integer("morale", 0)


@pytest.mark.rule("emlia.morale.neg.friend-runs-through", "emlia.morale.activation-moment")
def test_a_friend_who_runs_through_it_shakes_a_unit_when_it_activates(
    field_of_battle: Build, play: Play
) -> None:
    through = shaken(runners(field_of_battle, 100), play)
    past = shaken(runners(field_of_battle, 130), play)

    assert past - through == 2


@pytest.mark.rule("emlia.morale.neg.friend-runs-through", "emlia.morale.notes")
def test_the_more_valued_the_runner_is_the_worse(field_of_battle: Build, play: Play) -> None:
    # A unit of morale 6 is worth one more than is printed.
    lost = {
        value: shaken(runners(field_of_battle, 130, value), play)
        - shaken(runners(field_of_battle, 100, value), play)
        for value in (1, 40)
    }

    assert lost[1] == 0
    assert lost[40] == 4


@pytest.mark.rule("emlia.morale.activation-moment")
def test_it_is_noted_once_as_the_unit_activates_and_not_before(
    field_of_battle: Build, play: Play
) -> None:
    battle = runners(field_of_battle, 100)

    assert shaken(battle, play, noted=False) == 6
    assert battle.state.pairs["ran_through"]
    play(battle, activation.activate(battle, 0), answers=[...])
    assert not battle.state.pairs["ran_through"]
