"""Chapters 11 to 13 as play: what a move may just do, and what it just may not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import hypot
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Leg, Order, Refusal
from emlia3d.rules.emlia.play.movement.legs import MovePlan, may_reform, plan
from emlia3d.rules.emlia.play.movement.manoeuvre import turn_and_go
from emlia3d.rules.emlia.play.situation.allowance import over_edge, speed_of
from emlia3d.rules.emlia.play.situation.flight import flight_cost
from emlia3d.rules.emlia.play.situation.pose import (
    Pose,
    at_altitude,
    gone,
    placed,
    pose_of,
    turned,
    wheeled,
)

Build = Callable[..., Battle]

STEP = 1 / 1024
"""GSU of the grid on which places lie."""

NEAR = 4 * STEP
"""A 256th of a GSU: what lies no farther apart may touch on paper."""

MAN: dict[str, Any] = {"front": (100, 100), "movement": "20G", "morale": 4}
BLOCK: dict[str, Any] = {**MAN, "members": 8, "files": 4, "formation": "ranked"}
BOB: dict[str, Any] = {"at": (10, 190), "side": "Bob", "facing": 180}


def answer(battle: Battle, legs: Sequence[Leg], paces: int = 1) -> str | None:
    """The rule by which an order is refused; None if it is not."""
    planned = plan(battle, 0, Order(verb="move", unit=0, legs=tuple(legs)), paces)
    return planned.slug if isinstance(planned, Refusal) else None


def march(pose: Pose, north: float, east: float = 0.0, mode: str = "", up: float = 0.0) -> Leg:
    return at_altitude(pose.at(pose.x + east, pose.y + north, pose.facing), up).leg("march", mode)


@pytest.mark.rule("emlia.move.leave")
@pytest.mark.parametrize(
    ("x", "y", "over"),
    [
        (100, 200 + NEAR, False),
        (100, 200 + NEAR + STEP, True),
        (100, 2 - NEAR, False),
        (100, 2 - NEAR - STEP, True),
        (198 + NEAR, 100, False),
        (198 + NEAR + STEP, 100, True),
        (2 - NEAR, 100, False),
        (2 - NEAR - STEP, 100, True),
    ],
)
def test_no_more_than_rounding_may_be_over_an_edge(
    field_of_battle: Build, x: float, y: float, over: bool
) -> None:
    """The block is 4 wide, with its front in the middle of its north side, and 2 deep."""
    battle = field_of_battle(BLOCK, BOB)

    refused = over_edge(battle, replace(pose_of(battle, 0), x=x, y=y))

    assert (refused is not None) == over


@pytest.mark.parametrize(
    ("formation", "east", "north", "turn", "stays"),
    [
        ("ranked", 0, 0, 0, True),
        ("ranked", 2, 0, 0, True),
        ("ranked", 0, -2, 0, True),
        ("ranked", 3, 0, 0, False),
        ("ranked", -3, 0, 0, False),
        ("ranked", 0, 3, 0, False),
        ("ranked", 0, -3, 0, False),
        ("open", 0, 0, 90 * 64, True),
        ("open", 3, 3, 90 * 64, False),
    ],
)
def test_who_cannot_fly_comes_down_as_soon_as_his_middle_is_elsewhere(
    field_of_battle: Build, formation: str, east: int, north: int, turn: int, stays: bool
) -> None:
    tall = {**BLOCK, "formation": formation, "put": {"on_height": 3.0}}
    battle = field_of_battle(tall, BOB)
    pose = turned(pose_of(battle, 0), turn)

    changes = placed(battle, 0, pose.at(pose.x + east * STEP, pose.y + north * STEP, turn))

    down = Set(table="unit", row=0, column="on_height", value=0.0)
    assert (down not in changes) == stays


@pytest.mark.rule("emlia.form.ranked.wheel")
@pytest.mark.parametrize(
    ("advance", "refused"),
    [(2, None), (2 - NEAR, None), (2 - NEAR - STEP, "emlia.form.ranked.wheel"),
     (0, "emlia.form.ranked.wheel"), (-2, "emlia.form.ranked.wheel")],
)  # fmt: skip
def test_a_wheel_is_followed_by_a_march_of_the_depth(
    field_of_battle: Build, advance: float, refused: str | None
) -> None:
    battle = field_of_battle(BLOCK, BOB)
    round_it = wheeled(pose_of(battle, 0), 90 * 64)
    after = round_it.at(round_it.x + advance, round_it.y, round_it.facing)
    aside = turned(round_it, 0)

    assert answer(battle, [round_it.leg("wheel"), after.leg("march")]) == refused
    assert answer(battle, [round_it.leg("wheel")]) == "emlia.form.ranked.wheel"
    assert answer(battle, [round_it.leg("wheel"), aside.leg("turn"), after.leg("march")], 2) == (
        "emlia.form.ranked.wheel"
    )


@pytest.mark.rule("emlia.move.normal", "emlia.move.double-pace")
@pytest.mark.parametrize(
    ("unit", "legs", "paces", "refused"),
    [
        (MAN, [(20, "")], 1, None),
        (MAN, [(20 + NEAR, "")], 1, None),
        (MAN, [(20 + NEAR + STEP, "")], 1, "emlia.move.normal"),
        (MAN, [(12, ""), (8, "")], 1, None),
        (MAN, [(12, ""), (8.1, "")], 1, "emlia.move.normal"),
        (MAN, [(40, "")], 2, None),
        (MAN, [(40.1, "")], 2, "emlia.move.normal"),
        (MAN, [(4, "F")], 1, "emlia.attr.movement"),
        # A Normal Move is made in one mode; at Double Pace each of two lasts for its own speed.
        ({"movement": "20G, 10F"}, [(4, "G"), (4, "F")], 1, "emlia.move.normal"),
        ({"movement": "20G, 10F"}, [(12, "G"), (10, "F")], 2, None),
        ({"movement": "20G, 10F"}, [(20, "G"), (10, "F")], 2, None),
        ({"movement": "20G, 10F"}, [(12, "G"), (10.1, "F")], 2, "emlia.move.normal"),
        ({"movement": "20G, 10F"}, [(20.1, "G"), (4, "F")], 2, "emlia.move.normal"),
        ({"movement": "20G, 10F"}, [(4, "G"), (4, "F"), (4, "G")], 2, "emlia.move.normal"),
        ({"movement": "20G, 10F"}, [(20, "F")], 2, None),
        ({"movement": "20G, 10F"}, [(20, "F")], 1, "emlia.move.normal"),
    ],
)  # fmt: skip
def test_a_move_lasts_as_long_as_the_speed_of_its_mode(
    field_of_battle: Build,
    unit: dict[str, Any],
    legs: list[tuple[float, str]],
    paces: int,
    refused: str | None,
) -> None:
    battle = field_of_battle({**MAN, **unit}, BOB)
    path, gone_by = [], 0.0
    for far, mode in legs:
        gone_by += far
        path.append(march(pose_of(battle, 0), gone_by, mode=mode))

    assert answer(battle, path, paces) == refused


@pytest.mark.rule("emlia.form.ranked.translate")
@pytest.mark.parametrize(
    ("east", "north", "refused"),
    [
        (NEAR, 6, None),
        (NEAR + STEP, 6, "emlia.form.ranked.translate"),
        (-NEAR - STEP, -6, "emlia.form.ranked.translate"),
        (6, -NEAR, None),
        (-6, NEAR, None),
        (-6, NEAR + STEP, "emlia.form.ranked.translate"),
    ],
)
def test_a_block_moves_askew_by_rounding_alone(
    field_of_battle: Build, east: float, north: float, refused: str | None
) -> None:
    battle = field_of_battle(BLOCK, BOB)

    assert answer(battle, [march(pose_of(battle, 0), north, east)]) == refused


@pytest.mark.rule("emlia.move.normal")
@pytest.mark.parametrize("formation", ["ranked", "close", "open"])
def test_a_march_that_leads_nowhere_costs_nothing(field_of_battle: Build, formation: str) -> None:
    battle = field_of_battle({**BLOCK, "formation": formation}, BOB)
    leg = march(pose_of(battle, 0), 0)

    planned = plan(battle, 0, Order(verb="move", unit=0, legs=(leg,)))

    assert isinstance(planned, MovePlan)
    assert (planned.cost, planned.end) == (0, pose_of(battle, 0))


@pytest.mark.rule("emlia.mode.flying.altitude")
@pytest.mark.parametrize(
    ("movement", "mode", "refused"),
    [
        ("20G", "", None),
        ("20G", "G", None),
        ("20G, 30F", "F", None),
        ("20G, 30F", "G", "emlia.mode.flying.altitude"),
    ],
)
def test_who_is_in_the_air_lands_first_and_who_stands_on_something_walks_off(
    field_of_battle: Build, movement: str, mode: str, refused: str | None
) -> None:
    battle = field_of_battle({**MAN, "movement": movement, "put": {"on_height": 3.0}}, BOB)

    assert answer(battle, [march(pose_of(battle, 0), 5, mode=mode)]) == refused


@pytest.mark.rule("emlia.form.close.turn")
@pytest.mark.parametrize(
    ("budget", "legs"), [(0.5, None), (1.0, ["turn"]), (3.0, ["turn", "march"])]
)
def test_the_last_movement_may_be_spent_on_a_turn(
    field_of_battle: Build, budget: float, legs: list[str] | None
) -> None:
    """A right angle costs a close unit 1 GSU."""
    battle = field_of_battle({**BLOCK, "formation": "close"}, BOB)

    order = turn_and_go(battle, 0, 90 * 64, budget, "move")

    assert (order and [leg.step for leg in order.legs]) == legs


@pytest.mark.rule("emlia.move.blocked-by-object")
@pytest.mark.parametrize("mode", ["G", "F"])
@pytest.mark.parametrize(
    ("far", "refused"),
    [(5, None), (5 + NEAR, None), (5 + 3 * NEAR, "emlia.move.blocked-by-object"),
     (12, "emlia.move.blocked-by-object")],
)  # fmt: skip
def test_a_march_or_a_flight_ends_before_what_is_in_its_way(
    field_of_battle: Build, mode: str, far: float, refused: str | None
) -> None:
    friend = {**MAN, "front": (100, 106), "formation": "close"}
    mover = {**MAN, "movement": f"20{mode}", "formation": "close"}
    battle = field_of_battle(mover, friend, BOB)

    assert answer(battle, [march(pose_of(battle, 0), far)]) == refused


@pytest.mark.rule("emlia.mode.flying.altitude")
@pytest.mark.parametrize(
    ("up", "ceiling", "refused"),
    [(0, 0, False), (12, 0, False), (12, 12, False), (12.1, 12, True), (-0.1, 0, True)],
)
def test_nobody_flies_above_the_ceiling_or_below_the_ground(
    field_of_battle: Build, up: float, ceiling: float, refused: bool
) -> None:
    house = {"ceiling": float(ceiling)} if ceiling else None
    battle = field_of_battle({**MAN, "movement": "60F"}, BOB, house=house)

    found = answer(battle, [march(pose_of(battle, 0), 4, up=up)])

    assert found == ("emlia.mode.flying.altitude" if refused else None)


@pytest.mark.rule("emlia.mode.flying.path-length")
def test_a_flight_begins_at_the_feet_of_the_members(field_of_battle: Build) -> None:
    """Four men stand round a rise of 4 height units, 1 GSU across, and fly over its north edge."""
    rise = {"kind": "hill", "box": (99.5, 99.5, 100.5, 100.5), "height": 4}
    four = {"at": (100, 100), "members": 4, "files": 2, "movement": "60F"}
    battle = field_of_battle(four, BOB, terrain=[rise])
    start = pose_of(battle, 0)

    cost = flight_cost(battle, start, gone(start, 0, 10))

    assert cost == pytest.approx(hypot(0.5, 4) + hypot(9.5, 4), abs=0.001)


@pytest.mark.rule("emlia.move.take-cover.speed", "emlia.mixed.speed")
@pytest.mark.parametrize(
    ("unit", "part", "mode", "speed"),
    [
        ({}, None, None, 20),
        ({"put": {"taking_cover": 1}}, None, None, 10),
        ({"put": {"speed_share": 0.5}}, None, None, 10),
        ({"put": {"speed_share": 0.5, "taking_cover": 1}}, None, None, 5),
        ({"movement": "20G, 30F"}, None, None, 30),
        ({"movement": "20G, 30F"}, None, "G", 20),
        ({}, None, "F", 0),
        ({}, {"movement": "12G"}, None, 12),
        ({}, {"movement": "26G"}, None, 20),
        ({}, {"movement": "26G", "put": {"speed_share": 0.5}}, None, 13),
        ({"movement": "20G, 30F"}, {"movement": "12G"}, None, 12),
        ({"movement": "20G, 30F"}, {"movement": "12G"}, "F", 0),
        ({"movement": "60G 10/20/40/60A", "put": {"last_speed": 15.0}}, None, None, 40),
        ({"movement": "60G 10/20/40/60A", "put": {"last_speed": 60.0}}, None, None, 60),
        ({"movement": "60G 10/20/40/60A", "put": {"last_speed": -8.0}}, None, None, 0),
    ],
)
def test_a_normal_move_goes_as_far_as_the_slowest_of_those_who_make_it(
    field_of_battle: Build,
    unit: dict[str, Any],
    part: dict[str, Any] | None,
    mode: str | None,
    speed: float,
) -> None:
    group = {"name": "part", "group": "whole", "front": (100, 96)}
    parts = [] if part is None else [{**group, **part}]
    battle = field_of_battle({**MAN, "name": "whole", **unit}, *parts, BOB)

    assert speed_of(battle, 0, mode) == speed


@pytest.mark.rule("emlia.form.change", "emlia.form.all")
@pytest.mark.parametrize(
    ("members", "formation", "files", "refused"),
    [
        (8, 0, 1, None),
        (8, 1, 8, None),
        (8, 2, 8, None),
        (8, 2, 9, "emlia.form.change"),
        (8, 2, 0, "emlia.form.change"),
        (8, 3, 4, "emlia.form.change"),
        (8, -1, 4, "emlia.form.change"),
        (1, 2, 1, "emlia.form.all"),
        (1, 1, 1, None),
        (2, 2, 1, None),
    ],
)
def test_a_formation_has_files_that_the_members_can_fill(
    field_of_battle: Build, members: int, formation: int, files: int, refused: str | None
) -> None:
    battle = field_of_battle({**MAN, "members": members, "files": members}, BOB)
    leg = Leg(step="form", x=100, y=100, facing=0, formation=formation, files=files)

    found = may_reform(battle, 0, leg)

    assert (found and found.slug) == refused


def test_a_plan_tells_where_it_ends_and_what_each_leg_leads_to(field_of_battle: Build) -> None:
    battle = field_of_battle(BLOCK, BOB)
    start = pose_of(battle, 0)
    first = march(start, 3)
    second = turned(gone(start, 0, 3), 90 * 64).leg("turn")

    planned = plan(battle, 0, Order(verb="move", unit=0, legs=(first, second)))

    assert isinstance(planned, MovePlan)
    assert planned.cost == pytest.approx(3 + 5)
    assert planned.drive is None
    assert [pose.facing for pose in planned.poses] == [0, 90 * 64]
    assert planned.end.middle == pytest.approx((100, 102))
