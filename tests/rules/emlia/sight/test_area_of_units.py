"""An area's levels, reasons and names are those of units that stand at its places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.questions.area import GROUND, Observer
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight import area
from emlia3d.rules.emlia.play.sight.area import area_levels, level_at, sight_area
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

Build = Callable[..., Battle]
LINE: dict[str, Any] = {"members": 6, "files": 6, "formation": "open"}
TERRAIN: list[dict[str, Any]] = [
    {"kind": "building", "name": "house", "box": (96, 60, 101, 64), "height": 6},
    {"kind": "wall", "name": "wall", "box": (80, 76, 98, 77), "height": 0.75},
    {"kind": "scrub", "name": "scrub", "box": (104, 70, 125, 74), "height": 1},
    {"kind": "forest", "name": "wood", "box": (60, 85, 90, 110), "height": 8},
    {"kind": "hill", "name": "hill", "box": (110, 90, 140, 120), "height": 3},
    *(
        {"kind": "building", "name": f"pillar {n}", "box": (97 + 3 * n, 46, 98 + 3 * n, 47),
         "height": 6}
        for n in range(3)
    ),
]  # fmt: skip
SPOTS = [
    (70.0, 95.0), (88.0, 79.0), (97.0, 66.0), (100.0, 54.0), (104.0, 79.0), (118.0, 95.0),
    (118.0, 79.0), (100.0, 41.2), (100.0, 40.0), (92.0, 44.0),
]  # fmt: skip
RIDGE = np.zeros((200, 200))
RIDGE[128:131, :] = 1.83 * 1.2
RIDGE[120:124, 90:110] = 1.83 * 4
POSTS: dict[str, tuple[dict[str, Any], Any]] = {
    "one man": ({}, None),
    "a line": (LINE, None),
    "a raised line": ({**LINE, "on_height": 4.0}, None),
    "one man on hills": ({}, RIDGE),
    "a line on hills": (LINE, RIDGE),
    "taking cover": ({"states": ["taking cover"]}, None),
}


@pytest.mark.parametrize("post", POSTS)
def test_an_area_says_of_each_place_what_a_unit_there_would_be_told(
    field_of_battle: Build, post: str
) -> None:
    sight_cache, ground = POSTS[post]
    unit = {"at": (100, 40), "side": "Bob", "name": "watch", **sight_cache}
    battle = field_of_battle(unit, terrain=TERRAIN, elevation_m=ground)
    pairs = [
        field_of_battle(unit, {"at": spot, "name": "scout"}, terrain=TERRAIN, elevation_m=ground)
        for spot in SPOTS
    ]

    for reverse, ends in ((False, (0, 1)), (True, (1, 0))):
        looks = sight_area(battle, Observer(name="watch", unit=0), np.array(SPOTS), 1.0, reverse)

        told = [expected(pair, *ends) for pair in pairs]
        assert looks.levels.tolist() == [level for level, _, _ in told]
        assert +looks.because == sum((Counter(rules) for _, rules, _ in told), Counter())
        assert +looks.hides == sum((Counter(names) for _, _, names in told), Counter())
        assert len({level for level, _, _ in told}) > 1


@pytest.mark.parametrize("height", [1.0, 0.5])
@pytest.mark.parametrize("post", POSTS)
def test_the_levels_alone_of_an_area_are_those_that_have_reasons(
    field_of_battle: Build, post: str, height: float
) -> None:
    sight_cache, ground = POSTS[post]
    unit = {"at": (100, 40), "side": "Bob", "name": "watch", **sight_cache}
    friend = {"at": (100, 70), **LINE}
    battle = field_of_battle(unit, friend, terrain=TERRAIN, elevation_m=ground)
    grid = [(x, y) for x in np.arange(62.5, 139, 4.0) for y in np.arange(32.5, 119, 4.0)]
    # At the last places the figure touches the observer.
    spots = np.array([*SPOTS, *grid, (100.0, 40.0), (100.25, 39.75)])

    levels = area_levels(battle, 0, spots, height)

    looks = sight_area(battle, Observer(name="watch", unit=0), spots, height, reverse=False)
    assert levels.tolist() == looks.levels.tolist()
    assert {Level.NONE, Level.TOTAL} <= {*levels.tolist()}


@pytest.mark.rule("emlia.sight.mutual")
def test_the_levels_alone_tell_a_line_of_which_each_member_is_hidden(
    field_of_battle: Build,
) -> None:
    unit = {"at": (100, 40), "side": "Bob", **LINE}
    pillars = [
        {"kind": "building", "box": (x - 0.6, y + 0.6, x + 0.6, y + 1.6), "height": 6}
        for x, y in situation_of(field_of_battle(unit)).places(0)
    ]
    spots = np.array([(100.0, 120.0), (100.0, 20.0)])

    levels = area_levels(field_of_battle(unit, terrain=pillars), 0, spots, 1.0)

    assert levels.tolist() == [Level.TOTAL, Level.NONE]


@pytest.mark.rule("emlia.sight.mutual")
def test_a_place_less_than_one_gsu_from_two_who_are_each_hidden_is_not_seen(
    field_of_battle: Build,
) -> None:
    """A pillar before each man, and nothing before the middle of the two, who look north-east."""

    def at(right: float, ahead: float) -> tuple[float, float]:
        return 100 + (ahead + right) * sqrt(0.5), 40 + (ahead - right) * sqrt(0.5)

    pair = {**LINE, "at": (100, 40), "side": "Bob", "facing": 45, "members": 2, "files": 2}
    sides = [(-0.25, 0.8), (0.25, 0.8), (0.25, 1.2), (-0.25, 1.2)]
    pillars = [
        {
            "kind": "building",
            "outline": shapely.Polygon([at(x + right, y) for right, y in sides]),
            "height": 6,
        }
        for x in (-0.75, 0.75)
    ]
    spot = np.array([at(0, 1.8)])

    both = area_levels(field_of_battle(pair, terrain=pillars), 0, spot, 1.0)
    one = area_levels(field_of_battle(pair, terrain=pillars[:1]), 0, spot, 1.0)

    assert (both.tolist(), one.tolist()) == ([Level.TOTAL], [Level.NONE])


@pytest.mark.rule("emlia.sight.mutual")
def test_of_a_place_that_touches_the_unit_the_unit_is_the_observer(field_of_battle: Build) -> None:
    """The corn conceals in one of the two directions alone, so the result shows the observer."""
    corn = {"kind": "field", "box": (98.25, 39.25, 99.25, 39.75), "height": 1}
    line = {**LINE, "at": (100, 40), "side": "Bob", "name": "watch", "members": 3, "files": 3}
    battle, spot = field_of_battle(line, terrain=[corn]), np.array([(99.25, 39.25)])

    looks, back = (
        sight_area(battle, Observer(name="watch", unit=0), spot, 1.0, reverse=reverse).levels
        for reverse in (False, True)
    )

    assert (looks.tolist(), back.tolist()) == ([Level.PARTIAL], [Level.NONE])
    assert area_levels(battle, 0, spot, 1.0).tolist() == [Level.PARTIAL]


def expected(battle: Battle, one: int, other: int) -> tuple[int, list[str], list[str]]:
    """The level of a unit as another sees it, the rules that decide, and the names of bodies.

    Where the ground alone hides a body wholly, no other reason is looked for.
    """
    sight_cache = sight_cache_of(battle)
    seen = sight_cache.account(one, other)
    level, boundary = int(seen.level), seen.verdict
    if seen.ground is not None and seen.ground[0] >= 0.5:
        return level, ["emlia.sight.raster-ground"], [GROUND]
    names = [
        sight_cache.scene.name(number)
        for number, told in zip(seen.numbers, boundary.tells, strict=True)
        if told and boundary.level
    ]
    names += [GROUND] if "emlia.sight.raster-ground" in boundary.because else []
    rules = [*boundary.because] if boundary.level else []
    rules += seen.because if seen.level is not boundary.level else ()
    return level, rules, names


@pytest.mark.rule("emlia.sight.memberwise-total", "emlia.sight.mutual")
def test_a_line_of_which_each_member_is_hidden_is_hidden_and_sees_nothing(
    field_of_battle: Build,
) -> None:
    unit = {"at": (100, 40), "side": "Bob", **LINE}
    places = situation_of(field_of_battle(unit)).places(0)
    # One pillar before each member takes up less than half of the line's width.
    pillars = [
        {"kind": "building", "box": (x - 0.6, y + 0.6, x + 0.6, y + 1.6), "height": 6}
        for x, y in places
    ]
    some = field_of_battle(unit, terrain=pillars[1:])
    whole = field_of_battle(unit, terrain=pillars)
    spots, post = np.array([(100.0, 120.0), (100.0, 20.0)]), Observer(name="watch", unit=0)

    for battle, level in ((some, Level.NONE), (whole, Level.TOTAL)):
        sees, seen = (sight_area(battle, post, spots, 1.0, reverse) for reverse in (False, True))
        assert sees.levels.tolist() == seen.levels.tolist() == [level, Level.NONE]
        assert set(+sees.because) == ({"emlia.sight.mutual"} if level else set())
        assert set(+seen.because) == (
            {"emlia.sight.memberwise-total", "emlia.sight.memberwise-combine"} if level else set()
        )


@pytest.mark.parametrize(
    ("point", "level"),
    [
        ((110.0, 50.0), Level.NONE),
        ((98.5, 66.0), Level.TOTAL),
        ((90.0, 77.5), Level.TOTAL),
        ((112.0, 75.0), Level.PARTIAL),
    ],
    ids=["open", "behind the house", "behind the low wall", "behind scrub"],
)
def test_a_point_on_the_ground_is_concealed_by_what_is_higher_than_nothing(
    field_of_battle: Build, point: tuple[float, float], level: Level
) -> None:
    battle = field_of_battle({"at": (98.5, 40), "side": "Bob"}, terrain=TERRAIN[:5])

    assert level_at(battle, 0, point) is level


@pytest.mark.parametrize("on_height", [0.0, 4.0])
def test_a_post_at_a_place_sees_from_its_height(field_of_battle: Build, on_height: float) -> None:
    battle = field_of_battle({"at": (10, 10), "side": "Bob"}, terrain=TERRAIN)
    post = Observer(name="here", place=(100.0, 40.0), on_height=on_height)

    looks = sight_area(battle, post, np.array(SPOTS), 1.0, reverse=False)

    told = []
    for spot in SPOTS:
        scene = field_of_battle(
            {"at": (10, 10), "side": "Bob"},
            {"at": (100, 40), "on_height": on_height},
            {"at": spot},
            terrain=TERRAIN,
        )
        told.append(int(sight_cache_of(scene).level(1, 2)))
    assert looks.levels.tolist() == told
    assert len({*told}) > 1


@pytest.mark.parametrize("reverse", [False, True], ids=["sees", "seen"])
def test_an_area_that_is_found_in_groups_is_the_same_and_says_how_far_it_is(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch, reverse: bool
) -> None:
    unit = {"at": (100, 40), "side": "Bob", "name": "watch", **LINE}
    battle, post = field_of_battle(unit, terrain=TERRAIN), Observer(name="watch", unit=0)
    whole = sight_area(battle, post, np.array(SPOTS), 1.0, reverse)
    parts: list[float] = []

    monkeypatch.setattr(area, "_FIGURES_AT_ONCE", 4)
    found = sight_area(battle, post, np.array(SPOTS), 1.0, reverse, parts.append)

    assert parts == [0.4, 0.8, 1.0]
    assert found.levels.tolist() == whole.levels.tolist()
    assert (found.because, found.hides) == (whole.because, whole.hides)
