"""Initiative, activation by turns, and the end of a turn and of the battle."""

from __future__ import annotations

import pytest

from emlia3d import scenario
from emlia3d.battle.battle import Battle
from emlia3d.battle.dice import FixedDice
from emlia3d.rules.oathmark.battle_frame import is_last, winner_by_points
from emlia3d.rules.oathmark.columns import Phase
from emlia3d.rules.oathmark.turn import (
    acts_next,
    begin_turn,
    higher,
    higher_second,
    next_step,
    ready,
    result_of,
    roll_initiative,
    side_to_act,
)
from emlia3d.scenario.scenario import from_text
from tests.rules.carrying import carry
from tests.rules.oathmark.boards import Eager
from tests.rules.oathmark.tables import SOLDIER, put, set_battle, table, text_of

FAR = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 450)}


def two_a_side() -> Battle:
    """Return a battle of two units a side."""
    return table(SOLDIER, {**SOLDIER, "officer": (200, 0)}, FAR, {**FAR, "officer": (200, 450)})


@pytest.mark.rule("oathmark.init.roll")
def test_the_larger_die_of_each_side_decides_first() -> None:
    assert higher([3, 9], [8, 8]) == 0
    assert higher([8, 8], [3, 9]) == 1
    assert higher([9, 2], [9, 5]) is None


@pytest.mark.rule("oathmark.init.tie-second")
def test_then_the_smaller_die_decides() -> None:
    assert higher_second([9, 2], [9, 5]) == 1
    battle = two_a_side()
    battle.dice = FixedDice([9, 2, 9, 5])

    assert roll_initiative(battle) == (1, (9, 2, 9, 5))


@pytest.mark.rule("oathmark.init.tie-reroll")
def test_equal_pairs_are_rolled_again() -> None:
    battle = two_a_side()
    battle.dice = FixedDice([9, 5, 5, 9, 4, 1, 3, 3])

    won, faces = roll_initiative(battle)

    assert won == 0
    assert faces == (9, 5, 5, 9, 4, 1, 3, 3)


@pytest.mark.rule("oathmark.turn.sequence")
def test_a_turn_is_an_initiative_activations_and_an_end() -> None:
    battle = scenario.load("kings-road").battle(seed=3)
    names = []
    for event in battle.run([Eager(), Eager()]):
        names.append(event.name)
        if event.name == "turn ended":
            break

    assert names[:2] == ["mustered", "turn began"]
    assert names.count("turn began") == names.count("turn ended") == 1
    assert names.count("activated") >= 5


@pytest.mark.rule("oathmark.turn.alternate")
def test_sides_take_turns_from_the_winner_of_the_initiative() -> None:
    assert acts_next(0) == 1
    battle = two_a_side()
    sides = []
    carry(battle, begin_turn(battle), dice=[8, 1, 2, 2])
    for _ in range(4):
        step = next_step(battle)
        assert step is not None
        done = carry(battle, step, "activate", "stop", dice=[1, 1])
        sides.append(done.asked[0].side)

    assert sides == [0, 1, 0, 1]


@pytest.mark.rule("oathmark.turn.exhausted")
def test_a_side_without_units_to_activate_is_passed_over() -> None:
    battle = table(SOLDIER, FAR, {**FAR, "officer": (200, 450)}, {**FAR, "officer": (-200, 450)})
    carry(battle, begin_turn(battle), dice=[8, 1, 2, 2])
    sides = []
    while side_to_act(battle) is not None:
        step = next_step(battle)
        assert step is not None
        sides.append(carry(battle, step, "activate", "stop", dice=[1, 1]).asked[0].side)

    assert sides == [0, 1, 1, 1]


@pytest.mark.rule("oathmark.turn.end")
def test_a_turn_ends_when_the_last_unit_has_fought() -> None:
    battle = table(SOLDIER, {**FAR, "officer": (0, 150)})
    set_battle(battle, turn=1, phase=Phase.LOOP, to_act=0)
    assert side_to_act(battle) == 0
    step = next_step(battle)
    assert step is not None

    # Ten dice of the fight: no hits; both step back. The enemy was not activated before.
    done = carry(battle, step, "activate", "attack", dice=[9, 9, *[1] * 10])

    assert [event.name for event in done.events][-3:] == ["pushed back", "combat ended", "stopped"]
    assert side_to_act(battle) is None


@pytest.mark.rule("oathmark.battle.length")
def test_there_is_no_seventh_turn() -> None:
    assert is_last(6)
    assert not is_last(5)
    untold = from_text(text_of([SOLDIER, FAR]).replace("turns = 6\n", ""), "table")
    assert untold.setup.turns == 6
    battle = table(SOLDIER, FAR)
    set_battle(battle, turn=6, phase=Phase.LOOP)
    for unit in (0, 1):
        put(battle, unit, activated=1)
    step = next_step(battle)
    assert step is not None
    carry(battle, step)

    assert battle.system.next_step(battle) is None
    assert battle.result is not None


@pytest.mark.rule("oathmark.battle.victory")
def test_the_side_that_has_lost_fewer_points_wins() -> None:
    assert winner_by_points([310, 455], [2, 2]) == 0
    assert winner_by_points([455, 310], [2, 2]) == 1
    assert winner_by_points([310, 310], [2, 2]) is None
    assert winner_by_points([10, 0], [3, 0]) == 0
    battle = table(SOLDIER, FAR)

    assert result_of(battle).winner is None
    assert ready(battle, 1) == [1]
