"""A forced move names each rule that decided it, and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from shapely import Polygon

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.engagement.pushes import Push, Pusher
from emlia3d.rules.emlia.play.engagement.shoves import PushedMove
from emlia3d.rules.emlia.play.morale.reasons import shove_because
from emlia3d.rules.emlia.play.situation.pose import pose_of

Build = Callable[..., Battle]

BLOCK: dict[str, Any] = {"members": 6, "files": 3, "formation": "ranked"}
LOOSE, RANKS, ENEMY, ENEMY_RANKS, FRIEND = range(5)
"""Rows of the units of `moved`: open and ranked ones of Alice and of Bob, and a friend of Alice."""


def moved(
    battle: Battle,
    body: tuple[int, ...],
    by: tuple[int, ...],
    *,
    shifts: int = 0,
    gone: float = 4.0,
    by_terrain: bool = False,
) -> list[str]:
    """The rules by which the first of a body is moved 4 GSU or less, without their first word."""
    north = (0.0, 1.0)
    pushers = tuple(Pusher(unit=u, net=1, way=north, distance=4.0, presses=1.0) for u in by)
    push = Push(body=body, by=pushers, shifts=(north,) * shifts)
    start = pose_of(battle, body[0])
    shove = PushedMove(
        start=start, way=0, wanted=4.0, distance=gone, by_terrain=by_terrain, outline=Polygon()
    )
    return [slug.removeprefix("emlia.") for slug in shove_because(battle, push, body[0], shove)]


@pytest.fixture
def battle(field_of_battle: Build) -> Battle:
    bob = {"side": "Bob", "facing": 180}
    return field_of_battle(
        {"at": (20, 50)}, {**BLOCK, "at": (50, 50)}, {**bob, "at": (20, 70)},
        {**bob, **BLOCK, "at": (50, 70)}, {"at": (24, 50)},
    )  # fmt: skip


PUSHED = ["melee.success", "push.net", "push.direction"]
SUMMED = ["push.sum", "forced.vector-sum"]


@pytest.mark.parametrize(
    ("body", "by", "expected"),
    [
        ((LOOSE,), (ENEMY,), PUSHED),
        ((LOOSE,), (ENEMY_RANKS,), [*PUSHED, "push.straight-ahead"]),
        ((LOOSE, FRIEND), (ENEMY,), PUSHED),
        (
            (LOOSE, FRIEND),
            (ENEMY_RANKS,),
            [*PUSHED, "push.straight-ahead", "mixedeng.move-skirmish"],
        ),
        ((RANKS,), (ENEMY_RANKS,), [*PUSHED, "push.straight-ahead", "push.choices"]),
        ((RANKS,), (ENEMY,), [*PUSHED, "push.choices", "mixedeng.move-ranked"]),
        (
            (RANKS,),
            (ENEMY, ENEMY_RANKS),
            [*PUSHED, "push.straight-ahead", "push.choices", "mixedeng.move-ranked", *SUMMED],
        ),
        ((LOOSE,), (ENEMY, ENEMY), [*PUSHED, *SUMMED]),
    ],
)
def test_a_push_names_the_rules_of_those_who_push_and_of_the_one_who_is_pushed(
    battle: Battle, body: tuple[int, ...], by: tuple[int, ...], expected: list[str]
) -> None:
    assert moved(battle, body, by) == expected


@pytest.mark.parametrize(
    ("by", "shifts", "expected"),
    [
        ((), 1, ["melee.success", "skirmish.shift"]),
        ((), 2, ["melee.success", "skirmish.shift", *SUMMED]),
        ((ENEMY,), 1, [*PUSHED, "skirmish.shift", *SUMMED]),
    ],
)
def test_the_shift_of_a_skirmish_is_named_and_what_it_is_summed_with(
    battle: Battle, by: tuple[int, ...], shifts: int, expected: list[str]
) -> None:
    assert moved(battle, (LOOSE, FRIEND), by, shifts=shifts) == expected


@pytest.mark.parametrize(
    ("gone", "by_terrain", "expected"),
    [
        (4.0, False, []),
        (3.9, False, ["forced.collision-order"]),
        (3.9, True, ["forced.terrain"]),
        (4.0, True, ["forced.terrain"]),
    ],
)
def test_what_ends_a_forced_move_is_named(
    battle: Battle, gone: float, by_terrain: bool, expected: list[str]
) -> None:
    found = moved(battle, (LOOSE,), (ENEMY,), gone=gone, by_terrain=by_terrain)

    assert found == [*PUSHED, *expected]
