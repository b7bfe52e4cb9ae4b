"""Sight over tiles, compared with a plain walk along the nearest tiles in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from emlia3d.field.hexes import (
    FEATURE,
    OBSTRUCTION,
    HexBoard,
    TileSight,
    sight_over_tiles,
    steps_between,
)
from tests.field.hexes.nearest_tiles import nearest_to_points

Tile = tuple[int, int]

BOARD = HexBoard.covering((16.5, 14))
CENTRE = (3, 7)


def sight(
    end: Tile,
    *,
    woods: tuple[Tile, ...] = (),
    buildings: tuple[Tile, ...] = (),
    eyes: tuple[float, float] = (0.5, 0.5),
    back: bool = False,
) -> TileSight:
    """Sight from the tile `CENTRE` to another on level ground; all tiles counted from it."""
    start = np.array(CENTRE)
    obstructing, hindering = np.zeros(len(BOARD)), np.full(len(BOARD), -np.inf)
    for tile in woods:
        hindering[BOARD.numbers(start + tile)] = 1.0
    for tile in buildings:
        obstructing[BOARD.numbers(start + tile)] = 2.0
    ends = (start + end, start) if back else (start, start + end)
    return sight_over_tiles(
        BOARD,
        *ends,
        eyes=eyes[::-1] if back else eyes,
        obstructing=obstructing,
        hindering=hindering,
    )


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize(
    ("end", "woods", "buildings", "features", "obstructions"),
    [
        ((5, 0), [(2, 0)], [], 1, 0),
        ((5, 0), [(1, 0), (3, 0)], [], 2, 0),
        ((5, 0), [], [(4, 0)], 0, 1),
        ((5, 0), [(0, 0), (5, 0), (2, 0)], [], 1, 0),
        ((2, -1), [], [(1, 0)], 0, 0),
        ((2, -1), [], [(1, 0), (1, -1)], 0, 1),
        ((3, 1), [(1, 0), (1, 1)], [], 1, 0),
        ((3, 1), [(1, 0), (2, 1)], [], 2, 0),
        ((6, -2), [(2, 0), (3, 0)], [], 0, 0),
        ((4, -2), [], [(3, -1)], 0, 0),
        ((4, -2), [], [(2, -1)], 0, 1),
        ((1, 0), [(0, 0), (1, 0)], [(0, 0), (1, 0)], 0, 0),
        ((0, 0), [(0, 0)], [(0, 0)], 0, 0),
    ],
)
def test_lines_are_hindered_by_the_tiles_between(
    end: Tile,
    woods: list[Tile],
    buildings: list[Tile],
    features: int,
    obstructions: int,
    back: bool,
) -> None:
    found = sight(end, woods=tuple(woods), buildings=tuple(buildings), back=back)

    assert found.features.tolist() == [features]
    assert found.obstructions.tolist() == [obstructions]


def test_a_line_falls_from_eye_to_eye_and_a_tile_as_high_as_it_does_not_hinder() -> None:
    # From level 2 to level 0 over eight steps: 2.25, 2.0, 1.75, 1.5, 1.25, 1.0 and 0.75.
    between = tuple((step, 0) for step in range(1, 8))

    walls = sight((8, 0), buildings=between, eyes=(2.5, 0.5))
    woods = sight((8, 0), woods=between, eyes=(2.5, 0.5))

    assert [point.step for point in walls.hindered(0)] == [3, 4, 5, 6, 7]
    assert [point.step for point in woods.hindered(0)] == [7]


def test_hindered_points_name_their_tiles_and_both_sides_of_an_edge() -> None:
    q, r = CENTRE

    found = sight((3, 1), woods=((1, 0), (1, 1), (2, 0)), buildings=((2, 1),))

    assert found.hindered(0) == (
        (1, ((q + 1, r),), FEATURE),
        (2, ((q + 1, r + 1), (q + 2, r)), FEATURE),
        (3, ((q + 2, r + 1),), OBSTRUCTION),
    )


def test_a_tile_off_the_board_lets_no_line_pass_along_an_edge() -> None:
    # From (0, 0) to (-1, 2) the line runs along the edge of (0, 1) and of a tile off the board.
    obstructing = np.zeros(len(BOARD))
    obstructing[BOARD.numbers((0, 1))] = 2.0

    found = sight_over_tiles(
        BOARD, (0, 0), (-1, 2), eyes=(0.5, 0.5), obstructing=obstructing, hindering=obstructing - 9
    )

    assert found.obstructions.tolist() == [1]
    assert found.hindered(0) == ((1, ((0, 1),), OBSTRUCTION),)


def test_sight_is_that_of_a_plain_walk_with_exact_heights_and_the_same_back() -> None:
    draw = np.random.default_rng(78)
    number = {tuple(tile): row for row, tile in enumerate(BOARD.tiles.tolist())}
    ground = draw.choice([0, 0, 0, 1, 2], len(BOARD))
    woods, buildings = draw.random(len(BOARD)) < 0.3, draw.random(len(BOARD)) < 0.1
    obstructing = ground + 2 * buildings
    hindering = np.where(woods, ground + 1, -np.inf)
    starts, ends = (BOARD.tiles[draw.integers(0, len(BOARD), 3_000)] for _ in range(2))
    eyes = [
        ground[BOARD.numbers(tiles)] + draw.choice([0.5, 1.5], 3_000) for tiles in (starts, ends)
    ]

    found = sight_over_tiles(
        BOARD, starts, ends, eyes=(eyes[0], eyes[1]), obstructing=obstructing, hindering=hindering
    )
    back = sight_over_tiles(
        BOARD, ends, starts, eyes=(eyes[1], eyes[0]), obstructing=obstructing, hindering=hindering
    )

    assert found.features.tolist() == back.features.tolist()
    assert found.obstructions.tolist() == back.obstructions.tolist()
    seen = set()
    for line, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        steps = int(steps_between(start, end))
        counts = [0, 0, 0]
        for step, tiles in enumerate(nearest_to_points((end[0] - start[0], end[1] - start[1])), 1):
            here, there = Fraction(eyes[0][line]), Fraction(eyes[1][line])
            height = here + (there - here) * Fraction(step, steps)
            weights = []
            for q, r in tiles:
                row = number.get((start[0] + q, start[1] + r))
                if row is None:
                    continue
                if obstructing[row] > height:
                    weights.append(2)
                else:
                    weights.append(int(woods[row] and hindering[row] > height))
            counts[min(weights)] += 1
        assert (found.features[line], found.obstructions[line]) == (counts[1], counts[2])
        seen.add((min(counts[1], 2), min(counts[2], 1)))
    assert seen == {(features, blocks) for features in range(3) for blocks in range(2)}


def test_one_tile_is_asked_about_all_others_at_once() -> None:
    high = np.zeros(len(BOARD))

    found = sight_over_tiles(
        BOARD, CENTRE, BOARD.tiles, eyes=(0.5, 0.5), obstructing=high, hindering=high - 1
    )

    assert found.features.tolist() == [0] * len(BOARD)
    assert len(found.obstructions) == len(BOARD)


def test_no_lines_are_hindered_nowhere() -> None:
    none = np.empty((0, 2), dtype=int)
    column = np.zeros(len(BOARD))

    found = sight_over_tiles(
        BOARD, none, none, eyes=(0.5, 0.5), obstructing=column, hindering=column
    )

    assert len(found.features) == len(found.hindrance) == 0


def test_sight_leads_over_the_board() -> None:
    column = np.zeros(len(BOARD))

    with pytest.raises(ValueError, match="sight leads from a tile on the board to another"):
        sight_over_tiles(
            BOARD, (0, 0), [(1, 0), (99, 0)], eyes=(0, 0), obstructing=column, hindering=column
        )
