"""Chapter 22.1 as play: what happens by itself at the beginning of turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.play import timing
from emlia3d.view.figures import figures_of

Build = Callable[..., Battle]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "facing": 180}


def begin_turn(battle: Battle, play: Callable[..., Any], dice: tuple[int, ...] = ()) -> list[Event]:
    over = Set(table="battle", row=0, column="phase", value=0)
    battle.happen(Event(name="put", changes=(over,)))
    events: list[Event] = play(battle, timing.begin_turn(battle), dice=dice)
    return events


def arrivals(battle: Battle, play: Callable[..., Any]) -> list[str]:
    names = [unit.name for unit in battle.setup.units]
    return [
        names[event.unit]
        for event in begin_turn(battle, play)
        if event.name == "arrived" and event.unit is not None
    ]


@pytest.mark.rule("emlia.scenario.events.examples.reinforcement")
def test_ten_hoplites_arrive_by_the_road_in_each_of_the_first_three_turns(
    field_of_battle: Build, play: Any
) -> None:
    greeks = [
        {"name": f"hoplites {turn}", "members": 10, "at": (50 + 9 * turn, 5), "arrives": turn}
        for turn in (1, 2, 3)
    ]
    battle = field_of_battle(BOB, *greeks)
    there = [bool(cell) for cell in battle.state.units["present"]]

    later = [arrivals(battle, play) for _ in range(3)]

    assert there == [True, True, False, False]
    assert later == [["hoplites 2"], ["hoplites 3"], []]
    assert battle.state.units["present"].all()


def test_who_has_not_come_yet_is_not_seen_and_does_not_act(
    field_of_battle: Build, play: Any
) -> None:
    battle = field_of_battle(ALICE, BOB, {**ALICE, "at": (60, 50), "arrives": 2})
    before = len(figures_of(battle.setup, battle.state).x_m), timing.waiting_units(battle)

    begin_turn(battle, play)

    assert before == (2, [0, 1])
    assert len(figures_of(battle.setup, battle.state).x_m) == 3
    assert timing.waiting_units(battle) == [0, 1, 2]


def test_a_block_whose_place_is_taken_waits_for_the_next_turn(
    field_of_battle: Build, play: Any, put: Callable[..., None]
) -> None:
    block = {"at": (50, 50), "formation": "close", "members": 4}
    battle = field_of_battle(block, BOB, {**block, "name": "late", "arrives": 2})
    waits = arrivals(battle, play)
    put(battle, 0, present=0)

    assert waits == []
    assert arrivals(battle, play) == ["late"]


@pytest.mark.rule("emlia.scenario.end-conditions.entity-gone")
def test_a_side_that_still_expects_men_is_not_gone(
    field_of_battle: Build, play: Any, put: Callable[..., None]
) -> None:
    aims = [
        {"side": "Alice", "level": "massacre", condition: "Bob", "ends": True}
        for condition in ("gone", "destroyed", "cleared")
    ]
    battle = field_of_battle(ALICE, {**BOB, "arrives": 3, "name": "late"}, aims=aims)

    play(battle, timing.end_turn(battle))

    assert battle.result is None
