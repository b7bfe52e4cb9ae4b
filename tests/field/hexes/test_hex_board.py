"""Boards of hexagons: distances, rings, discs, centres, and the tile of a place."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.field.hexes import (
    MOST_TILES,
    SIDES,
    HexBoard,
    HexGrid,
    as_tiles,
    disc,
    ring,
    steps_between,
)

WHOLE = st.integers(-(10**6), 10**6)
TILE = st.tuples(WHOLE, WHOLE)


@pytest.mark.parametrize(
    ("tile", "steps"), [((3, 1), 4), ((2, -1), 2), ((6, -2), 6), ((0, 0), 0), ((-4, 4), 4)]
)
def test_tiles_are_as_far_apart_as_a_walk_takes(tile: tuple[int, int], steps: int) -> None:
    assert steps_between((0, 0), tile) == steps
    assert steps_between(tile, (0, 0)) == steps


@given(TILE, TILE, TILE)
def test_distance_is_a_metric(
    one: tuple[int, int], other: tuple[int, int], third: tuple[int, int]
) -> None:
    assert steps_between(one, other) == steps_between(other, one)
    assert (steps_between(one, other) == 0) == (one == other)
    assert steps_between(one, third) <= steps_between(one, other) + steps_between(other, third)


def test_no_tiles_are_no_distances_whatever_they_are_compared_with() -> None:
    none = np.empty((0, 1, 2), dtype=np.int64)

    assert steps_between(none, np.zeros((1, 5, 2), dtype=np.int64)).shape == (0, 5)
    assert steps_between([], (1, 2)).shape == (0,)


@pytest.mark.parametrize("radius", range(6))
def test_a_ring_goes_round_from_the_east_and_a_disc_is_all_rings_within(radius: int) -> None:
    centre = (4, -7)
    around = [(4 + q, -7 + r) for r in range(-9, 10) for q in range(-9, 10)]
    at = [tile for tile in around if steps_between(centre, tile) == radius]
    within = [tile for tile in around if steps_between(centre, tile) <= radius]

    walk = [tuple(tile) for tile in ring(centre, radius).tolist()]

    assert sorted(walk) == sorted(at)
    assert walk[0] == (4 + radius, -7)
    assert [tuple(tile) for tile in disc(centre, radius).tolist()] == within
    for one, other in itertools.pairwise([*walk, walk[0]]):
        assert steps_between(one, other) == (1 if radius else 0)
    if radius:
        # Anticlockwise, so north of the centre before west of it.
        assert walk[radius] == (4, -7 + radius)


def test_a_radius_below_0_is_refused() -> None:
    for shape in (ring, disc):
        with pytest.raises(ValueError, match="a radius is 0 steps or more, not -1"):
            shape((0, 0), -1)


@pytest.mark.parametrize("tile", [(0.5, 1), ("a", "b"), (1, 2, 3), 4])
def test_a_tile_is_two_whole_numbers(tile: object) -> None:
    with pytest.raises(ValueError, match="a tile is two integers, q and r"):
        as_tiles(tile)  # type: ignore[arg-type]


def test_no_tiles_are_no_distances() -> None:
    assert steps_between([], []).shape == (0,)


def nearest(grid: HexGrid, places: np.ndarray, spread: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The nearest of the centres around each place, and how far the next nearest are beyond it."""
    y = (places[:, 1] - grid.first[1]) / grid.across
    row = np.rint(y * 2 / 3**0.5)
    column = np.rint((places[:, 0] - grid.first[0]) / grid.across - row / 2)
    steps = range(-spread, spread + 1)
    tiles = np.stack(
        [np.column_stack((column + q, row + r)) for q in steps for r in steps], axis=1
    ).astype(np.int64)
    away = np.linalg.norm(grid.centres(tiles) - places[:, None, :], axis=2)
    order = np.argsort(away, axis=1)
    rows = np.arange(len(places))
    gap = away[rows, order[:, 1]] - away[rows, order[:, 0]]
    return tiles[rows, order[:, 0]], gap


def test_a_million_places_are_in_the_tiles_with_the_nearest_centres() -> None:
    draw = np.random.default_rng(23)
    grid = HexGrid(across=1.3, first=(0.65, 1.3 / 3**0.5))
    compared = 0
    for _ in range(10):
        places = draw.uniform(-50, 150, (100_000, 2))
        tiles, gap = nearest(grid, places)

        is_clear = gap > 1e-8

        assert (grid.tiles_at(places)[is_clear] == tiles[is_clear]).all()
        compared += int(is_clear.sum())
    assert compared > 999_900


def test_a_place_on_a_border_belongs_to_the_eastern_tile_of_a_row() -> None:
    grid = HexGrid(across=1.0, first=(0.5, 1 / 3**0.5))
    for r in range(-4, 5):
        north = grid.centres((0, r))[1]
        for off in (-0.25, 0.0, 0.125, 0.25):
            border = (3.0 + r % 2 / 2, north + off)

            assert grid.tiles_at(border).tolist() == [3 - r // 2, r]


def test_a_place_where_three_tiles_meet_belongs_to_the_northern_row() -> None:
    grid = HexGrid(across=1.7, first=(0.85, 1.7 / 3**0.5))
    tiles = disc((0, 0), 5)
    corners = grid.corners(tiles)

    # The southern corner of a tile is shared with two tiles of the row south of it.
    assert (grid.tiles_at(corners[:, 3]) == tiles).all()
    # The south-eastern corner is shared with the eastern neighbour and one of the row south.
    assert (grid.tiles_at(corners[:, 2]) == tiles + np.array([1, 0])).all()


@given(TILE, st.floats(0.01, 100), st.floats(-100, 100), st.floats(-100, 100))
def test_the_centre_of_a_tile_is_in_it(
    tile: tuple[int, int], across: float, east: float, north: float
) -> None:
    grid = HexGrid(across=across, first=(east, north))

    assert grid.tiles_at(grid.centres(tile)).tolist() == list(tile)


def test_neighbours_are_one_tile_apart_all_round_and_share_two_corners() -> None:
    grid = HexGrid(across=38.1)
    tile = shapely.Polygon(grid.corners((2, 3)))

    for side in SIDES:
        centre = grid.centres(np.array((2, 3)) + side)
        other = shapely.Polygon(grid.corners(np.array((2, 3)) + side))

        assert math.dist(centre, grid.centres((2, 3))) == pytest.approx(38.1)
        assert tile.intersection(other.buffer(1e-6)).length == pytest.approx(
            2 * 38.1 / 3**0.5, rel=1e-3
        )
    assert SIDES[0].tolist() == [1, 0]
    assert grid.centres(SIDES[1])[1] > 0


@pytest.mark.parametrize(
    "size", [(32.5, 24 * 0.8661 + 0.29), (10, 10), (1, 1.2), (7.4, 3), (7.5, 3), (1.2, 9)]
)
@pytest.mark.parametrize("across", [1.0, 0.7])
def test_a_board_holds_the_whole_tiles_of_a_field_from_the_south_west(
    size: tuple[float, float], across: float
) -> None:
    board = HexBoard.covering(size, across)
    field = shapely.box(-1e-6, -1e-6, size[0] + 1e-6, size[1] + 1e-6)
    around = [(q, r) for r in range(-2, 60) for q in range(-40, 60)]
    outlines = shapely.polygons(board.grid.corners(around))
    whole = [tile for tile, on in zip(around, shapely.covers(field, outlines), strict=True) if on]

    assert [tuple(tile) for tile in board.tiles.tolist()] == whole
    assert len(board) == len(whole)
    assert board.numbers(board.tiles).tolist() == list(range(len(board)))
    assert board.holds(around).sum() == len(whole)
    corners = board.grid.corners((0, 0))
    assert corners.min(axis=0) == pytest.approx((0, 0), abs=1e-9)


def test_neighbours_on_a_board_are_one_step_away_in_the_order_of_the_sides() -> None:
    board = HexBoard.covering((9.5, 8))

    for number, tile in enumerate(board.tiles.tolist()):
        for side, neighbour in zip(SIDES.tolist(), board.neighbours[number].tolist(), strict=True):
            other = (tile[0] + side[0], tile[1] + side[1])
            assert neighbour == board.numbers(other)
            assert neighbour == -1 or board.tiles[neighbour].tolist() == list(other)


def test_a_board_of_too_many_tiles_is_refused_before_it_is_made() -> None:
    with pytest.raises(ValueError, match=r"a field of 32,768 x 32,768 GSU has 1,239,\d{3},\d{3}"):
        HexBoard.covering((32768, 32768))
    with pytest.raises(ValueError, match="tiles of 1 GSU, more than 250,000"):
        HexBoard.covering((500.5, 435))

    assert len(HexBoard.covering((500.5, 434))) == MOST_TILES


@pytest.mark.parametrize("size", [(0.9, 5), (5, 1.1)])
def test_a_field_without_a_whole_tile_is_no_board(size: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="GSU has no whole tile of 1 GSU"):
        HexBoard.covering(size)


@pytest.mark.parametrize("across", [0.0, -1.0, math.inf, math.nan])
def test_a_tile_has_a_width(across: float) -> None:
    with pytest.raises(ValueError, match="a tile is above 0 GSU across"):
        HexGrid(across=across)


def test_a_grid_has_a_finite_centre() -> None:
    with pytest.raises(ValueError, match="the centre of a tile is two finite numbers"):
        HexGrid(first=(0.0, math.nan))
