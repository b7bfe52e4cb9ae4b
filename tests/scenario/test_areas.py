"""What is seen over a whole field: cell by cell what two units would be told, and facts alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import emlia3d
from emlia3d.battle.area import PARTIAL, TOTAL, SightArea
from emlia3d.errors import Error
from emlia3d.geometry import Surface, viewshed

LEVELS = {"none": 0, "partial": 1, "total": 2}

FIELD = """\
format = 1
title = "A field to look over"
rules = "emlia"
turns = 1

[field]
size = [48, 36]
metres_per_gsu = 2.0
"""

RELIEF = """
[field.relief]
cell = 3

[[field.relief.parts]]
kind = "hills"
seed = 3
hills = [[20, 18, 12, 5], [40, 30, 10, 7]]
"""

THINGS = """
[[terrain]]
name = "wall"
kind = "wall"
path = [[8, 14], [20, 15]]
width = 1
height = 1

[[terrain]]
name = "tower"
kind = "building"
outline = [[30, 8], [33, 8], [33, 11], [30, 11]]
height = 4

[[terrain]]
name = "wood"
kind = "forest"
outline = [[34, 16], [46, 16], [46, 27], [34, 26]]

[[terrain]]
name = "bush"
kind = "shrub"
circle = [27, 20, 1]

[[terrain]]
name = "knoll"
kind = "hill"
circle = [10, 28, 5]
height = 3
"""

SIDES = """
[[side]]
name = "Blue"
lines = "south"

[[side]]
name = "Red"
lines = "north"
"""

UNITS = """
[[unit]]
name = "watch"
side = "Blue"
at = [24, 3]
facing = 0
formation = "ranked"
members = 6
files = 3
size = 1
height = 1

[[unit]]
name = "block"
side = "Red"
at = [20, 25]
facing = 180
formation = "close"
members = 4
size = 1
height = 1
"""

SCOUT = """
[[unit]]
name = "scout"
side = "Red"
at = [{x}, {y}]
members = 1
size = {height}
height = {height}
"""

Made = Callable[..., emlia3d.Scenario]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A scenario from parts of its file."""

    def make(*parts: str) -> emlia3d.Scenario:
        (tmp_path / "field.toml").write_text("".join(parts), encoding="utf-8")
        return emlia3d.load(tmp_path / "field.toml")

    return make


@pytest.mark.parametrize("relief", ["", RELIEF], ids=["level", "hills"])
@pytest.mark.parametrize(
    ("height", "reverse"), [(1.0, False), (1.0, True), (0.5, False)], ids=["sees", "seen", "low"]
)
def test_every_cell_says_what_a_unit_there_would_be_told(
    made: Made, relief: str, height: float, reverse: bool
) -> None:
    area = made(FIELD, relief, THINGS, SIDES, UNITS).viewshed(
        "watch", height=height, cell=6, reverse=reverse
    )

    told = []
    for x, y in area.grid.spots.tolist():
        asked = made(FIELD, relief, THINGS, SIDES, UNITS, SCOUT.format(x=x, y=y, height=height))
        pair = ("scout", "watch") if reverse else ("watch", "scout")
        told.append(LEVELS[asked.sight(*pair).concealment])
    assert area.levels.ravel().tolist() == told
    assert len(set(told)) == 3


def test_a_place_sees_what_a_single_figure_there_sees(made: Made) -> None:
    scout = SCOUT.format(x=21, y=9, height=1)

    from_place = made(FIELD, RELIEF, THINGS, SIDES, UNITS).viewshed("21,9", cell=4)
    from_unit = made(FIELD, RELIEF, THINGS, SIDES, UNITS, scout).viewshed("scout", cell=4)

    assert (from_place.levels == from_unit.levels).all()


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


def test_several_observers_are_counted_and_told_apart(made: Made) -> None:
    scenario = made(FIELD, THINGS, SIDES, UNITS)

    both = scenario.viewshed("watch", "block", cell=4)
    alone = [scenario.viewshed(name, cell=4) for name in ("watch", "block")]

    assert both.observers == ("watch", "block")
    for layer, area in zip(both.each, alone, strict=True):
        assert (layer == area.levels).all()
    assert (both.levels == np.minimum(*(area.levels for area in alone))).all()
    assert (both.counts == sum((area.levels < TOTAL).astype(int) for area in alone)).all()
    assert set(np.unique(both.counts)) == {0, 1, 2}


def test_a_side_is_all_its_units(made: Made) -> None:
    scenario = made(FIELD, THINGS, SIDES, UNITS, SCOUT.format(x=40, y=30, height=1))

    area = scenario.viewshed("Red", "block", cell=8)

    assert area.observers == ("block", "scout")
    assert "Red and block (2 units)" in area.text
    assert "Blue and watch (1 unit) can see" in scenario.viewshed("Blue", "watch", cell=8).text


def test_a_mixed_unit_of_a_side_looks_once(made: Made) -> None:
    part = UNITS[: UNITS.index('[[unit]]\nname = "block"')].replace('"watch"', '"guard"', 1)
    part = part.replace("at = [24, 3]", 'at = [24, 5]\ngroup = "watch"')

    area = made(FIELD, SIDES, UNITS, part).viewshed("Blue", cell=4)

    assert area.observers == ("watch",)


LATER = SCOUT.format(x=40, y=30, height=1) + "arrives = 1\n"


def test_who_arrives_later_does_not_look_with_his_side(made: Made) -> None:
    assert made(FIELD, SIDES, UNITS, LATER).viewshed("Red", cell=4).observers == ("block",)


@pytest.mark.parametrize("rules", ["emlia", "true"])
@pytest.mark.parametrize(
    ("units", "word", "complaint"),
    [
        ((UNITS, LATER), "scout", "scout is not on the field yet; it arrives at turn 1"),
        ((LATER,), "Red", "no unit of Red is on the field yet"),
    ],
)
def test_who_arrives_later_does_not_look_now(
    made: Made, rules: str, units: tuple[str, ...], word: str, complaint: str
) -> None:
    with pytest.raises(Error, match=complaint):
        made(FIELD, SIDES, *units).viewshed(word, cell=4, rules=rules)


@pytest.mark.parametrize("rules", [None, "true", "all"])
def test_nobody_is_asked_about_who_arrives_later(made: Made, rules: str | None) -> None:
    scenario = made(FIELD, SIDES, UNITS, LATER)
    complaint = "scout is not on the field yet; it arrives at turn 1"

    with pytest.raises(Error, match=complaint):
        scenario.sight("watch", "scout", rules)
    with pytest.raises(Error, match=complaint):
        scenario.odds("scout", "watch")


def test_the_answer_says_where_it_comes_from(made: Made) -> None:
    scenario = made(FIELD, RELIEF, THINGS, SIDES, UNITS)

    area = scenario.viewshed("watch", cell=4)

    assert "12 x 9 cells of 4 GSU (8 m)" in area.text
    assert "16 x 12 cells of 3 GSU (6 m)" in area.text
    assert "by the rules of emlia" in area.text
    assert "emlia.sight.raster-ground" in area.because
    assert "the ground" in dict(area.hides)
    assert area.digest == scenario.viewshed("watch", cell=4).digest
    assert area.digest != scenario.viewshed("watch", cell=4, height=0.5).digest


def test_without_a_wish_the_cells_are_round_or_the_rasters_own(made: Made) -> None:
    fine, wide = RELIEF.replace("cell = 3", "cell = 0.4"), FIELD.replace("[48, 36]", "[480, 36]")

    found = [
        made(*parts, SIDES, UNITS).viewshed("1,1", rules="true").grid
        for parts in ([FIELD], [FIELD, RELIEF], [FIELD, fine], [wide])
    ]

    assert [grid.cell for grid in found] == [0.5, 0.5, 0.4, 5]
    assert (found[2].rows, found[2].columns) == (90, 120)


def test_progress_is_told_up_to_the_end(made: Made) -> None:
    told: list[float] = []

    made(FIELD, SIDES, UNITS).viewshed("1,1", "2,2", rules="true", progress=told.append)

    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.parametrize(
    ("words", "options", "complaint"),
    [
        (["wacht"], {}, 'no unit or side is called "wacht"; did you mean watch?'),
        (["50,1"], {}, "50,1 is not on the field, which is 48 x 36 GSU"),
        (["1,nan"], {}, "1,nan is no place: x,y or x,y,h"),
        ([], {}, "an observer is wanted"),
        (["watch"], {"height": 0}, "height is a number of height units above 0"),
        (["watch"], {"height": float("inf")}, "height is a number of height units above 0"),
        (["watch"], {"cell": 0}, "a cell is a number of GSU from"),
        (["watch"], {"cell": 1e-9}, "a cell is a number of GSU from"),
        (["watch"], {"cell": float("nan")}, "a cell is a number of GSU from"),
        (["watch"], {"rules": "dbmm"}, 'no rule system is called "dbmm"; there are emlia and true'),
    ],
)
def test_what_cannot_be_asked_is_told(made: Made, words, options, complaint: str) -> None:
    scenario = made(FIELD, SIDES, UNITS)

    with pytest.raises(Error, match=complaint):
        scenario.viewshed(*words, **options)
