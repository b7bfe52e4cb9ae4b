"""Tiles laid over battles of other rules, and the map of what is seen, tile by tile."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from emlia3d.battle.questions.area import NONE, Observer
from emlia3d.field.hexes import board_of
from emlia3d.rules.epic.formations import put
from emlia3d.scenario import load

MAPS = Path(__file__).parents[3] / "maps"
ABROAD = [
    path
    for path in sorted(MAPS.glob("*.toml"))
    if 'rules = "epic"' not in path.read_text("utf-8") and "[[unit]]" in path.read_text("utf-8")
]


def test_there_are_many_battles_of_other_rules() -> None:
    assert len(ABROAD) >= 15


@pytest.mark.long
@pytest.mark.parametrize("path", ABROAD, ids=lambda path: path.stem)
def test_tiles_are_laid_over_every_bundled_battle_of_other_rules(path: Path) -> None:
    scenario = load(path)
    units = [unit for unit in scenario.setup.units if not unit.arrives and unit.muster.members]
    sides = {unit.muster.side: unit.name for unit in reversed(units)}
    names = [name for _, name in sorted(sides.items())]
    for one, other in pairwise(names):
        there, back = (scenario.sight(*pair, rules="epic") for pair in ((one, other), (other, one)))
        assert "laid over the field" in there.text
        assert there.line_of_sight == back.line_of_sight
        assert there.rules == "epic"


@pytest.mark.long
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("observer", ["Blue line 1", "Blue engine"])
def test_the_map_of_what_is_seen_agrees_with_sight_tile_by_tile(
    observer: str, reverse: bool
) -> None:
    battle = load(MAPS / "outpost.toml").battle(seed=1)
    board = board_of(battle.setup.field)
    own, foe = battle.setup.unit_of(observer), battle.setup.unit_of("Red line 1")
    centres = board.grid.centres(board.tiles)
    post = Observer(name=observer, unit=own)
    found = battle.system.sight_area(battle, post, centres, 1.0, reverse)

    seen, moved = [], battle.fork()
    for tile in board.tiles.tolist():
        moved.suppose([put(moved, foe, tile)])
        pair = (foe, own) if reverse else (own, foe)
        seen.append(moved.system.sight(moved, *pair, 1).sees)

    assert (found.levels == NONE).tolist() == seen
    assert 0 < np.sum(seen) < len(board)


def test_the_viewshed_shows_the_answer_of_each_tile() -> None:
    scenario = load(MAPS / "outpost.toml")
    battle = scenario.battle()
    board = board_of(scenario.setup.field)
    area = scenario.viewshed("Blue tanks 1")
    own = scenario.setup.unit_of("Blue tanks 1")
    centres = board.grid.centres(board.tiles)
    post = Observer(name="Blue tanks 1", unit=own)
    by_tile = battle.system.sight_area(battle, post, centres, 1.0, False).levels
    numbers = board.numbers(board.grid.tiles_at(area.grid.spots))
    on_board = numbers >= 0
    assert (area.levels.ravel()[on_board] == by_tile[numbers[on_board]]).all()
    assert {*np.unique(numbers[on_board])} == {*range(len(board))}
