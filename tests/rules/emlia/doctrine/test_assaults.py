"""How the doctrine commander brings units into a fight: from where, at whose side, and when."""

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
from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.force.formation import snapped
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.doctrine import assaulting
from emlia3d.rules.emlia.doctrine.appraisal import charge_exchange
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of, turned
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia.doctrine.commander_helpers import orders
from tests.rules.emlia.hitting import hit
from tests.rules.emlia.troops import FOOT, MUSKETEERS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
WEAK: dict[str, Any] = {**FOOT, **BOB, "skills": {"close combat": "3"}}
NAMED = [
    Side(name="Alice", colour="#000000", lines="south"),
    Side(name="Bob", colour="#111111", lines="north"),
]
WALL = {"kind": "wall", "height": 6, "box": (0, 80, 200, 82)}


def test_who_has_a_friend_in_his_way_goes_round_him_to_charge(
    field_of_battle: Build, question: Ask
) -> None:
    friend = {"at": (100, 58), "members": 2, "files": 2, "formation": "ranked"}
    horse = {**FOOT, "movement": "30G", "front": (100, 50)}
    battle = field_of_battle(horse, friend, {**WEAK, "front": (100, 75)})

    order = orders(battle, question)

    assert order.verb == "move"
    assert order.why.startswith("closes in to charge unit 2: ")
    assert abs(order.legs[-1].x - 100) > 5


@given(
    bearing=st.integers(0, 359),
    away=st.floats(12, 45),
    facing=st.integers(0, 359),
    off=st.sampled_from([0, 0, 1, 90, -20, 150]),
    most=st.floats(0, 12),
    shape=st.sampled_from([(20, 10), (9, 9), (7, 1)]),
)
@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_charge_comes_home_that_surely_falls_short(
    field_of_battle: Build, bearing: int, away: float, facing: int, off: int, most: float,
    shape: tuple[int, int],
) -> None:  # fmt: skip
    east, north = unit_vector(facing_of_degrees(bearing))
    spot = snapped(100 - away * east), snapped(100 - away * north)
    charger = {**FOOT, "members": shape[0], "files": shape[1], "front": spot, "facing": facing}
    busy = {**WEAK, "formation": "close", "at": (100, 100)}, {**FOOT, "front": (100, 98)}
    battle = field_of_battle(charger, *busy)
    start = turned(pose_of(battle, 0), facing_of_degrees(bearing + off))

    if assaulting.surely_falls_short(battle, 0, 1, start, most):
        ends = [gone(start, start.facing, share * most) for share in (0, 0.3, 0.7, 1)]
        assert [charge_exchange(battle, 0, 1, end) for end in ends] == [None] * 4


@pytest.mark.parametrize(("beyond", "short"), [(-0.1, False), (0.2, True)])
def test_a_charge_surely_falls_short_of_who_is_beyond_a_move_and_a_run(
    beyond: float, short: bool, field_of_battle: Build
) -> None:
    horse, foe = {**FOOT, "movement": "60G"}, {**WEAK, "front": (100, 100)}
    near = field_of_battle({**horse, "front": (100, 80)}, foe)
    far = 5 + speed_of(near, 0) + reach_of(situation_of(near), 0)
    behind = 100 - pose_of(near, 1).drill.length - far - beyond
    battle = field_of_battle({**horse, "front": (100, behind)}, {**foe, "facing": 0})
    start = pose_of(battle, 0)

    assert assaulting.surely_falls_short(battle, 0, 1, start, 5) is short
    assert (charge_exchange(battle, 0, 1, gone(start, start.facing, 5)) is None) is short


def test_a_column_that_turns_its_head_to_an_enemy_falls_no_shorter_than_it_does(
    field_of_battle: Build,
) -> None:
    column = {**FOOT, "files": 1, "at": (100, 78), "facing": 80}
    wide = {**WEAK, "members": 80, "files": 40, "front": (100, 102), "facing": 0}
    battle = field_of_battle(column, wide)
    start = pose_of(battle, 0)

    assert charge_exchange(battle, 0, 1, start) is not None
    assert not assaulting.surely_falls_short(battle, 0, 1, start, 0)


def test_an_enemy_whom_a_friend_keeps_busy_is_taken_in_the_flank(
    field_of_battle: Build, question: Ask
) -> None:
    foe = {**WEAK, "front": (100, 60.5)}
    friend = {**FOOT, "front": (100, 60)}
    horse = {**FOOT, "role": "cavalry", "movement": "30G", "at": (120, 45)}
    battle = field_of_battle(horse, friend, foe)

    order = orders(battle, question)

    assert order.verb == "move"
    assert "kept busy by unit 1 and attacked in the " in order.why
    assert order.legs[-1].y > 60


def test_many_shoot_at_the_one_who_would_break_soonest(
    field_of_battle: Build, question: Ask
) -> None:
    """Half of twenty men is ten: with two more he has lost so many who has lost nine already."""
    targets = [{**WEAK, "front": (x, 80), "morale": 5} for x in (85, 115)]
    slingers = {**MUSKETEERS, "skills": {"aimed fire": "3"}, "members": 1, "files": 1}
    shooters = {**slingers, "front": (100, 50), "put": {"move_used": 1}}
    found = []
    for unit in (1, 2):
        battle = field_of_battle(shooters, *targets)
        hit(battle, 9, base_damage=1, subject=unit)
        order = orders(battle, question)
        found.append(order.target)
        assert order.why.endswith(" losses expected, enough to shake it")

    assert found == [1, 2]


def test_a_gun_that_sees_nobody_comes_up_with_the_line(
    field_of_battle: Build, question: Ask
) -> None:
    gun = {**MUSKETEERS, "role": "artillery", "members": 2, "files": 2, "at": (100, 40)}
    line = {**FOOT, "front": (60, 90)}
    foe = {**WEAK, "front": (100, 115)}

    blind = field_of_battle(gun, line, foe, terrain=[WALL], sides=NAMED)
    seeing = field_of_battle(gun, line, foe, sides=NAMED)

    assert orders(blind, question).why == "advances with the line, because it does not see unit 2"
    assert orders(seeing, question).verb in {"fire", "aim"}


def test_a_reserve_comes_up_behind_the_friend_who_wavers(
    field_of_battle: Build, question: Ask
) -> None:
    line = [{**FOOT, "front": (x, 90), "put": {"morale": m}} for x, m in ((60, 1), (100, 2))]
    steady = [line[1], {**line[1], "front": (60, 90)}]
    reserve = {**FOOT, "front": (100, 60)}

    order = orders(field_of_battle(reserve, *line, sides=NAMED), question)

    assert order.why == "moves up behind unit 1, which is under pressure"
    assert order.legs[-1].x < 95
    assert orders(field_of_battle(reserve, *steady, sides=NAMED), question).verb == "done"


@pytest.mark.parametrize(("turn", "verb"), [(1, "move"), (6, "charge")])
def test_in_the_last_turns_he_charges_at_worse_odds_who_is_on_his_objective(
    turn: int, verb: str, field_of_battle: Build, question: Ask
) -> None:
    sides = [
        Side(name="Alice", colour="#000000", lines="south", objective="hill", stance="hold"),
        Side(name="Bob", colour="#111111", lines="north"),
    ]
    battle = field_of_battle(
        {**FOOT, "front": (100, 90)}, {**FOOT, **BOB, "front": (100, 98)},
        sides=sides, areas={"hill": (60, 70, 140, 130)},
    )  # fmt: skip
    later = Set(table="battle", row=0, column="turn", value=turn)
    battle.happen(Event(facts=Unread(event="later"), changes=(later,)))

    assert orders(battle, question).verb == verb


@pytest.mark.parametrize(("turn", "foes", "goes"), [(3, 10, False), (4, 10, True), (4, 40, False)])
def test_the_reserve_goes_in_when_half_the_battle_is_over_and_the_enemy_is_few(
    turn: int, foes: int, goes: bool, field_of_battle: Build, question: Ask
) -> None:
    line, reserve = {**FOOT, "front": (100, 90)}, {**FOOT, "front": (100, 60)}
    foe = {**WEAK, "members": foes, "front": (100, 190)}
    battle = field_of_battle(reserve, line, foe, sides=NAMED)
    later = Set(table="battle", row=0, column="turn", value=turn)
    battle.happen(Event(facts=Unread(event="later"), changes=(later,)))

    assert (orders(battle, question).verb in {"move", "double-pace"}) is goes


def test_nobody_moves_about_to_charge_one_near_by_whom_he_does_not_see(
    field_of_battle: Build, question: Ask
) -> None:
    wood = {"kind": "forest", "height": 6, "box": (60, 55, 140, 65)}
    horse = {**FOOT, "movement": "90G", "front": (100, 50)}
    foe = {**WEAK, "front": (100, 68), "members": 5, "files": 5}
    scout = {"at": (140, 90)}
    blind = field_of_battle(horse, scout, foe, terrain=[wood])

    assert SYSTEM.picture(blind, 0).known == [2]
    assert charge_exchange(blind, 0, 2) is not None
    assert orders(blind, question).why == "advances on unit 2 (18 GSU away)"
