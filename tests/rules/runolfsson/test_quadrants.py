"""Quadrants and objective markers on a table that is no square; the scores of initiative."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.runolfsson.columns import Phase
from emlia3d.rules.runolfsson.turn import begin_turn
from emlia3d.rules.runolfsson.victory import (
    _markers_held,
    _places,
    _points_by_quadrant,
    may_place_marker,
    place_markers,
    winner_of,
)
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import feature, mark, put, set_phase, table

BLUE = {"side": "Blue"}
WIDE = (60, 40)


def wide(*models: Any, **other: Any) -> Battle:
    return table(*models, size=WIDE, **other)


# Quadrants


@pytest.mark.rule("runolfsson.victory.position")
@pytest.mark.parametrize(
    ("spot", "quadrant"),
    [
        ((29, 19), 0), ((30, 19), 1), ((31, 5), 1), ((29, 20), 2), ((5, 21), 2), ((30, 20), 3),
        ((21, 15), 0), ((42, 15), 1), ((21, 25), 2), ((25, 10), 0), ((25, 25), 2),
    ],
)  # fmt: skip
def test_quadrants_are_quarters_of_the_table(spot: tuple[float, float], quadrant: int) -> None:
    """A model of 4 attack dice, a move of 6 and a range of 24 inches costs 12 + 3 + 4 points."""
    battle = wide({"at": [*spot]}, {"at": [50, 35], **BLUE}, victory="position")
    found = _points_by_quadrant(battle)

    assert [red for red, _ in found] == [19 if number == quadrant else 0 for number in range(4)]
    assert [blue for _, blue in found] == [0, 0, 0, 19]


@pytest.mark.rule("runolfsson.victory.position")
@pytest.mark.parametrize(
    ("cells", "red", "blue"),
    [({}, 38, 19), ({"marker": 1}, 38, 19), ({"marker": 2}, 19, 19), ({"present": 0}, 19, 19)],
)
def test_models_that_are_gone_or_routed_hold_nothing(
    cells: dict[str, float], red: int, blue: int
) -> None:
    battle = wide({"at": [10, 10]}, {"at": [14, 10]}, {"at": [18, 10], **BLUE}, victory="position")
    if cells:
        put(battle, 0, **cells)

    assert _points_by_quadrant(battle) == [(red, blue), (0, 0), (0, 0), (0, 0)]
    put(battle, 2, present=0)
    assert _points_by_quadrant(battle)[0] == (red, 0)


# Objective markers


@pytest.mark.rule("runolfsson.victory.objectives")
@pytest.mark.parametrize(
    ("spot", "others", "legal"),
    [
        ((20.0, 24.0), [(33.0, 24.0)], True), ((20.0, 24.0), [(32.9, 24.0)], False),
        ((20.0, 24.0), [(20.0, 37.0)], True), ((20.0, 24.0), [(20.0, 36.9)], False),
        ((20.0, 24.0), [(20.0, 11.0)], True), ((20.0, 24.0), [(7.1, 24.0)], False),
        ((20.0, 24.0), [(40.0, 24.0), (24.0, 24.0)], False),
        ((20.0, 24.0), [(24.0, 24.0), (40.0, 24.0)], False),
        ((20.0, 24.0), [(40.0, 24.0), (40.0, 44.0)], True),
        ((20.0, 24.0), [(25.0, 36.0)], True), ((20.0, 24.0), [(24.9, 36.0)], False),
        ((16.0, 46.0), [], True), ((46.0, 16.0), [], False),
    ],
)  # fmt: skip
def test_a_marker_lies_a_foot_off_edges_and_each_other(
    spot: tuple[float, float], others: list[tuple[float, float]], legal: bool
) -> None:
    """The table is 40 inches wide and 60 deep."""
    assert may_place_marker(spot, (40.0, 60.0), others) is legal


@pytest.mark.rule("runolfsson.victory.objectives")
def test_places_for_markers_are_on_a_grid_of_4_inches() -> None:
    lake = feature("lake", at=(15, 15, 17, 17))
    other = feature("lake", at=(43, 23, 45, 25))
    battle = wide({"at": [10, 10]}, {"at": [50, 35], **BLUE}, terrain=[lake, other])

    assert _places(battle) == [
        (float(x), float(y)) for x in range(16, 45, 4) for y in (16, 20, 24)
        if (x, y) not in {(16, 16), (44, 24)}
    ]  # fmt: skip


@pytest.mark.rule("runolfsson.victory.objectives")
def test_places_are_half_an_inch_apart_where_the_grid_has_none() -> None:
    battle = table({"at": [10, 10]}, {"at": [20, 20], **BLUE}, size=(26, 25))

    assert _places(battle) == [(12.5, 12.5), (13.0, 12.5), (13.5, 12.5)]


@pytest.mark.rule("runolfsson.victory.objectives")
@pytest.mark.parametrize(("size", "count"), [((24, 24), 0), ((25, 25), 1), ((38, 25), 2)])
def test_no_more_markers_are_placed_than_there_is_room_for(
    size: tuple[float, float], count: int
) -> None:
    battle = table({"at": [5, 5]}, {"at": [20, 20], **BLUE}, size=size)

    done = carry(battle, place_markers(battle), *["place marker"] * count, dice=(9, 3))

    assert len(battle.state.lists["marker"].floats("x")) == count
    assert [decision.side for decision in done.asked] == [0, 0][:count]


@pytest.mark.rule("runolfsson.victory.objectives")
@pytest.mark.parametrize(
    ("turn", "victory", "rolls"),
    [(0, "objectives", True), (1, "objectives", False), (0, "position", False)],
)
def test_markers_are_placed_before_the_first_turn_alone(
    turn: int, victory: str, rolls: bool
) -> None:
    """There is room for none of them, so that none is asked for."""
    battle = table({"at": [5, 5]}, {"at": [20, 20], **BLUE}, size=(24, 24), victory=victory)
    set_phase(battle, Phase.BEFORE, turn=turn)

    carry(battle, begin_turn(battle), "take the initiative", dice=(3, 9) * (1 + rolls))

    assert battle.state.turn == turn + 1


@pytest.mark.rule("runolfsson.victory.objectives")
@pytest.mark.parametrize(
    ("gone", "held"),
    [((), (1, 0)), ((0,), (0, 0)), ((0, 1), (0, 1)), ((2,), (1, 0)), ((0, 1, 2), (0, 0))],
)
def test_only_models_on_the_table_hold_a_marker(
    gone: tuple[int, ...], held: tuple[int, int]
) -> None:
    """Two models of Red and one of Blue are on the first marker; none is on the second."""
    models = ({"at": [20, 30]}, {"at": [21, 30]}, {"at": [20, 29], **BLUE})
    battle = wide(*models, {"at": [50, 5], **BLUE})
    mark(battle, (20.4, 29.6), (44.0, 16.0))
    for row in gone:
        put(battle, row, present=0)

    assert _markers_held(battle) == held


@pytest.mark.rule("runolfsson.victory.objectives")
@pytest.mark.parametrize(("reds", "winner"), [(0, "Blue"), (1, None), (2, "Red")])
def test_the_side_with_more_markers_has_won(reds: int, winner: str | None) -> None:
    spots = [(16.0, 16.0), (30.0, 16.0)]
    models = [{"at": [*at], **({} if row < reds else BLUE)} for row, at in enumerate(spots)]
    battle = wide(*models, {"at": [5, 5]}, {"at": [55, 35], **BLUE}, victory="objectives", turns=1)
    mark(battle, *spots)
    set_phase(battle, Phase.END)

    result = winner_of(battle)

    assert result is not None
    assert result.winner == winner


# Initiative


@pytest.mark.rule("runolfsson.init.roll", "runolfsson.init.bonus")
@pytest.mark.parametrize("late", [0, 1])
@pytest.mark.parametrize(
    ("waiting", "faces", "wins"),
    [
        (2, (5, 8), True), (2, (4, 8), None), (2, (3, 8), False), (1, (7, 8), True),
        (1, (6, 8), None), (0, (8, 8), None), (0, (9, 8), True), (1, (1, 10), False),
    ],
)  # fmt: skip
def test_each_turn_without_the_initiative_adds_two(
    late: int, waiting: int, faces: tuple[int, int], wins: bool | None
) -> None:
    """The faces are of the side that has waited, and of the other; equal scores roll again."""
    battle = wide({"at": [10, 10]}, {"at": [50, 35], **BLUE})
    change = Set(table="side", row=late, column="waiting", value=waiting)
    battle.happen(Event(facts=Unread(event="put"), changes=(change,)))
    rolled = faces if late == 0 else faces[::-1]
    again = (10, 1) if late == 0 else (1, 10)
    dice = rolled if wins is not None else (*rolled, *again)

    done = carry(battle, begin_turn(battle), "take the initiative", dice=dice)

    facts = done.facts("turn began").values()
    winner = late if wins is not False else 1 - late
    assert facts["winner"] == ("Red", "Blue")[winner]
    assert facts["faces"] == dice
    scores = [*dice[-2:]]
    scores[late] += 2 * waiting
    assert facts["scores"] == tuple(scores)
    assert battle.state.sides.ints("waiting")[1 - winner] == (
        1 if wins is not False else waiting + 1
    )
    assert battle.state.sides.ints("waiting")[winner] == 0
