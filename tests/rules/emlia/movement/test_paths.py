"""Chapter 11 as play: the shortest way round what bars the straight one."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.doctrine.plain_commander import Doctrine
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.movement.shortest_paths import follow, way_round
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.turn.activation import ask

Build = Callable[..., Battle]
ALICE: dict[str, Any] = {"at": (50, 50), "morale": 4}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}
ROCK: dict[str, Any] = {"kind": "rock", "box": (40, 56, 60, 70)}


def length(places: list[tuple[float, float]]) -> float:
    steps = zip([(50.0, 50.0), *places], places, strict=False)
    return sum(sqrt((bx - ax) ** 2 + (by - ay) ** 2) for (ax, ay), (bx, by) in steps)


@pytest.mark.rule("emlia.move.normal")
def test_the_way_round_a_rock_is_the_shortest(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB, terrain=[ROCK])

    places = way_round(battle, 0, (50, 80))

    assert places is not None
    assert places[-1] == pytest.approx((50, 80))
    by_the_corners = 2 * sqrt(10**2 + 6**2) + 14 + 4
    assert sqrt(20**2 + 10**2) < length(places) < by_the_corners + 4


@pytest.mark.rule("emlia.terrain.rough")
def test_the_way_goes_round_a_marsh_where_that_is_cheaper(field_of_battle: Build) -> None:
    marsh = {"kind": "marsh", "box": (60, 40, 90, 90)}
    battle = field_of_battle(ALICE, BOB, terrain=[ROCK, marsh])

    places = way_round(battle, 0, (50, 80))

    assert places is not None
    assert all(x < 50.1 for x, _ in places)


def test_there_is_no_way_where_everything_is_closed(field_of_battle: Build) -> None:
    ring = [
        {"kind": "rock", "box": (30, 60, 70, 64)},
        {"kind": "rock", "box": (30, 36, 70, 40)},
        {"kind": "rock", "box": (30, 36, 34, 64)},
        {"kind": "rock", "box": (66, 36, 70, 64)},
    ]
    battle = field_of_battle(ALICE, BOB, terrain=ring)

    assert way_round(battle, 0, (50, 100)) is None


@pytest.mark.parametrize("formation", ["open", "close", "ranked"])
def test_the_doctrine_goes_round_a_rock_that_it_would_be_stuck_at(
    formation: str, field_of_battle: Build, question: Callable[..., Any]
) -> None:
    unit = {**ALICE, "members": 6, "files": 3, "formation": formation}
    wide = {"kind": "rock", "box": (20, 54, 80, 70)}
    battle = field_of_battle(unit, BOB, terrain=[wide])
    decision = question(battle, ask(battle, 0))

    order = Doctrine().decide(decision, SidePicture(battle, 0), battle.dice)

    decision.check(order)
    assert "around obstacles" in order.why
    assert abs(order.legs[-1].x - 50) > 5


@given(
    st.lists(
        st.tuples(st.integers(30, 65), st.integers(54, 75), st.integers(2, 20), st.integers(2, 15)),
        max_size=5,
    ),
    st.integers(20, 80),
    st.sampled_from(["open", "close", "ranked"]),
)
def test_a_way_round_is_legal_and_ends_on_nothing(
    field_of_battle: Build, rocks: list[tuple[int, ...]], goal: int, formation: str
) -> None:
    terrain = [{"kind": "rock", "box": (x, y, x + w, y + d)} for x, y, w, d in rocks]
    unit = {**ALICE, "members": 4, "files": 2, "formation": formation}
    battle = field_of_battle(unit, BOB, terrain=terrain)

    places = way_round(battle, 0, (goal, 95))
    order = None if places is None else follow(battle, 0, places, 30, "double-pace")

    if order is not None:
        planned = plan(battle, 0, order, 2)
        assert isinstance(planned, MovePlan), planned
        assert planned.cost <= 30.01
        body = planned.end.outline.buffer(-1 / 64)
        assert not any(body.intersects(box(*rock["box"])) for rock in terrain)
