"""The shared classes and functions for rule systems of two sides."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d import load
from emlia3d.battle.changes import Add, Set, add_to_cells, set_cells
from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision, OpenValidator, Order, decision_of
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Edge
from emlia3d.rulekit.answering import Answering
from emlia3d.rulekit.attack_odds import modifier_rows, refused
from emlia3d.rulekit.situation.field_edges import distance_from
from emlia3d.rulekit.turn_events import battle_ended, turn_ended
from emlia3d.rulekit.two_sided import result_for
from emlia3d.rules.oathmark import SYSTEM as OATHMARK

LENGTHS = st.floats(min_value=0, max_value=1e4)


def road() -> Any:
    return load("kings-road").battle(seed=1)


@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS)
def test_opposite_edges_are_a_field_apart(x: float, y: float, east: float, north: float) -> None:
    def off(edge: Edge) -> float:
        return distance_from(edge, (x, y), (east, north))

    assert off("south") + off("north") == pytest.approx(north)
    assert off("west") + off("east") == pytest.approx(east)
    assert (off("west"), off("south")) == (x, y)


def test_a_scale_is_known_by_its_name() -> None:
    assert OATHMARK.metres_per_gsu({"name": "millimetres"}) == pytest.approx(1.6 / 25.4)
    with pytest.raises(ValueError, match=r'^scale: expected "millimetres"$'):
        OATHMARK.metres_per_gsu({"name": "inches"})


def test_a_result_has_a_winner_or_is_a_draw() -> None:
    setup = load("kings-road").setup

    won, drawn = result_for(setup, 1, "All fled."), result_for(setup, None, "Night fell.")

    assert (won.winner, won.level, won.reason) == (setup.sides[1].name, "victory", "All fled.")
    assert (drawn.winner, drawn.level, drawn.reason) == (None, "draw", "Night fell.")


def test_cells_are_changed_one_by_one() -> None:
    assert set_cells("unit", 3, crew=2, wounds=0) == (
        Set(table="unit", row=3, column="crew", value=2),
        Set(table="unit", row=3, column="wounds", value=0),
    )
    assert add_to_cells("side", 1, lost=1.5) == (
        Add(table="side", row=1, column="lost", value=1.5),
    )
    assert set_cells("unit", 3) == ()


def test_events_end_a_turn_and_the_battle() -> None:
    battle = road()
    battle.suppose(set_cells("battle", 0, turn=4, phase=1))

    turn, end = turn_ended(battle, "a.rule"), battle_ended("All fled.", "b.rule", "c.rule")
    battle.suppose((*turn.changes, *end.changes))

    assert (turn.facts.turn, turn.because, end.because) == (4, ("a.rule",), ("b.rule", "c.rule"))
    assert battle.state.battle.value("phase", 0) == 0
    assert battle.system.result(battle) is not None


def test_a_decision_about_a_unit_is_of_its_side() -> None:
    battle = road()
    units = battle.state.units
    for unit in range(len(units)):
        decision = decision_of(battle, unit, "a.rule", (Order(verb="stop", unit=unit),))
        assert (decision.side, decision.unit) == (units.value("side", unit), unit)


def test_an_open_reach_reads_the_battle_that_it_is_given() -> None:
    battle = road()
    fork = battle.fork()

    assert OpenValidator(battle).for_moment(fork).moment is fork


def test_each_question_is_answered_by_its_function() -> None:
    def last(moment: Moment, decision: Decision) -> Order:
        return decision.options[-1]

    battle, orders = road(), tuple(Order(verb=verb) for verb in ("a", "b", "c"))

    def answer(asks: str, options: tuple[Order, ...]) -> str:
        decision = Decision(side=0, asks=asks, options=options)
        picture, dice = OpenPicture(battle, 0), SeededDice(0, 0)
        return Answering({"x.last": last}).decide(decision, picture, dice).verb

    assert answer("x.last", orders) == "c"
    assert answer("x.other", orders) == "a"
    assert answer("x.last", orders[:1]) == "a"


def test_an_attack_that_is_not_legal_hits_nothing() -> None:
    battle = road()
    names = [unit.name for unit in battle.setup.units]

    found = refused(battle, [0, 1], 2, "attack", "too far (a.rule)")

    assert (found.refusal, found.hits, found.fates) == ("too far (a.rule)", {0: 1}, {})
    assert found.text == f"{names[0]} and {names[1]} against {names[2]}: too far (a.rule)."


def test_rows_of_a_table_are_called_by_their_slugs() -> None:
    (row,) = modifier_rows([("oathmark.shoot.mod-cover", 2)])

    assert (row.name, row.slug, row.figure) == ("mod cover", "oathmark.shoot.mod-cover", 2)
