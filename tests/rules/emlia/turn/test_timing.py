"""Chapter 8: turns, timing steps, and whose unit is next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.turn import timing

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


def at(x: float, y: float, **unit: Any) -> dict[str, Any]:
    return {"at": (x, y), **unit}


def rest_of_turn(battle: Battle, play: Play) -> list[tuple[str, int | None]]:
    """Everyone does nothing until the turn is over; names and units of what happened."""
    told = []
    while (procedure := timing.next_step(battle)) is not None:
        events = play(battle, procedure, answers=_first(battle))
        told += [(event.name, event.unit) for event in events]
        if events[-1].name in {"turn ended", "battle ended"}:
            break
    return told


def _first(battle: Battle) -> list[Any]:
    """Answers for one stretch: the first unit on offer, which then does nothing."""
    step = battle.state.battle.integer("step", 0)
    units = [u for u in timing.waiting_units(battle) if battle.state.units["timing"][u] >= step]
    if not units:
        return []
    last = battle.state.sides.ints("last_activation")
    sides = [battle.state.units.integer("side", unit) for unit in units]
    side = min(set(sides), key=lambda row: (int(last[row]), row))
    return (["activate"] if sides.count(side) > 1 else []) + ["done"]


def activations(told: list[tuple[str, int | None]]) -> list[int | None]:
    return [unit for name, unit in told if name == "activated"]


@pytest.mark.rule("emlia.time.turn", "emlia.attr.timing")
def test_a_turn_runs_from_the_highest_timing_in_play_down(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        at(20, 20, timing=0), at(60, 20, timing=5), at(100, 20, timing=2), at(140, 20, timing=3)
    )

    told = rest_of_turn(battle, play)

    assert activations(told) == [1, 3, 2, 0]


@pytest.mark.rule("emlia.time.step-phases")
def test_a_resolution_follows_the_activations_of_each_step(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(at(20, 20, timing=3), at(60, 20, timing=3), at(100, 20, timing=1))

    told = rest_of_turn(battle, play)

    kept = [name for name, _ in told if name in {"activated", "resolved", "turn ended"}]
    assert kept == ["activated", "activated", "resolved", "activated", "resolved", "turn ended"]


@pytest.mark.rule("emlia.resolve.next-step")
def test_after_the_resolution_comes_the_next_lower_timing(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(at(20, 20, timing=3), at(60, 20, timing=1))
    play(battle, timing.next_step(battle), answers=["done"])
    play(battle, timing.next_step(battle))

    play(battle, timing.next_step(battle))

    assert battle.state.battle.integer("step", 0) == 1


@pytest.mark.rule("emlia.time.empty-steps")
def test_steps_in_which_nobody_activates_have_no_resolution(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(at(20, 20, timing=9), at(60, 20, timing=0))

    rest_of_turn(battle, play)

    assert battle.state.battle.integer("resolutions", 0) == 2


@pytest.mark.rule("emlia.time.empty-steps")
def test_a_step_in_which_a_unit_only_delays_is_resolved(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(at(20, 20, timing=3))

    play(battle, timing.next_step(battle), answers=["delay"])
    events = play(battle, timing.next_step(battle))

    assert events[-1].name == "resolved"


@pytest.mark.rule("emlia.time.order-in-step")
@pytest.mark.rule("emlia.time.both-sides")
def test_players_take_turns_within_a_step(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        at(20, 20), at(60, 20), at(20, 180, side="Bob"), at(60, 180, side="Bob"), at(100, 20)
    )

    told = rest_of_turn(battle, play)

    assert activations(told) == [0, 2, 1, 3, 4]


@pytest.mark.rule("emlia.time.order-in-step")
def test_the_player_whose_last_activation_lies_furthest_back_is_next(
    field_of_battle: Build, play: Play, question: Callable[..., Any]
) -> None:
    sides = [Side(name=name, colour="#000000", lines="south") for name in ("Alice", "Bob", "Carol")]
    battle = field_of_battle(
        at(20, 20, timing=4),
        at(20, 100, timing=4, side="Bob"),
        at(20, 180, timing=1, side="Carol"),
        at(60, 20, timing=1),
        at(60, 100, timing=1, side="Bob"),
        sides=sides,
        order=(4, 12, 9),
    )

    told = rest_of_turn(battle, play)

    assert activations(told) == [1, 0, 2, 4, 3]


@pytest.mark.rule("emlia.time.order-in-step")
def test_a_player_chooses_among_his_units_of_the_step(
    field_of_battle: Build, question: Callable[..., Any]
) -> None:
    battle = field_of_battle(at(20, 20), at(60, 20), at(100, 20, timing=1), at(99, 99, side="Bob"))

    asked = question(battle, timing.next_step(battle))

    assert asked.side == 0
    assert [(option.verb, option.unit) for option in asked.options] == [
        ("activate", 0),
        ("activate", 1),
    ]


@pytest.mark.rule("emlia.time.first-player")
def test_the_highest_d12_goes_first_and_ties_roll_again(field_of_battle: Build) -> None:
    sides = [Side(name=name, colour="#000000", lines="south") for name in ("Alice", "Bob", "Carol")]
    units = [at(20, 20, side=side.name) for side in sides]

    battle = field_of_battle(*units, sides=sides, order=(7, 11, 7, 2, 3))

    last = battle.state.sides.ints("last_activation").tolist()
    assert sorted(range(3), key=lambda side: last[side]) == [1, 2, 0]
    assert max(last) < 1


@pytest.mark.rule("emlia.time.first-player")
def test_the_record_of_last_activations_runs_on_into_the_next_turn(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(at(20, 20), at(60, 20, timing=1), at(20, 180, side="Bob", timing=3))
    first = activations(rest_of_turn(battle, play))

    play(battle, timing.next_step(battle))
    second = activations(rest_of_turn(battle, play))

    assert first == [2, 0, 1]
    assert second == [2, 0, 1]
    assert battle.state.sides.ints("last_activation").tolist() == [6, 4]


@pytest.mark.rule("emlia.activate.once")
def test_nobody_activates_twice_in_a_turn(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(at(20, 20, timing=3), at(60, 20, side="Bob"), at(90, 20, timing=0))

    told = activations(rest_of_turn(battle, play))

    assert sorted(told, key=str) == [0, 1, 2]


@pytest.mark.rule("emlia.time.turn-end")
def test_at_the_turns_end_timings_and_this_turns_counters_are_as_before(
    field_of_battle: Build, play: Play, put: Callable[..., None]
) -> None:
    battle = field_of_battle(at(20, 20, timing=3), at(100, 180, side="Bob"))
    play(battle, timing.next_step(battle), answers=["delay"])
    rest_of_turn(battle, play)
    put(battle, 0, double_paced=1, lost_turn=2, rows_given=5)

    play(battle, timing.next_step(battle))

    units = battle.state.units
    columns = ("timing", "delayed", "activated", "double_paced", "lost_turn", "rows_given")
    assert [units.integer(column, 0) for column in columns] == [3, 0, 0, 0, 0, 0]
    assert battle.state.turn == 2


@pytest.mark.rule("emlia.time.turn-end")
def test_after_the_last_turn_the_battle_is_over(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(at(20, 20), at(100, 180, side="Bob"), turns=1)

    told = rest_of_turn(battle, play)

    assert told[-1] == ("battle ended", None)
    assert timing.next_step(battle) is None
    assert battle.result is not None
