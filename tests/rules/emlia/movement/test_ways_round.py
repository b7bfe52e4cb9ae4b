"""Chapter 11 as play: the places of a way round obstacles, and the order that follows them."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, sqrt
from typing import Any

import numpy as np
import pytest
from shapely import LineString, Point, box

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.force.facing import facing_of_degrees
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.movement.shortest_paths import (
    MovingRectangle,
    Spot,
    corners_round,
    follow,
    is_barred_by_terrain,
    way_round,
)
from emlia3d.rules.emlia.play.situation.pose import pose_of

Build = Callable[..., Battle]

MAN: dict[str, Any] = {"at": (50, 50), "morale": 4, "movement": "20G"}
BLOCK: dict[str, Any] = {**MAN, "members": 8, "files": 4, "formation": "ranked"}
BOB: dict[str, Any] = {"at": (150, 190), "side": "Bob", "facing": 180}
RADIUS = 0.5 + 1 / 8
"""Of the circle that a man of size 1 keeps free of what he goes round."""


def length(places: list[Spot] | None) -> float:
    assert places is not None
    steps = zip([(50.0, 50.0), *places], places, strict=False)
    return sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in steps)


def told(order: Order | None) -> list[tuple[str, float, float, float]]:
    """The legs of an order: step, front line's middle, facing in degrees."""
    legs = () if order is None else order.legs
    return [(leg.step, round(leg.x, 2), round(leg.y, 2), leg.facing / 64) for leg in legs]


@pytest.mark.parametrize(
    ("unit", "places", "budget", "legs"),
    [
        (MAN, [(50, 60)], 20, [("march", 50, 60.5, 0)]),
        (MAN, [(50, 60), (60, 60)], 30,
         [("march", 50, 60.5, 0), ("turn", 50.5, 60, 90), ("march", 60.5, 60, 90)]),
        (MAN, [(50, 60), (60, 60)], 15,
         [("march", 50, 60.5, 0), ("turn", 50.5, 60, 90), ("march", 55.5, 60, 90)]),
        (MAN, [(50, 60), (60, 60)], 10.5,
         [("march", 50, 60.5, 0), ("turn", 50.5, 60, 90), ("march", 51, 60, 90)]),
        (MAN, [(50, 60), (60, 60)], 10, [("march", 50, 60.5, 0)]),
        (MAN, [(50, 60), (60, 60)], 4, [("march", 50, 54.5, 0)]),
        (MAN, [(50, 60)], 0, []),
        (MAN, [], 20, []),
        # What is nearer than a quarter of a GSU is passed over.
        (MAN, [(50, 50.24), (50, 60)], 20, [("march", 50, 60.5, 0)]),
        (MAN, [(50, 50.25)], 20, [("march", 50, 50.75, 0)]),
        (MAN, [(50, 50.24)], 20, []),
        # A block pays 5 for a turn by up to 90 degrees, before it goes on.
        (BLOCK, [(50, 60), (60, 60)], 14.9, [("march", 50, 61, 0)]),
        (BLOCK, [(50, 60), (60, 60)], 15, [("march", 50, 61, 0)]),
        (BLOCK, [(50, 60), (60, 60)], 17,
         [("march", 50, 61, 0), ("turn", 52, 60, 90), ("march", 54, 60, 90)]),
        (BLOCK, [(60, 50), (60, 55)], 40,
         [("turn", 52, 50, 90), ("march", 62, 50, 90), ("turn", 60, 51, 0), ("march", 60, 56, 0)]),
        (BLOCK, [(50, 40)], 40, [("turn", 50, 49, 180), ("march", 50, 39, 180)]),
        (BLOCK, [(50, 40)], 10, []),
    ],
)  # fmt: skip
def test_a_unit_turns_to_each_place_and_goes_there_as_its_movement_lasts(
    field_of_battle: Build,
    unit: dict[str, Any],
    places: list[Spot],
    budget: float,
    legs: list[Any],
) -> None:
    battle = field_of_battle(unit, BOB)

    order = follow(battle, 0, places, budget, "double-pace")

    assert told(order) == legs
    if order is not None:
        assert (order.verb, order.unit) == ("double-pace", 0)
        planned = plan(battle, 0, order, 2)
        assert isinstance(planned, MovePlan), planned
        assert planned.cost <= budget


@pytest.mark.parametrize(
    ("south", "legs"),
    [(50.5, []), (50.7, [("march", 50, 50.7, 0)]), (53, [("march", 50, 53, 0)]),
     (59.7, [("march", 50, 59.7, 0)])],
)  # fmt: skip
def test_what_bars_a_stretch_ends_the_move_before_it(
    field_of_battle: Build, south: float, legs: list[Any]
) -> None:
    rock = {"kind": "rock", "box": (45, south, 55, 70)}
    battle = field_of_battle(MAN, BOB, terrain=[rock])

    order = follow(battle, 0, [(50, 60), (30, 60)], 40, "double-pace")

    assert [leg[:1] + leg[3:] for leg in told(order)] == [leg[:1] + leg[3:] for leg in legs]
    for leg, expected in zip(told(order), legs, strict=True):
        assert leg[1:3] == pytest.approx(expected[1:3], abs=0.02)


def test_a_place_over_the_edge_is_not_gone_to(field_of_battle: Build) -> None:
    battle = field_of_battle({**MAN, "at": (50, 190)}, BOB)

    assert told(follow(battle, 0, [(50, 199.4)], 40, "move")) == [("march", 50, 199.9, 0)]
    assert follow(battle, 0, [(50, 199.6)], 40, "move") is None
    assert told(follow(battle, 0, [(60, 190), (60, 200)], 40, "move")) == [
        ("turn", 50.5, 190, 90),
        ("march", 60.5, 190, 90),
    ]


def test_an_enemy_whom_nobody_knows_of_bars_nothing_in_an_order(field_of_battle: Build) -> None:
    trees = {"kind": "orchard", "box": (30, 51, 70, 63), "height": 5}
    lurking = {**BOB, "at": (50, 66), "formation": "close"}
    battle = field_of_battle({**MAN, "formation": "close"}, lurking, terrain=[trees])

    assert told(follow(battle, 0, [(50, 72)], 60, "move")) == [("march", 50, 72.5, 0)]
    assert told(follow(battle, 0, [(50, 72)], 60, "move", ())) == [("march", 50, 65.5, 0)]
    assert way_round(battle, 0, (50, 80)) == [(50, 80)]
    assert 30.01 < length(way_round(battle, 0, (50, 80), ())) < 32
    near = Point(50, 66).buffer(3)
    assert not any(near.covers(Point(path[-1])) for path in corners_round(battle, 0, 30.0))


@pytest.mark.parametrize(
    ("degrees", "wanted", "barred"),
    [(0, 5.4, False), (0, 5.6, True), (0, 20, True), (90, 20, False), (180, 20, False),
     (270, 20, False), (45, 7.5, False), (45, 9, True)],
)  # fmt: skip
def test_terrain_bars_a_way_and_others_do_not(
    field_of_battle: Build, degrees: float, wanted: float, barred: bool
) -> None:
    others = [
        {**MAN, "at": (50, 46), "name": "friend", "formation": "close"},
        {**BOB, "at": (54, 50), "formation": "close"},
    ]
    rock = {"kind": "rock", "box": (45, 56, 60, 70)}
    battle = field_of_battle({**MAN, "formation": "close"}, *others, terrain=[rock])

    found = is_barred_by_terrain(battle, 0, facing_of_degrees(degrees), wanted)

    assert found is barred


@pytest.mark.parametrize(
    ("goal", "end"),
    [
        ((50, 80), (50, 80)),
        # Where there is no room, the nearest place that has some.
        ((50, 56.5), (50, 56 - RADIUS)),
        ((50, 199.9), (50, 200 - RADIUS)),
        ((-3, 50), (RADIUS, 50)),
        # Of a line or an outline the place that is nearest.
        (LineString([(20, 52), (20, 60)]), (20, 52)),
        (box(70, 40, 90, 60), (70, 50)),
        (Point(50, 42), (50, 42)),
    ],
)
def test_a_way_ends_at_the_goal_or_next_to_it(field_of_battle: Build, goal: Any, end: Spot) -> None:
    battle = field_of_battle(MAN, BOB, terrain=[{"kind": "rock", "box": (40, 56, 60, 58)}])

    places = way_round(battle, 0, goal)

    assert places is not None
    assert places[-1] == pytest.approx(end, abs=0.01)


@pytest.mark.parametrize(
    ("west", "east", "side"), [(44, 60, -1), (40, 56, 1), (40, 53, 1), (47, 60, -1)]
)
def test_a_way_round_a_rock_leads_past_its_nearer_end(
    field_of_battle: Build, west: float, east: float, side: int
) -> None:
    battle = field_of_battle(MAN, BOB, terrain=[{"kind": "rock", "box": (west, 56, east, 60)}])

    places = way_round(battle, 0, (50, 70))

    aside = (east if side > 0 else west) - 50
    reach = abs(aside) + RADIUS
    past = sqrt(reach**2 + 6**2) + 4 + sqrt(reach**2 + 10**2)
    string = sqrt(aside**2 + 6**2) + 4 + sqrt(aside**2 + 10**2)
    assert string < length(places) < past + 0.3
    assert places is not None
    assert all((x - 50) * side >= -0.01 for x, _ in places)
    line = LineString([(50, 50), *places])
    assert line.distance(box(west, 56, east, 60)) > 0.5


@pytest.mark.parametrize(
    ("kind", "side"), [(None, -1), ("road", -1), ("marsh", -1), ("forest", 1)]
)  # fmt: skip
def test_slow_ground_on_the_nearer_side_is_weighed_against_the_longer_way(
    field_of_battle: Build, kind: str | None, side: int
) -> None:
    """The way past the west end is 6 GSU shorter, of which 5 or so are slow.

    In a marsh they cost 5 more, in a forest 15.
    """
    rock = {"kind": "rock", "box": (44, 56, 60, 60)}
    slow = [{"kind": kind, "box": (20, 55.5, 44, 60.5)}] if kind else []
    battle = field_of_battle(MAN, BOB, terrain=[rock, *slow])

    places = way_round(battle, 0, (50, 70))

    assert places is not None
    assert all((x - 50) * side >= -0.01 for x, _ in places)


def test_a_way_leads_round_what_is_shunned(field_of_battle: Build) -> None:
    battle = field_of_battle(MAN, BOB)

    assert way_round(battle, 0, (50, 70)) == [(50, 70)]
    shunning = way_round(battle, 0, (50, 70), shunned=[box(46, 58, 60, 62)])
    assert length(shunning) > 21
    assert shunning is not None
    assert all(x <= 50.01 for x, _ in shunning)


def test_whoever_takes_up_the_whole_field_goes_nowhere(field_of_battle: Build) -> None:
    small = {**BLOCK, "at": (5, 5), "members": 64, "files": 8}
    battle = field_of_battle(small, {**BOB, "put": {"present": 0}}, size=(10.0, 10.0))

    assert way_round(battle, 0, (6, 6)) is None
    assert list(corners_round(battle, 0, 5.0)) == []


def test_ways_lead_to_all_corners_in_reach_the_nearest_first(field_of_battle: Build) -> None:
    rock = {"kind": "rock", "box": (44, 54, 56, 58)}
    battle = field_of_battle(MAN, BOB, terrain=[rock])

    assert list(corners_round(battle, 0, 5.0)) == []
    found = list(corners_round(battle, 0, 20.0))

    lengths = [length(path) for path in found]
    assert lengths == sorted(lengths)
    ends = {path[-1] for path in found}
    assert len(ends) == len(found)
    for x, y in ends:
        assert hypot(x - 50, y - 50) < 20
        assert Point(x, y).distance(box(44, 54, 56, 58)) == pytest.approx(RADIUS, abs=0.06)
    corners = {(side, level) for x, y in ends for side in (x > 50,) for level in (y > 56,)}
    assert len(corners) == 4
    for path in found:
        assert not LineString([(50, 50), *path]).intersects(box(44, 54, 56, 58).buffer(0.49))


@pytest.mark.parametrize("budget", [7.0, 8.0, 9.0, 12.0])
def test_corners_beyond_the_movement_are_left_out(field_of_battle: Build, budget: float) -> None:
    rock = {"kind": "rock", "box": (44, 54, 56, 58)}
    battle = field_of_battle(MAN, BOB, terrain=[rock])

    every = {path[-1] for path in corners_round(battle, 0, 40.0)}
    found = {path[-1] for path in corners_round(battle, 0, budget)}

    about = {(x, y) for x, y in every if hypot(x - 50, y - 50) < budget}
    assert found == about
    assert bool(found) == (budget > hypot(6, 3.4) - 0.1)


@pytest.mark.parametrize(("gap", "found"), [(7.9, True), (8.1, False)])
def test_only_corners_of_what_begins_within_its_movement_are_listed(
    field_of_battle: Build, gap: float, found: bool
) -> None:
    post = {"kind": "rock", "box": (49.9, 50 + gap, 50.1, 70)}
    battle = field_of_battle(MAN, BOB, terrain=[post])

    # Widened by the radius of 0.625 its nearest corner lies well within 8 GSU.
    assert bool(list(corners_round(battle, 0, 8.0))) is found


def test_a_corner_that_takes_all_of_the_movement_is_left_out(field_of_battle: Build) -> None:
    rock = {"kind": "rock", "box": (44, 54, 56, 58)}
    battle = field_of_battle(MAN, BOB, terrain=[rock])
    ends = np.array([path[-1] for path in corners_round(battle, 0, 40.0)])
    nearest = float(np.hypot(*(ends - (50, 50)).T).min())

    assert list(corners_round(battle, 0, nearest)) == []
    assert list(corners_round(battle, 0, np.nextafter(nearest, 99.0)))


@pytest.mark.parametrize(
    ("goal", "end"),
    [((100, 205), (100, 198.875)), ((100, -5), (100, 1.125)), ((205, 100), (197.875, 100)),
     ((-5, 100), (2.125, 100))],
)  # fmt: skip
@pytest.mark.parametrize("facing", [0, 180])
def test_a_block_that_does_not_turn_keeps_its_sides_from_the_edges(
    field_of_battle: Build, goal: Spot, end: Spot, facing: float
) -> None:
    """It is 4 wide and 2 deep and keeps an eighth of a GSU from what it goes round."""
    battle = field_of_battle({**BLOCK, "at": (100, 100), "facing": facing}, BOB)

    places = way_round(battle, 0, goal, block=MovingRectangle.of(pose_of(battle, 0)))

    assert places is not None
    assert places[-1] == pytest.approx(end, abs=0.01)


@pytest.mark.parametrize("facing", [0, 90, 180, 270])
@pytest.mark.parametrize(("west", "east"), [(96, 108), (90, 103)])
def test_a_block_goes_round_a_rock_along_its_axes(
    field_of_battle: Build, facing: float, west: float, east: float
) -> None:
    rock = {"kind": "rock", "box": (west, 104, east, 106)}
    battle = field_of_battle({**BLOCK, "at": (100, 100), "facing": facing}, BOB, terrain=[rock])

    places = way_round(battle, 0, (100, 120), block=MovingRectangle.of(pose_of(battle, 0)))

    assert places is not None
    half = (2 if facing % 180 == 0 else 1) + 1 / 8
    aside = min(100 - west, east - 100) + half
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in
             zip([(100.0, 100.0), *places], places, strict=False)]  # fmt: skip
    assert all(min(abs(x), abs(y)) < 1e-9 for x, y in steps)
    assert sum(abs(x) + abs(y) for x, y in steps) == pytest.approx(20 + 2 * aside, abs=0.02)
