"""Chapter 8: what a turn begins with, who may activate in a step, and what comes next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave, Pair, Set
from emlia3d.battle.dice import FixedDice
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.columns import Phase
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.play.turn.timing import next_timing, players, timing_of, waiting_units
from tests.rules.emlia.turn.encounter import SHY, foe, me

Build = Callable[..., Battle]
Put = Callable[..., None]
Play = Callable[..., list[Any]]
ALICE: dict[str, Any] = {"at": (20, 20)}
BOB: dict[str, Any] = {"at": (20, 180), "side": "Bob"}


def set_battle(battle: Battle, **cells: int) -> None:
    changes = tuple(
        Set(table="battle", row=0, column=column, value=value) for column, value in cells.items()
    )
    battle.happen(Event(facts=Unread(event="put"), changes=changes))


@pytest.mark.rule("emlia.attr.timing", "emlia.time.turn")
def test_a_turn_begins_with_printed_timings_and_the_strength_of_that_moment(
    field_of_battle: Build, play: Play, put: Put
) -> None:
    battle = field_of_battle(
        {**ALICE, "timing": 3, "members": 4},
        {"at": (60, 20), "timing": 4, "damage_limit": 9},
        {"at": (60, 50), "timing": 5, "threshold": 2,
         "vital_table": [{"faces": (1, 12), "text": "It shudders"}]},
        {"at": (60, 80), "timing": "none"},
        {"at": (100, 20), "timing": 2, "damage_limit": 9, "name": "head"},
        {"at": (102, 20), "timing": 6, "group": "head"},
        {"at": (140, 20), "timing": 1},
        BOB,
    )  # fmt: skip
    for unit in range(8):
        put(battle, unit, timing=9, activated=1, delayed=1, double_paced=1, lost_turn=3,
            rows_given=7, strength_now=99)  # fmt: skip
    put(battle, 1, damage=2)
    put(battle, 0, commanded=1)
    battle.happen(Event(facts=Unread(event="left"), changes=(Leave(unit=6),)))
    for column in ("attacked", "barred"):
        battle.happen(
            Event(facts=Unread(event="put"), changes=(Pair(column=column, a=0, b=7, value=1),))
        )

    play(battle, timing.begin_turn(battle))

    units = battle.state.units
    assert [units.integer("timing", unit) for unit in (0, 1, 2, 3, 4)] == [0, 4, 5, 0, 6]
    assert [units.integer("activated", unit) for unit in (0, 1, 2, 3, 4)] == [0, 0, 0, 1, 0]
    assert [units.value("strength_now", unit) for unit in (0, 1, 2, 3, 4)] == [4, 7, -1, 1, 2]
    for column in ("delayed", "double_paced", "lost_turn", "rows_given"):
        assert [units.integer(column, unit) for unit in range(7)] == [0] * 7
    assert not battle.state.pairs["attacked"]
    assert not battle.state.pairs["barred"]
    assert (units.integer("timing", 6), units.value("strength_now", 6)) == (9, 99)


@pytest.mark.rule("emlia.mixed.timing", "emlia.entity.character", "emlia.entity.independent")
@pytest.mark.parametrize(
    ("head", "part", "expected"),
    [(2, 6, 6), (6, 2, 6), ("none", 2, 2), (2, "none", 2), ("none", "none", None), (0, "none", 0)],
)
def test_a_mixed_unit_has_the_highest_timing_among_its_characters(
    field_of_battle: Build, head: Any, part: Any, expected: int | None
) -> None:
    whole = {**ALICE, "name": "head", "timing": head}
    battle = field_of_battle(whole, {"at": (22, 20), "timing": part, "group": "head"}, BOB)

    assert timing_of(battle, 0) == expected


@pytest.mark.rule("emlia.time.first-player")
def test_every_side_rolls_a_twelve_sided_die_and_ties_roll_alone(field_of_battle: Build) -> None:
    sides = [Side(name=name, colour="#000000") for name in ("A", "B", "C", "D")]
    units = [{"at": (20 + 30 * n, 20), "side": side.name} for n, side in enumerate(sides)]
    battle = field_of_battle(*units, sides=sides, turn=0)
    asked: list[tuple[int, int]] = []

    class Dice(FixedDice):
        def roll(self, why: str, count: int, sides: int) -> Any:
            asked.append((count, sides))
            return super().roll(why, count, sides)

    battle.dice = Dice((4, 9, 4, 9, 2, 7, 12, 1))
    events: list[Any] = []
    for event in timing.draw_for_first(battle):
        assert isinstance(event, Event)
        battle.happen(event)
        events.append(event)

    assert asked == [(4, 12), (2, 12), (2, 12)]
    assert events[0].facts.order == ("D", "B", "A", "C")
    assert events[0].facts.faces == (4, 9, 4, 9, 2, 7, 12, 1)
    assert battle.state.sides.ints("last_activation").tolist() == [-2, -3, -1, -4]


@pytest.mark.rule("emlia.gloss.force", "emlia.time.both-sides")
def test_units_of_the_step_and_early_ones_are_listed_by_side(
    field_of_battle: Build, put: Put
) -> None:
    battle = field_of_battle(
        me(SHY, timing=1),
        me(at=(90, 20), timing=4),
        foe(timing=4),
        foe(90, 190, timing=2),
        foe(150, 190, timing=4),
    )
    assert players(battle) == {0: ([1], [0]), 1: ([2, 4], [])}
    put(battle, 1, activated=1)
    put(battle, 2, activated=1)
    declined = tuple(Set(table="side", row=row, column="declined", value=1) for row in (0, 1))
    assert players(battle) == {0: ([], [0]), 1: ([4], [])}
    battle.happen(Event(facts=Unread(event="put"), changes=declined))
    assert players(battle) == {1: ([4], [])}
    put(battle, 4, activated=1)
    assert players(battle) == {}
    assert waiting_units(battle) == [0, 3]


@pytest.mark.rule("emlia.time.order-in-step", "emlia.activate.once")
def test_a_side_may_decline_to_act_early_only_if_nothing_else_is_due(
    field_of_battle: Build, question: Callable[..., Any]
) -> None:
    def offered(mine: int) -> list[tuple[str, int | None]]:
        battle = field_of_battle(me(SHY, timing=1), me(at=(90, 20), timing=mine), foe(timing=4))
        asked = question(battle, timing.one_activation(battle))
        return [(order.verb, order.unit) for order in asked.options]

    assert offered(4) == [("activate", 1), ("activate-early", 0)]
    assert offered(2) == [("activate-early", 0), ("decline", None)]


@pytest.mark.rule("emlia.orders.initiative-early")
def test_a_side_that_declines_is_asked_again_after_the_next_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY, timing=1), foe(timing=4))

    play(battle, timing.one_activation(battle), answers=["decline"])
    after = sorted(players(battle))
    play(battle, timing.one_activation(battle), answers=[...])

    assert after == [1]
    assert sorted(players(battle)) == [0]


def test_the_next_step_is_that_of_the_highest_timing_or_the_one_in_which_somebody_acts_early(
    field_of_battle: Build, play: Play, put: Put
) -> None:
    plain = field_of_battle(me(timing=1), foe(timing=3))
    called = field_of_battle(me(SHY, timing=1), foe(timing=3))
    for battle in (plain, called):
        set_battle(battle, acted=1)
        put(battle, 1, activated=1)
        battle.happen(
            Event(
                facts=Unread(event="put"),
                changes=(Pair(column="engaged_before", a=0, b=1, value=1),),
            )
        )

    (passed,) = play(plain, next_timing(plain, 2))
    (early,) = play(called, next_timing(called, 2))

    assert (passed.facts.timing, early.facts.timing) == (1, 2)
    assert ["emlia.time.empty-steps" in event.because for event in (passed, early)] == [True, False]
    for battle, step in ((plain, 1), (called, 2)):
        assert battle.state.battle.integer("step", 0) == step
        assert battle.state.battle.integer("acted", 0) == 0
        assert not battle.state.pairs["engaged_before"]


@pytest.mark.rule("emlia.time.step-phases")
def test_a_step_that_no_unit_waits_for_has_timing_0(
    field_of_battle: Build, play: Play, put: Put
) -> None:
    battle = field_of_battle(me(timing=1), foe(timing=3))
    for unit in (0, 1):
        put(battle, unit, activated=1)

    (begun,) = play(battle, next_timing(battle))

    assert begun.facts.timing == battle.state.battle.integer("step", 0) == 0


def test_those_engaged_as_a_step_begins_are_noted(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(me(), foe(50, 101.5), foe(90, 190))

    play(battle, next_timing(battle))

    assert sorted(battle.state.pairs["engaged_before"]) == [(0, 1), (1, 0)]


@pytest.mark.rule("emlia.time.step-phases", "emlia.time.empty-steps")
@pytest.mark.parametrize(
    ("cells", "idle", "first"),
    [
        ({"ended": 1}, (), None),
        ({"phase": Phase.TURN}, (), "turn begun"),
        ({"phase": Phase.EVENTS}, (), "resolved"),
        ({}, (), "activated"),
        ({"acted": 1}, (0,), "resolved"),
        ({}, (0,), "step begun"),
        ({}, (0, 1), "turn ended"),
    ],
)
def test_what_comes_next_follows_from_the_phase_and_from_who_waits(
    field_of_battle: Build, play: Play, put: Put, cells: dict[str, int], idle: tuple[int, ...],
    first: str | None,
) -> None:  # fmt: skip
    battle = field_of_battle({**ALICE, "timing": 3}, {**BOB, "timing": 1})
    for unit in idle:
        put(battle, unit, activated=1)
    set_battle(battle, **cells)

    procedure = timing.next_step(battle)

    if first is None:
        assert procedure is None
    else:
        assert procedure is not None
        names = [event.name for event in play(battle, procedure, answers=[...])]
        assert first in names[:1] or (first == "resolved" and first in names)
        assert ("step begun" in names) is (
            first in {"turn begun", "step begun"} or "phase" in cells
        )
