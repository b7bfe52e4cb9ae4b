"""Chapters 11 to 13 as play: the shape of the ground in reach, in plain geometry."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, hypot, radians, sin
from typing import Any

import pytest
from shapely import MultiPolygon, Point, Polygon, box, union_all
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.movement.reachable_area import extents

Build = Callable[..., Battle]

SPEED = 20.0
MAN: dict[str, Any] = {"at": (100, 100), "morale": 4, "movement": "20G"}
BLOCK: dict[str, Any] = {**MAN, "members": 8, "files": 4, "formation": "ranked"}
ASKEW = 1 * sin(radians(80)) + 2 * cos(radians(80))
"""East of its middle a block of 4 by 2 reaches so far that faces 80 degrees, GSU."""

BOB: dict[str, Any] = {"at": (190, 190), "side": "Bob", "facing": 180}


def whole(battle: Battle, budget: float = SPEED) -> BaseGeometry:
    *_, ground = extents(battle, 0, budget)
    return ground


def star(reach: Callable[[int], float], facing: int = 0, rays: int = 36) -> Polygon:
    """The polygon through the ends of straight ways about (100, 100), by how far each leads.

    reach : GSU, by degrees right of the facing, in (-180, 180]
    """
    ways = [step * 360 // rays for step in range(rays)]
    ends = []
    for way in ways:
        far = reach(way - 360 if way > 180 else way)
        angle = radians(way + facing)
        ends.append((100 + far * sin(angle), 100 + far * cos(angle)))
    return Polygon(ends).buffer(0)


def kite(ahead: float, aside: float, facing: int = 0) -> Polygon:
    """The triangle of ways straight on (or back, if negative) and then to a side."""
    angle = radians(facing)

    def at(right: float, front: float) -> tuple[float, float]:
        return (
            100 + right * cos(angle) + front * sin(angle),
            100 - right * sin(angle) + front * cos(angle),
        )

    return Polygon([at(-aside, 0), at(0, ahead), at(aside, 0)])


def differ(one: BaseGeometry, other: BaseGeometry) -> float:
    """Area that only one of two shapes covers, as a share of the other's."""
    return one.symmetric_difference(other).area / other.area


def ranks_reach(turned: int) -> float:
    """A quarter of the speed for each started 90 degrees; straight on for nothing."""
    return SPEED - SPEED / 4 * -(-abs(turned) // 90)


@pytest.mark.parametrize("facing", [0, 90, 37])
def test_ranks_reach_a_star_and_what_lies_ahead_and_to_a_side(
    field_of_battle: Build, facing: int
) -> None:
    battle = field_of_battle({**BLOCK, "facing": facing}, BOB)

    ground = whole(battle)

    # Ahead and then aside at half speed, and back and aside both at half speed.
    ladders = [kite(SPEED, SPEED / 2, facing), kite(-SPEED / 2, SPEED / 2, facing)]
    assert differ(ground, union_all([star(ranks_reach, facing), *ladders])) < 0.01


@pytest.mark.parametrize("facing", [0, 37])
def test_close_men_reach_a_spiral_that_shrinks_by_1_for_90_degrees(
    field_of_battle: Build, facing: int
) -> None:
    battle = field_of_battle({**BLOCK, "formation": "close", "facing": facing}, BOB)

    ground = whole(battle)

    assert differ(ground, star(lambda turned: SPEED - abs(turned) / 90, facing)) < 0.005


@pytest.mark.parametrize("budget", [5.0, 20.0, 40.0])
def test_open_men_reach_as_far_on_all_sides(field_of_battle: Build, budget: float) -> None:
    battle = field_of_battle({**BLOCK, "formation": "open"}, BOB)

    first, *_, ground = extents(battle, 0, budget)

    assert differ(first, star(lambda turned: budget, rays=12)) < 0.005
    assert differ(ground, star(lambda turned: budget)) < 0.005


def test_who_has_no_movement_for_a_turn_goes_as_it_faces(field_of_battle: Build) -> None:
    """Of 4 GSU nothing is left for a turn that costs 5; to the sides and back they are 2."""
    battle = field_of_battle(BLOCK, BOB)

    ground = whole(battle, 4.0)

    assert differ(ground, union_all([kite(4, 2), kite(-2, 2)])) < 0.05


@pytest.mark.parametrize(
    ("at", "bounds"),
    [
        ((190, 100), (170, 80, 199.5, 120)),
        ((10, 100), (0.5, 80, 30, 120)),
        ((100, 190), (80, 170, 120, 199.5)),
        ((100, 10), (80, 0.5, 120, 30)),
        ((190, 195), (170, 175, 199.5, 199.5)),
    ],
)
def test_a_man_gets_to_the_edge_and_no_part_of_him_over_it(
    field_of_battle: Build, at: tuple[float, float], bounds: tuple[float, ...]
) -> None:
    battle = field_of_battle({**MAN, "at": at}, {**BOB, "at": (40, 40)})

    assert whole(battle).bounds == pytest.approx(bounds, abs=0.05)


@pytest.mark.parametrize(
    ("at", "bounds"),
    [
        ((194, 100), (None, None, 200 - ASKEW, None)),
        ((6, 100), (ASKEW, None, None, None)),
        ((100, 190), (None, None, None, 199)),
        ((100, 6), (None, 1, None, None)),
    ],
)
def test_a_block_of_4_by_2_keeps_half_of_that_from_the_edge(
    field_of_battle: Build, at: tuple[float, float], bounds: tuple[float | None, ...]
) -> None:
    battle = field_of_battle({**BLOCK, "at": at}, {**BOB, "at": (40, 40)})

    for edge, expected in zip(whole(battle).bounds, bounds, strict=True):
        if expected is not None:
            assert edge == pytest.approx(expected, abs=0.05)


def test_a_line_between_rocks_goes_ahead_and_back(field_of_battle: Build) -> None:
    rocks = [
        {"kind": "rock", "box": (80, 90, 95.9, 110)},
        {"kind": "rock", "box": (104.1, 90, 120, 110)},
    ]
    battle = field_of_battle({**BLOCK, "files": 8}, BOB, terrain=rocks)

    ground = whole(battle)

    # Beside its middle there is room for the line only as it faces almost to a side.
    for south, north in ((101.5, 108), (92, 98.5)):
        between = ground.intersection(box(80, south, 120, north))
        assert between.bounds == pytest.approx((99.9, south, 100.1, north), abs=0.15)
    assert ground.distance(Point(100, 120)) < 0.01
    assert ground.distance(Point(100, 90)) < 0.01
    assert not ground.covers(Point(100, 89)), "back at half speed"


def test_rough_ground_is_paid_for_as_the_move_would_pay(field_of_battle: Build) -> None:
    """A block pays for it as long as any part of it is inside; each of other men for himself."""
    scrub = {"kind": "scrub", "box": (0, 105, 200, 108)}
    block, men = (
        field_of_battle({**BLOCK, "formation": drawn_up}, BOB, terrain=[scrub])
        for drawn_up in ("ranked", "close")
    )

    # Front at 101; inside from 105 until its rear is at 108: 3 of scrub and 2 of its own depth.
    assert whole(block).bounds[3] == pytest.approx(100 + 20 - 5, abs=0.05)
    assert whole(men).bounds[3] == pytest.approx(100 + 20 - 3, abs=0.05)


def test_the_way_round_a_long_wall_is_paid_for(field_of_battle: Build) -> None:
    wall = {"kind": "rock", "box": (60, 105, 105, 106)}
    battle = field_of_battle(MAN, BOB, terrain=[wall])

    ground = whole(battle)

    assert ground.covers(Point(98, 108))
    behind = ground.intersection(box(60, 106, 103, 140))
    for x, y in [point for part in _parts(behind) for point in part.exterior.coords]:
        shortest = hypot(5, 5) + 1 + hypot(105 - x, y - 106)
        assert shortest <= SPEED + 0.5
    assert not ground.intersects(box(60.1, 105.1, 104.9, 105.9))


def _parts(shape: BaseGeometry) -> list[Polygon]:
    return [*shape.geoms] if isinstance(shape, MultiPolygon) else [shape]


def test_the_ground_is_found_out_little_by_little(field_of_battle: Build) -> None:
    rock = {"kind": "rock", "box": (94, 104, 106, 108)}
    battle = field_of_battle(MAN, BOB, terrain=[rock])

    coarse, straight_on, *round_corners = extents(battle, 0, SPEED)

    assert coarse.area < straight_on.area
    assert not straight_on.covers(Point(102, 111))
    assert 2 <= len(round_corners) <= 16
    before = straight_on
    for ground in round_corners:
        assert ground.buffer(1e-6).covers(before)
        before = ground
    assert before.covers(Point(102, 111))
    assert before.covers(Point(98, 111))
