"""What the doctrine commander thinks a shot is worth, and what he has his men shoot at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia.doctrine.appraisal import _fall, shot
from emlia3d.rules.emlia.play.situation.fights import fight_of
from tests.rules.emlia.doctrine.commander_helpers import orders
from tests.rules.emlia.troops import FOOT, MUSKETEERS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
SHOOTERS: dict[str, Any] = {**MUSKETEERS, "front": (100, 50), "put": {"move_used": 1}}


def test_no_volley_is_thrown_away_on_a_straggler_who_is_nearer_than_a_regiment(
    field_of_battle: Build, question: Ask
) -> None:
    straggler = {**FOOT, **BOB, "members": 1, "files": 1, "front": (90, 64)}
    regiment = {**FOOT, **BOB, "front": (110, 85)}
    battle = field_of_battle(SHOOTERS, straggler, regiment)

    assert shot(battle, Order(verb="fire", unit=0, target=1, number=0)).harm <= 1
    assert orders(battle, question).target == 2


def test_what_takes_twelve_points_to_destroy_is_lost_twelve_times_as_slowly(
    field_of_battle: Build,
) -> None:
    foe = {**FOOT, **BOB, "front": (100, 75)}
    men, guns = (
        shot(
            field_of_battle(SHOOTERS, {**foe, **more}),
            Order(verb="fire", unit=0, target=1, number=0),
        ).harm
        for more in ({}, {"damage_limit": 12})
    )

    assert men > 1
    assert guns == pytest.approx(men / 12)


def test_who_does_not_see_an_enemy_near_by_goes_on_until_he_does(
    field_of_battle: Build, question: Ask
) -> None:
    wood = {"kind": "forest", "height": 6, "box": (60, 55, 140, 65)}
    foe, scout = {**FOOT, **BOB, "front": (100, 68)}, {"at": (140, 90)}
    hidden, seen = (
        orders(
            field_of_battle({**MUSKETEERS, "front": (100, 50)}, foe, scout, terrain=terrain),
            question,
        )
        for terrain in ([wood], [])
    )

    assert (hidden.verb, hidden.why) == ("move", "advances to 15 GSU from unit 1 (18 GSU away)")
    assert seen.verb != "move"


def test_he_closes_with_those_who_stand_and_leaves_those_who_run(
    field_of_battle: Build, question: Ask
) -> None:
    runs, stands = {**FOOT, **BOB, "front": (100, 90)}, {**FOOT, **BOB, "front": (125, 110)}
    whom = []
    for morale in (3, -5):
        near = {**runs, "put": {"morale": morale}}
        battle = field_of_battle({**FOOT, "front": (100, 50)}, near, stands)
        whom.append(orders(battle, question).why)

    assert "unit 1" in whom[0]
    assert "unit 2" in whom[1]


def test_a_hit_on_those_who_run_is_worth_less_than_one_on_those_who_stand(
    field_of_battle: Build,
) -> None:
    foe = {**FOOT, **BOB, "front": (100, 75)}
    worth = [
        shot(
            field_of_battle(SHOOTERS, {**foe, "put": {"morale": morale}}),
            Order(verb="fire", unit=0, target=1, number=0),
        ).worth
        for morale in (3, -5)
    ]

    assert worth[1] == pytest.approx(worth[0] / 4)


@pytest.mark.parametrize(("friends", "verb"), [(2, "aim"), (20, "aim-focused")])
def test_he_singles_the_enemy_out_of_a_fight_in_which_his_own_would_suffer_more(
    friends: int, verb: str, field_of_battle: Build, question: Ask
) -> None:
    foes = {**FOOT, **BOB, "front": (100, 75)}
    ours = {"members": friends, "files": friends, "formation": "close", "at": (100, 78.2)}
    battle = field_of_battle(SHOOTERS, foes, {**ours, "facing": 180})

    order = orders(battle, question)

    assert fight_of(battle, 1) == (1, 2)
    assert (order.verb, order.target) == (verb, 1)


@given(st.lists(st.integers(0, 120), min_size=2, max_size=2).map(sorted), st.integers(1, 100))
def test_a_unit_that_loses_more_never_keeps_more_heart(lost: list[int], strength: int) -> None:
    less, more = (_fall(each, float(strength)) for each in lost)

    assert more <= less


@pytest.mark.parametrize(
    ("walls", "covered", "target"),
    [
        ((), [False, False, False], 2),
        ((75,), [False, True, False], 1),
        ((75, 20), [True, True, False], 3),
        ((20, 130), [True, False, True], 2),
    ],
)
def test_he_shoots_at_whom_he_harms_most_once_cover_is_taken_off(
    walls: tuple[float, ...],
    covered: list[bool],
    target: int,
    field_of_battle: Build,
    question: Ask,
) -> None:
    foes = [{**FOOT, **BOB, "front": (x, 78)} for x in (50, 100, 150)]
    terrain = [{"kind": "wall", "box": (x, 76, x + 50, 77)} for x in walls]
    battle = field_of_battle(SHOOTERS, *foes, terrain=terrain)
    shots = [
        shot(battle, Order(verb="fire", unit=0, target=foe, number=0), at_best=at_best)
        for at_best in (True, False)
        for foe in (1, 2, 3)
    ]

    best = orders(battle, question)

    assert [most.harm > one.harm for most, one in zip(shots[:3], shots[3:], strict=True)] == covered
    assert best.target == target


@pytest.mark.parametrize(("members", "verb"), [(20, "aim"), (400, "move")])
def test_a_large_unit_does_not_halt_for_a_shot_that_costs_the_enemy_a_man_or_two(
    members: int, verb: str, field_of_battle: Build, question: Ask
) -> None:
    few = {**MUSKETEERS, "skills": {"aimed fire": "6"}, "members": members, "front": (100, 50)}
    battle = field_of_battle(few, {**FOOT, **BOB, "front": (100, 78)})

    assert orders(battle, question).verb == verb
