"""A move of a formation while it is open: all forward, as the others, and orders taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from shapely import Point, Polygon

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, advance
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.game import Game, OrderUndoneError, PendingDecision
from emlia3d.rules.epic.formations import in_cohesion, units_of
from emlia3d.rules.epic.movement import FormationMove, MoveEnds, move_formation
from tests.rules.epic.boards import board, carry_out, go, random_board, tile_of

FOE = {"side": "Red", "tile": [3, 17]}
ROW = [{"tile": [3 + n, 3], **({"in": "unit 0"} if n else {})} for n in range(4)]


def asked(battle: Battle, *answers: Order) -> Decision:
    """Return the decision of a move of the first formation that follows these answers."""
    procedure, answer = move_formation(battle, 0), None
    waiting = list(answers)
    while True:
        said = advance(procedure, answer)
        if isinstance(said, Decision):
            if not waiting:
                return said
            answer = waiting.pop(0)
        else:
            battle.happen(said)
            answer = None


def test_a_move_towards_each_objective_is_listed_and_one_towards_the_enemy() -> None:
    battle = board(*ROW, FOE, objectives=[(12, 3), (0, 5)])
    leads = [order for order in asked(battle).options if order.verb == "move all"]
    charge = FormationMove(battle, 0, target=4)
    ends = charge.ends(battle, charge.order[0])

    grid = units_of(battle).board.grid
    tiles = [grid.tiles_at(order.point).tolist() for order in leads]
    assert tiles == [[7, 3], [0, 5], [3, 7]]
    assert all(order.units for order in leads)
    assert [order.verb for order in ends.options()].count("move all") == 1


def test_the_first_unit_may_lead_all_others_and_the_last_only_follow() -> None:
    battle = board(*ROW, FOE)
    order = FormationMove(battle, 0).order
    first = asked(battle)
    assert first.of("all stay")[0].units == first.of("move all")[0].units == tuple(order[1:])
    assert first.of("as the others") == []
    steps = [go(battle, unit, (tile_of(battle, unit)[0], 6)) for unit in order[:-1]]
    last = asked(board(*ROW, FOE), *steps)
    assert last.of("move all") == last.of("all stay") == []
    assert last.of("as the others")[0].units == ()


def test_all_forward_leads_to_the_enemy() -> None:
    battle = board(*ROW, FOE)
    carry_out(battle, move_formation(battle, 0), "move all")
    assert [tile_of(battle, row)[1] for row in range(4)] == [7, 7, 7, 7]
    assert in_cohesion(battle, 0)


@pytest.mark.parametrize("moved", [1, 2, 3])
def test_units_move_as_the_others_after_some_have_moved_alone(moved: int) -> None:
    battle = board(*ROW, FOE)
    order = FormationMove(battle, 0).order
    alone = [go(battle, unit, (tile_of(battle, unit)[0], 6)) for unit in order[:moved]]
    rest = tuple(order[moved + 1 :])
    carry_out(
        battle,
        move_formation(battle, 0),
        *alone,
        Order(verb="as the others", unit=order[moved], units=rest),
    )
    assert [tile_of(battle, row) for row in range(4)] == [(3 + n, 6) for n in range(4)]


def test_a_unit_that_can_stay_where_the_others_wait_leaves_them_there() -> None:
    battle = board(*ROW, FOE)
    carry_out(battle, move_formation(battle, 0), "stay", "as the others")
    assert [tile_of(battle, row) for row in range(4)] == [(3 + n, 3) for n in range(4)]


def test_a_unit_lost_in_dangerous_ground_does_not_bind_the_others() -> None:
    lost = {"tile": [3, 5], "save": 0, "speed": 9}
    others = [{"tile": [3 + n, 4], "in": "unit 0"} for n in (1, 2)]
    battle = board(lost, *others, FOE, terrain=[("marsh", [(3, 6)])], faces=(6,))
    carry_out(battle, move_formation(battle, 0), go(battle, 0, (3, 6)), "as the others")
    assert not units_of(battle).there[0]
    assert in_cohesion(battle, 0)


# Orders taken back


def digest_of(path: Path, *, wavers: bool) -> str:
    """Play a battle in which the first move is given by a person; return its digest.

    wavers : whether the move is given otherwise first, and taken back while it is open
    """
    scenario = random_board(2, turns=1)
    BattleLog.begin(path, scenario.header(1), scenario.battle(1)).close()
    first: list[int] = []
    stretches: set[int] = set()
    astray = wavers

    def ask(asked: PendingDecision) -> Order | None:
        nonlocal astray
        if asked.decision.asks != "epic.move.speed":
            return None
        first.append(asked.number)
        if first[0] == asked.number:
            stretches.add(asked.battle.state.stretch)
            return asked.decision.options[-1 if astray else 0]
        if astray:
            astray = False
            stretches.add(asked.battle.state.stretch)
            game.take_back(first[0])
            raise OrderUndoneError
        return None

    game = Game(path, scenario.battle(1), [0, 1], ask)
    for _ in game.run():
        pass
    game.close()
    assert len(stretches) == 1
    assert path.read_text("utf-8").count('"back"') == wavers
    return game.battle.digest.hexdigest()


def test_the_move_of_a_unit_is_taken_back_while_its_formation_moves(tmp_path: Path) -> None:
    straight = digest_of(tmp_path / "straight.jsonl", wavers=False)
    assert digest_of(tmp_path / "wavering.jsonl", wavers=True) == straight


def test_the_reach_is_outlined_tile_by_tile_for_a_unit_and_for_all_that_go_along() -> None:
    battle = board(*ROW, FOE)
    decision = asked(battle)
    ends = decision.validator
    assert isinstance(ends, MoveEnds)
    grid = ends.board.grid
    tile = Polygon(grid.corners((0, 0))).area
    alone, together = (
        Polygon(battle.system.reach_of(battle, decision, verb)) for verb in ("move", "move all")
    )
    assert len(ends.allowed) <= alone.area / tile + 1e-6 <= len(ends.allowed) + len(ROW)
    assert all(alone.covers(Point(grid.centres(ends.board.tiles[n]))) for n in ends.allowed)
    assert together.area > alone.area
    assert together.buffer(1e-9).covers(alone)
