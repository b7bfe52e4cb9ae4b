"""The round: strategy rolls, actions and their tests, overwatch, rallying, victory."""

from __future__ import annotations

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.epic.actions import (
    TABLE,
    action_after_test,
    action_named,
    action_value,
    choices_after_action,
    declarable,
    is_phase_over,
    may_act,
    may_declare_engage,
    may_retain,
    next_holder,
    passes,
    retain_modifier,
    shock_modifier,
)
from emlia3d.rules.epic.activation import activate, declarations, perform, ready
from emlia3d.rules.epic.columns import Phase
from emlia3d.rules.epic.deployment.deployment_strips import is_in_strip
from emlia3d.rules.epic.overwatch import (
    enter,
    goes_on,
    interrupt,
    is_on_overwatch,
    leave,
    may_fire,
    overwatch_modifier,
    uses_up_action,
)
from emlia3d.rules.epic.rallying import (
    must_withdraw,
    rally,
    rally_value,
    regroup,
    shock_after_failure,
    shock_after_rally,
    shock_after_regroup,
    shock_of_restored,
    to_rally,
)
from emlia3d.rules.epic.turn import (
    acts_first,
    begin_round,
    end_phase,
    is_over,
    next_step,
    rerolls_tie,
    strategy_score,
    strategy_winner,
)
from emlia3d.rules.epic.victory import held, holder_of, winner
from tests.rules.epic.boards import board, carry_out, cell, go, put, random_board, tile_of, weapon

RED = {"side": "Red"}
GUN = {"weapons": [weapon(range=8, ap=3, at=2)]}
BOTH = {"tile": [4, 3]}, {**RED, "tile": [4, 16]}


@pytest.mark.rule("epic.round.sequence")
def test_a_round_is_strategy_action_end() -> None:
    battle = random_board(1, turns=1).battle(1)
    assert next_step(battle) is not None
    names = [event.name for event in battle.run()]
    order = ["round began", "action phase began", "end phase began", "turn ended"]
    assert [name for name in names if name in order] == order
    assert battle.state.battle.integer("phase", 0) == Phase.BEFORE
    assert next_step(battle) is None


@pytest.mark.rule("epic.strategy.roll", "epic.strategy.choose")
def test_the_higher_total_chooses() -> None:
    battle = board(*BOTH, faces=(2, 5))
    assert (strategy_score(3, 2), strategy_winner((5, 6), -1)) == (5, 1)
    carry_out(battle, begin_round(battle), "act second")
    assert battle.state.battle.integer("holder", 0) == 0
    assert acts_first(1, first=False) == 0


@pytest.mark.rule("epic.strategy.tie", "epic.strategy.tie-first")
def test_a_tie_goes_to_the_side_that_lost_last_time() -> None:
    assert strategy_winner((5, 5), 1) == 1
    assert strategy_winner((5, 5), -1) is None
    assert (rerolls_tie(-1), rerolls_tie(0)) == (True, False)
    battle = board(*BOTH, ratings=((2, 4), (2, 4)), faces=(4, 4, 5, 3))
    carry_out(battle, begin_round(battle), "act first")
    assert battle.state.battle.integer("holder", 0) == 0


@pytest.mark.rule("epic.action.alternate")
def test_sides_act_by_turns() -> None:
    assert next_holder(0, (2, 1)) == 1
    assert next_holder(0, (2, 0)) == 0


@pytest.mark.rule("epic.action.select", "epic.action.phase-end")
def test_only_unbroken_formations_that_have_not_acted_are_selected() -> None:
    assert may_act(acted=False, broken=False)
    assert not may_act(acted=True, broken=False)
    assert not may_act(acted=False, broken=True)
    battle = board(*BOTH, {"tile": [8, 3]})
    put(battle, "unit", 2, morale=1)
    assert ready(battle, 0) == [0]
    assert is_phase_over((0, 0))
    assert not is_phase_over((0, 1))


@pytest.mark.rule("epic.action.declare")
def test_engage_is_declared_only_if_a_charge_reaches() -> None:
    assert may_declare_engage(True)
    for row, verbs in ((11, {"engage"}), (13, set())):
        battle = board({"tile": [4, 3]}, {**RED, "tile": [4, row]})
        found = {order.verb for order in declarations(battle, 0)} & {"engage"}
        assert found == verbs


@pytest.mark.rule("epic.action.test", "epic.action.shock-minus", "epic.action.retain-minus")
def test_the_action_test() -> None:
    assert (passes(5, 5), passes(6, 5)) == (True, False)
    assert [shock_modifier(n) for n in (0, 1, 4)] == [0, -1, -1]
    assert [retain_modifier(retaining=is_it) for is_it in (False, True)] == [0, -1]
    assert action_value(5, 4, retaining=False) == 4
    assert action_value(5, 1, retaining=True) == 3


@pytest.mark.rule("epic.action.fail")
def test_a_failed_test_gives_shock_and_hold() -> None:
    assert action_after_test("advance", passed=True, broken=False) == "advance"
    assert action_after_test("advance", passed=False, broken=False) == "hold"
    assert action_after_test("advance", passed=False, broken=True) is None
    units = [{"tile": [4 + n, 3], **({"in": "unit 0"} if n else {})} for n in range(3)]
    battle = board(*units, {**RED, "tile": [4, 16]}, faces=(6,))
    carry_out(battle, activate(battle, 0, retaining=False), "overwatch", "choose move", "all stay")
    assert (cell(battle, 0, "shock"), cell(battle, 0, "overwatch")) == (1, 0)
    assert cell(battle, 0, "acted") == 1


@pytest.mark.rule(
    "epic.action.retain-choice", "epic.action.retain-once", "epic.action.other-side-done"
)
def test_the_initiative_is_retained_once() -> None:
    assert may_retain(0, (1, 1), retained=False)
    assert not may_retain(0, (1, 1), retained=True)
    assert not may_retain(0, (3, 0), retained=False)
    assert choices_after_action(may=True) == ("pass initiative", "retain initiative")
    assert choices_after_action(may=False) == ("pass initiative",)


ROWS = {
    "advance": (1, 0), "double": (2, -1), "engage": (1, None), "march": (3, None),
    "marshal": (1, -1), "sustained fire": (0, 1), "hold": (1, 0), "special": (0, None),
}  # fmt: skip


@pytest.mark.rule(
    "epic.act.advance", "epic.act.double", "epic.act.engage", "epic.act.march",
    "epic.act.marshal", "epic.act.sustained", "epic.act.hold", "epic.act.special",
)  # fmt: skip
@pytest.mark.parametrize("name", ROWS)
def test_the_rows_of_the_action_table(name: str) -> None:
    row = action_named(name)
    assert (row.moves, row.to_hit) == ROWS[name]
    assert row.still == (name in {"sustained fire", "special"})
    assert row.one_of == (name in {"marshal", "hold"})
    assert row.regroups == (name == "marshal")


@pytest.mark.rule("epic.action.table")
def test_hold_and_special_actions_are_not_declared() -> None:
    assert set(declarable()) == TABLE.keys() - {"hold", "special"}
    assert "teleport" in declarable(["teleport"])


@pytest.mark.parametrize(("action", "row"), [("advance", 7), ("double", 11), ("march", 15)])
def test_moves_of_actions(action: str, row: int) -> None:
    battle = board({"tile": [4, 3]}, {**RED, "tile": [12, 16], "unit_type": "AV"})
    tiles = [(4, r) for r in range(7, row + 1, 4)]
    carry_out(battle, perform(battle, 0, action, None), *(go(battle, 0, tile) for tile in tiles))
    assert tile_of(battle, 0) == (4, row)


@pytest.mark.rule("epic.regroup.roll")
def test_regrouping_removes_the_higher_die() -> None:
    assert shock_after_regroup(3, (2, 2)) == 1
    assert shock_after_regroup(3, (1, 6)) == 0
    battle = board(*BOTH, faces=(2, 5))
    put(battle, "unit", 0, shock=4)
    carry_out(battle, regroup(battle, 0))
    assert cell(battle, 0, "shock") == 0


# Overwatch


def watched(**other: object) -> Battle:
    """A unit of Blue on overwatch since round 1, and one of Red out of its range."""
    foe = {**RED, "tile": [4, 15], **other}
    battle = board({"tile": [4, 3], **GUN}, foe, faces=(1,))
    battle.happen(enter(0, 1))
    return battle


@pytest.mark.rule("epic.overwatch.enter", "epic.overwatch.lasts", "epic.overwatch.lost")
def test_overwatch_lasts_until_the_formation_fires_or_acts() -> None:
    battle = watched()
    assert is_on_overwatch(battle, 0)
    assert tile_of(battle, 0) == (4, 3)
    battle.happen(leave(0))
    assert not is_on_overwatch(battle, 0)
    assert cell(battle, 0, "overwatch") == 0
    battle.happen(enter(0, 2))
    assert cell(battle, 0, "overwatch") == 2


@pytest.mark.rule("epic.overwatch.trigger", "epic.overwatch.interrupt")
def test_overwatch_fires_after_a_move_of_an_enemy_that_is_broken_by_it() -> None:
    battle = watched(save=0)
    assert may_fire(battle, 1) == []
    assert goes_on(battle, 1)
    shot = Order(verb="overwatch fire", unit=0, target=1)
    carry_out(battle, perform(battle, 1, "double", None), go(battle, 1, (4, 11)), shot)
    assert not goes_on(battle, 1)
    assert cell(battle, 1, "present") == 0
    assert cell(battle, 0, "overwatch") == 0


@pytest.mark.rule("epic.overwatch.next-round", "epic.overwatch.procedure")
@pytest.mark.parametrize(("turn", "acted"), [(1, 0), (2, 1)])
def test_a_shot_in_a_later_round_is_its_action(turn: int, acted: int) -> None:
    battle = board({"tile": [4, 3], **GUN}, {**RED, "tile": [4, 8]}, faces=(4,))
    battle.happen(enter(0, 1))
    put(battle, "battle", 0, turn=turn)
    carry_out(battle, interrupt(battle, 1), "overwatch fire")
    assert cell(battle, 0, "acted") == acted
    assert uses_up_action(1, turn) == bool(acted)
    assert overwatch_modifier() == 0


@pytest.mark.rule("epic.overwatch.trigger")
def test_overwatch_may_wait() -> None:
    battle = board({"tile": [4, 3], **GUN}, {**RED, "tile": [4, 8]})
    battle.happen(enter(0, 1))
    assert may_fire(battle, 1) == [0]
    assert carry_out(battle, interrupt(battle, 1), "wait")
    assert is_on_overwatch(battle, 0)


@pytest.mark.rule("epic.overwatch.interrupt")
def test_a_formation_that_overwatch_breaks_in_a_double_goes_no_farther() -> None:
    reds = [{**RED, "tile": [4, 15], "save": 6}, {**RED, "tile": [5, 15], "in": "unit 1"}]
    battle = board({"tile": [4, 3], **GUN}, *reds, faces=(6,))
    put(battle, "unit", 1, shock=1)
    battle.happen(enter(0, 1))
    shot = Order(verb="overwatch fire", unit=0, target=1)
    moves = go(battle, 1, (4, 11)), go(battle, 2, (5, 11))
    carry_out(battle, perform(battle, 1, "double", None), *moves, shot)
    assert not goes_on(battle, 1)
    assert cell(battle, 1, "morale") == 1
    assert tile_of(battle, 1)[1] > 11


@pytest.mark.rule("epic.overwatch.lost", "epic.overwatch.trigger")
def test_overwatch_answers_a_formation_that_was_on_overwatch_and_moves() -> None:
    far = {**RED, "tile": [4, 15], "save": 0, **GUN}
    battle = board({"tile": [4, 3], **GUN}, far, faces=(1, 1))
    battle.happen(enter(0, 1))
    battle.happen(enter(1, 1))
    shot = Order(verb="overwatch fire", unit=0, target=1)
    carry_out(battle, activate(battle, 1, retaining=False), "advance", go(battle, 1, (4, 11)), shot)
    assert cell(battle, 1, "present") == 0
    battle.happen(leave(0))
    assert may_fire(battle, 0) == []


# Rallying


@pytest.mark.rule("epic.rally.who", "epic.rally.test")
def test_formations_with_shock_try_to_rally() -> None:
    battle = board(*BOTH, {"tile": [8, 3]})
    put(battle, "unit", 2, shock=1)
    assert to_rally(battle, 0) == [2]
    assert rally_value(5, broken=True, near=True) == 2
    assert rally_value(5, broken=True, near=False) == 3
    assert rally_value(5, broken=False, near=True) == 4


@pytest.mark.rule("epic.rally.test", "epic.rally.pass")
@pytest.mark.parametrize(("row", "shock"), [(11, 5), (12, 2)])
def test_enemies_within_eight_tiles_make_it_harder(row: int, shock: int) -> None:
    battle = board({"tile": [4, 3]}, {**RED, "tile": [4, row]}, faces=(5,))
    put(battle, "unit", 0, shock=5)
    carry_out(battle, rally(battle, 0))
    assert cell(battle, 0, "shock") == shock
    assert rally_value(5, broken=False, near=row == 11) == 5 - (row == 11)
    assert [shock_after_rally(n) for n in (5, 4, 1)] == [2, 2, 0]


@pytest.mark.rule("epic.rally.unbreak")
def test_a_formation_that_rallies_is_no_longer_broken() -> None:
    assert shock_of_restored(6, 3) == 1
    units = [{"tile": [4 + n, 3], **({"in": "unit 0"} if n else {})} for n in range(3)]
    battle = board(*units, {**RED, "tile": [4, 16]}, faces=(3,))
    put(battle, "unit", 0, shock=6, morale=1)
    carry_out(battle, rally(battle, 0))
    assert (cell(battle, 0, "shock"), cell(battle, 0, "morale")) == (1, 0)


@pytest.mark.rule("epic.rally.fail", "epic.rally.fail-broken")
def test_a_failure_keeps_shock_and_a_broken_formation_withdraws() -> None:
    assert shock_after_failure(3) == 3
    assert must_withdraw(broken=True, passed=False)
    assert not must_withdraw(broken=False, passed=False)
    battle = board({"tile": [4, 10]}, {**RED, "tile": [4, 15]}, faces=(6,))
    put(battle, "unit", 0, shock=3, morale=1)
    carry_out(battle, rally(battle, 0))
    assert (cell(battle, 0, "shock"), cell(battle, 0, "morale")) == (3, 1)
    assert tile_of(battle, 0)[1] < 10


# Victory


@pytest.mark.rule("epic.end.victory-check")
def test_the_battle_goes_on_without_a_winner() -> None:
    battle = board(*BOTH)
    put(battle, "battle", 0, phase=int(Phase.END), turn=2)
    carry_out(battle, end_phase(battle))
    assert battle.state.battle.integer("phase", 0) == Phase.BEFORE
    assert battle.result is None
    assert not is_over(None)


@pytest.mark.rule("epic.victory.sample")
def test_objectives_then_points_win() -> None:
    assert winner(3, 4, (2, 0), (0, 0)) == (True, 0)
    assert winner(2, 4, (2, 0), (0, 0)) == (False, None)
    assert winner(3, 4, (1, 0), (0, 0)) == (False, None)
    assert winner(4, 4, (0, 1), (0, 0)) == (True, 1)
    assert winner(4, 4, (1, 1), (60, 20)) == (True, 1)
    assert winner(4, 4, (1, 1), (20, 20)) == (True, None)


def test_an_objective_is_held_by_unbroken_units_within_four_tiles() -> None:
    battle = board(*BOTH, objectives=[(4, 7), (4, 8), (4, 13)])
    assert [holder_of(battle, tile) for tile in ((4, 7), (4, 8), (4, 13))] == [0, None, 1]
    assert held(battle) == (1, 1)
    put(battle, "unit", 0, morale=1)
    assert held(battle) == (0, 1)


@pytest.mark.rule("epic.board.sample")
def test_deployment_is_in_five_rows() -> None:
    assert [is_in_strip(row, 24, "south") for row in (4, 5)] == [True, False]
    assert [is_in_strip(row, 24, "north") for row in (18, 19)] == [False, True]
