"""The grid of tiles in the window: when it is shown, its tiles, and the tile at the cursor."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
import shapely

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field import Field, Ground, Scale
from emlia3d.field.hexes import HexBoard, board_of
from emlia3d.view.moment.tile_edges import MOST_DRAWN, drawn_board, drawn_tiles
from emlia3d.view.window.tile_grid import TileGrid
from emlia3d.view.window.viewer import Viewer


def field_of(east: float, north: float) -> Field:
    size = (east, north)
    return Field(size=size, scale=Scale(2.0), ground=Ground.flat(size))


@pytest.fixture
def tiled(setup: Setup) -> Setup:
    return replace(setup, field=replace(setup.field, cells="hexes"))


def test_each_edge_of_a_tile_is_drawn_once() -> None:
    field = field_of(7.5, 6.0)
    board = HexBoard.covering(field.size)
    outlines = shapely.polygons(board.grid.corners(board.tiles) * 2.0)
    all_edges = shapely.union_all(shapely.boundary(outlines))

    tiles = drawn_tiles(field, board)

    drawn = shapely.linestrings(tiles.edges_m)
    assert tiles.across_m == 2.0
    assert shapely.length(drawn) == pytest.approx(2 / 3**0.5)
    assert shapely.length(drawn).sum() == pytest.approx(all_edges.length, rel=1e-6)
    assert shapely.union_all(drawn).hausdorff_distance(all_edges) < 1e-6


def test_a_grid_over_a_large_field_has_larger_tiles() -> None:
    small, large = drawn_board(field_of(120, 80)), drawn_board(field_of(900, 700))

    assert small is not None
    assert large is not None
    assert (small.grid.across, large.grid.across) == (1.0, 4.0)
    assert len(large) <= MOST_DRAWN
    assert drawn_board(field_of(0.5, 0.5)) is None


def test_a_field_of_tiles_has_its_own_board_and_shows_it_at_first(
    setup: Setup, tiled: Setup
) -> None:
    assert drawn_board(tiled.field) is board_of(tiled.field)
    assert TileGrid(tiled).is_shown
    assert not TileGrid(setup).is_shown


def test_the_grid_is_switched_on_and_off_and_says_so(setup: Setup) -> None:
    grid = TileGrid(setup)

    assert grid.drawn() is None
    assert grid.key == ()
    assert grid.toggle() == "tiles of 1 GSU"
    drawn = grid.drawn()
    assert drawn is not None
    assert drawn is grid.drawn()
    assert grid.toggle() == "no tiles are shown"
    assert grid.drawn() is None


def test_a_field_smaller_than_a_tile_has_no_grid(setup: Setup) -> None:
    grid = TileGrid(replace(setup, field=field_of(0.5, 0.5)))

    assert grid.toggle() == "the field is smaller than a tile"
    assert grid.key == ()


def test_the_key_names_the_tile_at_the_cursor(tiled: Setup) -> None:
    grid = TileGrid(tiled)
    centre = board_of(tiled.field).grid.centres((12, 5))

    def words() -> list[str]:
        return [text for _, text in grid.key]

    assert words() == ["tiles of 1 GSU"]
    grid.point(tuple(centre.tolist()))
    assert words() == ["tiles of 1 GSU; cursor in 12,5"]
    grid.point((0.01, 0.01))
    assert words() == ["tiles of 1 GSU"]
    grid.point(None)
    assert words() == ["tiles of 1 GSU"]


def test_the_viewer_shows_the_tile_at_the_cursor_beside_the_field(
    tiled: Setup, start: State
) -> None:
    viewer = Viewer(tiled, start, ())

    viewer.point(tuple(np.asarray(board_of(tiled.field).grid.centres((3, 4))).tolist()))

    assert [text for _, text in viewer.status().chart_key] == ["tiles of 1 GSU; cursor in 3,4"]


def test_a_click_on_a_field_of_tiles_means_the_centre_of_the_tile(
    setup: Setup, tiled: Setup
) -> None:
    centre = tuple(board_of(tiled.field).grid.centres((12, 5)).tolist())
    beside = centre[0] + 0.3, centre[1] - 0.2

    assert TileGrid(tiled).meant(beside) == centre
    assert TileGrid(tiled).meant((0.01, 0.01)) == (0.01, 0.01)
    assert TileGrid(setup).meant(beside) == beside


def test_an_order_by_a_click_leads_to_the_centre_of_the_tile(tiled: Setup, start: State) -> None:
    class Hand:
        """An order in hand that keeps the places that are pointed at."""

        places: ClassVar[list[tuple[float, float]]] = []

        def point(self, place: tuple[float, float]) -> None:
            self.places.append(place)

    class Seat:
        """A question about orders."""

        sheet = "asked"
        hand = Hand()

    viewer = Viewer(tiled, start, ())
    viewer.entry = Seat()  # type: ignore[assignment]
    centre = tuple(board_of(tiled.field).grid.centres((3, 4)).tolist())

    viewer.click(None, (centre[0] - 0.2, centre[1] + 0.1))

    assert Hand.places == [centre]
