"""Running away from contact, and routs."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.runolfsson.attack import may_attack_now
from emlia3d.rules.runolfsson.base_paths import start_walk
from emlia3d.rules.runolfsson.columns import Phase
from emlia3d.rules.runolfsson.contacts import entry_of, models_of
from emlia3d.rules.runolfsson.movement import (
    carry_out,
    make_move,
    may_move,
)
from emlia3d.rules.runolfsson.running import (
    attacks_in_moving_phase_only,
    checked_after_running,
    left_after_contact,
    may_run,
    rout,
    rout_edge,
    rout_path,
    run_away,
    run_to,
    type_may_run,
)
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, put, set_phase, table
from tests.rules.runolfsson.walking import FAR, alone, spot, to

# Running away


def charged(**other: Any) -> Battle:
    """A model of Blue at (24, 20) that a model of Red at (20, 20) may charge."""
    return table({"at": [20, 20]}, {"at": [24, 20], "side": "Blue", **other})


@pytest.mark.rule("runolfsson.run.when")
def test_a_contacted_model_is_asked_whether_it_runs() -> None:
    battle = charged()

    done = carry(battle, carry_out(battle, 0, to(battle, (25, 20)), inf), "stand")

    assert done.asked[0].asks == "runolfsson.run.when"
    assert done.asked[0].unit == 1
    assert [order.words for order in done.asked[0].of("run away")] == ["north", "west", "east"]
    assert carry(battle, run_away(battle, 1, 6), "stand").events == []


@pytest.mark.rule("runolfsson.run.contactor-continues")
def test_the_mover_uses_the_rest_of_its_move_if_the_enemy_has_gone() -> None:
    battle = table({"at": [20, 20]}, {"at": [25, 20], "side": "Blue"})

    done = carry(battle, carry_out(battle, 0, to(battle, (26, 20)), inf), "run away", dice=(9,))

    assert done.value == pytest.approx(2.0, abs=0.01)
    assert left_after_contact(touched=True, touches=False, left=2.0) == 2.0
    assert left_after_contact(touched=True, touches=True, left=2.0) == 0.0
    assert left_after_contact(touched=False, touches=False, left=2.0) == 0.0


def test_after_that_it_is_asked_where_it_goes_on() -> None:
    battle = table({"at": [20, 20]}, {"at": [25, 20], "side": "Blue"})

    done = carry(battle, make_move(battle, 0), to(battle, (24, 20)), "run away", "stay", dice=(9,))

    assert done.asked[-1].asks == "runolfsson.run.contactor-continues"
    assert cell(battle, 0, "done") == 1


@pytest.mark.rule("runolfsson.run.move")
def test_it_runs_its_full_move_straight_for_an_edge() -> None:
    battle = charged()
    put(battle, 1, in_command=0)

    carry(battle, run_to(battle, 1, "north", 6), dice=(9,))

    assert spot(battle, 1) == (24.0, 26.0)
    assert cell(battle, 1, "ran") == 1


@pytest.mark.rule("runolfsson.run.move")
def test_a_model_that_reaches_the_edge_is_gone() -> None:
    battle = table({"at": [20, 20]}, {"at": [44, 20], "side": "Blue"})

    carry(battle, run_to(battle, 1, "east", 6))

    assert cell(battle, 1, "present") == 0


@pytest.mark.rule("runolfsson.run.all-types")
def test_fearless_models_run_only_if_they_are_machines() -> None:
    for grade, specials, may in (
        ("fearless", [], False), ("fearless", ["machine"], True), ("average", [], True),
    ):  # fmt: skip
        assert type_may_run(entry_of(charged(grade=grade, specials=specials).setup, 1)) is may


@pytest.mark.rule("runolfsson.run.pinned")
def test_a_pinned_model_does_not_run_and_a_routed_one_may() -> None:
    battle = charged()
    put(battle, 1, marker=1)
    assert not may_run(battle, 1)
    put(battle, 1, marker=2)
    assert may_run(battle, 1)


@pytest.mark.rule("runolfsson.run.morale")
@pytest.mark.parametrize(("face", "marker"), [(2, 2), (9, 0), (5, 1)])
def test_running_away_brings_a_check_without_another_move(face: int, marker: int) -> None:
    battle = charged()
    put(battle, 1, leader=-1)

    done = carry(battle, checked_after_running(battle, 1), dice=(face,))

    assert cell(battle, 1, "marker") == marker
    assert done.named("moved") == []
    machine = charged(specials=["machine"])
    assert carry(machine, checked_after_running(machine, 1)).events == []


@pytest.mark.rule("runolfsson.run.once")
def test_a_model_runs_once_a_turn() -> None:
    battle = charged()
    assert may_run(battle, 1)

    put(battle, 1, ran=1)

    assert not may_run(battle, 1)


@pytest.mark.rule("runolfsson.run.limits")
def test_a_model_that_ran_does_not_move_again() -> None:
    battle = charged()

    carry(battle, run_to(battle, 1, "north", 6), dice=(9,))

    assert not may_move(battle, 1)


@pytest.mark.rule("runolfsson.run.may-fire")
def test_a_model_that_ran_attacks_in_the_moving_phase() -> None:
    battle = charged()
    put(battle, 1, ran=1, moved=1)
    set_phase(battle, Phase.STATIONARY)
    assert not may_attack_now(battle, 1)

    set_phase(battle, Phase.MOVING)

    assert may_attack_now(battle, 1)
    assert attacks_in_moving_phase_only(True)


# Routs


@pytest.mark.rule("runolfsson.rout.move")
def test_a_rout_goes_for_a_flank_edge_that_is_nearer() -> None:
    battle = table({"at": [8.5, 20.5]}, FAR)
    assert rout_edge(battle, 0) == "west"
    assert rout_edge(table({"at": [20, 8]}, FAR), 0) == "south"

    carry(battle, rout(battle, 0, 6))

    assert spot(battle) == (2.5, 20.5)


@pytest.mark.rule("runolfsson.rout.deviate")
def test_a_rout_goes_round_a_rock() -> None:
    battle = table({"at": [20, 10]}, FAR, terrain=[feature("rock", at=(18, 6, 22.5, 8))])

    path = rout_path(battle, 0, (20, -0.5), 6.0)
    done = start_walk(battle, 0, 6.0, leaving=True).along(path)

    assert done.length == pytest.approx(6.0, abs=0.07)
    assert len(done.path) > 2
    assert done.end[1] < 8


@pytest.mark.rule("runolfsson.stream.when")
@pytest.mark.parametrize(("face", "y"), [(2, 17.95), (4, 16.0), (6, 14.0)])
def test_a_rout_through_a_stream_rolls_for_it(face: int, y: float) -> None:
    battle = table({"at": [20, 20]}, FAR, terrain=[feature("stream", at=(10, 5, 30, 18))])

    done = carry(battle, rout(battle, 0, 6), dice=(face,))

    assert spot(battle) == pytest.approx((20, y), abs=0.02)
    assert done.events[0].because == ("runolfsson.stream.when", "runolfsson.stream.table")


@pytest.mark.rule("runolfsson.rout.off-table")
@pytest.mark.parametrize(("y", "present"), [(5.5, 0), (7.0, 1)])
def test_a_rout_over_the_edge_removes_the_model(y: float, present: int) -> None:
    battle = table({"at": [20, y]}, FAR)

    carry(battle, rout(battle, 0, 6))

    assert cell(battle, 0, "present") == present


@pytest.mark.rule("runolfsson.rout.stationary")
def test_a_fixed_model_that_routs_is_destroyed() -> None:
    battle = alone(move=0)

    done = carry(battle, rout(battle, 0, 6))

    assert done.named("destroyed")
    assert cell(battle, 0, "present") == 0


def test_places_of_models_are_those_of_their_figures() -> None:
    battle = table({"at": [20, 20]}, FAR)

    assert np.allclose(models_of(battle).spots[0], [20, 20])


def test_a_jumper_runs_over_rocks_and_enemies() -> None:
    rock = feature("rock", at=(20, 22, 28, 23))
    battle = table(
        {"at": [24, 25]}, {"at": [24, 20], "side": "Blue", "specials": ["jump"]}, terrain=[rock]
    )

    carry(battle, run_to(battle, 1, "north", 6), dice=(9,))

    assert spot(battle, 1) == (24.0, 26.0)


def test_no_run_is_longer_than_the_longest_move() -> None:
    battle = table({"at": [20, 4]}, {"at": [24, 4], "side": "Blue", "move": 30})

    carry(battle, carry_out(battle, 0, to(battle, (23, 4)), inf), "run away", dice=(9,))

    assert spot(battle, 1) == (24.0, 22.0)
