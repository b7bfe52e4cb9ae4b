"""Chapters 11 to 13 and 18 as play: the ground on which a unit may end one move."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, pi
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, box
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.activation import ask
from emlia3d.rules.emlia.system import SYSTEM

Build = Callable[..., Battle]
SPEED = 20.0
ALICE: dict[str, Any] = {"at": (50, 50), "morale": 4, "movement": "20G"}
BOB: dict[str, Any] = {"at": (150, 190), "side": "Bob", "facing": 180}
DRILLS = {
    "open": {"members": 4, "files": 2, "formation": "open"},
    "close": {"members": 4, "files": 2, "formation": "close"},
    "ranked": {"members": 8, "files": 4, "formation": "ranked"},
}


def reached(battle: Battle, unit: int = 0) -> BaseGeometry:
    *_, ground = SYSTEM.grounds(battle, unit)
    return ground


def middle(battle: Battle) -> tuple[float, float]:
    return situation_of(battle).centre(0)


@pytest.mark.rule("emlia.move.normal")
def test_one_man_gets_as_far_every_way_in_the_open(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB)

    ground = reached(battle)

    assert ground.area == pytest.approx(pi * SPEED**2, rel=0.02)
    assert ground.distance(Point(50, 50 + SPEED)) < 0.01


@pytest.mark.rule("emlia.terrain.rough")
def test_rough_ground_costs_twice(field_of_battle: Build) -> None:
    marsh = {"kind": "scrub", "box": (0, 51, 200, 200)}
    battle = field_of_battle(ALICE, BOB, terrain=[marsh])

    ground = reached(battle)

    assert ground.covers(Point(50, 59))
    assert not ground.covers(Point(50, 62))
    assert ground.covers(Point(50, 31))


@pytest.mark.rule("emlia.terrain.impassable-by-height")
def test_one_comes_behind_a_rock_round_its_corners_alone(field_of_battle: Build) -> None:
    rock = {"kind": "rock", "box": (44, 54, 56, 58)}
    battle = field_of_battle(ALICE, BOB, terrain=[rock])

    first, *_, ground = SYSTEM.grounds(battle, 0)

    behind = Point(52, 61)
    assert not first.covers(behind), "no straight way leads there"
    assert ground.covers(behind)
    assert not ground.covers(Point(50, 69)), "which lies in reach but for the rock"
    assert not ground.intersects(box(44.5, 54.5, 55.5, 57.5))


@pytest.mark.rule("emlia.form.ranked.translate", "emlia.form.ranked.turn")
def test_ranks_get_farthest_ahead_and_least_far_back(field_of_battle: Build) -> None:
    battle = field_of_battle({**ALICE, **DRILLS["ranked"]}, BOB)
    x, y = middle(battle)

    ground = reached(battle)

    assert ground.covers(Point(x, y + SPEED - 0.1))
    assert not ground.covers(Point(x + SPEED - 4, y)), "a quarter of the speed for the turn"
    assert ground.covers(Point(x + 0.7 * SPEED, y))
    assert not ground.covers(Point(x, y - 0.6 * SPEED))
    assert ground.covers(Point(x + 4.5, y + 10)), "ahead and then aside"


def test_nobody_ends_a_move_in_another_or_over_the_edge(field_of_battle: Build) -> None:
    near = {"at": (50, 58), **DRILLS["ranked"], "name": "near"}
    battle = field_of_battle({**ALICE, "at": (50, 4)}, near, BOB)

    ground = reached(battle)

    assert ground.bounds[1] > 0
    assert not ground.intersects(situation_of(battle).outline(1).buffer(-0.1))


def test_what_flies_gets_over_what_bars_the_ground(field_of_battle: Build) -> None:
    bird = {**ALICE, "movement": "30F"}
    battle = field_of_battle(bird, BOB, terrain=[{"kind": "rock", "box": (44, 54, 56, 58)}])

    ground = reached(battle)

    assert ground.covers(Point(50, 78)), "over the rock"


def test_who_has_joined_a_unit_goes_with_it_and_is_seen_as_it(field_of_battle: Build) -> None:
    spears = {"name": "spears", "at": (50, 60), "side": "Bob", "members": 8, "files": 4}
    lady = {"name": "lady", "side": "Bob", "group": "spears", "at": (52, 61)}
    battle = field_of_battle(ALICE, spears, lady)

    assert reached(battle, 2).equals(reached(battle, 1))
    for unit in (1, 2):
        assert SYSTEM.is_aware(battle, 0, unit)
        assert SYSTEM.is_aware(battle, unit, 0)


ROCKS = st.lists(
    st.tuples(st.sampled_from(["rock", "scrub", "marsh", "wall"]),
              st.integers(32, 68), st.integers(32, 68), st.integers(2, 12), st.integers(2, 12)),
    max_size=4,
)  # fmt: skip


@settings(max_examples=40)
@given(
    terrain=ROCKS,
    drill=st.sampled_from(sorted(DRILLS)),
    east=st.integers(-22, 22),
    north=st.integers(-22, 22),
)
def test_an_order_leads_to_a_place_exactly_where_it_lies_in_the_extent(
    field_of_battle: Build, terrain: list[Any], drill: str, east: int, north: int
) -> None:
    near = box(46, 46, 54, 54)
    pieces = [(kind, box(x, y, x + wide, y + deep)) for kind, x, y, wide, deep in terrain]
    features = [
        {"kind": kind, "box": piece.bounds} for kind, piece in pieces if not piece.intersects(near)
    ]
    battle = field_of_battle({**ALICE, **DRILLS[drill]}, BOB, terrain=features)
    x, y = middle(battle)
    place = x + east, y + north

    ground = reached(battle)

    short = _short_of(battle, place)
    if ground.buffer(-1.5).covers(Point(place)) and hypot(east, north) > 1:
        assert short < 1.5
    elif not ground.buffer(1.5).covers(Point(place)):
        assert short > 0.5


def _short_of(battle: Battle, place: tuple[float, float]) -> float:
    """How far from a place the order that a player points at ends, GSU."""
    asked = ask(battle, 0)
    decision = next(asked)
    order = SYSTEM.order_to(battle, decision, "move", place, None)
    end = middle(battle)
    if isinstance(order, Order):
        planned = plan(battle, 0, order, 1)
        assert isinstance(planned, MovePlan)
        end = planned.end.middle
    return hypot(end[0] - place[0], end[1] - place[1])
