"""What is seen over a whole field by plain geometry, which knows heights and gaps but no rule."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import emlia3d
from emlia3d.battle.questions.area import PARTIAL, TOTAL, SightArea
from emlia3d.geometry import Surface, viewshed
from tests.scenario.viewshed_scenario import FIELD, RELIEF, SCOUT, SIDES, THINGS, UNITS

Made = Callable[..., emlia3d.Scenario]


@pytest.mark.parametrize("eye", ["20,18", "3,33", "40,5"])
def test_by_plain_geometry_the_ground_hides_what_the_horizon_does(made: Made, eye: str) -> None:
    x, y = map(float, eye.split(","))
    scenario = made(FIELD, RELIEF, SIDES, SCOUT.format(x=x, y=y, height=1))
    ground, scale = scenario.setup.field.ground, scenario.setup.field.scale
    heights = scale.heights_of_metres(ground.elevation_m)
    surface = Surface(heights=heights, cell=3, west=1.5, north=34.5)
    top = float(surface.heights_at(x, y)) + 1

    area = scenario.viewshed("scout", rules="true", cell=3, height=0.75)

    seen = viewshed(surface, (x, y, top), 0.75).seen
    assert ((area.levels < TOTAL) == seen).all()
    assert 0 < seen.sum() < seen.size


def test_by_plain_geometry_two_figures_see_each_other_or_neither_does(made: Made) -> None:
    scenario = made(FIELD, RELIEF, THINGS, SIDES, UNITS)

    one_way = scenario.viewshed("21,9", rules="true", cell=3)
    other_way = scenario.viewshed("21,9", rules="true", cell=3, reverse=True)

    assert ((one_way.levels == TOTAL) == (other_way.levels == TOTAL)).all()
    assert not (one_way.levels == other_way.levels).all()


def level_at(area: SightArea, x: float, y: float) -> int:
    grid = area.grid
    return int(area.levels[int((grid.north - y) / grid.cell), int(x / grid.cell)])


def test_by_plain_geometry_a_wall_hides_what_lies_low_behind_it(made: Made) -> None:
    wall = THINGS[: THINGS.index('[[terrain]]\nname = "tower"')].replace("height = 1", "height = 2")

    lookout = SCOUT.format(x=14, y=2, height=1) + "on_height = 3\n"
    area = made(FIELD, wall, SIDES, lookout).viewshed("scout", rules="true", cell=1)

    # The eye is at 4, the wall 2 high and 12 to 13 GSU off: a figure is hidden wholly as far as the
    # line over the wall's far edge, which falls 2 in 13, is above its head; in part to where it
    # comes down. That is at 13 x 3/2 and at 13 x 4/2.
    levels = [level_at(area, 14, 2 + distance) for distance in (10, 14, 18, 21, 25, 28)]
    assert levels == [0, TOTAL, TOTAL, PARTIAL, PARTIAL, 0]
    assert area.hides[0][0] == "wall"
    assert area.because == ()


def test_by_plain_geometry_who_is_as_tall_as_a_wall_has_his_top_seen_past_it(made: Made) -> None:
    """Lines that touch are free, and the line from top to top touches the wall's top."""
    wall = THINGS[: THINGS.index('[[terrain]]\nname = "tower"')]

    area = made(FIELD, wall, SIDES, SCOUT.format(x=14, y=2, height=1)).viewshed(
        "scout", rules="true", cell=1
    )

    assert level_at(area, 14, 30) == PARTIAL
    assert area.levels.max() == PARTIAL


PAIR = """
[[unit]]
name = "pair"
side = "Blue"
at = [24, 3]
formation = "ranked"
members = 2
files = 2
base = [40, 2]
size = 1
height = 1
"""


@pytest.mark.parametrize("reverse", [False, True])
def test_by_plain_geometry_a_unit_sees_and_shows_what_its_outermost_members_do(
    made: Made, reverse: bool
) -> None:
    """Two men 20 GSU apart: the better placed one looks, and who sees one of them sees a part."""

    def asked(name: str, *units: str) -> SightArea:
        scenario = made(FIELD, THINGS, SIDES, *units)
        return scenario.viewshed(name, rules="true", cell=1, reverse=reverse)

    pair = asked("pair", PAIR)
    alone = [asked("scout", SCOUT.format(x=x, y=3, height=1)).levels for x in (14, 34)]

    least, most = np.minimum(*alone), np.maximum(*alone)
    differ = least != most
    assert differ.sum() > 20
    assert (pair.levels == (np.where(differ, PARTIAL, least) if reverse else least)).all()


def test_by_plain_geometry_what_is_sparse_hides_in_part_only(made: Made) -> None:
    hedge = """
[[terrain]]
name = "hedge"
kind = "hedge"
outline = [[10, 10], [30, 10], [30, 14], [10, 14]]
height = 5
"""

    lookout = SCOUT.format(x=20, y=2, height=1)
    area = made(FIELD, hedge, SIDES, lookout).viewshed("scout", rules="true", cell=1)

    assert level_at(area, 20, 20) == PARTIAL
    assert level_at(area, 20, 12) == PARTIAL
    assert area.levels.max() == PARTIAL


def test_by_plain_geometry_units_and_buildings_are_in_the_way(made: Made) -> None:
    area = made(FIELD, THINGS, SIDES, UNITS).viewshed("watch", rules="true", cell=1)

    assert level_at(area, 31.5, 12) == TOTAL
    assert {"tower", "wall", "block", "knoll"} <= {name for name, _ in area.hides}


def test_by_plain_geometry_a_gap_between_members_is_seen_through(made: Made) -> None:
    lookout = SCOUT.format(x=24, y=2, height=1)
    row = UNITS[UNITS.index('[[unit]]\nname = "block"') :].replace('"close"', '"open"')

    area = made(FIELD, SIDES, lookout, row).viewshed("scout", rules="true", cell=0.25, height=0.5)

    behind = area.levels[int((36 - 34) / 0.25), int(8 / 0.25) : int(28 / 0.25)]
    assert {0, TOTAL} <= set(behind.tolist())
    assert [name for name, _ in area.hides] == ["block"]


def test_by_plain_geometry_the_building_that_one_stands_in_hides_nothing(made: Made) -> None:
    inside = SCOUT.format(x=31.5, y=9.5, height=1)

    area = made(FIELD, THINGS, SIDES, inside).viewshed("scout", rules="true", cell=1)
    from_outside = made(FIELD, THINGS, SIDES, UNITS).viewshed("watch", rules="true", cell=1)

    assert level_at(area, 31.5, 3) == 0
    assert "tower" not in dict(area.hides)
    assert level_at(from_outside, 31.5, 9.5) < TOTAL
