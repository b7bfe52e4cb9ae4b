"""Cohesion, moves, zones of control, dangerous terrain, broken formations that withdraw."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.rules.epic.actions import moving_actions
from emlia3d.rules.epic.activation import declarations
from emlia3d.rules.epic.formations import (
    actions_in_cohesion,
    in_cohesion,
    is_in_cohesion,
    nearest_to_cohesion,
    units_of,
)
from emlia3d.rules.epic.movement import (
    FormationMove,
    allowance,
    enterable,
    facing_after,
    move_formation,
    must_leave,
    reach_of_unit,
    zone_of_control,
)
from emlia3d.rules.epic.shock import break_formation, withdraw, withdrawal_tile
from tests.rules.epic.boards import board, carry_out, cell, go, put, tile_of

FOE = {"side": "Red", "tile": [3, 17]}


@pytest.mark.rule("epic.cohesion.definition")
def test_chains_have_steps_of_two_tiles() -> None:
    assert is_in_cohesion(np.array([(0, 0), (2, 0), (4, 0)]))
    assert not is_in_cohesion(np.array([(0, 0), (3, 0)]))


@pytest.mark.rule("epic.cohesion.must-regain")
def test_out_of_cohesion_only_actions_that_move_are_allowed() -> None:
    allowed = actions_in_cohesion(["advance", "overwatch"], moving_actions(), whole=False)
    assert allowed == ["advance"]
    battle = board({"tile": [3, 3]}, {"tile": [5, 3], "in": "unit 0"}, FOE)
    battle.suppose([*_moved(battle, 1, (8, 3))])
    verbs = {order.verb for order in declarations(battle, 0)}
    assert verbs == {"advance", "double", "march", "marshal"}


def _moved(battle, unit, tile):  # type: ignore[no-untyped-def]
    from emlia3d.rules.epic.formations import put as placed

    return [placed(battle, unit, tile)]


@pytest.mark.rule("epic.cohesion.must-regain", "epic.cohesion.check-time")
def test_a_split_formation_regains_cohesion_in_its_move() -> None:
    assert nearest_to_cohesion(np.array([2.0, 0.0, 1.0, 0.0])).tolist() == [
        False, True, False, True,
    ]  # fmt: skip
    battle = board({"tile": [3, 3]}, {"tile": [5, 3], "in": "unit 0"}, FOE)
    battle.suppose(_moved(battle, 1, (9, 3)))
    assert actions_in_cohesion(["hold"], moving_actions(), whole=in_cohesion(battle, 0))
    carry_out(battle, move_formation(battle, 0), go(battle, 0, (6, 3)), go(battle, 1, (7, 3)))
    assert in_cohesion(battle, 0)


@pytest.mark.rule("epic.cohesion.check-time")
def test_a_unit_may_not_end_where_the_others_cannot_follow() -> None:
    battle = board({"tile": [3, 3], "speed": 9}, {"tile": [4, 3], "in": "unit 0", "speed": 1}, FOE)
    move = FormationMove(battle, 0)
    first = move.ends(battle, move.order[0])
    tiles = units_of(battle).board.tiles[first.allowed].tolist()
    assert [7, 3] in tiles
    assert [8, 3] not in tiles
    assert first.refusal(go(battle, 0, (8, 3))).slug == "epic.move.speed"


@pytest.mark.rule("epic.move.speed")
def test_a_unit_moves_as_many_tiles_as_its_speed() -> None:
    battle = board({"tile": [3, 5]}, FOE)
    assert (allowance(4), allowance(4, 3)) == (4, 12)
    reach = reach_of_unit(battle, 0, allowance(4), zone=True)
    tiles = units_of(battle).board.tiles[reach.is_reached].tolist()
    assert [7, 5] in tiles
    assert [8, 5] not in tiles


@pytest.mark.rule("epic.move.passing")
def test_friends_are_passed_and_enemies_are_not_entered() -> None:
    battle = board({"tile": [3, 5]}, {"tile": [4, 5]}, {"tile": [3, 6], "side": "Red"})
    free, units = enterable(battle, 0), units_of(battle)
    assert free[units.number[1]]
    assert not free[units.number[2]]
    allowed = FormationMove(battle, 0).ends(battle, 0).allowed
    assert units.number[1] not in allowed


@pytest.mark.rule("epic.move.zoc")
def test_the_tiles_next_to_enemies_are_entered_in_a_charge_only() -> None:
    battle = board({"tile": [3, 5]}, {"tile": [6, 5], "side": "Red"})
    zone, numbers = zone_of_control(battle, 0), units_of(battle).board.numbers([(5, 5), (4, 5)])
    assert zone[numbers].tolist() == [True, False]
    assert not reach_of_unit(battle, 0, 4, zone=True).is_reached[numbers[0]]
    assert reach_of_unit(battle, 0, 4, zone=False).is_reached[numbers[0]]
    put(battle, "unit", 1, morale=1)
    assert not zone_of_control(battle, 0).any()


@pytest.mark.rule("epic.move.zoc")
def test_a_house_rule_takes_zones_of_control_away() -> None:
    battle = board({"tile": [3, 5]}, {"tile": [6, 5], "side": "Red"}, extra="[house]\nzoc = false")
    assert not zone_of_control(battle, 0).any()


@pytest.mark.rule("epic.move.facing")
def test_a_unit_faces_along_its_last_step() -> None:
    assert facing_after(np.array([(0, 0), (1, 0)])) == 90 * 64
    assert facing_after(np.array([(0, 0), (1, 0), (1, -1)])) == 210 * 64


@pytest.mark.rule("epic.move.facing")
def test_a_move_of_two_tiles_may_end_facing_any_neighbour() -> None:
    # The sixth 3 faces north-west: 330 degrees.
    battle = board({"tile": [3, 5]}, FOE)
    ends = FormationMove(battle, 0).ends(battle, 0)
    tile = int(units_of(battle).board.numbers((5, 5)))
    order = ends.to(tile, facing=330 * 64)

    carry_out(battle, move_formation(battle, 0), order)

    assert tile_of(battle, 0) == (5, 5)
    assert battle.state.units.integer("facing", 0) == 330 * 64
    assert battle.system.words.phrase(battle, order) == "move to 5,5, facing 330\u00b0"


@pytest.mark.rule("epic.move.facing")
@pytest.mark.parametrize("tile", [(5, 5), (3, 5)])
def test_a_facing_between_two_neighbours_or_without_a_move_is_refused(
    tile: tuple[int, int],
) -> None:
    battle = board({"tile": [3, 5]}, FOE)
    ends = FormationMove(battle, 0).ends(battle, 0)
    facing = 45 * 64 if tile == (5, 5) else 330 * 64

    refused = ends.refusal(ends.to(int(units_of(battle).board.numbers(tile)), facing=facing))

    assert refused is not None
    assert refused.slug == "epic.move.facing"


@pytest.mark.rule("epic.move.facing")
@pytest.mark.parametrize(("wished", "found"), [(None, 90), (45, 30), (290, 270), (200, 210)])
def test_an_order_by_pointing_faces_the_neighbour_nearest_to_the_wish(
    wished: int | None, found: int
) -> None:
    battle = board({"tile": [3, 5]}, FOE)
    decision = next(move_formation(battle, 0))
    place = units_of(battle).board.grid.centres([5, 5]).tolist()

    order = battle.system.order_to(
        battle, decision, "move", tuple(place), None if wished is None else wished * 64
    )

    decision.check(order)
    assert order.legs[-1].facing == found * 64
    assert (order.legs[-1].x, order.legs[-1].y) == order.point == tuple(place)


@pytest.mark.rule("epic.move.stay-still")
def test_a_formation_next_to_an_enemy_may_not_stay_still() -> None:
    far = board({"tile": [3, 5]}, {"tile": [6, 5], "side": "Red"})
    near = board({"tile": [3, 5]}, {"tile": [4, 5], "side": "Red"})
    assert [must_leave(battle, 0) for battle in (far, near)] == [False, True]
    assert "overwatch" in {order.verb for order in declarations(far, 0)}
    assert "overwatch" not in {order.verb for order in declarations(near, 0)}


@pytest.mark.rule("epic.terrain.dangerous", "epic.save.roll")
def test_a_vehicle_in_a_wood_tests_and_may_save() -> None:
    for faces, there in (((6, 2), 1), ((6, 4), 0), ((5,), 1)):
        tank = {"kind": "tank", "tile": [3, 5]}
        battle = board(tank, FOE, terrain=[("forest", [(5, 5)])], faces=faces)
        carry_out(battle, move_formation(battle, 0), go(battle, 0, (5, 5)))
        assert cell(battle, 0, "present") == there


@pytest.mark.rule("epic.broken.withdraw")
def test_a_broken_formation_moves_away_from_enemies() -> None:
    assert withdrawal_tile(np.array([1, 2, 3]), np.array([5, 7, 7]), np.array([0.0, 4, 2])) == 3
    battle = board({"tile": [4, 10]}, {"side": "Red", "tile": [4, 13]})
    carry_out(battle, break_formation(battle, 0))
    _q, r = tile_of(battle, 0)
    assert int(units_of(battle).gaps([0], [1])[0, 0]) == 11
    assert cell(battle, 0, "morale") == 1
    assert r < 10


@pytest.mark.rule("epic.broken.withdraw")
def test_units_that_stay_near_an_enemy_are_destroyed() -> None:
    battle = board({"tile": [4, 10], "speed": 0}, {"side": "Red", "tile": [4, 12]})
    carry_out(battle, withdraw(battle, 0))
    assert cell(battle, 0, "present") == 0
    assert withdrawal_tile(np.array([4]), np.array([1]), np.array([1.0])) == 4
