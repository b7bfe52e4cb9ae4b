"""Chapters 11 and 12 as play: the moves and drives that a unit is offered, one by one."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Order
from emlia3d.force.facing import facing_of_degrees
from emlia3d.rules.emlia.play.movement.driving import coast, drives, last_speed, noted
from emlia3d.rules.emlia.play.movement.legs import plan
from emlia3d.rules.emlia.play.movement.manoeuvre import move_options, turn_and_go

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Told = list[tuple[str, float, float]]

MAN: dict[str, Any] = {"at": (100, 100), "movement": "20G", "morale": 4}
BLOCK: dict[str, Any] = {**MAN, "members": 8, "files": 4, "formation": "ranked"}
TANK: dict[str, Any] = {**MAN, "movement": "60G 10/20/40/60A 2/5/20/40T"}
CART: dict[str, Any] = {**MAN, "movement": "60G 10/20/40/60A"}
BOB: dict[str, Any] = {"at": (10, 190), "side": "Bob", "facing": 180}


def told(battle: Battle, order: Order) -> Told:
    """Of each leg its step, the facing after it in degrees, and how far it leads ahead, GSU."""
    found: Told = []
    before = (100.0, 100.0)
    for count, leg in enumerate(order.legs, 1):
        part = Order(verb=order.verb, unit=0, legs=order.legs[:count])
        planned = plan(battle, 0, part, 2)
        x, y = planned.end.middle  # type: ignore[union-attr]
        angle = radians(leg.facing / 64)
        far = (x - before[0]) * sin(angle) + (y - before[1]) * cos(angle)
        found.append((leg.step, leg.facing / 64, round(far, 1) + 0.0))
        before = (x, y)
    return found


def straight(speed: float) -> Told:
    return [("march", 0, speed)]


def turning(speed: float, run: float) -> list[Told]:
    """A run, a turn by 45 degrees, to the right and to the left, and the rest of the way."""
    first: Told = [("march", 0, run)] if run else []
    return [[*first, ("turn", way, 0), ("march", way, round(speed - run, 1))] for way in (45, 315)]


@pytest.mark.parametrize(
    ("unit", "last", "verb", "expected"),
    [
        # From 20 to 40 it may go on in gears 2 to 4, from 11 to 60; a turn needs its run.
        (TANK, 30, "move", [straight(60), *turning(60, 40), straight(40), *turning(40, 20),
                            straight(20), *turning(20, 5), straight(11), *turning(11, 5)]),
        (TANK, 30, "double-pace", [straight(60), *turning(60, 40), straight(40),
                                   *turning(40, 20), straight(20), *turning(20, 5),
                                   straight(10), *turning(10, 2)]),
        # From the lowest gear it may go backward, at half the speeds.
        (TANK, 8, "move", [straight(20), *turning(20, 5), straight(10), *turning(10, 2),
                           straight(-5), *turning(-5, -2)]),
        (TANK, -3, "move", [straight(10), *turning(10, 2), straight(-5), *turning(-5, -2),
                            straight(-10), *turning(-10, -5)]),
        (CART, 30, "move", [straight(60), *turning(60, 0), straight(40), *turning(40, 0),
                            straight(20), *turning(20, 0), straight(11), *turning(11, 0)]),
        # Without gears it goes as fast as it can, twice at Double Pace.
        ({**MAN, "movement": "20G 5T"}, 0, "move", [straight(20), *turning(20, 5)]),
        ({**MAN, "movement": "20G 5T"}, 0, "double-pace", [straight(40), *turning(40, 5)]),
        # Where its run is as long as the move there is no turn.
        ({**MAN, "movement": "20G 20T"}, 0, "move", [straight(20)]),
        (MAN, 0, "move", []),
    ],
)  # fmt: skip
def test_a_drive_is_offered_at_the_top_of_each_gear_straight_or_turning(
    field_of_battle: Build, unit: dict[str, Any], last: float, verb: str, expected: list[Told]
) -> None:
    battle = field_of_battle({**unit, "put": {"last_speed": last}}, BOB)

    orders = list(drives(battle, 0, verb))

    assert {(order.verb, order.unit) for order in orders} <= {(verb, 0)}
    assert [told(battle, order) for order in orders] == expected


@pytest.mark.parametrize(
    ("speed", "kept"),
    [(0, 0), (7.5, 7.5), (20, 20), (20.003, 20), (19.997, 20), (20.01, 20.01), (70, 60),
     (-5.003, -5), (-4.99, -4.99), (-40, -30)],
)  # fmt: skip
def test_a_speed_is_kept_at_the_top_of_its_gear_where_rounding_puts_it_beside(
    field_of_battle: Build, speed: float, kept: float
) -> None:
    battle = field_of_battle(TANK, BOB)

    assert noted(battle, 0, speed) == (Set(table="unit", row=0, column="last_speed", value=kept),)
    for other in ("20G", "20G 5T"):
        assert noted(field_of_battle({**MAN, "movement": other}, BOB), 0, speed) == ()


@pytest.mark.parametrize(
    ("unit", "put"),
    [(MAN, {"last_speed": 30.0}), (TANK, {}), (TANK, {"last_speed": 42.0, "moved": 1}),
     ({**MAN, "movement": "20G 5T"}, {"last_speed": 30.0})],
)  # fmt: skip
def test_only_who_has_gears_and_was_going_and_has_not_moved_rolls_on(
    field_of_battle: Build, play: Play, unit: dict[str, Any], put: dict[str, float]
) -> None:
    battle = field_of_battle({**unit, "put": put}, BOB)

    assert play(battle, coast(battle, 0)) == []


@pytest.mark.parametrize(
    ("at", "facing", "last", "end", "speed"),
    [
        ((100, 100), 0, 42, (100, 121), 21),
        ((100, 100), 90, 42, (121, 100), 21),
        ((100, 100), 90, -15, (94, 100), -6),
        ((100, 190), 0, 42, (100, 190), 21),
        ((100, 100), 0, 15, (100, 100), 0),
    ],
)
def test_it_rolls_on_along_its_facing_and_not_over_the_edge(
    field_of_battle: Build,
    play: Play,
    at: tuple[float, float],
    facing: float,
    last: float,
    end: tuple[float, float],
    speed: float,
) -> None:
    tank = {**TANK, "at": at, "facing": facing, "put": {"last_speed": last}}
    battle = field_of_battle(tank, BOB)

    (event,) = play(battle, coast(battle, 0))

    angle = radians(facing)
    front = (end[0] + 0.5 * sin(angle), end[1] + 0.5 * cos(angle))
    assert event.facts.values() == {"path": (pytest.approx(front, abs=0.002),), "speed": speed}
    assert last_speed(battle, 0) == speed


@pytest.mark.parametrize(
    ("degrees", "budget", "most", "expected"),
    [
        (0, 20, None, [("march", 0, 20)]),
        (0, 20, 7, [("march", 0, 7)]),
        (0, 5, 7, [("march", 0, 5)]),
        (0, 0, None, None),
        # A turn by up to 90 degrees costs a quarter of the speed, by more the half.
        (45, 20, None, [("turn", 45, 0), ("march", 45, 15)]),
        (90, 20, 7, [("turn", 90, 0), ("march", 90, 7)]),
        (180, 20, None, [("turn", 180, 0), ("march", 180, 10)]),
        (270, 40, None, [("turn", 270, 0), ("march", 270, 35)]),
        (90, 5, None, [("turn", 90, 0)]),
        (90, 4.9, None, None),
    ],
)
def test_a_block_turns_and_goes_as_far_as_its_movement_lasts(
    field_of_battle: Build, degrees: float, budget: float, most: float, expected: Told | None
) -> None:
    battle = field_of_battle(BLOCK, BOB)

    order = turn_and_go(battle, 0, facing_of_degrees(degrees), budget, "double-pace", most)

    assert (order and told(battle, order)) == expected
    if order is not None:
        assert (order.verb, order.unit) == ("double-pace", 0)


def all_round(speed: float, costs: dict[float, float]) -> list[Told]:
    ways: list[Told] = [[("march", 0, speed)]]
    for degrees in (45, 315, 90, 270, 180):
        left = speed - costs[min(degrees, 360 - degrees)]
        ways.append([("turn", degrees, 0), ("march", degrees, left)])
    return ways


@pytest.mark.parametrize(
    ("formation", "costs"),
    [
        ("open", {45: 0, 90: 0, 180: 0}),
        ("close", {45: 0.5, 90: 1, 180: 2}),
        ("ranked", {45: 5, 90: 5, 180: 10}),
    ],
)
def test_moves_are_offered_ahead_and_after_turns_by_half_right_angles(
    field_of_battle: Build, formation: str, costs: dict[float, float]
) -> None:
    battle = field_of_battle({**BLOCK, "formation": formation}, BOB)

    orders = move_options(battle, 0)

    assert [order.verb for order in orders] == ["move"] * 6 + ["double-pace"] * 6
    assert [told(battle, order) for order in orders] == [
        *all_round(20, costs),
        *all_round(40, costs),
    ]


@pytest.mark.parametrize(
    ("put", "verbs"),
    [
        ({}, {"move", "double-pace"}),
        ({"moved": 1}, set()),
        ({"move_used": 1}, set()),
        ({"primary_used": 1}, {"move"}),
        ({"free_used": 1}, {"move"}),
        ({"move_used": 1, "double_paced": 1}, set()),
    ],
)
def test_a_move_that_is_used_up_is_not_offered(
    field_of_battle: Build, put: dict[str, int], verbs: set[str]
) -> None:
    battle = field_of_battle({**MAN, "put": put}, BOB)

    assert {order.verb for order in move_options(battle, 0)} == verbs


@pytest.mark.parametrize(
    ("altitude", "expected"), [(0.0, [5.0]), (5.0, [0.0]), (3.0, [0.0, 5.0])]
)  # fmt: skip
def test_a_flyer_is_offered_to_land_and_to_rise(
    field_of_battle: Build, altitude: float, expected: list[float]
) -> None:
    bird = {**MAN, "movement": "20F", "put": {"on_height": altitude}}
    battle = field_of_battle(bird, BOB)

    orders = [order for order in move_options(battle, 0) if order.verb == "move"]
    upright = [
        order.legs[0].altitude
        for order in orders
        if len(order.legs) == 1 and order.legs[0].altitude != altitude
    ]

    assert upright == expected
    assert all((leg.x, leg.y) == (100, 100.5) for order in orders[-len(expected):]
               for leg in order.legs)  # fmt: skip
