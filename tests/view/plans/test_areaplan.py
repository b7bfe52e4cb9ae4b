"""The map of what is seen: colours where the answer has them, and the ground beneath."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageColor

from emlia3d.battle.questions.area import Grid, SightArea
from emlia3d.field import Field, Ground, Scale
from emlia3d.scenario import load
from emlia3d.view.plans.areaplan import draw_area
from emlia3d.view.plans.relief_map import contour_step, relief_map, round_below

EDGE, HEAD = 40, 92


def drawn(tmp_path: Path, levels: list[list[list[int]]], **options: bool) -> NDArray[np.int64]:
    scenario = load("bandits")
    each = np.array(levels, dtype=np.uint8)
    area = SightArea(
        asked=("archers",),
        observers=("archers", "60,70")[: len(each)],
        rules="emlia",
        height=1,
        reverse=False,
        grid=Grid.over(scenario.setup.field.size, 40),
        each=each,
        because=(),
        hides=(),
        text="",
    )
    path = tmp_path / "area.png"
    draw_area(scenario.setup, scenario.battle().state, area, path, **options)
    return np.asarray(Image.open(path).convert("RGB"), dtype=np.int64)


def at(picture: NDArray[np.int64], x: float, y: float) -> list[int]:
    """The colour at a place of the field of 120 x 80 GSU, which is 10 pixels to a GSU."""
    colour: list[int] = picture[HEAD + int((80 - y) * 10), EDGE + int(x * 10)].tolist()
    return colour


def test_cells_are_clear_grey_and_purple(tmp_path: Path) -> None:
    picture = drawn(tmp_path, [[[0, 1, 2], [0, 1, 2]]])

    clear, grey, purple = (at(picture, x, 20) for x in (30, 75, 110))
    assert clear == [224, 224, 196]
    assert max(grey) - min(grey) < 20
    assert max(grey) < min(clear[:2]) - 20
    assert purple[2] > purple[1] + 40
    assert purple[0] > purple[1] + 10


def test_how_many_see_is_the_deeper_colour(tmp_path: Path) -> None:
    levels = [[[0, 0, 2], [0, 0, 2]], [[0, 2, 2], [0, 2, 2]]]

    both, one, none = (at(drawn(tmp_path, levels, counts=True), x, 20) for x in (30, 75, 110))

    assert both[1] < one[1]
    assert both[0] > both[2] + 60
    assert none[2] > none[1] + 40


def test_units_are_drawn_in_their_colours_and_observers_ringed(tmp_path: Path) -> None:
    picture = drawn(tmp_path, [[[0, 0, 0], [0, 0, 0]]])

    def near(colour: str) -> int:
        return int((np.abs(picture - ImageColor.getrgb(colour)).sum(axis=2) < 40).sum())

    assert near("#2a5caa") > 300
    assert near("#8a2f1d") > 300
    assert near("#ffd23f") > 300


def test_slopes_to_the_north_west_are_lit_and_those_to_the_south_east_are_not() -> None:
    x = np.abs(np.arange(40) - 19.5)
    field = Field(
        size=(40, 40),
        scale=Scale(),
        ground=Ground(elevation_m=20 - x[None, :] + np.zeros((40, 1)), size=(40, 40), cell=1),
    )

    light = relief_map(field, (80, 80)).mean(axis=2)

    assert np.median(light[:, 10:30]) > np.median(light[:, 50:70]) + 20


def test_level_ground_is_all_one_colour() -> None:
    field = Field(size=(40, 20), scale=Scale(), ground=Ground.flat((40, 20)))

    assert relief_map(field, (8, 4)).reshape(-1, 3).std(axis=0).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("most", "rounded"), [(1, 1), (1.9, 1), (2, 2), (4.99, 2), (5, 5), (73, 50), (0.03, 0.02)]
)
def test_round_lengths_are_one_two_or_five(most: float, rounded: float) -> None:
    assert round_below(most) == pytest.approx(rounded)


def test_there_are_about_nine_contours() -> None:
    assert [contour_step(range_m) for range_m in (9, 40, 300)] == [1, 5, 50]
