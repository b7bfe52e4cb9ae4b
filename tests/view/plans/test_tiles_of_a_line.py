"""A sight answer over tiles is drawn with the tiles on its line, and names lie beside the line."""

from __future__ import annotations

import numpy as np

from emlia3d.battle.facts import facts_of
from emlia3d.field.hexes import HexBoard, board_of, steps_between
from emlia3d.rules.epic import SYSTEM
from emlia3d.scenario import load
from emlia3d.view.plans.lineplan import _tiles_on_the_way, lines_picture
from emlia3d.view.sight.sightlines import LinedUp
from tests.rules.epic.boards import board

WHO = {"tile": [3, 3]}, {"side": "Red", "tile": [9, 6]}


def test_the_tiles_on_a_line_are_the_fields_own_and_lead_from_end_to_end() -> None:
    battle = board(*WHO)
    answer = SYSTEM.sight(battle, 0, 1, 0)

    corners = _tiles_on_the_way(LinedUp(battle.setup, battle.state, answer))

    tiles = board_of(battle.setup.field).grid.tiles_at(corners.mean(axis=1))
    steps = steps_between(tiles, np.array([3, 3]))
    assert {(3, 3), (9, 6)} <= {(q, r) for q, r in tiles.tolist()}
    assert sorted(set(steps.tolist())) == list(range(10)), "a tile at each step"


def test_tiles_laid_over_another_field_have_the_size_of_those_that_hinder() -> None:
    battle = load("bandits").battle(seed=1)
    rows = {unit.name: row for row, unit in enumerate(battle.setup.units)}
    answer = SYSTEM.sight_of(facts_of(battle), rows["archers"], rows["bandits"])
    question = LinedUp(battle.setup, battle.state, answer)

    corners = _tiles_on_the_way(question)

    grid = HexBoard.covering(battle.setup.field.size, 1.0).grid
    found = {tuple(tile) for tile in grid.tiles_at(corners.mean(axis=1)).tolist()}
    hinders = np.array([outline for each in answer.hindrances for outline in each.outlines])
    assert {tuple(tile) for tile in grid.tiles_at(hinders.mean(axis=1)).tolist()} <= found
    assert len(found) > len(hinders), "also the tiles before and behind them"


def test_an_answer_by_lines_alone_has_no_tiles() -> None:
    battle = load("scrapyard").battle(seed=1)
    answer = battle.system.line_of_sight(battle, 0, len(battle.setup.units) - 1)
    question = LinedUp(battle.setup, battle.state, answer)

    assert _tiles_on_the_way(question).shape == (0, 6, 2)
    assert lines_picture(battle.setup, battle.state, answer).size[0] > 1000
