"""How the doctrine commander's units keep out of each other's way, and whom each takes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Decision
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.force import facing_of_degrees
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.doctrine import unit_paths
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.places import axis_of
from emlia3d.rules.emlia.play.movement.manoeuvre import turn_and_go
from emlia3d.rules.emlia.play.movement.obstruction_cache import NearbyBodies
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.pose import pose_of, turned
from tests.rules.emlia.doctrine.commander_helpers import orders
from tests.rules.emlia.troops import FOOT, MUSKETEERS, MUSKETS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
RIFLES: dict[str, Any] = {
    "members": 6, "files": 6, "formation": "open", "weapons": [MUSKETS], "movement": "12G",
    "skills": {"aimed fire": "6/2", "stealth": "3"},
}  # fmt: skip
SIDES = [
    Side(name="Alice", colour="#000000", lines="south"),
    Side(name="Bob", colour="#111111", lines="north"),
]
HEDGE = {"kind": "hedge", "box": (60, 98, 140, 100)}


def later(battle: Battle, turn: int) -> Battle:
    change = Set(table="battle", row=0, column="turn", value=turn)
    battle.happen(Event(facts=Unread(event="later"), changes=(change,)))
    return battle


@pytest.mark.parametrize("east", [94, 106])
def test_skirmishers_clear_the_front_to_the_nearer_flank_of_the_line_behind_them(
    east: float, field_of_battle: Build, question: Ask
) -> None:
    line = {**FOOT, "front": (100, 90)}
    battle = field_of_battle(
        {**RIFLES, "at": (east, 96)}, line, {**FOOT, **BOB, "front": (100, 160)}, sides=SIDES
    )

    order = orders(battle, question)

    assert order.why == "clears the front of unit 1"
    assert (order.legs[-1].x - east) * (east - 100) > 0
    assert order.legs[-1].y == pytest.approx(96.5)


def test_skirmishers_clear_no_front_for_those_who_are_beside_or_far_behind_them(
    field_of_battle: Build, question: Ask
) -> None:
    foe = {**FOOT, **BOB, "front": (100, 160)}
    for front in ((160, 90), (100, 40)):
        line = {**FOOT, "front": front}
        battle = field_of_battle({**RIFLES, "at": (100, 96)}, line, foe, sides=SIDES)
        assert "clears" not in orders(battle, question).why


@pytest.mark.parametrize(("line_at", "lurks"), [((180, 90), True), ((100, 92), False)])
def test_skirmishers_do_not_lie_in_wait_in_the_way_of_their_own_line(
    line_at: tuple[float, float], lurks: bool, field_of_battle: Build, question: Ask
) -> None:
    comes = {**BOB, "at": (100, 120), "put": {"moved": 1}}
    short = {**MUSKETS, "range": (5, 10, 15)}
    hidden = {**RIFLES, "weapons": [short], "at": (100, 96), "put": {"move_used": 1}}
    battle = field_of_battle(
        hidden, {**FOOT, "front": line_at}, comes, terrain=[HEDGE], sides=SIDES
    )

    assert (orders(battle, question).why == "prepares an ambush") is lurks


def test_foot_marches_by_files_to_where_no_friend_is_before_it(
    field_of_battle: Build, question: Ask
) -> None:
    before = {**FOOT, "members": 60, "files": 30, "front": (90, 63), "put": {"move_used": 1}}
    battle = field_of_battle(
        {**FOOT, "front": (100, 60)}, before, {**FOOT, **BOB, "front": (110, 190)}, sides=SIDES
    )

    order = orders(battle, question)

    assert order.why == "steps aside, because friends block the way ahead"
    assert [leg.step for leg in order.legs] == ["turn", "march", "turn"]
    assert order.legs[-1].facing == 0
    assert order.legs[1].x > 102


def test_each_takes_on_the_enemy_before_it_and_not_one_behind_a_friend(
    field_of_battle: Build, question: Ask
) -> None:
    near, far = {**BOB, **FOOT, "front": (70, 78)}, {**BOB, **FOOT, "front": (101, 110)}
    friend = {**FOOT, "front": (84, 66)}
    alone, beside = (
        orders(field_of_battle({**FOOT, "front": (100, 50)}, near, far, *more), question).why
        for more in ((), (friend,))
    )

    assert "unit 1" in alone
    assert "unit 2" in beside


@pytest.mark.parametrize(("turn", "goes"), [(2, False), (3, True)])
def test_the_reserve_goes_in_after_a_third_of_the_battle_if_the_objective_is_not_taken(
    turn: int, goes: bool, field_of_battle: Build, question: Ask
) -> None:
    line, reserve = {**FOOT, "front": (100, 90)}, {**FOOT, "front": (100, 60)}
    foe = {**FOOT, **BOB, "members": 40, "front": (100, 190)}
    sides = [Side(name="Alice", colour="#000000", lines="south", objective="hill"), SIDES[1]]
    battle = field_of_battle(reserve, line, foe, sides=sides, areas={"hill": (60, 170, 140, 195)})

    order = orders(later(battle, turn), question)

    assert (order.verb in {"move", "double-pace"}) is goes


@pytest.mark.parametrize(("turn", "target"), [(1, 1), (6, 2)])
def test_in_the_last_turns_he_shoots_at_who_stands_on_his_objective(
    turn: int, target: int, field_of_battle: Build, question: Ask
) -> None:
    shooters = {**MUSKETEERS, "front": (100, 50), "put": {"move_used": 1}}
    near, there = {**FOOT, **BOB, "front": (90, 62)}, {**FOOT, **BOB, "front": (110, 80)}
    sides = [Side(name="Alice", colour="#000000", lines="south", objective="hill"), SIDES[1]]
    battle = field_of_battle(shooters, near, there, sides=sides, areas={"hill": (80, 78, 140, 110)})

    order = orders(later(battle, turn), question)

    assert order.verb in {"fire", "aim"}
    assert order.target == target


@given(
    facing=st.integers(0, 359),
    way=st.integers(0, 359),
    far=st.floats(0, 20),
    troops=st.sampled_from([FOOT, RIFLES, {**RIFLES, "formation": "close"}]),
    beside=st.sampled_from([FOOT, RIFLES, {**RIFLES, "formation": "close"}]),
    spots=st.lists(st.tuples(st.integers(80, 120), st.integers(70, 115)), max_size=2, unique=True),
)
@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_move_brings_a_unit_farther_than_those_about_it_let_it_go(
    field_of_battle: Build, facing: int, way: int, far: float, troops: dict[str, Any],
    beside: dict[str, Any], spots: list[tuple[int, int]],
) -> None:  # fmt: skip
    friends = [{**beside, "at": spot, "facing": 45} for spot in spots]
    battle = field_of_battle({**troops, "at": (100, 92), "facing": 20}, *friends, terrain=[HEDGE])
    wanted, speed = facing_of_degrees(way), speed_of(battle, 0)
    start = turned(pose_of(battle, 0), facing_of_degrees(facing))

    order = turn_and_go(battle, 0, start.facing, speed, "move", far)

    if order is not None:
        room = NearbyBodies(battle, 0).room_before(start, min(far, speed))
        most = unit_paths.most_gain(battle, 0, start, wanted, room)
        assert unit_paths.gain_of(battle, 0, order, wanted) <= most


def test_a_unit_in_ranks_has_no_room_where_a_friend_stands_before_it(
    field_of_battle: Build,
) -> None:
    troops = {**FOOT, "front": (100, 50)}, {**FOOT, "front": (100, 60)}
    battle = field_of_battle(*troops, {**RIFLES, "at": (100, 38)})
    nearby, pose = NearbyBodies(battle, 0), pose_of(battle, 0)

    about = [nearby.room_before(turned(pose, facing_of_degrees(way)), 30) for way in (0, 180, 90)]

    assert about[0] == pytest.approx(10 - pose_of(battle, 1).drill.length, abs=0.01)
    assert 0 < about[1] < 12
    assert about[2] == 30


def test_a_unit_in_ranks_has_room_past_a_friend_whose_flank_is_in_line_with_its_own(
    field_of_battle: Build,
) -> None:
    wide = pose_of(field_of_battle({**FOOT, "front": (100, 50)}), 0).drill.frontage
    battle = field_of_battle({**FOOT, "front": (100, 50)}, {**FOOT, "front": (100 + wide, 60)})

    assert NearbyBodies(battle, 0).room_before(pose_of(battle, 0), 30) == 30


@pytest.mark.parametrize(("friends", "stays"), [(0, True), (1, False)])
def test_skirmishers_who_alone_hold_a_place_that_counts_stay_there_in_the_last_turns(
    friends: int, stays: bool, field_of_battle: Build, question: Ask
) -> None:
    sides = [Side(name="Alice", colour="#000000", lines="south", objective="hill"), SIDES[1]]
    aims = [{"side": "Alice", "level": "minor victory", "controls": ("farm",)}]
    beside = {"at": (105, 45), "members": 1}
    battle = field_of_battle(
        {**RIFLES, "at": (100, 50)}, {**FOOT, **BOB, "front": (100, 195)}, *[beside] * friends,
        sides=sides, areas={"hill": (60, 150, 140, 180), "farm": (90, 40, 110, 60)}, aims=aims,
    )  # fmt: skip

    order = orders(later(battle, 6), question)

    assert (order.verb not in {"move", "double-pace"}) is stays


@pytest.mark.parametrize(("turn", "lurks"), [(1, True), (6, False)])
def test_nobody_lies_in_wait_in_the_last_turns_while_the_objective_is_not_taken(
    turn: int, lurks: bool, field_of_battle: Build, question: Ask
) -> None:
    sides = [Side(name="Alice", colour="#000000", lines="south", objective="hill"), SIDES[1]]
    comes = {**BOB, "at": (100, 130), "put": {"moved": 1}}
    hidden = {**RIFLES, "weapons": [{**MUSKETS, "range": (5, 10, 15)}], "at": (100, 96)}
    battle = field_of_battle(
        {**hidden, "put": {"move_used": 1}}, comes, terrain=[HEDGE], sides=sides,
        areas={"hill": (60, 150, 140, 180)},
    )  # fmt: skip

    order = orders(later(battle, turn), question)

    assert (order.why == "prepares an ambush") is lurks


@pytest.mark.parametrize(("turn", "verb"), [(1, "aim"), (6, "move")])
def test_in_the_last_turns_nobody_halts_for_anyone_but_those_on_the_objective(
    turn: int, verb: str, field_of_battle: Build, question: Ask
) -> None:
    near, there = {**FOOT, **BOB, "front": (90, 75)}, {**FOOT, **BOB, "front": (125, 110)}
    sides = [Side(name="Alice", colour="#000000", lines="south", objective="hill"), SIDES[1]]
    battle = field_of_battle(
        {**MUSKETEERS, "front": (100, 50)}, near, there, sides=sides,
        areas={"hill": (80, 105, 140, 130)},
    )  # fmt: skip

    assert orders(later(battle, turn), question).verb == verb


@pytest.mark.parametrize(("hidden", "searches"), [(True, True), (False, False)])
def test_foot_goes_over_the_objective_to_where_an_enemy_who_is_missing_may_be_hidden(
    hidden: bool, searches: bool, field_of_battle: Build, question: Ask
) -> None:
    sides = [Side(name="Alice", colour="#000000", lines="south", objective="hill"), SIDES[1]]
    house = {"kind": "building", "height": 9, "box": (60, 130, 140, 140)}
    battle = field_of_battle(
        {**MUSKETEERS, "front": (100, 60)}, {**FOOT, **BOB, "front": (100, 150)}, sides=sides,
        areas={"hill": (60, 50, 140, 100)}, terrain=[house] * hidden,
    )  # fmt: skip

    found = orders(battle, question).why

    assert (found == "searches hill for hidden enemies") is searches


def test_an_enemy_with_whom_a_friend_has_come_to_blows_is_left_to_him(
    field_of_battle: Build, question: Ask
) -> None:
    busy, free = {**BOB, **FOOT, "front": (100, 78)}, {**BOB, **FOOT, "front": (140, 110)}
    friend = {**FOOT, "front": (106, 77.5), "put": {"morale": 0}}
    alone, beside = (
        orders(field_of_battle({**FOOT, "front": (92, 40)}, busy, free, *more), question).why
        for more in ((), (friend,))
    )

    assert "unit 1" in alone
    assert "unit 2" in beside


@pytest.mark.parametrize("north", [90, 110, 125])
def test_the_line_that_has_come_to_its_objective_still_looks_away_from_its_own_edge(
    north: float, field_of_battle: Build
) -> None:
    sides = [Side(name="Alice", colour="#000000", lines="south", objective="hill"), SIDES[1]]
    battle = field_of_battle(
        {**FOOT, "front": (120, north)}, {**FOOT, **BOB, "front": (100, 180)}, sides=sides,
        areas={"hill": (60, 80, 140, 120)},
    )  # fmt: skip

    assert axis_of(AiContext(SYSTEM.picture(battle, 0))) == 0


def test_who_comes_up_behind_a_friend_leaves_him_room_to_turn(
    field_of_battle: Build, question: Ask
) -> None:
    friend = {**FOOT, "front": (100, 75), "put": {"morale": 0}}
    horse = {**FOOT, "role": "cavalry", "movement": "60G", "front": (100, 30)}
    battle = field_of_battle(horse, friend, {**FOOT, **BOB, "front": (100, 190)}, sides=SIDES)

    order = orders(battle, question)

    assert order.verb in {"move", "double-pace"}
    assert order.legs[-1].y == pytest.approx(70.5, abs=0.1)
