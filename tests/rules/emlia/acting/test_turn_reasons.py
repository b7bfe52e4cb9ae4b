"""Events of the turn name what bore on an activation, a note, a condition and the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.situation.prepared_notes import trigger_because
from emlia3d.rules.emlia.play.turn import activation, objectives, timing
from tests.rules.emlia.reasons import named

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}


@pytest.mark.rule("emlia.time.order-in-step", "emlia.disorder.effect", "emlia.freestrike.cost")
@pytest.mark.rule("emlia.activate.delay-counts", "emlia.orders.initiative-early")
@pytest.mark.parametrize(
    ("put", "other", "expected"),
    [
        ({}, {"timing": 1}, []),
        ({}, {}, ["time.order-in-step"]),
        ({"disordered": 1}, {"timing": 1}, ["disorder.effect"]),
        ({"strike_owed": 1}, {"timing": 1}, ["freestrike.cost"]),
        ({"delayed": 1}, {"timing": 1}, ["activate.delay-counts"]),
        ({"timing": 1}, {}, ["orders.initiative-early"]),
    ],
    ids=["alone", "both sides", "disordered", "after a strike", "delayed", "early"],
)
def test_an_activation_names_what_bears_on_it_as_it_begins(
    field_of_battle: Build, put: dict[str, int], other: dict[str, int], expected: list[str]
) -> None:
    battle = field_of_battle(ALICE | {"put": put}, BOB | other)

    event = activation.begun(battle, 0)

    assert event.because == ("emlia.gloss.activation", *(f"emlia.{key}" for key in expected))


@pytest.mark.rule("emlia.mixed.timing")
def test_a_mixed_unit_of_several_timings_names_that(field_of_battle: Build) -> None:
    men = {"at": (50, 50), "name": "men", "members": 4}
    alike = field_of_battle(men, {"at": (52, 50), "group": "men"}, BOB | {"timing": 1})
    mixed = field_of_battle(men, {"at": (52, 50), "group": "men", "timing": 3}, BOB | {"timing": 1})

    assert "emlia.mixed.timing" not in activation.begun(alike, 0).because
    assert "emlia.mixed.timing" in activation.begun(mixed, 0).because


@pytest.mark.rule("emlia.align.cost", "emlia.melee.outnumber")
@pytest.mark.parametrize(("put", "expected"), [({}, []), ({"aligned": -1}, ["align.cost"])])
def test_an_activation_that_ends_names_what_is_paid_for(
    field_of_battle: Build, put: dict[str, int], expected: list[str]
) -> None:
    battle = field_of_battle(ALICE | {"put": put}, BOB)

    event = activation.ended(battle, 0)

    assert named(event, "align", "melee", "aware") == expected


@pytest.mark.rule("emlia.prepare.several-units", "emlia.forced.triggers-prepared")
def test_a_note_names_that_others_were_met_and_that_nobody_acted() -> None:
    assert trigger_because(1, forced=False) == ()
    assert trigger_because(2, forced=True) == (
        "emlia.prepare.several-units", "emlia.forced.triggers-prepared",
    )  # fmt: skip


@pytest.mark.rule("emlia.control.controlled", "emlia.control.contested")
@pytest.mark.parametrize(
    ("x", "foe", "expected"),
    [
        (10, 190, []),
        (50, 190, ["control.controlled"]),
        (50, 52, ["control.contested"]),
    ],
)
def test_a_turn_that_ends_names_who_holds_the_places_asked_about(
    field_of_battle: Build, x: float, foe: float, expected: list[str]
) -> None:
    battle = field_of_battle(
        {"at": (x, 50)}, BOB | {"at": (50, foe)}, areas={"hall": (40, 40, 60, 60)},
        aims=[{"side": "Alice", "level": "victory", "controls": ("hall",)}],
    )  # fmt: skip

    assert [slug.removeprefix("emlia.") for slug in objectives.control_because(battle)] == expected


@pytest.mark.rule("emlia.scenario.end-conditions.after-turn", "emlia.scenario.victory")
@pytest.mark.rule("emlia.scenario.end-conditions.entity-gone")
@pytest.mark.parametrize(
    ("aim", "turns", "expected"),
    [
        ({"gone": "Bob", "ends": True}, 1, ["scenario.end-conditions",
                                            "scenario.end-conditions.after-turn"]),
        ({"controls": ("hall",), "ends": True}, 6,
         ["scenario.end-conditions", "scenario.end-conditions.held-or-lost", "scenario.victory"]),
        ({"controls": ("hall",), "ends": False}, 1,
         ["scenario.end-conditions", "scenario.end-conditions.after-turn", "scenario.victory"]),
    ],
    ids=["time is up", "a place is held", "at the end"],
)  # fmt: skip
def test_the_end_names_the_conditions_that_ended_it(
    field_of_battle: Build, play: Play, aim: dict[str, Any], turns: int, expected: list[str]
) -> None:
    battle = field_of_battle(
        ALICE, BOB, areas={"hall": (40, 40, 60, 60)}, turns=turns,
        aims=[{"side": "Alice", "level": "victory", **aim}],
    )  # fmt: skip

    events = play(battle, timing.end_turn(battle))

    assert named(events[-1], "scenario") == expected


@pytest.mark.rule("emlia.time.empty-steps")
def test_only_a_step_that_passes_over_others_names_that(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ALICE | {"timing": 1}, BOB | {"timing": 1})

    (skipped,) = play(battle, timing.next_timing(battle, 3))
    (next_one,) = play(battle, timing.next_timing(battle, 1))

    assert named(skipped, "time") == ["time.step-phases", "time.empty-steps"]
    assert named(next_one, "time") == ["time.step-phases"]


@pytest.mark.rule("emlia.castle.attacker-victory.a-walls")
@pytest.mark.rule("emlia.castle.defender-victory.d-courtyard")
@pytest.mark.parametrize(
    ("aim", "expected"),
    [
        ({"controls": ("walls",)}, ["castle.attacker-victory.a-walls"]),
        ({"controls": ("walls",), "denied": ("gate",)}, []),
        ({"controls": ("gate",)}, []),
    ],
    ids=["the walls", "and no gate", "the gate"],
)
def test_an_end_by_a_row_of_the_castle_names_it(
    field_of_battle: Build, play: Play, aim: dict[str, Any], expected: list[str]
) -> None:
    battle = field_of_battle(
        ALICE, BOB, turns=1, aims=[{"side": "Alice", "level": "victory", **aim}],
        areas={"walls": (40, 40, 60, 60), "gate": (48, 48, 52, 52)},
    )  # fmt: skip

    events = play(battle, timing.end_turn(battle))

    assert named(events[-1], "castle") == expected
