"""Chapter 12 at its limits: cover that just suffices, short moves, and the edge of the field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.movement.manoeuvre import (
    MoveValidator,
    fly,
    may_take_cover,
    move_options,
    posture_options,
    short_of_edge,
    turn_and_go,
)
from emlia3d.rules.emlia.play.situation.pose import pose_of

Build = Callable[..., Battle]
Put = Callable[..., None]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}


@pytest.mark.rule("emlia.move.take-cover")
@pytest.mark.parametrize(
    ("height", "lift", "may"),
    [(1.0, 0.0, True), (0.99, 0.0, False), (0.5, 0.5, True), (0.5, 0.25, False)],
)
def test_a_unit_covers_behind_another_whose_top_is_at_half_its_height(
    field_of_battle: Build, height: float, lift: float, may: bool
) -> None:
    other = {"at": (53, 50), "height": height, "on_height": lift}
    battle = field_of_battle({**ALICE, "height": 2}, BOB, other)

    assert (may_take_cover(battle, 0) is None) is may


@pytest.mark.rule("emlia.move.take-cover")
@pytest.mark.parametrize(("gap", "may"), [(5.0, True), (5.1, False)])
def test_another_unit_covers_from_5_gsu_away(field_of_battle: Build, gap: float, may: bool) -> None:
    battle = field_of_battle(ALICE, BOB, {"at": (51 + gap, 50)})

    assert (may_take_cover(battle, 0) is None) is may


@pytest.mark.rule("emlia.move.normal")
@pytest.mark.parametrize(("gap", "legs"), [(0.0, 0), (0.75, 1), (20.0, 1)])
def test_a_unit_before_a_house_goes_as_far_as_there_is_room(
    field_of_battle: Build, gap: float, legs: int
) -> None:
    house = {"kind": "building", "box": (30, 50.5 + gap, 70, 60 + gap)}
    battle = field_of_battle({**ALICE, "formation": "close"}, BOB, terrain=[house])

    order = turn_and_go(battle, 0, 0, 15, "move")

    assert (0 if order is None else len(order.legs)) == legs
    straight_on = [one for one in move_options(battle, 0) if one.legs[0].facing == 0]
    assert bool(straight_on) is bool(legs)


@pytest.mark.rule("emlia.move.double-pace")
@pytest.mark.parametrize(("verbs", "left"), [((), True), (("move_used", "double_paced"), False)])
def test_a_unit_has_no_move_left_after_both_moves_of_a_double_pace(
    field_of_battle: Build, put: Put, verbs: tuple[str, ...], left: bool
) -> None:
    battle = field_of_battle({**ALICE, "put": {"taking_cover": 1}}, BOB)

    put(battle, 0, **dict.fromkeys(verbs, 1))

    assert bool(posture_options(battle, 0)) is left
    assert bool(move_options(battle, 0)) is left


@pytest.mark.rule("emlia.move.normal")
def test_an_order_of_another_kind_is_no_move(field_of_battle: Build) -> None:
    refusal = MoveValidator(field_of_battle(ALICE, BOB), 0).refusal(Order(verb="fire", unit=0))

    assert refusal is not None
    assert refusal.slug == "emlia.move.normal"


@pytest.mark.rule("emlia.mode.flying")
@pytest.mark.parametrize(("most", "flies"), [(0.0, False), (0.5, True), (9.0, True)])
def test_a_flyer_flies_as_little_as_it_wants(
    field_of_battle: Build, most: float, flies: bool
) -> None:
    bird = {**ALICE, "movement": "30F", "on_height": 5.0}
    battle = field_of_battle(bird, BOB)

    order = fly(battle, 0, 0, 30.0, "move", most, 5.0)

    assert (order is not None) is flies


@pytest.mark.rule("emlia.move.leave")
@pytest.mark.parametrize(("distance", "goes"), [(9.0, 9.0), (10.0, 9.5), (11.0, 9.5)])
@pytest.mark.parametrize(
    ("size", "at", "degrees"),
    [
        ((20, 20), (10, 10), 180),
        ((20, 20), (10, 10), 270),
        ((60, 200), (50, 50), 90),
        ((200, 60), (50, 50), 0),
    ],
    ids=["south", "west", "east of a narrow field", "north of a flat field"],
)
def test_a_way_ends_at_the_edge_though_it_leads_less_than_a_gsu_beyond(
    field_of_battle: Build,
    size: tuple[int, int],
    at: tuple[int, int],
    degrees: int,
    distance: float,
    goes: float,
) -> None:
    """A man half a GSU deep before and behind his middle, 10 GSU from the edge."""
    battle = field_of_battle({"at": at, "facing": degrees}, size=size)
    pose = pose_of(battle, 0)

    far = short_of_edge(pose, pose.facing, distance, (float(size[0]), float(size[1])))

    assert far == pytest.approx(goes, abs=0.01)


@pytest.mark.rule("emlia.move.leave")
def test_a_unit_at_the_edge_goes_the_little_that_is_left(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (50, 0.9), "facing": 180}, BOB)
    pose = pose_of(battle, 0)

    far = short_of_edge(pose, pose.facing, 8.0, battle.setup.field.size)

    assert far == pytest.approx(0.4, abs=0.01)
