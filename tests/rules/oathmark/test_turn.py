"""Initiative, activation by turns, and the end of a turn and of the battle."""

from __future__ import annotations

import pytest

from emlia3d import scenario
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.dice import FixedDice
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.oathmark.battle_frame import is_last, winner_by_points
from emlia3d.rules.oathmark.columns import Phase
from emlia3d.rules.oathmark.turn import (
    activate,
    acts_next,
    begin_turn,
    end_turn,
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
from tests.rules.oathmark.tables import SOLDIER, cell, put, set_battle, table, text_of

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


# What the events say


@pytest.mark.rule("oathmark.turn.sequence")
def test_a_turn_begins_with_its_number_and_all_units_fresh() -> None:
    battle = two_a_side()
    for unit in range(4):
        put(battle, unit, activated=1)

    for number, (faces, won) in enumerate((((8, 1, 2, 2), 0), ((1, 2, 3, 3), 1)), start=1):
        done = carry(battle, begin_turn(battle), dice=faces)
        told = done.facts("turn began")
        assert (told.turn, told.faces) == (number, faces)
        assert told.winner == battle.setup.sides[won].name
        assert battle.state.turn == number
        assert battle.state.battle.integer("phase", 0) == Phase.LOOP
        assert battle.state.battle.integer("to_act", 0) == won
        assert [len(ready(battle, side)) for side in (0, 1)] == [2, 2]


@pytest.mark.rule("oathmark.activation.rally")
@pytest.mark.parametrize(
    ("disordered", "faces", "result", "slugs", "gesture"),
    [
        (0, (5, 1), "two actions", (), "none"), (0, (4, 1), "one simple action", (), "none"),
        (1, (6, 1), "rallies, one simple action", ("oathmark.activation.rally",), "rally"),
        (1, (5, 1), "one simple action", (), "none"),
    ],
)  # fmt: skip
def test_an_activation_tells_its_dice_and_result(
    disordered: int, faces: tuple[int, int], result: str, slugs: tuple[str, ...], gesture: str
) -> None:
    battle = two_a_side()
    put(battle, 0, disordered=disordered)

    done = carry(battle, activate(battle, 0), "activate", "stop", dice=faces)

    first, last = done.events
    told = done.facts("activated")
    assert (told.faces, told.modifier, told.result) == (faces, -disordered, result)
    assert first.because == ("oathmark.activation.roll", *slugs)
    assert first.gesture == gesture
    assert (last.name, last.part_of_last) == ("stopped", True)
    assert battle.state.battle.integer("to_act", 0) == 1
    assert cell(battle, 0, "disordered") == (1 if disordered and not slugs else 0)


@pytest.mark.rule("oathmark.battle.victory")
@pytest.mark.parametrize(
    ("lost", "gone", "winner"),
    [
        ((310, 455), (), "Red"), ((455, 310), (), "Blue"), ((5, 5), (), None),
        ((900, 0), (2, 3), "Red"), ((0, 900), (0, 1), "Blue"), ((0, 900), (2,), "Red"),
        ((900, 0), (0,), "Blue"),
    ],
)  # fmt: skip
def test_the_result_counts_points_and_units_left(
    lost: tuple[int, int], gone: tuple[int, ...], winner: str | None
) -> None:
    battle = two_a_side()
    for unit in gone:
        put(battle, unit, present=0)
    changes = tuple(
        Set(table="side", row=side, column="lost", value=points) for side, points in enumerate(lost)
    )
    battle.happen(Event(facts=Unread(event="put"), changes=changes))

    found = result_of(battle)

    assert found.winner == winner
    assert found.level == ("draw" if winner is None else "victory")
    assert found.reason == f"Points lost: Red {lost[0]} and Blue {lost[1]}."


@pytest.mark.rule("oathmark.battle.length")
@pytest.mark.parametrize(
    ("turn", "gone", "ended"), [(5, (), False), (6, (), True), (1, (0, 1), True), (1, (0,), False)]
)
def test_a_turn_ends_the_battle_if_it_is_the_last_or_a_side_is_gone(
    turn: int, gone: tuple[int, ...], ended: bool
) -> None:
    battle = two_a_side()
    set_battle(battle, turn=turn, phase=Phase.LOOP)
    for unit in gone:
        put(battle, unit, present=0)

    done = carry(battle, end_turn(battle))

    names = ["turn ended", "battle ended"] if ended else ["turn ended"]
    assert [event.name for event in done.events] == names
    assert (battle.system.next_step(battle) is None) is ended
    if ended:
        assert done.events[1].because == ("oathmark.battle.victory", "oathmark.battle.length")


def test_a_turn_ends_at_once_when_a_side_has_no_units() -> None:
    battle = two_a_side()
    set_battle(battle, turn=1, phase=Phase.LOOP, to_act=0)
    for unit in (2, 3):
        put(battle, unit, present=0)

    step = next_step(battle)

    assert step is not None
    assert [event.name for event in carry(battle, step).events] == ["turn ended", "battle ended"]
