"""Movement, jumps, terrain and streams."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from emlia3d.battle.decisions import Order
from emlia3d.rules.runolfsson.base_paths import waded
from emlia3d.rules.runolfsson.columns import Marker
from emlia3d.rules.runolfsson.contacts import entry_of
from emlia3d.rules.runolfsson.damage import apply_to_model
from emlia3d.rules.runolfsson.individual import is_held
from emlia3d.rules.runolfsson.movement import (
    ModelMoves,
    allowance,
    carry_out,
    contacts,
    jump_refusal,
    limited,
    may_move,
    moves,
    path_refusal,
)
from emlia3d.rules.runolfsson.terrain import (
    cost_factor,
    effect_on_movement,
    is_impassable,
    left_after_stream,
    may_pass_through,
    stream_result,
)
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import feature, put, table
from tests.rules.runolfsson.walking import FAR, alone, spot, to, walked

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


@pytest.mark.rule("runolfsson.crit.table")
def test_a_critical_hit_forbids_every_move_but_a_teleport() -> None:
    battles = [
        alone(move=10, hits=5, specials=specials)
        for specials in ([], ["jump"], ["jump", "teleport"])
    ]
    for battle in battles:
        put(battle, 0, tens=1, dice_at=1)
        carry(battle, apply_to_model(battle, 0), dice=(1,))

    assert [may_move(battle, 0) for battle in battles] == [False, False, True]
    teleporter = battles[-1]
    reach = ModelMoves(teleporter, 0)
    assert reach.refusal(Order(verb="teleport", unit=0, point=(25, 25))) is None
    for verb in ("move", "jump"):
        refused = reach.refusal(replace(to(teleporter, (25, 25)), verb=verb))
        assert refused is not None
        assert refused.slug == "runolfsson.crit.table"
    assert {order.verb for order in moves(teleporter, 0)} == {"stay", "teleport"}


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

    assert ModelMoves(battle, 0).refusal(to(battle, (23, 20), verb="jump")) is not None
    for point, legal in (((26.0, 20.0), True), ((26.5, 20.0), False)):
        order = Order(verb="teleport", unit=0, point=point)
        assert (ModelMoves(other, 0).refusal(order) is None) is legal
        assert ModelMoves(battle, 0).refusal(order) is not None


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
    assert done.is_stopped


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

    done = carry(battle, waded(battle, 0, [(30, 20)], 6.0, "ground"), dice=(face,))

    assert done.value.end[0] == pytest.approx(x)
    assert left_after_stream(4, 4.0) == 2.0


@pytest.mark.rule("runolfsson.stream.when")
def test_a_model_that_starts_in_a_stream_rolls_at_once_and_a_ford_needs_no_roll() -> None:
    inside = alone(feature("stream", at=(10, 10, 40, 30)))
    ford = alone(feature("stream", at=(22, 10, 40, 30)), feature("ford", at=(22, 10, 40, 30)))

    slow = carry(inside, waded(inside, 0, [(30, 20)], 6.0, "ground"), dice=(5,))
    free = carry(ford, waded(ford, 0, [(30, 20)], 6.0, "ground"))

    assert slow.value.end[0] == 23.0
    assert free.value.end[0] == 26.0
