"""Jumpers in flight, and the points at which a model that moves may be fired at."""

from __future__ import annotations

import pytest

from emlia3d.rules.runolfsson.attack import PossibleShot
from emlia3d.rules.runolfsson.columns import Phase, Turn
from emlia3d.rules.runolfsson.opportunity import (
    flight_level,
    in_flight,
    may_fire,
    points_to_fire,
    values_along,
)
from tests.rules.runolfsson.tables import feature, put, set_phase, table

BLUE = {"side": "Blue"}


@pytest.mark.rule("runolfsson.op.jump-height")
@pytest.mark.parametrize(
    ("take_off", "tops", "level"),
    [(0, [], 1), (2, [], 3), (0, [0], 1), (0, [3], 4), (0, [1, 3, 1], 4), (2, [1], 3), (2, [2], 3)],
)
def test_a_jumper_flies_above_its_take_off_and_the_highest_top(
    take_off: int, tops: list[int], level: int
) -> None:
    assert flight_level(take_off, tops) == level


@pytest.mark.rule("runolfsson.op.jump-height")
@pytest.mark.parametrize(
    ("x", "y", "level"),
    [
        (14, 13, 2),  # on the line
        (13.71, 13.39, 2),  # 0.49 inches to the left
        (13.69, 13.41, 1),  # 0.51 inches
        (14.29, 12.61, 2),  # to the right
        (14.31, 12.59, 1),
        (14, 7, 1),  # the mirror image of the line
        (6, 7, 1),  # behind
        (19, 17, 1),  # beyond
        (17.9, 15.9, 2),  # just before the end
        (18.1, 16.1, 1),
    ],
)
def test_a_slanted_jump_clears_models_whose_bases_it_crosses(
    x: float, y: float, level: int
) -> None:
    """The jump leads from (10, 10) by (8, 6), so its direction is (0.8, 0.6)."""
    battle = table({"at": [10, 10], "specials": ["jump"]}, {"at": [x, y], **BLUE}, {"at": [40, 40]})

    assert in_flight(battle, 0, (18.0, 16.0)) == level


@pytest.mark.rule("runolfsson.op.jump-height")
def test_a_jump_to_its_own_place_clears_nothing_else() -> None:
    battle = table({"at": [10, 10], "specials": ["jump"]}, {"at": [12, 10], **BLUE})

    assert in_flight(battle, 0, (10.0, 10.0)) == 1


@pytest.mark.rule("runolfsson.op.jump-height")
def test_models_that_are_gone_are_not_cleared_and_those_on_hills_are_higher() -> None:
    battle = table(
        {"at": [10, 10], "specials": ["jump"]}, {"at": [14, 10], **BLUE},
        terrain=[feature("hill", at=(13, 6, 15, 14))],
    )  # fmt: skip
    assert in_flight(battle, 0, (20.0, 10.0)) == 3

    put(battle, 1, present=0)

    assert in_flight(battle, 0, (20.0, 10.0)) == 2


def shot(close: bool = False) -> PossibleShot:
    return PossibleShot(1, 0, 1.0, 0, close, ())


@pytest.mark.rule("runolfsson.op.trigger")
def test_a_shot_at_the_end_of_a_move_is_no_opportunity() -> None:
    shots = [(0, 1.0, shot()), (1, 2.0, shot()), (2, 2.4, shot()), (3, 2.4, shot())]

    found = points_to_fire(shots, 3, 1.2, None)

    assert [(point, value) for point, value, _ in found] == [(2, 2.4), (1, 2.0)]


@pytest.mark.rule("runolfsson.op.jump-los")
def test_a_jumper_is_fired_at_anywhere_the_best_point_first() -> None:
    shots = [(0, 1.0, shot()), (1, 2.4, shot()), (2, 2.4, shot()), (3, 2.4, shot(close=True))]

    found = points_to_fire(shots, 3, 2.4, 4)

    assert [point for point, _, _ in found] == [1, 2, 0]


@pytest.mark.rule("runolfsson.op.trigger")
@pytest.mark.parametrize(("attack", "value"), [(4, 2.4), (5, 3.0), (0, None)])
def test_a_shot_is_worth_its_whole_dice_times_the_chance_to_hit(
    attack: int, value: float | None
) -> None:
    battle = table({"at": [10, 10]}, {"at": [20, 10], "attack": attack, **BLUE})
    path = [(10.0, 10.0), (10.0, 12.0), (10.0, 14.0)]

    found = values_along(battle, 0, [1], path, None)

    if value is None:
        assert found == {}
    else:
        assert [point for point, _, _ in found[1]] == [0, 1, 2]
        assert [worth for _, worth, _ in found[1]] == [pytest.approx(value)] * 3
        assert {each.target for _, _, each in found[1]} == {0}


@pytest.mark.rule("runolfsson.op.jump-los")
def test_a_jumper_is_on_the_ground_at_its_start_and_its_end() -> None:
    """A rock hides both ends; the jumper is seen in the air alone."""
    rock = feature("rock", at=(14, 5, 15, 20))
    battle = table({"at": [10, 10], "specials": ["jump"]}, {"at": [20, 10], **BLUE}, terrain=[rock])
    path = [(10.0, 10.0), (10.0, 11.0), (10.0, 12.0), (10.0, 13.0)]

    assert values_along(battle, 0, [1], path, None) == {}
    assert [point for point, _, _ in values_along(battle, 0, [1], path, 2)[1]] == [1, 2]


@pytest.mark.rule("runolfsson.op.once")
@pytest.mark.parametrize(
    ("cells", "kind", "free", "fires"),
    [
        ({}, Turn.NORMAL, 0, True),
        ({}, Turn.RUSH, 0, False),
        ({"attacked": 2}, Turn.NORMAL, 0, False),
        ({"attacked": 1}, Turn.NORMAL, 0, True),
        ({"no_attack": 1}, Turn.NORMAL, 0, False),
        ({"no_attack": 2}, Turn.NORMAL, 0, True),
        ({}, Turn.SENSELESS_SLAUGHTER, 0, False),
        ({}, Turn.SENSELESS_SLAUGHTER, 1, True),
        ({}, Turn.HEAT_OF_BATTLE, 0, True),
    ],
)
def test_who_may_fire_at_models_that_move(
    cells: dict[str, int], kind: Turn, free: int, fires: bool
) -> None:
    battle = table({"at": [10, 10]}, {"at": [20, 10], **BLUE})
    set_phase(battle, Phase.FIRST_MOVE, kind)
    put(battle, 1, free=free, **cells)

    assert may_fire(battle, 1) is fires
