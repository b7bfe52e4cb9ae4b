"""Chapters 18.2 and 22 as play: who controls what, and how a battle ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.result import Result
from emlia3d.battle.setup import Side, VictoryCondition
from emlia3d.rules.emlia.play.retreat.retreat_path import bearing_home
from emlia3d.rules.emlia.play.turn.objectives import controllers, decided, result_of
from tests.rules.emlia.turn.ending import ALICE, BOB, aim, end_turn, leave

Build = Callable[..., Battle]

HILL = (40, 40, 60, 60)


@pytest.mark.rule("emlia.control.controlled")
def test_an_area_is_controlled_by_who_is_in_it_without_an_enemy(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB)

    assert controllers(battle, box(*HILL)) == (0,)


@pytest.mark.rule("emlia.control.contested")
def test_an_area_with_units_of_both_is_controlled_by_neither(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, {**BOB, "at": (42, 42)})

    assert controllers(battle, box(*HILL)) == ()


@pytest.mark.rule("emlia.control.presence")
@pytest.mark.parametrize(("north", "held"), [(60.5, (0,)), (60.6, ())])
def test_a_unit_is_in_an_area_if_its_boundary_meets_it(
    north: float, held: tuple[int, ...], field_of_battle: Build
) -> None:
    block = {"front": (50, north + 0.5), "formation": "ranked"}
    battle = field_of_battle(block, BOB)

    assert controllers(battle, box(*HILL)) == held


@pytest.mark.rule("emlia.control.presence")
def test_control_is_not_remembered_and_the_routed_count(field_of_battle: Build) -> None:
    battle = field_of_battle({**ALICE, "put": {"morale": -7}}, BOB)
    held = controllers(battle, box(*HILL))

    leave(battle, 0)

    assert held == (0,)
    assert controllers(battle, box(*HILL)) == ()


@pytest.mark.rule("emlia.control.controlled")
def test_allies_control_an_area_together(field_of_battle: Build) -> None:
    sides = [
        Side(name="Alice", colour="#000000", allies=("Carol",)),
        Side(name="Bob", colour="#111111"),
        Side(name="Carol", colour="#222222"),
    ]
    carol = {**BOB, "at": (45, 45), "side": "Carol"}
    battle = field_of_battle(ALICE, BOB, carol, sides=sides, order=(1, 2, 3))

    assert controllers(battle, box(*HILL)) == (0, 2)


@pytest.mark.rule("emlia.scenario.end-conditions.after-turn")
def test_the_battle_ends_after_its_last_turn(field_of_battle: Build, play: Any) -> None:
    battle = field_of_battle(ALICE, BOB, turns=2)

    assert end_turn(battle, play) is None
    assert end_turn(battle, play) == Result(
        winner=None, level="draw", reason="The scenario has no victory condition."
    )


@pytest.mark.rule("emlia.scenario.end-conditions.after-turn")
def test_a_condition_that_is_not_met_by_the_last_turn_is_no_victory(
    field_of_battle: Build, play: Any
) -> None:
    won_by_all = [aim(controls=("hill",))]
    battle = field_of_battle(ALICE, BOB, areas={"hill": (90, 90, 99, 99)}, aims=won_by_all, turns=1)

    assert end_turn(battle, play) == Result(
        winner=None, level="draw", reason="No victory condition met by turn 1."
    )


@pytest.mark.rule("emlia.scenario.victory")
def test_an_aim_that_ends_the_battle_ends_it_when_it_holds(
    field_of_battle: Build, play: Any
) -> None:
    battle = field_of_battle(
        ALICE, BOB, areas={"hill": HILL}, aims=[aim(controls=("hill",), ends=True)]
    )

    found = end_turn(battle, play)

    assert found is not None
    assert (found.winner, found.level) == ("Alice", "victory")
    assert found.reason == "Alice held the hill at the end of turn 1."


@pytest.mark.rule("emlia.scenario.victory")
@pytest.mark.parametrize(
    ("sort", "reason"),
    [
        ({"controls": ("mill", "Farm")}, "Besiegers held the mill and Farm"),
        ({"denied": ("mill",)}, "No enemy held the mill"),
        ({"conceded": ("mill",)}, "An enemy held the mill"),
        ({"unguarded": ("mill", "Farm")}, "No unit guarded the mill and no unit guarded Farm"),
        ({"outnumbers": "mill"}, "The enemies on the mill were outnumbered"),
        ({"gone": "Bob"}, "Bob could no longer fight"),
        ({"destroyed": "bowmen"}, "The bowmen had been destroyed"),
        ({"cleared": "Bob"}, "No unit of Bob was left on the field"),
        ({"lost": "bowmen"}, "The bowmen had been killed or captured"),
    ],
)
def test_how_it_was_won_is_told_of_one_and_of_many(
    field_of_battle: Build, sort: dict[str, Any], reason: str
) -> None:
    battle = field_of_battle(ALICE, BOB)

    found = result_of(battle, [VictoryCondition(side="Besiegers", level="victory", **sort)])

    assert found.reason == f"{reason} at the end of turn {battle.state.turn}."


@pytest.mark.rule("emlia.scenario.victory")
def test_an_aim_that_does_not_end_it_is_looked_at_when_it_is_over(
    field_of_battle: Build, play: Any
) -> None:
    battle = field_of_battle(
        ALICE, BOB, areas={"hill": HILL}, aims=[aim(controls=("hill",))], turns=2
    )

    first, last = end_turn(battle, play), end_turn(battle, play)

    assert first is None
    assert last is not None
    assert last.winner == "Alice"


@pytest.mark.rule("emlia.scenario.end-conditions.held-or-lost")
def test_a_place_to_be_held_for_three_turns_is_held_at_three_turn_ends_running(
    field_of_battle: Build, play: Any, put: Callable[..., None]
) -> None:
    battle = field_of_battle(
        ALICE,
        BOB,
        areas={"hill": HILL},
        aims=[aim(controls=("hill",), turns=3, ends=True)],
        turns=9,
    )
    held = []

    for turn in range(1, 7):
        put(battle, 0, present=0 if turn == 3 else 1)
        held.append(end_turn(battle, play) is not None)

    assert held == [False, False, False, False, False, True]


LEVELS = ["minor victory", "victory", "major victory", "massacre"]


@pytest.mark.rule("emlia.castle.precedence")
@pytest.mark.parametrize("lower", range(4))
@pytest.mark.parametrize("higher", range(4))
def test_the_higher_level_wins_and_equal_levels_are_a_draw(
    lower: int, higher: int, field_of_battle: Build
) -> None:
    battle = field_of_battle(
        ALICE, BOB, turns=1, areas={"hill": HILL, "ford": (40, 140, 60, 160)},
        aims=[aim("Alice", LEVELS[higher], controls=("hill",)),
              aim("Bob", LEVELS[lower], controls=("ford",))],
    )  # fmt: skip
    held = tuple(Set(table="aim", row=row, column="held", value=1) for row in (0, 1))
    battle.happen(Event(facts=Unread(event="put"), changes=held))

    found = decided(battle)

    assert found is not None
    winner = None if higher == lower else "Alice" if higher > lower else "Bob"
    assert found.winner == winner
    assert found.level == ("draw" if higher == lower else LEVELS[max(higher, lower)])


@pytest.mark.rule("emlia.castle.precedence")
def test_each_side_has_the_best_level_that_it_reached(field_of_battle: Build) -> None:
    battle = field_of_battle(
        ALICE, BOB, turns=1, areas={"hill": HILL},
        aims=[aim("Alice", level, controls=("hill",)) for level in LEVELS],
    )  # fmt: skip
    held = tuple(Set(table="aim", row=row, column="held", value=1) for row in (0, 2))
    battle.happen(Event(facts=Unread(event="put"), changes=held))

    found = decided(battle)

    assert found is not None
    assert found.level == "major victory"


@pytest.mark.rule("emlia.scenario.end-conditions")
@pytest.mark.rule("emlia.scenario.end-conditions.held-or-lost")
def test_after_the_eighth_turn_the_battle_ends_when_the_attacker_does_not_hold_the_place(
    field_of_battle: Build, play: Any, put: Callable[..., None]
) -> None:
    lost = aim("Bob", denied=("hill",), after=8, ends=True)
    battle = field_of_battle(ALICE, BOB, areas={"hill": HILL}, aims=[lost], turns=20)
    over = []

    for turn in range(1, 11):
        put(battle, 0, present=0 if turn in {3, 10} else 1)
        over.append(end_turn(battle, play) is not None)

    assert over == [False] * 9 + [True]


FORD = (40, 140, 60, 160)


@pytest.mark.parametrize(
    ("conditions", "met"),
    [
        ({"controls": ("hill", "ford")}, False),
        ({"controls": ("hill",), "denied": ("ford",)}, False),
        ({"controls": ("hill",), "denied": ("wood",)}, True),
        ({"controls": ("hill",), "unguarded": ("wood",)}, True),
        ({"controls": ("hill",), "unguarded": ("ford",)}, False),
        ({"controls": ("hill",), "outnumbers": "ford"}, False),
        ({"controls": ("hill",), "outnumbers": "wood"}, True),
    ],
)
def test_all_that_an_aim_asks_must_be_so_at_once(
    conditions: dict[str, Any], met: bool, field_of_battle: Build, play: Any
) -> None:
    battle = field_of_battle(
        ALICE, {**BOB, "members": 1},
        areas={"hill": HILL, "ford": FORD, "wood": (80, 80, 90, 90)},
        aims=[aim(**conditions)],
        turns=1,
    )  # fmt: skip

    found = end_turn(battle, play)

    assert found is not None
    assert (found.winner == "Alice") is met


def test_who_outnumbers_has_more_members_and_not_as_many(field_of_battle: Build, play: Any) -> None:
    aims = [aim(controls=("hill",), outnumbers="ford")]
    areas = {"hill": HILL, "ford": FORD}
    more = field_of_battle({**ALICE, "members": 3}, {**BOB, "members": 2}, areas=areas,
                           aims=aims, turns=1)  # fmt: skip
    equal = field_of_battle({**ALICE, "members": 2}, {**BOB, "members": 2}, areas=areas,
                            aims=aims, turns=1)  # fmt: skip

    found = [end_turn(battle, play) for battle in (more, equal)]

    assert [result and result.winner for result in found] == ["Alice", None]


@pytest.mark.rule("emlia.scenario.own-lines")
def test_a_unit_may_have_lines_of_its_own_other_than_its_sides(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ALICE, {**ALICE, "at": (20, 50), "lines": "east"})

    assert [battle.setup.lines_of(unit) for unit in (0, 1)] == ["south", "east"]
    assert bearing_home(battle, 0) == 180 * 64
    assert bearing_home(battle, 1) == 90 * 64


@pytest.mark.rule("emlia.scenario.many-sides")
def test_forces_are_hostile_unless_the_scenario_says_that_they_are_allied(
    field_of_battle: Build,
) -> None:
    sides = [
        Side(name="Alice", colour="#000000", allies=("Carol",)),
        Side(name="Bob", colour="#111111"),
        Side(name="Carol", colour="#222222"),
    ]
    carol = {**BOB, "at": (90, 90), "side": "Carol"}
    setup = field_of_battle(ALICE, BOB, carol, sides=sides, order=(1, 2, 3)).setup

    assert [setup.hostile(one, other) for one, other in ((0, 1), (1, 2), (2, 1))] == [True] * 3
    assert not setup.hostile(0, 2)
    assert not setup.hostile(2, 0)


@pytest.mark.rule("emlia.scenario.forces")
def test_a_force_is_one_side_that_one_commander_leads(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, {**ALICE, "at": (60, 50)}, BOB)

    assert [battle.state.units.integer("side", unit) for unit in range(3)] == [0, 0, 1]
    assert len(battle.commanders()) == 2
