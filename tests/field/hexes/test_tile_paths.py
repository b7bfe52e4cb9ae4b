"""Paths over tiles, compared with plain searches on random boards."""

from __future__ import annotations

import heapq
import itertools
import math

import numpy as np
import pytest

from emlia3d.field.hexes import SIDES, HexBoard, disc, steps_between, walk_reach

Tile = tuple[int, int]

BOARDS = [HexBoard.covering((east / 2, north)) for east in range(3, 16) for north in range(2, 7)]


def searched(
    board: HexBoard,
    starts: list[Tile],
    entering: np.ndarray,
    limit: float,
    barred: np.ndarray,
) -> dict[Tile, float]:
    """The costs of walks by Dijkstra's algorithm, one tile at a time."""
    number = {tuple(tile): place for place, tile in enumerate(board.tiles.tolist())}
    costs: dict[Tile, float] = {}
    waiting = [(0.0, start) for start in starts]
    while waiting:
        spent, here = heapq.heappop(waiting)
        if here in costs or spent > limit:
            continue
        costs[here] = spent
        for side, (east, north) in enumerate(SIDES.tolist()):
            there = (here[0] + east, here[1] + north)
            if there in number and not barred[number[here], side]:
                heapq.heappush(waiting, (spent + float(entering[number[there]]), there))
    return {tile: cost for tile, cost in costs.items() if math.isfinite(cost)}


def compare(draw: np.random.Generator) -> None:
    """Compare the walks of a random board with a plain search, and each path with its cost."""
    board = BOARDS[draw.integers(len(BOARDS))]
    entering = draw.integers(1, 7, len(board)) / 2
    entering[draw.random(len(board)) < 0.2] = math.inf
    barred = draw.random((len(board), 6)) < draw.choice([0.0, 0.2])
    limit = float(draw.choice([2, 5, math.inf]))
    starts = [tuple(tile) for tile in draw.choice(board.tiles, draw.integers(1, 3)).tolist()]

    reach = walk_reach(board, starts, entering, limit=limit, barred=barred)

    exact = searched(board, starts, entering, limit, barred)
    reached = board.tiles[reach.is_reached].tolist()
    assert {tuple(tile) for tile in reached} == set(exact)
    assert reach.costs[reach.is_reached].tolist() == [exact[tuple(tile)] for tile in reached]
    goal = reached[draw.integers(len(reached))]
    path = reach.path(goal)
    assert tuple(path[0]) in starts
    assert path[-1].tolist() == goal
    numbers = board.numbers(path)
    assert entering[numbers[1:]].sum() == exact[tuple(goal)]
    for (one, other), number in zip(itertools.pairwise(path.tolist()), numbers[:-1], strict=True):
        side = SIDES.tolist().index([other[0] - one[0], other[1] - one[1]])
        assert not barred[number, side]


def test_walks_cost_what_a_plain_search_finds() -> None:
    draw = np.random.default_rng(9)
    for _ in range(500):
        compare(draw)


@pytest.mark.slow
def test_walks_cost_what_a_plain_search_finds_on_ten_thousand_boards() -> None:
    draw = np.random.default_rng(10)
    for _ in range(10_000):
        compare(draw)


def test_on_open_ground_a_walk_takes_as_many_steps_as_tiles_are_apart() -> None:
    board = HexBoard.covering((20.5, 18))
    start = (5, 9)

    reach = walk_reach(board, start, limit=4)

    assert reach.costs[reach.is_reached].tolist() == (
        steps_between(start, board.tiles[reach.is_reached]).tolist()
    )
    assert board.tiles[reach.is_reached].tolist() == disc(start, 4).tolist()
    assert len(reach.path((9, 9))) == 5


def test_a_walk_ends_in_a_tile_all_of_whose_steps_are_barred() -> None:
    board = HexBoard.covering((5, 1.2))
    barred = np.zeros((len(board), 6), dtype=bool)
    barred[2] = True

    reach = walk_reach(board, (0, 0), barred=barred)

    assert reach.costs.tolist() == [0, 1, 2, math.inf, math.inf]
    # A walk that starts there goes nowhere.
    assert walk_reach(board, (2, 0), barred=barred).is_reached.sum() == 1


def test_of_paths_that_cost_the_same_the_order_of_the_sides_decides() -> None:
    board = HexBoard.covering((6.5, 5))

    path = walk_reach(board, (0, 2)).path((2, 3))

    # From the last tile, its western neighbour comes before the south-western one.
    assert path.tolist() == [[0, 2], [0, 3], [1, 3], [2, 3]]


def test_a_start_in_a_tile_that_cannot_be_entered_can_be_left() -> None:
    board = HexBoard.covering((4, 1.2))
    entering = np.array([math.inf, 1, 1, 1])

    assert walk_reach(board, (0, 0), entering).costs.tolist() == [0, 1, 2, 3]
    assert walk_reach(board, (1, 0), entering).costs.tolist() == [math.inf, 0, 1, 2]


def test_no_start_reaches_nothing() -> None:
    assert not walk_reach(HexBoard.covering((4, 4)), []).is_reached.any()


@pytest.mark.parametrize("cost", [0.0, -1.0, math.nan])
def test_entering_a_tile_costs_something(cost: float) -> None:
    with pytest.raises(ValueError, match="entering a tile costs more than 0, not"):
        walk_reach(HexBoard.covering((4, 4)), (0, 0), cost)


def test_walks_start_and_end_on_the_board() -> None:
    board = HexBoard.covering((4, 4))

    with pytest.raises(ValueError, match="a walk starts on the board"):
        walk_reach(board, [(0, 0), (9, 9)])
    for goal in [(9, 9), (3, 0)]:
        with pytest.raises(ValueError, match=r"no walk reaches the tile \(\d, \d\)"):
            walk_reach(board, (0, 0), limit=2).path(goal)
