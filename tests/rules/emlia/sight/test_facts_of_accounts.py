"""What an account of a sight holds: shadows that must hold groups, hills, touch; and subunits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.covering import feature_seen, part_seen_from
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of

Build = Callable[..., Battle]

HEAD: dict[str, Any] = {"name": "head", "at": (100, 61.2), "members": 2, "side": "Bob"}
TAIL: dict[str, Any] = {
    "name": "tail", "group": "head", "at": (103, 61.2), "members": 2, "side": "Bob", "height": 4,
}  # fmt: skip


def rock(height: float, west: float = 90, east: float = 110) -> dict[str, Any]:
    return {"kind": "rock", "height": height, "box": (west, 58, east, 60)}


@pytest.mark.rule("emlia.sight.shadow-distance", "emlia.sight.from-shadow.total")
@pytest.mark.parametrize("observers", [1, 4])
@pytest.mark.parametrize("observed", [1, 4])
def test_a_shadow_must_hold_the_group_that_stands_in_it(
    field_of_battle: Build, observers: int, observed: int
) -> None:
    tall, short = {"height": 3}, {"side": "Bob"}
    near, far = {"members": observers}, {"members": observed}
    behind = field_of_battle(
        {"at": (100, 40), **tall, **near}, {"at": (100, 61.5), **short, **far}, terrain=[rock(1)]
    )
    before = field_of_battle(
        {"at": (100, 57), **near}, {"at": (100, 80), **tall, **short, **far}, terrain=[rock(1)]
    )

    assert sight_cache_of(behind).account(0, 1).grouped == (observed > 1,)
    assert sight_cache_of(before).account(0, 1).grouped == (observers > 1,)


@pytest.mark.rule("emlia.sight.from-shadow.exception")
def test_only_the_observed_counts_as_on_a_hill_and_its_hill_is_what_is_measured_to(
    field_of_battle: Build,
) -> None:
    terrain = [
        {"kind": "hedge", "height": 3, "box": (40, 30, 60, 31)},
        {"kind": "hill", "height": 8, "box": (30, 40, 70, 100)},
    ]
    battle = field_of_battle({"at": (50, 11)}, {"at": (50, 90), "side": "Bob"}, terrain=terrain)

    up, down = (sight_cache_of(battle).account(*pair) for pair in ((0, 1), (1, 0)))

    assert (up.near.on_entity, up.far.on_entity) == (False, True)
    assert (down.near.on_entity, down.far.on_entity) == (False, False)
    assert up.between[0].to_perch == pytest.approx(9.0)
    assert down.between[0].to_perch is None


@pytest.mark.rule("emlia.sight.raster-ground", "emlia.sight.corridor.span")
def test_the_ground_blocks_nothing_between_two_that_touch(field_of_battle: Build) -> None:
    slope = np.add.outer(np.arange(21.0), np.arange(21.0))
    places = ((100, 100), (100, 101), (100, 110))
    battle = field_of_battle(*({"at": at} for at in places), elevation_m=slope)

    assert sight_cache_of(battle).account(0, 1).ground is None
    assert sight_cache_of(battle).account(0, 2).ground is not None


@pytest.mark.rule("emlia.mixed.size-height", "emlia.sight.datum")
@pytest.mark.parametrize(
    ("more", "head", "tail"),
    [
        ({}, Level.TOTAL, Level.NONE),
        ({"states": ("prone",)}, Level.TOTAL, Level.NONE),
        ({"on_height": 3}, Level.NONE, Level.NONE),
    ],
    ids=["upright", "prone", "on a tower"],
)
def test_a_subunit_is_seen_by_its_own_height_in_its_posture_where_it_stands(
    field_of_battle: Build, more: dict[str, Any], head: Level, tail: Level
) -> None:
    battle = field_of_battle({"at": (100, 40)}, HEAD | more, TAIL | more, terrain=[rock(1.5)])

    assert part_seen_from(battle, 0, 1, 1)[0] is head
    assert part_seen_from(battle, 0, 2, 1)[0] is tail


@pytest.mark.rule("emlia.mixed.sight", "emlia.sight.half")
def test_of_a_unit_that_is_not_seen_no_subunit_is(field_of_battle: Build) -> None:
    head = HEAD | {"at": (96, 61.2), "members": 8}
    battle = field_of_battle({"at": (98, 40)}, head, TAIL, terrain=[rock(9, 80, 101)])

    assert sight_cache_of(battle).level(0, 1) is Level.TOTAL
    assert part_seen_from(battle, 0, 2, 1) == (Level.TOTAL, Level.TOTAL)


@pytest.mark.rule("emlia.mixed.sight", "emlia.sight.corridor.span")
def test_whoever_touches_a_unit_sees_all_its_subunits(field_of_battle: Build) -> None:
    wall = {"kind": "rock", "height": 5, "box": (106, 50, 107, 72)}
    places = ((100, 60), (100, 61), (112, 61))
    watcher, head, tail = (
        each | {"at": at} for each, at in zip(({}, HEAD, TAIL), places, strict=True)
    )
    battle = field_of_battle(watcher, head, tail, terrain=[wall])

    assert part_seen_from(battle, 0, 2, 1) == (Level.NONE, Level.NONE)


@pytest.mark.rule("emlia.fire", "emlia.cover.taking-cover")
def test_a_gate_does_not_crouch_with_a_unit_that_takes_cover(field_of_battle: Build) -> None:
    gate = {"kind": "gate", "height": 1, "box": (98, 60, 102, 62), "hits": 3}
    screen = {"kind": "rock", "height": 0.5, "box": (90, 59.2, 110, 59.6)}
    man, crouching = {"at": (100, 40), "height": 8}, {"at": (10, 10), "put": {"taking_cover": 1}}
    battle = field_of_battle(man, crouching, terrain=[gate, screen])

    assert feature_seen(battle, 0, 0, 1) == (Level.NONE, Level.NONE)


@pytest.mark.rule("emlia.sight.raster-ground")
@pytest.mark.parametrize(
    ("ridge", "blocked", "level"),
    [
        # Midway between two of height 1 the line to the top is 1 high, that to half height 0.75.
        (0.7, (0.0, 0.0), Level.NONE),
        (0.8, (0.0, 1.0), Level.PARTIAL),
        (1.1, (1.0, 1.0), Level.TOTAL),
    ],
)
def test_the_ground_blocks_lines_to_the_top_and_to_half_of_the_observed(
    field_of_battle: Build, ridge: float, blocked: tuple[float, float], level: Level
) -> None:
    metres = np.zeros((200, 200))
    metres[99:101, :] = ridge * 1.83
    battle = field_of_battle(
        {"at": (100, 60)}, {"at": (100, 140), "side": "Bob"}, elevation_m=metres
    )

    sight_cache = sight_cache_of(battle)
    account, batch_sight = sight_cache.account(0, 1), sight_cache.batch_sight

    assert account.ground == pytest.approx(blocked)
    assert account.level is sight_cache.level(0, 1) is level
    looked = batch_sight.look(batch_sight.units(), np.array([0]), np.array([1]))
    assert looked.levels.tolist() == [level]
