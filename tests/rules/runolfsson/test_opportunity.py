"""Opportunity fire: triggers, points, jumpers."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.runolfsson.columns import Attacked, Phase, Turn
from emlia3d.rules.runolfsson.movement import may_move
from emlia3d.rules.runolfsson.opportunity import (
    chances_to_fire,
    end_value,
    fired_at_while_moving,
    flight_level,
    in_flight,
    is_worse_at_end,
    may_fire,
    points_of,
    points_to_fire,
)
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, put, set_phase, table

SOUTH, NORTH = (20.0, 10.0), (20.0, 16.0)


def moving(*terrain: Any, others: tuple[Any, ...] = (), **other: Any) -> Battle:
    """A model of Red at (20, 10) moves before the eyes of one of Blue at (30, 13)."""
    battle = table(
        {"at": SOUTH, **other},
        {"at": [30, 13], "side": "Blue"},
        *others,
        terrain=terrain,
    )
    set_phase(battle, Phase.FIRST_MOVE)
    return battle


TREE = feature("tree", at=(24, 14, 25, 15.5))
"""Behind it the end of the move is covered."""


def chances(battle: Battle, *path: tuple[float, float], flight: int | None = None) -> Any:
    return chances_to_fire(battle, 0, points_of(path or (SOUTH, NORTH)), flight)


@pytest.mark.rule("runolfsson.op.trigger")
def test_a_target_that_ends_behind_a_tree_may_be_fired_at() -> None:
    found = chances(moving(TREE))

    assert [*found] == [1]
    assert found[1][0][1] == pytest.approx(2.4)
    assert is_worse_at_end(2.4, 1.2)
    assert not is_worse_at_end(2.4, 2.4)


@pytest.mark.rule("runolfsson.op.trigger")
def test_a_target_that_walks_in_the_open_may_not() -> None:
    assert chances(moving()) == {}
    assert chances(moving(), SOUTH, (18.0, 10.0)) == {}


def test_a_target_that_ends_out_of_range_may_be_fired_at() -> None:
    battle = moving(others=({"at": [20, 33.5], "side": "Blue", "range": 23},))
    assert 2 in chances(battle, SOUTH, (20.0, 8.0))


@pytest.mark.rule("runolfsson.op.own-model-exception")
def test_the_firers_own_comrade_does_not_trigger_it() -> None:
    comrade = {"at": [25, 14.5], "side": "Blue", "attack": 0}

    assert chances(moving(others=(comrade,))) == {}
    assert end_value(0.0, 2.4) == 2.4
    assert [*chances(moving(TREE, others=(comrade,)))] == [1]


@pytest.mark.rule("runolfsson.op.point")
def test_points_are_a_quarter_of_an_inch_apart_with_start_and_end() -> None:
    points = points_of([(0.0, 0.0), (1.1, 0.0)])

    assert points == [(0, 0), (0.25, 0), (0.5, 0), (0.75, 0), (1.0, 0), (1.1, 0)]
    assert points_of([(3.0, 4.0)]) == [(3.0, 4.0)]


def fires_at(point: int) -> Any:
    def answer(decision: Decision) -> Order:
        return next(order for order in decision.options if order.number == point)

    return answer


@pytest.mark.rule("runolfsson.op.immediate", "runolfsson.op.point")
def test_a_target_that_is_destroyed_falls_at_the_point() -> None:
    battle = moving(TREE)

    done = carry(
        battle,
        fired_at_while_moving(battle, 0, [SOUTH, NORTH], None, "moves"),
        fires_at(8),
        dice=(9, 1, 1, 1),
    )

    assert done.value is False
    assert cell(battle, 0, "present") == 0
    assert battle.state.figures.value("y", 0) == 12.0
    assert done.named("moved")[0].facts.values()["inches"] == 2.0


@pytest.mark.rule("runolfsson.op.immediate")
def test_a_survivor_goes_on() -> None:
    battle = moving(TREE)

    done = carry(
        battle,
        fired_at_while_moving(battle, 0, [SOUTH, NORTH], None, "moves"),
        fires_at(0),
        dice=(1, 1, 1, 1),
    )

    assert done.value is True
    assert done.named("moved") == []


@pytest.mark.rule("runolfsson.op.once")
def test_opportunity_fire_is_the_attack_of_the_turn_and_no_move_is_lost() -> None:
    battle = moving(TREE)
    assert may_fire(battle, 1)

    carry(
        battle,
        fired_at_while_moving(battle, 0, [SOUTH, NORTH], None, "moves"),
        fires_at(0),
        dice=(1, 1, 1, 1),
    )

    assert cell(battle, 1, "attacked") == Attacked.YES
    assert not may_fire(battle, 1)
    assert may_move(battle, 1)


def test_in_a_rush_nobody_fires() -> None:
    battle = moving(TREE)
    set_phase(battle, Phase.FIRST_MOVE, Turn.RUSH)

    assert not may_fire(battle, 1)
    assert chances(battle) == {}


def test_who_holds_fire_keeps_its_attack() -> None:
    battle = moving(TREE)

    done = carry(
        battle, fired_at_while_moving(battle, 0, [SOUTH, NORTH], None, "moves"), "hold fire"
    )

    assert done.value is True
    assert may_fire(battle, 1)


# Jumpers


@pytest.mark.rule("runolfsson.op.jump-height")
def test_a_jumper_flies_one_level_above_all_that_it_clears() -> None:
    tree = feature("tree", at=(19, 12, 21, 13))
    battle = moving(tree, specials=["jump"])

    assert in_flight(battle, 0, NORTH) == 4
    assert in_flight(battle, 0, (10.0, 10.0)) == 1
    assert flight_level(0, []) == 1
    assert flight_level(2, [1]) == 3
    over = moving(others=({"at": [20, 13], "side": "Blue"},), specials=["jump"])
    assert in_flight(over, 0, NORTH) == 2


@pytest.mark.rule("runolfsson.op.jump-los")
def test_a_jumper_is_seen_where_it_passes_over_a_rock() -> None:
    wide = feature("rock", at=(24, 5, 25, 20))
    battle = moving(wide, specials=["jump"])

    found = chances(battle, flight=in_flight(battle, 0, NORTH))

    assert chances(battle) == {}
    assert [*found] == [1]
    assert all(0 < point < 24 for point, _, _ in found[1])


@pytest.mark.rule("runolfsson.op.jump-los")
def test_a_jumper_need_be_no_worse_target_at_its_end() -> None:
    battle = moving(specials=["jump"])
    put(battle, 1, in_command=1)

    found = chances(battle, flight=in_flight(battle, 0, NORTH))

    assert len(found[1]) == 25
    assert points_to_fire([], 3, 0.0, None) == []
