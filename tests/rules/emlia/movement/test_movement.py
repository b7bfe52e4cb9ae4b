"""Chapters 11 to 13: where the legs of a move lead, what they cost, and what stands in the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import pi
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order, Refusal
from emlia3d.force import facing_of_degrees
from emlia3d.rules.emlia.play.movement.legs import MovePlan, cut_short, plan
from emlia3d.rules.emlia.play.situation.allowance import obstacles_to, speed_of
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, pose_of, turned, wheeled

Build = Callable[..., Battle]
BLOCK: dict[str, Any] = {"front": (50, 50), "members": 10, "files": 5, "formation": "ranked"}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}
NORTH, EAST, SOUTH = (facing_of_degrees(degrees) for degrees in (0, 90, 180))


def order(*legs: Leg) -> Order:
    return Order(verb="move", unit=0, legs=legs)


def to(x: float, y: float, facing: int = NORTH) -> Leg:
    return Leg(step="march", x=x, y=y, facing=facing)


def step(kind: Any, facing: int) -> Leg:
    return Leg(step=kind, x=0, y=0, facing=facing)


def form(formation: int, files: int) -> Leg:
    return Leg(step="form", x=50, y=50, facing=NORTH, formation=formation, files=files)


def cost(battle: Battle, *legs: Leg) -> float:
    planned = plan(battle, 0, order(*legs), paces=9)
    assert isinstance(planned, MovePlan), planned
    return planned.cost


def slug(battle: Battle, *legs: Leg, paces: int = 1) -> str | None:
    planned = plan(battle, 0, order(*legs), paces)
    return planned.slug if isinstance(planned, Refusal) else None


@pytest.mark.rule("emlia.form.ranked.translate")
@pytest.mark.parametrize(
    ("x", "y", "spent"), [(50, 60, 10), (56, 50, 12), (44, 50, 12), (50, 45, 10)]
)
def test_a_block_goes_at_half_speed_wherever_it_does_not_face(
    x: float, y: float, spent: float, field_of_battle: Build
) -> None:
    battle = field_of_battle(BLOCK, BOB)

    assert cost(battle, to(x, y)) == pytest.approx(spent)


@pytest.mark.rule("emlia.form.ranked.translate")
def test_a_block_goes_straight_ahead_back_or_aside_and_never_askew(field_of_battle: Build) -> None:
    battle = field_of_battle(BLOCK, BOB)

    assert slug(battle, to(53, 54)) == "emlia.form.ranked.translate"


@pytest.mark.rule("emlia.form.close.speed")
def test_close_order_goes_at_half_speed_where_it_does_not_face(field_of_battle: Build) -> None:
    battle = field_of_battle({**BLOCK, "formation": "close"}, BOB)

    assert cost(battle, to(50, 55)) == pytest.approx(5)
    assert cost(battle, to(53, 46)) == pytest.approx(10)


@pytest.mark.rule("emlia.form.ranked.turn")
@pytest.mark.parametrize(("degrees", "spent"), [(30, 4), (90, 4), (91, 8), (180, 8)])
def test_a_block_turns_for_a_quarter_of_its_speed_each_started_90_degrees(
    degrees: float, spent: float, field_of_battle: Build
) -> None:
    battle = field_of_battle({**BLOCK, "movement": "16G"}, BOB)

    assert cost(battle, step("turn", facing_of_degrees(degrees))) == spent


@pytest.mark.rule("emlia.form.ranked.turn")
def test_a_block_turned_by_90_degrees_is_two_wide_and_five_deep(field_of_battle: Build) -> None:
    battle = field_of_battle(BLOCK, BOB)

    planned = plan(battle, 0, order(step("turn", EAST)))

    assert isinstance(planned, MovePlan)
    assert (planned.end.drill.files, planned.end.drill.ranks) == (2, 5)
    assert planned.end.outline.equals(pose_of(battle, 0).outline)


@pytest.mark.rule("emlia.form.close.turn")
def test_close_order_turns_for_1_gsu_each_90_degrees(field_of_battle: Build) -> None:
    battle = field_of_battle({**BLOCK, "formation": "close"}, BOB)

    assert cost(battle, step("turn", EAST)) == 1
    assert cost(battle, step("turn", facing_of_degrees(45))) == 0.5


@pytest.mark.rule("emlia.form.open")
def test_open_order_turns_for_nothing(field_of_battle: Build) -> None:
    battle = field_of_battle({**BLOCK, "formation": "open"}, BOB)

    assert cost(battle, step("turn", SOUTH)) == 0


@pytest.mark.rule("emlia.form.ranked.wheel")
def test_a_wheel_costs_the_arc_and_then_at_least_the_depth_of_advance(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle({**BLOCK, "members": 15, "movement": "11G"}, BOB)
    wheel = step("wheel", EAST)
    end = wheeled(pose_of(battle, 0), EAST)

    assert cost(battle, wheel, to(end.x + 3, end.y, EAST)) == pytest.approx(
        5 * pi / 2 + 3, abs=0.01
    )
    assert slug(battle, wheel, to(end.x + 3, end.y, EAST)) is None
    assert slug(battle, wheel, to(end.x + 2.9, end.y, EAST)) == "emlia.form.ranked.wheel"
    assert slug(battle, wheel) == "emlia.form.ranked.wheel"


@pytest.mark.rule("emlia.form.ranked.wheel")
def test_a_wheel_that_the_speed_does_not_suffice_for_is_illegal(field_of_battle: Build) -> None:
    battle = field_of_battle({**BLOCK, "members": 15, "movement": "10G"}, BOB)
    end = wheeled(pose_of(battle, 0), EAST)

    refused = slug(battle, step("wheel", EAST), to(end.x + 3, end.y, EAST))

    assert refused == "emlia.move.normal"


@pytest.mark.rule("emlia.form.ranked.wheel")
def test_a_wheel_to_the_right_turns_about_the_right_end(field_of_battle: Build) -> None:
    battle = field_of_battle(BLOCK, BOB)

    end = wheeled(pose_of(battle, 0), EAST)

    assert (end.x, end.y) == (52.5, 52.5)


@pytest.mark.rule("emlia.move.take-cover.speed")
def test_who_takes_cover_goes_at_half_speed(field_of_battle: Build) -> None:
    battle = field_of_battle({**BLOCK, "states": ["taking cover"]}, BOB)

    assert speed_of(battle, 0) == 7.5


@pytest.mark.rule("emlia.move.speed-stack")
def test_halvings_of_different_causes_multiply(field_of_battle: Build) -> None:
    bog = {"kind": "marsh", "box": (0, 0, 200, 49)}
    battle = field_of_battle({**BLOCK, "states": ["taking cover"]}, BOB, terrain=[bog])

    covered = speed_of(battle, 0) / 15
    slow = cost(battle, to(50, 48)) / 2

    assert covered / slow == 0.125


@pytest.mark.rule("emlia.terrain.rough")
@pytest.mark.parametrize(("kind", "reaches"), [("marsh", 10.5), ("forest", 8.25)])
def test_6_gsu_of_open_ground_and_then_rough(
    kind: str, reaches: float, field_of_battle: Build
) -> None:
    area = {"kind": kind, "box": (0, 56, 200, 150)}
    battle = field_of_battle(BLOCK, BOB, terrain=[area])

    assert slug(battle, to(50, 50 + reaches)) is None
    assert slug(battle, to(50, 50 + reaches + 0.1)) == "emlia.move.normal"


@pytest.mark.rule("emlia.move.blocked-by-object")
def test_a_block_does_not_go_through_another_unit(field_of_battle: Build) -> None:
    battle = field_of_battle(BLOCK, {"front": (50, 60), "formation": "close"}, BOB)

    assert slug(battle, to(50, 65)) == "emlia.move.blocked-by-object"
    assert slug(battle, to(50, 55)) is None


@pytest.mark.rule("emlia.terrain.impassable-by-height")
def test_open_units_mingle_and_close_ones_do_not(field_of_battle: Build) -> None:
    loose = {"members": 4, "files": 2, "formation": "open"}
    battle = field_of_battle(
        {**loose, "at": (50, 50)}, {**loose, "at": (70, 50)}, {**loose, "at": (90, 50)}, BOB
    )
    tight = field_of_battle({**loose, "at": (50, 50)}, {"at": (70, 50), "formation": "close"}, BOB)

    assert len(obstacles_to(battle, 0)) == 0
    assert len(obstacles_to(tight, 0)) == 1


@pytest.mark.rule("emlia.terrain.impassable-by-height")
def test_nobody_ends_a_turn_or_a_form_leg_inside_another(field_of_battle: Build) -> None:
    line = {**BLOCK, "members": 20, "files": 20}
    battle = field_of_battle(line, {"at": (46, 56.5), "formation": "close"}, BOB)

    assert slug(battle, step("turn", facing_of_degrees(60))) == (
        "emlia.terrain.impassable-by-height"
    )


@pytest.mark.rule("emlia.form.change")
def test_another_formation_costs_the_way_of_the_farthest_man(field_of_battle: Build) -> None:
    battle = field_of_battle({**BLOCK, "members": 4, "files": 4}, BOB)
    leg = form(2, 2)

    assert cost(battle, leg) == pytest.approx(2**0.5, abs=0.001)
    planned = plan(battle, 0, order(leg))
    assert isinstance(planned, MovePlan)
    assert (planned.end.drill.files, planned.end.drill.ranks) == (2, 2)


@pytest.mark.rule("emlia.form.change")
def test_an_engaged_unit_keeps_its_formation(field_of_battle: Build) -> None:
    battle = field_of_battle(BLOCK, {**BOB, "at": (50, 51)})

    assert slug(battle, form(1, 5)) == "emlia.form.change"


@pytest.mark.rule("emlia.form.change")
@pytest.mark.parametrize(("formation", "files"), [(-1, 5), (3, 5), (2, 0), (2, 11)])
def test_a_formation_that_is_none_is_refused(
    formation: int, files: int, field_of_battle: Build
) -> None:
    battle = field_of_battle(BLOCK, BOB)

    assert slug(battle, form(formation, files)) == "emlia.form.change"


@pytest.mark.rule("emlia.form.all")
def test_one_man_makes_no_ranks(field_of_battle: Build) -> None:
    battle = field_of_battle({"front": (50, 50)}, BOB)

    assert slug(battle, form(2, 1)) == "emlia.form.all"
    assert slug(battle, form(1, 1)) is None


def test_a_move_over_the_edge_is_refused(field_of_battle: Build) -> None:
    battle = field_of_battle({**BLOCK, "front": (50, 10)}, BOB)

    assert slug(battle, to(50, 1)) == "emlia.move.leave"


def test_an_order_without_legs_is_no_move(field_of_battle: Build) -> None:
    battle = field_of_battle(BLOCK, BOB)

    assert slug(battle) == "emlia.move.normal"


def test_what_bars_a_later_leg_leaves_the_earlier_ones(field_of_battle: Build) -> None:
    battle = field_of_battle(BLOCK, {"front": (50, 60.5), "formation": "close"}, BOB)
    legs = to(50, 55), to(50, 62)

    done = cut_short(battle, 0, order(*legs), 1)

    assert [(pose.x, pose.y) for pose in done.poses] == [(50, 55), (50, 59.5)]
    assert done.cost == 9.5


def test_an_order_whose_first_leg_is_a_barred_turn_leads_nowhere(field_of_battle: Build) -> None:
    line = {**BLOCK, "members": 20, "files": 20}
    battle = field_of_battle(line, {"at": (46, 56.5), "formation": "close"}, BOB)

    done = cut_short(battle, 0, order(step("turn", facing_of_degrees(60)), to(50, 60)), 1)

    assert done.poses == (pose_of(battle, 0),)


def test_turning_four_times_by_90_degrees_leads_back(field_of_battle: Build) -> None:
    pose = pose_of(field_of_battle(BLOCK, BOB), 0)

    round_again: Pose = pose
    for facing in (EAST, SOUTH, facing_of_degrees(270), NORTH):
        round_again = turned(round_again, facing)

    assert round_again == pose
    assert gone(replace(pose, x=0.0), EAST, 5).x == 5
