"""Paths over the field of a scenario: where they come into view, and the one least in view."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import shapely

import emlia3d
from emlia3d.battle.questions.area import TOTAL, silent
from emlia3d.dem.paths import visible_m
from emlia3d.errors import Error
from emlia3d.scenario.areas import look_of
from emlia3d.scenario.observers import posts_of
from tests.scenario.viewshed_scenario import FIELD, RELIEF, SIDES, THINGS, UNITS

Made = Callable[..., emlia3d.Scenario]

GSU_M = 2.0

LAKE = """
[[terrain]]
name = "lake"
kind = "lake"
outline = [[22, 8], [26, 8], [26, 36], [22, 36]]
"""

THIN = """
[[terrain]]
name = "long wall"
kind = "building"
outline = [[22.9, 6], [23.1, 6], [23.1, 36], [22.9, 36]]
height = 4
"""


def first_on_a_plain_walk(scenario, path, observers, rules):
    """The first point of a walk in steps of 1/1024 GSU at which an observer sees a figure."""
    moment = scenario.position()
    look = look_of(scenario, moment, rules, 1.0)
    posts = posts_of(scenario, moment, observers)
    walked = 0.0
    for a, b in pairwise(np.array(path, dtype=float)):
        steps = math.ceil(math.dist(a, b) * 1024)
        spots = np.array([a + (b - a) * (step / steps) for step in range(steps + 1)])
        seen = [look(post, spots, silent).levels < TOTAL for post in posts]
        for step in range(steps + 1):
            for number, marks in enumerate(seen):
                if marks[step]:
                    return walked + math.dist(a, b) * step / steps, posts[number].name
        walked += math.dist(a, b)
    return None


@pytest.mark.parametrize("rules", [None, "true"], ids=["emlia", "true"])
@pytest.mark.parametrize("relief", ["", RELIEF], ids=["level", "hills"])
def test_the_first_exposure_is_that_of_a_plain_walk(made: Made, rules, relief: str) -> None:
    scenario = made(FIELD, relief, THINGS, SIDES, UNITS)
    path = [(31.5, 11.5), (31.5, 14.0), (36.0, 15.5)]

    found = scenario.exposure(path, "watch", "44,34", rules=rules)

    plain = first_on_a_plain_walk(scenario, path, ["watch", "44,34"], rules)
    if plain is None:
        assert found.first is None
    else:
        assert found.first is not None
        assert found.first.distance_m / GSU_M == pytest.approx(plain[0], abs=1e-9)
        assert found.observers[found.first.observer] == plain[1]


def test_that_walk_begins_out_of_view(made: Made) -> None:
    found = made(FIELD, THINGS, SIDES, UNITS).exposure([(31.5, 11.5), (31.5, 20)], "watch")

    assert not found.together[0].visible
    assert found.first is not None
    assert found.first.distance_m > 0


@pytest.mark.parametrize("rules", [None, "true"], ids=["emlia", "true"])
def test_each_stretch_is_what_the_viewshed_says_there(made: Made, rules) -> None:
    scenario = made(FIELD, THINGS, SIDES, UNITS)
    found = scenario.exposure([(2, 30), (46, 12)], "watch", "block", rules=rules)

    moment = scenario.position()
    look = look_of(scenario, moment, rules, 1.0)
    for post, runs in zip(posts_of(scenario, moment, ["watch", "block"]), found.each, strict=True):
        middles = np.array([(run.start_m + run.end_m) / 2 for run in runs])
        spots = np.array([[2, 30]]) + (middles / found.length_m)[:, None] * [[44, -18]]
        seen = look(post, spots, silent).levels < TOTAL
        assert seen.tolist() == [run.visible for run in runs]
    assert found.share == pytest.approx(visible_m(found.together) / found.length_m)
    assert found.length_m == pytest.approx(GSU_M * math.hypot(44, 18))


def test_a_unit_that_moves_does_not_hide_itself(made: Made) -> None:
    scenario = made(FIELD, SIDES, UNITS)
    behind = [(20, 30), (20, 33)]

    of_a_figure = scenario.exposure(behind, "watch")
    of_the_block = scenario.exposure(behind, "watch", mover="block")

    assert of_a_figure.share < 1
    assert of_the_block.share == 1


def test_a_unit_that_moves_has_its_own_height_and_speed(made: Made) -> None:
    tall = UNITS.replace('name = "block"', 'name = "block"\nmovement = "12G"').replace(
        "members = 4\nsize = 1\nheight = 1", "members = 4\nsize = 2\nheight = 2"
    )

    found = made(FIELD, SIDES, tall).exposure([(20, 30), (20, 33)], "watch", mover="block")

    assert (found.height, found.speed) == (2, 12)


@pytest.mark.parametrize(
    ("path", "observers", "options", "told"),
    [
        ([(1, 1)], ["watch"], {}, "two different places"),
        ([(1, 1), (1, 1)], ["watch"], {}, "two different places"),
        ([(1, 1), (60, 1)], ["watch"], {}, "path: 60,1 is not on the field, which is 48 x 36 GSU"),
        ([(1, 1), (2, 1)], [], {}, "expected an observer"),
        ([(1, 1), (2, 1)], ["wach"], {}, 'unknown unit or side "wach"; did you mean watch?'),
        ([(1, 1), (2, 1)], ["50,1"], {}, "50,1 is not on the field"),
        (
            [(1, 1), (2, 1)],
            ["watch"],
            {"mover": "watch"},
            "expected observers that are other units",
        ),
        ([(1, 1), (2, 1)], ["watch"], {"mover": "Red"}, "Red is a side; expected a unit"),
        ([(1, 1), (2, 1)], ["watch"], {"speed": 0}, "speed: expected GSU a turn above 0, got 0"),
        ([(1, 1), (2, 1)], ["watch"], {"step": 0}, "step: expected a number of GSU from 1/1024"),
        ([(1, 1), (2, 1)], ["watch"], {"height": -1}, "height: expected a number"),
        ([(1, 1), (2, 1)], ["watch"], {"rules": "all"}, "expected one method"),
    ],
)
def test_a_path_that_cannot_be_asked_about_is_refused(made: Made, path, observers, options, told):
    with pytest.raises(Error) as raised:
        made(FIELD, SIDES, UNITS).exposure(path, *observers, **options)

    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_route_keeps_out_of_view_if_that_is_near_enough(made: Made) -> None:
    scenario = made(FIELD, THINGS, SIDES, UNITS)

    straight = scenario.route("4,30", "44,30", "watch", detour=0, cell=1)
    hidden = scenario.route("4,30", "44,30", "watch", detour=50, cell=1)

    assert straight.route.length_m == pytest.approx(40 * GSU_M, abs=2 * GSU_M)
    assert hidden.route.seen_m < straight.route.seen_m
    # What is in view is what the viewshed says of the cells.
    for found in (straight, hidden):
        columns, rows = (
            found.route.path[:, 0].astype(int),
            (36 - found.route.path[:, 1]).astype(int),
        )
        assert (found.area.grid.spots.reshape(36, 48, 2)[rows, columns] == found.route.path).all()
        seen = (found.area.counts[rows, columns] > 0).astype(float)
        steps = np.hypot(*np.diff(found.route.path, axis=0).T)
        assert (steps * (seen[1:] + seen[:-1]) / 2).sum() * GSU_M == pytest.approx(
            found.route.seen_m
        )


@pytest.mark.parametrize("obstacle", [LAKE, THIN], ids=["lake", "thin"])
def test_a_route_goes_round_impassable_terrain(made: Made, obstacle: str) -> None:
    found = made(FIELD, obstacle, SIDES, UNITS).route("10,30", "38,30", "watch", detour=0, cell=2)

    outline = shapely.box(22, 8, 26, 36) if obstacle == LAKE else shapely.box(22.9, 6, 23.1, 36)
    assert not shapely.LineString(found.route.path).crosses(outline)
    assert found.route.path[:, 1].min() < 8


def test_a_unit_that_swims_crosses_a_lake(made: Made) -> None:
    boat = UNITS.replace('name = "block"', 'name = "block"\nmovement = "12S"').replace(
        "at = [20, 25]", "at = [24, 30]"
    )
    scenario = made(FIELD, LAKE, SIDES, boat)

    found = scenario.route("24,34", "24,10", "watch", mover="block", detour=0, cell=2)

    assert (np.abs(found.route.path[:, 0] - 24) <= 2).all()
    with pytest.raises(Error, match="24,34: expected a point outside impassable terrain"):
        scenario.route("24,34", "24,10", "watch", detour=0, cell=2)


def test_a_route_that_terrain_shuts_off_is_refused(made: Made) -> None:
    shut = LAKE.replace("[22, 8], [26, 8]", "[22, 0], [26, 0]")

    with pytest.raises(
        Error, match="no route avoids slopes over 35 degrees and impassable terrain"
    ):
        made(FIELD, shut, SIDES, UNITS).route("10,30", "38,30", "block", cell=2)


def test_a_route_keeps_to_the_slope_limit_of_the_ground(made: Made) -> None:
    scenario = made(FIELD, RELIEF, SIDES, UNITS)

    free, limited = (
        scenario.route("4,18", "40,18", "watch", detour=0, cell=1, max_slope=slope)
        for slope in (60, 12)
    )

    assert free.route.steepest > 12 >= limited.route.steepest
    assert limited.route.length_m > free.route.length_m
