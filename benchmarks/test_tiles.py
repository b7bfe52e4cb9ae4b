"""Boards of ten thousand tiles: distances, reach, chains and sight; their contents over a map."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emlia3d.field.hexes import (
    HexBoard,
    chains,
    sight_over_tiles,
    steps_between,
    tile_contents,
    walk_reach,
)
from emlia3d.scenario import load

START = (10, 40)


@pytest.fixture(scope="module")
def board() -> HexBoard:
    """100 rows of 100 tiles, with their neighbours."""
    made = HexBoard.covering((100.5, 87.5))
    assert (len(made), len(made.neighbours)) == (10_000, 10_000)
    return made


@pytest.fixture(scope="module")
def entering(board: HexBoard) -> np.ndarray:
    draw = np.random.default_rng(1)
    costs = draw.integers(1, 4, len(board)).astype(float)
    costs[draw.random(len(board)) < 0.1] = np.inf
    return costs


def test_distances_from_one_tile_to_all(benchmark: Any, board: HexBoard) -> None:
    steps = benchmark(steps_between, START, board.tiles)

    assert steps.min() == 0


@pytest.mark.parametrize("limit", [9.0, np.inf], ids=["nine steps", "everywhere"])
def test_reach_of_a_unit(
    benchmark: Any, board: HexBoard, entering: np.ndarray, limit: float
) -> None:
    reach = benchmark(walk_reach, board, START, entering, limit=limit)

    assert reach.costs[reach.is_reached].max() <= limit


def test_chains_of_a_hundred_units(benchmark: Any, board: HexBoard) -> None:
    units = board.tiles[np.random.default_rng(2).integers(0, len(board), 100)]

    found = benchmark(chains, units, 2)

    assert found.max() < 100


def test_sight_from_one_tile_to_all_of_a_thousand(benchmark: Any) -> None:
    small = HexBoard.covering((32.5, 28.0))
    flat = np.zeros(len(small))

    found = benchmark(
        sight_over_tiles, small, (0, 0), small.tiles, eyes=(0.5, 0.5), obstructing=flat,
        hindering=flat - 1,
    )  # fmt: skip

    assert found.obstructions.sum() == 0


def test_contents_of_a_map(benchmark: Any) -> None:
    field = load("castle").setup.field
    over = HexBoard.covering(field.size)
    kinds = {feature.kind_for("tiled"): row for row, feature in enumerate(field.features)}

    found = benchmark(tile_contents, field, over, system="tiled", hindrance=kinds, step=1.0)

    assert found.features.max() >= 0
