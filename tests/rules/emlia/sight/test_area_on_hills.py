"""What is seen from and of places where a figure stands on a hill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.questions.area import Observer
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.area import sight_area
from emlia3d.rules.emlia.play.sight.sight_cache import level_on

Build = Callable[..., Battle]

# From the south: Bob's man, a wall of 6 across the whole field, two hills of 10 with a rock on the
# first and a building between them, and a hill that is lower than a step of elevation, behind a
# fence.
WALLS: list[dict[str, Any]] = [
    {"kind": "building", "box": (0, 60, 200, 62), "height": 6},
    {"kind": "hill", "box": (60, 80, 140, 120), "height": 10},
    {"kind": "rock", "box": (90, 100, 110, 101), "height": 0.5},
    {"kind": "building", "box": (60, 128, 140, 129), "height": 9.5},
    {"kind": "hill", "box": (60, 140, 140, 180), "height": 10},
    {"kind": "hill", "box": (10, 70, 50, 180), "height": 0.25},
    {"kind": "fence", "box": (10, 68, 50, 69), "height": 0.75},
]
WATCH: dict[str, Any] = {"at": (100, 40), "side": "Bob", "name": "watch", "formation": "close"}
SPOTS = [
    (x, y)
    for x in (30.0, 61.0, 100.0, 139.0, 141.0)
    for y in (64.0, 72.0, 79.0, 82.0, 90.0, 99.0, 104.0, 118.0, 121.0, 141.0, 150.0)
]


def pair(build: Build, spot: tuple[float, float], height: float, **sight_cache: Any) -> Battle:
    scout = {"at": spot, "size": height, "height": height, "formation": "close"}
    return build({**WATCH, **sight_cache}, scout, terrain=WALLS, sides=())


@pytest.mark.rule("emlia.terrain.standing-on")
@pytest.mark.parametrize("reverse", [False, True], ids=["sees", "is seen"])
@pytest.mark.parametrize("at", [(100, 40), (100, 116), (30, 65)], ids=["far", "on a hill", "near"])
@pytest.mark.parametrize("height", [1.0, 0.5])
def test_a_unit_sees_a_figure_on_a_hill_as_it_would_see_a_unit_there(
    at: tuple[float, float], height: float, reverse: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle({**WATCH, "at": at}, terrain=WALLS)

    looks = sight_area(battle, Observer(name="watch", unit=0), np.array(SPOTS), height, reverse)

    told = [
        int(level_on(pair(field_of_battle, spot, height, at=at), *((1, 0) if reverse else (0, 1))))
        for spot in SPOTS
    ]
    assert looks.levels.tolist() == told
    assert len(set(told)) > 1


@pytest.mark.rule("emlia.terrain.standing-on")
def test_a_place_on_a_hill_sees_what_a_single_figure_there_sees(field_of_battle: Build) -> None:
    battle = field_of_battle(WATCH, terrain=WALLS)
    post = Observer(name="the hill", place=(100.0, 116.0))

    looks = sight_area(battle, post, np.array(SPOTS), 1.0, False)

    told = [int(level_on(pair(field_of_battle, spot, 1.0, at=(100, 116)), 0, 1)) for spot in SPOTS]
    assert looks.levels.tolist() == told
    assert len(set(told)) > 1


@pytest.mark.rule("emlia.terrain.standing-on")
@pytest.mark.parametrize(("height", "seen"), [(10, True), (2, False)])
def test_a_hill_lifts_a_figure_over_a_wall_only_if_it_is_high_enough(
    height: float, seen: bool, field_of_battle: Build
) -> None:
    terrain = [WALLS[0], {**WALLS[1], "height": height}]
    battle = field_of_battle({**WATCH, "at": (100, 10)}, terrain=terrain)
    spots = np.array([(100.0, 81.0), (100.0, 64.0)])

    on_the_hill, below = sight_area(
        battle, Observer(name="watch", unit=0), spots, 1.0, False
    ).levels

    assert (on_the_hill < Level.TOTAL, below) == (seen, Level.TOTAL)


@pytest.mark.rule("emlia.terrain.standing-on", "emlia.sight.from-shadow.outside")
@pytest.mark.parametrize(
    ("size", "wall", "hill"), [(1.0, 6.0, 10.0), (0.25, 0.4, 0.45)], ids=["steep", "low"]
)
@pytest.mark.parametrize("gap", [1.0, 4.0])
def test_from_a_shadow_a_figure_is_seen_by_the_hill_under_it(
    size: float, wall: float, hill: float, gap: float, field_of_battle: Build
) -> None:
    terrain = [
        {"kind": "building", "box": (0, 60, 200, 61), "height": wall},
        {"kind": "hill", "box": (60, 61 + gap, 140, 120), "height": hill},
    ]
    spots = [(100.0, y) for y in (63.0, 66.0, 70.0, 80.0, 100.0, 119.0, 123.0)]
    levels = {}
    for back in (0.5, 2.0, 4.0, 8.0, 16.0):
        sight_cache = {**WATCH, "at": (100, 59 - back), "size": size, "height": size}
        battle = field_of_battle(sight_cache, terrain=terrain)
        looks = sight_area(battle, Observer(name="watch", unit=0), np.array(spots), 1.0, False)
        levels[back] = looks.levels.tolist()
        scouts = [{"at": spot, "formation": "close"} for spot in spots]
        told = [
            int(level_on(field_of_battle(sight_cache, scout, terrain=terrain), 0, 1))
            for scout in scouts
        ]
        assert levels[back] == told
    assert {Level.NONE, Level.TOTAL} <= {level for row in levels.values() for level in row}
