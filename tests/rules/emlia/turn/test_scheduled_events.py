"""Chapter 22.1 as play: what happens by itself at the beginning of turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.dice import FixedDice
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Occurrence
from emlia3d.rules.emlia.play.combat.scheduled_events import earthquake
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.unit_sets.strike import Strike
from emlia3d.view.moment.figures import figures_of

Build = Callable[..., Battle]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "facing": 180}


def begin_turn(battle: Battle, play: Callable[..., Any], dice: tuple[int, ...] = ()) -> list[Event]:
    over = Set(table="battle", row=0, column="phase", value=0)
    battle.happen(Event(facts=Unread(event="put"), changes=(over,)))
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
    there = [bool(cell) for cell in battle.state.units["present"][:4]]

    later = [arrivals(battle, play) for _ in range(3)]

    assert there == [True, True, False, False]
    assert later == [["hoplites 2"], ["hoplites 3"], []]
    assert battle.state.units["present"][:4].all()


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


GUN = {"name": "25pdr", "base_damage": 2, "range": (100, 200, 300), "use": ["area volley"],
       "coverage": {"start": 6.0, "increment": 2.0, "limit": 10.0, "drift": 2.0}}  # fmt: skip
BARRAGE = Occurrence(
    name="barrage",
    turns=(1, 3, 5),
    strike=Strike.model_validate({"volley_fire": "3", "weapon": GUN}),
)


@pytest.mark.rule("emlia.scenario.events.examples.artillery")
@pytest.mark.rule("emlia.scenario.events.examples")
def test_artillery_strikes_the_centre_of_the_table_in_odd_turns_with_three_dice_at_0(
    field_of_battle: Build, play: Any
) -> None:
    battle = field_of_battle({"at": (100, 100)}, BOB, occurrences=[BARRAGE], turn=0, turns=5)

    events = play(battle, timing.begin_turn(battle), dice=(12, 1, 5, 4, 4, 3))
    events += begin_turn(battle, play)
    events += begin_turn(battle, play, (5, 5, 4))

    first, second = [event for event in events if event.name == "bombarded"]
    assert (first.facts.dice, first.facts.modifier, first.facts.successes) == (3, 0, 1)
    assert first.facts.aimed_at == (100, 100)
    assert first.facts.fell_at == (101, 100)
    assert second.facts.successes == 2
    assert second.facts.fell_at == (100, 100)


@pytest.mark.rule("emlia.scenario.events")
def test_what_happens_by_itself_is_resolved_before_the_first_step(
    field_of_battle: Build, play: Any
) -> None:
    man = {"at": (100, 100), "members": 2, "formation": "ranked", "timing": 3}
    battle = field_of_battle(
        man, {**man, "side": "Bob", "at": (100, 106)}, occurrences=[replace(BARRAGE, turns=(2,))]
    )

    begin_turn(battle, play, (5, 5, 4))
    resolution = timing.next_step(battle)
    assert resolution is not None
    names = [event.name for event in play(battle, resolution, dice=(), answers=[...])]

    assert [int(count) for count in battle.state.units["members"][:2]] == [0, 2]
    assert names.index("resolved") < names.index("step begun")
    assert not battle.state.lists["marker"]["subject"].size


@pytest.mark.rule("emlia.scenario.events.examples.earthquake")
def test_an_earthquake_throws_down_who_rolls_1_within_30_gsu_of_the_southern_edge(
    field_of_battle: Build,
) -> None:
    units = [{"at": (20 + 30 * n, 29.4)} for n in range(3)]
    battle = field_of_battle(*units, {"at": (150, 32)}, BOB, areas={"south": (0, 0, 200, 30)})
    battle.dice = FixedDice((1, 2, 1))

    battle.happen(earthquake(battle, "earthquake", "south"))

    assert [int(cell) for cell in battle.state.units["posture"]] == [1, 0, 1, 0, 0]


def test_an_event_may_sweep_a_bridge_away(field_of_battle: Build, play: Any) -> None:
    flood = Occurrence(name="flood", turns=(2,), destroys=("bridge",))
    bridge = {"name": "bridge", "kind": "bridge", "box": (10, 10, 20, 14)}
    battle = field_of_battle(ALICE, BOB, terrain=[bridge], occurrences=[flood])
    before = int(battle.state.features.value("present", 0))

    begin_turn(battle, play)

    assert (before, battle.state.features.value("present", 0)) == (1, 0)
