"""What is seen over a field of tiles: all places of a tile have the answer of its centre."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typing_extensions import override

from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.area import (
    NONE,
    PARTIAL,
    TOTAL,
    Floats,
    Observer,
    PointVisibility,
    Progress,
    silent,
)
from emlia3d.errors import Error
from emlia3d.field.hexes import board_of, steps_between
from emlia3d.scenario import load
from tests.scenario.conftest import Plain

Write = Callable[..., Path]


class Near(Plain):
    """A system on hexes by which three tiles are seen well, and six in part."""

    name = "emlia"
    title = "Near"
    cells = ("hexes",)

    @override
    def sight_area(
        self,
        moment: Moment,
        post: Observer,
        spots: Floats,
        height: float,
        reverse: bool,
        progress: Progress = silent,
    ) -> PointVisibility:
        grid = board_of(moment.setup.field).grid
        centres = grid.centres(grid.tiles_at(spots))
        assert np.abs(spots - centres).max() < 1e-9, "asked at the centres of tiles only"
        at = post.place if post.unit is None else moment.setup.units[post.unit].muster.at
        steps = steps_between(grid.tiles_at(at), grid.tiles_at(spots))
        levels = np.select([steps <= 3, steps <= 6], [NONE, PARTIAL], TOTAL).astype(np.uint8)
        return PointVisibility(levels, Counter({"near": len(spots)}), Counter())


NEAR: dict[str, Any] = {"emlia": Near()}

CHANGES = (
    ("size = [200, 100]", 'size = [24, 20]\ncells = "hexes"'),
    ("outline = [[60, 30], [66, 30], [66, 36], [60, 36]]", "tiles = [[3, 4], [4, 4]]"),
    ("circle = [100, 50, 20]", "tiles = [[10, 10]]"),
    ("at = [60, 10]\nmembers = 20\nfiles = 10", "tile = [5, 6]\nmembers = 20\nfiles = 10"),
    ("at = [60, 80]\nfacing = 180", "tile = [5, 12]\nfacing = 210"),
)


def test_each_cell_has_the_answer_of_its_tile(write: Write) -> None:
    scenario = load(write(*CHANGES), NEAR)
    board = board_of(scenario.setup.field)

    area = scenario.viewshed("archers")

    tiles = board.grid.tiles_at(area.grid.spots)
    steps = steps_between((5, 6), tiles)
    expected = np.select([steps <= 3, steps <= 6], [NONE, PARTIAL], TOTAL)
    expected[~board.holds(tiles)] = TOTAL
    assert area.levels.ravel().tolist() == expected.tolist()
    assert set(expected.tolist()) == {NONE, PARTIAL, TOTAL}
    assert area.grid.cell == 0.125
    assert "in the tile of each of 192 x 160 cells of 0.125 GSU" in area.text


def test_a_tile_looks_as_a_unit_in_it_does(write: Write) -> None:
    scenario = load(write(*CHANGES), NEAR)

    from_tile, from_unit = scenario.viewshed("5,6"), scenario.viewshed("archers")

    assert (from_tile.levels == from_unit.levels).all()
    assert (scenario.viewshed("5,6,2").levels == from_unit.levels).all()


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("99,6", "the tile 99,6 is off the board"),
        ("5.5,6", "expected a tile such as 12,5, got '5.5,6'"),
    ],
)
def test_a_place_on_a_field_of_tiles_is_a_tile_of_it(write: Write, word: str, told: str) -> None:
    with pytest.raises(Error, match=told):
        load(write(*CHANGES), NEAR).viewshed(word)


def test_a_wanted_cell_is_kept(write: Write) -> None:
    assert load(write(*CHANGES), NEAR).viewshed("archers", cell=1.0).grid.cell == 1.0


def test_plain_geometry_is_asked_place_by_place(write: Write) -> None:
    scenario = load(write(*CHANGES), NEAR)
    board = board_of(scenario.setup.field)

    area = scenario.viewshed("5,6", rules="true", cell=0.5)

    tiles = board.numbers(board.grid.tiles_at(area.grid.spots))
    levels = area.levels.ravel()
    mixed = [len(set(levels[tiles == tile].tolist())) > 1 for tile in range(len(board))]
    assert any(mixed)
