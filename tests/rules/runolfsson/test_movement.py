"""Movement, jumps, terrain, streams, and running away."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.runolfsson.attack import may_attack_now
from emlia3d.rules.runolfsson.columns import Marker, Phase
from emlia3d.rules.runolfsson.individual import is_held
from emlia3d.rules.runolfsson.models import entry_of, models_of
from emlia3d.rules.runolfsson.movement import (
    Reach,
    allowance,
    carry_out,
    contacts,
    jump_refusal,
    limited,
    make_move,
    may_move,
    path_refusal,
)
from emlia3d.rules.runolfsson.paths import Walk, leg_to, waded
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
from emlia3d.rules.runolfsson.terrain import (
    cost_factor,
    effect_on_movement,
    is_impassable,
    left_after_stream,
    may_pass_through,
    stream_result,
)
from tests.rules.runolfsson.tables import carry, cell, feature, put, set_phase, table

FAR = {"at": [44, 44], "side": "Blue"}


def alone(*terrain: Any, **other: Any) -> Battle:
    """A model at (20, 20), its enemy far away."""
    return table({"at": [20, 20], **other}, FAR, terrain=terrain)


def walked(battle: Battle, *path: tuple[float, float], allowance: float = 6.0) -> Walk:
    return Walk(battle, 0, allowance).along(path)


def spot(battle: Battle, unit: int = 0) -> tuple[float, float]:
    x, y = models_of(battle).spot(unit)
    return round(x, 2), round(y, 2)


def to(battle: Battle, *path: tuple[float, float], verb: str = "move", unit: int = 0) -> Order:
    """An order along a path."""
    return Order(verb=verb, unit=unit, legs=tuple(leg_to(battle, unit, place) for place in path))


# Who moves, and how far


@pytest.mark.rule("runolfsson.move.who")
def test_contact_a_marker_or_having_run_forbids_a_move() -> None:
    assert may_move(alone(), 0)
    assert not may_move(table({"at": [20, 20]}, {"at": [21, 20], "side": "Blue"}), 0)
    for column, value in (("ran", 1), ("marker", 2), ("marker", 1), ("no_move", 1)):
        battle = alone()
        put(battle, 0, **{column: value})
        assert not may_move(battle, 0)
    out = alone()
    put(out, 0, in_command=0)
    assert may_move(out, 0)
    assert allowance(out, 0) == 3


@pytest.mark.rule("runolfsson.pinned.effect")
def test_a_marker_holds_a_model() -> None:
    assert is_held(Marker.PINNED)
    assert is_held(Marker.ROUTED)
    assert not is_held(Marker.NONE)


@pytest.mark.rule("runolfsson.move.free-path")
def test_a_path_may_bend_and_ends_on_no_friend_and_on_the_table() -> None:
    battle = table({"at": [20, 20]}, FAR, {"at": [20, 23]})

    assert path_refusal(battle, 0, to(battle, (23, 20), (23, 23))) is None
    assert path_refusal(battle, 0, to(battle, (23, 20), (23, 23.2))) is not None
    assert path_refusal(battle, 0, to(battle, (20, 25))) is None
    assert path_refusal(battle, 0, to(battle, (20, 23.5))) is not None
    edge = table({"at": [20, 2]}, FAR)
    assert path_refusal(edge, 0, to(edge, (20, 0.2))) is not None


@pytest.mark.rule("runolfsson.move.contact")
def test_contact_stops_a_model_and_it_stays_if_the_enemy_does() -> None:
    battle = table({"at": [20, 20]}, {"at": [25, 20], "side": "Blue"})
    order = to(battle, (26, 20))

    done = carry(battle, carry_out(battle, 0, order, inf), "stand")

    assert spot(battle) == (24.0, 20.0)
    assert done.value == 0.0
    assert list(carry(battle, contacts(battle, [1]), "stand").events) == []


@pytest.mark.rule("runolfsson.move.speed-limit")
def test_no_ground_move_is_longer_than_eighteen_inches() -> None:
    assert limited(entry_of(alone(move=24).setup, 0)) == 18
    for special in ("jump", "fly", "hover", "teleport", "breaks speed limit"):
        assert limited(entry_of(alone(move=24, specials=[special]).setup, 0)) == 24
    assert limited(entry_of(alone(move=6).setup, 0)) == 6


# Jumps


@pytest.mark.rule("runolfsson.jump.over")
def test_a_jump_goes_over_a_cliff_and_an_enemy() -> None:
    cliff = feature("rock", at=(22, 10, 22.5, 30))
    battle = table(
        {"at": [20, 20], "move": 10, "specials": ["jump"]},
        {"at": [25, 20], "side": "Blue"},
        terrain=[cliff],
    )

    assert jump_refusal(battle, 0, to(battle, (28, 20), verb="jump")) is None
    assert path_refusal(battle, 0, to(battle, (28, 20))) is not None
    assert jump_refusal(battle, 0, to(battle, (25, 20), verb="jump")) is not None
    assert jump_refusal(battle, 0, to(battle, (22, 20), verb="jump")) is not None


@pytest.mark.rule("runolfsson.jump.straight")
def test_a_jump_of_two_legs_is_refused() -> None:
    battle = alone(move=10, specials=["jump"])
    order = to(battle, (23, 20), (23, 23), verb="jump")

    refusal = jump_refusal(battle, 0, order)

    assert refusal is not None
    assert refusal.slug == "runolfsson.jump.straight"
    assert jump_refusal(battle, 0, to(battle, (30.5, 20), verb="jump")) is not None


def test_only_models_with_the_special_jump_or_teleport() -> None:
    battle, other = alone(), alone(specials=["teleport"], move=6)

    assert Reach(battle, 0).refusal(to(battle, (23, 20), verb="jump")) is not None
    for point, legal in (((26.0, 20.0), True), ((26.5, 20.0), False)):
        order = Order(verb="teleport", unit=0, point=point)
        assert (Reach(other, 0).refusal(order) is None) is legal
        assert Reach(battle, 0).refusal(order) is not None


# Terrain


@pytest.mark.rule("runolfsson.terrain.movement-table")
def test_the_table_of_terrain() -> None:
    effects = {kind: effect_on_movement(kind) for kind in ("clear", "road", "ford", "stream")}

    assert effects == {"clear": "none", "road": "none", "ford": "none", "stream": "die"}
    for kind in ("rock", "tree", "pool", "bush", "cliff"):
        assert effect_on_movement(kind) == "impassable"
    assert effect_on_movement("rough") == effect_on_movement("mire") == "double"
    assert effect_on_movement("wall") == "none"


@pytest.mark.rule("runolfsson.terrain.movement-table", "runolfsson.terrain.rough")
def test_mire_after_two_inches_leaves_two_inches_of_it() -> None:
    battle = alone(feature("marsh", at=(22, 10, 40, 30)))

    done = walked(battle, (30, 20))

    assert done.end == (24.0, 20.0)
    assert cost_factor("rough") * 3 == 6


@pytest.mark.rule("runolfsson.terrain.impassable")
@pytest.mark.parametrize("kind", ["rock", "tree", "lake", "shrub"])
def test_rocks_trees_pools_and_bushes_stop_movement(kind: str) -> None:
    battle = alone(feature(kind, at=(22, 10, 23, 30)))

    done = walked(battle, (26, 20))

    assert is_impassable("bush")
    assert not is_impassable("wall")
    assert done.end[0] == pytest.approx(21.5, abs=0.01)
    assert done.stopped


@pytest.mark.rule("runolfsson.terrain.slope")
def test_a_slope_costs_nothing() -> None:
    battle = alone(feature("hill", at=(22, 10, 40, 30)))

    assert walked(battle, (30, 20)).end == (26.0, 20.0)
    assert cost_factor("hill") == 1


@pytest.mark.rule("runolfsson.terrain.cliff")
def test_a_cliff_stops_and_so_do_two_edges_that_coincide() -> None:
    twice = [feature("hill", at=(22, 10, 40 + n, 30)) for n in (0, 1)]

    assert is_impassable("cliff")
    assert walked(alone(*twice), (26, 20)).end[0] == pytest.approx(21.5, abs=0.01)
    assert walked(alone(twice[0]), (26, 20)).end[0] == 26.0


@pytest.mark.rule("runolfsson.terrain.hostile-block")
def test_a_base_of_an_inch_does_not_pass_an_opening_of_less() -> None:
    foes = [{"at": [23, 20 + s * 0.9], "side": "Blue"} for s in (1, -1)]
    battle = table({"at": [20, 20]}, *foes)

    assert walked(battle, (26, 20)).end[0] < 23
    assert may_pass_through(0, 0)
    assert not may_pass_through(0, 1)


@pytest.mark.rule("runolfsson.stream.table")
def test_three_is_swamped() -> None:
    results = [stream_result(face) for face in range(1, 11)]

    assert results == ["swamped"] * 3 + ["floundering"] * 2 + ["crosses"] * 5


@pytest.mark.rule("runolfsson.stream.when")
@pytest.mark.parametrize(("face", "x"), [(4, 24.0), (2, 22.05), (6, 26.0)])
def test_a_stream_after_two_inches(face: int, x: float) -> None:
    battle = alone(feature("stream", at=(22, 10, 40, 30)))

    done = carry(battle, waded(battle, 0, [(30, 20)], 6.0, False), dice=(face,))

    assert done.value.end[0] == pytest.approx(x)
    assert left_after_stream(4, 4.0) == 2.0


@pytest.mark.rule("runolfsson.stream.when")
def test_a_model_that_starts_in_a_stream_rolls_at_once_and_a_ford_needs_no_roll() -> None:
    inside = alone(feature("stream", at=(10, 10, 40, 30)))
    ford = alone(feature("stream", at=(22, 10, 40, 30)), feature("ford", at=(22, 10, 40, 30)))

    slow = carry(inside, waded(inside, 0, [(30, 20)], 6.0, False), dice=(5,))
    free = carry(ford, waded(ford, 0, [(30, 20)], 6.0, False))

    assert slow.value.end[0] == 23.0
    assert free.value.end[0] == 26.0


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
    assert carry(battle, run_away(battle, 1), "stand").events == []


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

    carry(battle, run_to(battle, 1, "north"), dice=(9,))

    assert spot(battle, 1) == (24.0, 26.0)
    assert cell(battle, 1, "ran") == 1


@pytest.mark.rule("runolfsson.run.move")
def test_a_model_that_reaches_the_edge_is_gone() -> None:
    battle = table({"at": [20, 20]}, {"at": [44, 20], "side": "Blue"})

    carry(battle, run_to(battle, 1, "east"))

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

    carry(battle, run_to(battle, 1, "north"), dice=(9,))

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

    carry(battle, rout(battle, 0))

    assert spot(battle) == (2.5, 20.5)


@pytest.mark.rule("runolfsson.rout.deviate")
def test_a_rout_goes_round_a_rock() -> None:
    battle = table({"at": [20, 10]}, FAR, terrain=[feature("rock", at=(18, 6, 22.5, 8))])

    done = rout_path(battle, 0, (20, -0.5), 6.0)

    assert done.length == pytest.approx(6.0, abs=0.07)
    assert len(done.path) > 2
    assert done.end[1] < 8


@pytest.mark.rule("runolfsson.rout.off-table")
@pytest.mark.parametrize(("y", "present"), [(5.5, 0), (7.0, 1)])
def test_a_rout_over_the_edge_removes_the_model(y: float, present: int) -> None:
    battle = table({"at": [20, y]}, FAR)

    carry(battle, rout(battle, 0))

    assert cell(battle, 0, "present") == present


@pytest.mark.rule("runolfsson.rout.stationary")
def test_a_fixed_model_that_routs_is_destroyed() -> None:
    battle = alone(move=0)

    done = carry(battle, rout(battle, 0))

    assert done.named("destroyed")
    assert cell(battle, 0, "present") == 0


def test_places_of_models_are_those_of_their_figures() -> None:
    battle = table({"at": [20, 20]}, FAR)

    assert np.allclose(models_of(battle).spots[0], [20, 20])
