"""Lines from tile to tile, compared with the nearest centres in exact fractions."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.field.hexes import SIDES, HexBoard, lines_between, steps_between
from tests.field.hexes.nearest_tiles import nearest_to_points

Tile = tuple[int, int]


def points_of(starts: np.ndarray, ends: np.ndarray) -> list[list[tuple[Tile, ...]]]:
    """What the module finds, point by point of each line, each point's tiles in order."""
    lines = lines_between(starts, ends)
    found: list[list[tuple[Tile, ...]]] = [[] for _ in lines.lengths]
    for line, step, (one, other) in zip(
        lines.line.tolist(), lines.step.tolist(), lines.tiles.tolist(), strict=True
    ):
        found[line].append(tuple(sorted({tuple(one), tuple(other)})))
        assert step == len(found[line])
    return found


def compare(starts: np.ndarray, ends: np.ndarray) -> int:
    """Compare lines with the exact ones; return at how many points two tiles are equally near."""
    ties = 0
    for start, end, found in zip(
        starts.tolist(), ends.tolist(), points_of(starts, ends), strict=True
    ):
        exact = nearest_to_points((end[0] - start[0], end[1] - start[1]))
        moved = [tuple((q + start[0], r + start[1]) for q, r in tiles) for tiles in exact]
        assert found == moved
        ties += sum(len(tiles) == 2 for tiles in exact)
    return ties


def random_pairs(count: int, reach: int) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(count)
    starts, ends = draw.integers(-reach, reach + 1, (2, count, 2))
    return starts, ends


def test_lines_hold_the_tiles_nearest_to_exact_points() -> None:
    assert compare(*random_pairs(2_000, 5)) > 500


@pytest.mark.slow
def test_a_hundred_thousand_lines_hold_the_tiles_nearest_to_exact_points() -> None:
    assert compare(*random_pairs(100_000, 20)) > 50_000


@pytest.mark.parametrize("length", [1, 2, 3, 10])
def test_lines_through_corners_and_along_edges_are_exact(length: int) -> None:
    # From a tile through its corners the line runs along edges; through its sides, over centres.
    through_corners = SIDES + np.roll(SIDES, -1, axis=0)
    for ways, has_ties in ((SIDES, False), (through_corners, True)):
        starts = np.tile((7, -3), (6, 1))

        ties = compare(starts, starts + length * ways)

        assert ties == (6 * length if has_ties else 0)


@pytest.mark.parametrize(
    ("end", "between"),
    [
        ((4, 0), [{(1, 0)}, {(2, 0)}, {(3, 0)}]),
        ((6, -2), [{(1, 0)}, {(2, -1)}, {(3, -1)}, {(4, -1)}, {(5, -2)}]),
        ((2, -1), [{(1, -1), (1, 0)}]),
        ((3, 1), [{(1, 0)}, {(1, 1), (2, 0)}, {(2, 1)}]),
        ((5, -1), [{(1, 0)}, {(2, 0)}, {(3, -1)}, {(4, -1)}]),
        ((1, 0), []),
        ((0, 0), []),
    ],
)
def test_printed_lines_hold_the_printed_tiles(end: Tile, between: list[set[Tile]]) -> None:
    (found,) = points_of(np.array([(0, 0)]), np.array([end]))

    assert [set(tiles) for tiles in found] == between


def test_a_line_is_the_same_from_both_ends_and_so_is_the_order_of_two_tiles() -> None:
    starts, ends = random_pairs(3_000, 15)
    there, back = lines_between(starts, ends), lines_between(ends, starts)
    forward = np.lexsort((there.step, there.line))
    backward = np.lexsort((back.lengths[back.line] - back.step, back.line))

    assert (there.tiles[forward] == back.tiles[backward]).all()


def test_consecutive_points_are_one_step_apart_by_one_of_their_tiles() -> None:
    lines = lines_between(*random_pairs(3_000, 15))
    is_next = lines.line[1:] == lines.line[:-1]
    gaps = steps_between(lines.tiles[1:, :, None], lines.tiles[:-1, None, :])[is_next]

    assert (gaps.min(axis=(1, 2)) <= 1).all()


def test_one_tile_has_lines_to_all_of_a_board() -> None:
    board = HexBoard.covering((12, 12))
    lines = lines_between((3, 4), board.tiles)

    assert lines.lengths.tolist() == steps_between((3, 4), board.tiles).tolist()
    assert np.bincount(lines.line, minlength=len(board)).tolist() == [
        max(length - 1, 0) for length in lines.lengths.tolist()
    ]
    # A board of whole rows has all tiles between its tiles, of two at least one.
    assert board.holds(lines.tiles).any(axis=1).all()


def test_totals_are_sums_over_each_line() -> None:
    lines = lines_between((0, 0), [(3, 0), (1, 0), (0, 0), (0, 4)])

    assert lines.totals(np.arange(5)).tolist() == [0 + 1, 0, 0, 2 + 3 + 4]


def test_no_lines_have_no_points() -> None:
    lines = lines_between(np.empty((0, 2), dtype=int), np.empty((0, 2), dtype=int))

    assert len(lines.line) == len(lines.lengths) == 0
    assert lines.totals([]).tolist() == []
