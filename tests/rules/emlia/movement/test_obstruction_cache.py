"""Obstacles near a unit: how far it has room, and where it would come closer to the enemy."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import pytest
from shapely import Point, union_all

from emlia3d.battle.battle import Battle
from emlia3d.force.facing import facing_of_degrees
from emlia3d.rules.emlia.play.movement.closeness import closer_places, is_closer
from emlia3d.rules.emlia.play.movement.obstruction_cache import NearbyBodies
from emlia3d.rules.emlia.play.situation.going import brinks_of, going_of
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of, turned

Build = Callable[..., Battle]

LINE: dict[str, Any] = {
    "at": (50, 50), "members": 8, "files": 8, "formation": "ranked", "morale": 4,
    "movement": "20G",
}  # fmt: skip
BOB: dict[str, Any] = {"at": (150, 190), "side": "Bob", "facing": 180}


def room(battle: Battle, degrees: float = 0, distance: float = 20) -> float:
    start = turned(pose_of(battle, 0), facing_of_degrees(degrees))
    return NearbyBodies(battle, 0).room_before(start, distance)


@pytest.mark.parametrize(
    ("rock", "degrees", "far"),
    [
        # The line is 8 wide and 1 deep; a column of it is 1 wide and 8 deep.
        ((45, 53.5, 55, 55), 0, 3),
        ((45, 45, 55, 46.5), 180, 3),
        ((57, 45, 58, 55), 90, 3),
        ((42, 45, 43, 55), 270, 3),
        ((45, 53.5, 55, 55), 180, 20),
        # Beside the way nothing counts, nor what it overlaps by a 64th.
        ((54.1, 53.5, 60, 55), 0, 20),
        ((53.99, 53.5, 60, 55), 0, 20),
        ((53.9, 53.5, 60, 55), 0, 3),
        ((40, 53.5, 45.9, 55), 0, 20),
        ((40, 53.5, 46.01, 55), 0, 20),
        ((40, 53.5, 46.1, 55), 0, 3),
        # The corners of the line reach 4.03 from its middle; no more than 8 beyond is looked at.
        ((45, 61.9, 55, 70), 0, 11.4),
        ((45, 62.2, 55, 70), 0, 20),
        ((45, 30, 55, 38.1), 180, 11.4),
        ((45, 30, 55, 37.8), 180, 20),
        ((61.9, 45, 70, 55), 90, 7.9),
        ((62.2, 45, 70, 55), 90, 20),
        ((30, 45, 38.1, 55), 270, 7.9),
        ((30, 45, 37.8, 55), 270, 20),
    ],
)
def test_a_block_has_room_up_to_what_stands_close_before_it(
    field_of_battle: Build, rock: tuple[float, ...], degrees: float, far: float
) -> None:
    battle = field_of_battle(LINE, BOB, terrain=[{"kind": "rock", "box": rock}])

    assert room(battle, degrees) == pytest.approx(far, abs=0.01)
    assert room(battle, degrees, 2.0) == 2.0


@pytest.mark.parametrize(
    "other", [{"formation": "open"}, {"formation": "close"}, {"movement": "20F"}]
)
def test_of_other_units_nothing_is_told(field_of_battle: Build, other: dict[str, Any]) -> None:
    rock = {"kind": "rock", "box": (45, 53.5, 55, 55)}
    behind_a_rock = field_of_battle({**LINE, **other}, BOB, terrain=[rock])
    at_an_enemy = field_of_battle({**LINE, **other}, {**BOB, "at": (50, 56), "formation": "close"})

    assert room(behind_a_rock) == room(at_an_enemy) == 20


def test_an_enemy_whom_nobody_knows_of_leaves_room(field_of_battle: Build) -> None:
    trees = {"kind": "orchard", "box": (30, 50.6, 70, 61), "height": 5}
    lurking = {**BOB, "at": (50, 61.6), "formation": "close"}
    hidden, seen = (field_of_battle(LINE, lurking, terrain=terrain) for terrain in ([trees], []))

    assert room(hidden) == 20
    assert room(seen) == pytest.approx(10.6, abs=0.05)


def test_places_nearer_to_the_enemy_are_circles_round_those_of_whom_it_knows(
    field_of_battle: Build,
) -> None:
    man = {"at": (50, 50), "movement": "20G"}
    foes = [
        {**BOB, "at": (50, 80), "formation": "close"},
        {**BOB, "at": (110, 60), "formation": "close"},
    ]
    battle = field_of_battle(man, *foes)

    places = closer_places(battle, 0)

    assert len(places) == 2
    # 29 GSU lie between the edges of the man and of his nearest enemy.
    assert [place.area for place in places] == pytest.approx([pi * 29.5**2] * 2, rel=0.03)
    assert [place.centroid.coords[0] for place in places] == [
        pytest.approx((50, 80), abs=0.01),
        pytest.approx((110, 60), abs=0.01),
    ]
    closer = union_all([*places])
    for degrees in range(0, 360, 30):
        end = gone(pose_of(battle, 0), facing_of_degrees(degrees), 3)
        if end.outline.disjoint(closer.buffer(0.5)):
            assert not is_closer(battle, 0, end)
        elif closer.buffer(-1.5).intersects(end.outline):
            assert is_closer(battle, 0, end)
    assert not is_closer(battle, 0, pose_of(battle, 0))


def test_without_known_enemies_or_in_touch_with_one_no_place_is_nearer(
    field_of_battle: Build,
) -> None:
    man = {"at": (50, 50), "movement": "20G"}
    wall = {"kind": "rock", "box": (0, 55, 200, 56), "height": 20}
    behind = field_of_battle(man, {**BOB, "at": (50, 80)}, terrain=[wall])
    touching = field_of_battle(man, {**BOB, "at": (50, 51), "formation": "close"})

    assert closer_places(behind, 0) == ()
    assert not is_closer(behind, 0, gone(pose_of(behind, 0), 0, 4))
    assert closer_places(touching, 0) == ()


def test_deep_water_and_drops_are_brinks_and_what_rises_is_not(field_of_battle: Build) -> None:
    terrain = [
        {"kind": "rock", "box": (10, 10, 20, 20)},
        {"kind": "lake", "box": (30, 10, 40, 20)},
        {"kind": "marsh", "box": (50, 10, 60, 20)},
        {"kind": "building", "box": (70, 10, 80, 20)},
        {"kind": "river", "box": (90, 10, 100, 20)},
    ]
    battle = field_of_battle(LINE, BOB, terrain=terrain)

    barred = going_of(battle, 0).barred.tolist()
    brinks = brinks_of(battle, 0).tolist()

    assert sorted(
        (round(outline.centroid.x), brink) for outline, brink in zip(barred, brinks, strict=True)
    ) == [(15, False), (35, True), (75, False), (95, True)]
    assert Point(35, 15).within(barred[brinks.index(True)])
