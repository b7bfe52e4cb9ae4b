"""What is seen over a whole field: cell by cell what two units there would be told."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import emlia3d
from emlia3d.battle.questions.area import TOTAL
from emlia3d.errors import Error
from tests.scenario.viewshed_scenario import FIELD, RELIEF, SCOUT, SIDES, THINGS, UNITS

LEVELS = {"none": 0, "partial": 1, "total": 2}

Made = Callable[..., emlia3d.Scenario]


@pytest.mark.long
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
        (["wacht"], {}, 'unknown unit or side "wacht"; did you mean watch?'),
        (["50,1"], {}, "50,1 is not on the field, which is 48 x 36 GSU"),
        (["1,nan"], {}, "1,nan is not a point: expected x,y or x,y,h"),
        ([], {}, "expected an observer"),
        (["watch"], {"height": 0}, "height: expected a number of height units above 0"),
        (["watch"], {"height": float("inf")}, "height: expected a number of height units above 0"),
        (["watch"], {"cell": 0}, "cell: expected a number of GSU from"),
        (["watch"], {"cell": 1e-9}, "cell: expected a number of GSU from"),
        (["watch"], {"cell": float("nan")}, "cell: expected a number of GSU from"),
        (["watch"], {"rules": "dbmm"}, 'unknown rule system "dbmm"; there are emlia and true'),
    ],
)
def test_what_cannot_be_asked_is_told(made: Made, words, options, complaint: str) -> None:
    scenario = made(FIELD, SIDES, UNITS)

    with pytest.raises(Error, match=complaint):
        scenario.viewshed(*words, **options)
