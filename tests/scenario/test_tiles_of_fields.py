"""Fields divided into hexes: units in tiles, terrain and areas of tiles, and their errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shapely import intersects, points

from emlia3d.errors import ScenarioError
from emlia3d.field.hexes import board_of
from emlia3d.force import facing_of_degrees
from emlia3d.scenario import check, load
from tests.scenario.conftest import Plain, line_of

Write = Callable[..., Path]


class Tiled(Plain):
    """The plain system, played on hexes."""

    name = "emlia"
    title = "Tiled"
    cells = ("hexes",)


class Deploying(Tiled):
    """A system on tiles whose units are placed in play."""

    deploys = True


TILED: dict[str, Any] = {"emlia": Tiled()}

HEXES = ("size = [200, 100]", 'size = [40, 30]\ncells = "hexes"')
ROCK = ("outline = [[60, 30], [66, 30], [66, 36], [60, 36]]", "tiles = [[3, 4], [4, 4], [3, 5]]")
HILL = ("circle = [100, 50, 20]", "tiles = [[10, 10], [20, 2]]")
ARCHERS = ("at = [60, 10]\nmembers = 20\nfiles = 10", "tile = [5, 6]\nmembers = 20\nfiles = 10")
BANDITS = ("at = [60, 80]\nfacing = 180", "tile = [5, 20]\nfacing = 210")
BOARD = (HEXES, ROCK, HILL, ARCHERS, BANDITS)


def test_units_stand_at_the_centres_of_their_tiles(write: Write) -> None:
    setup = load(write(*BOARD), TILED).setup
    board = board_of(setup.field)

    places = [unit.muster.at for unit in setup.units]

    assert board.grid.tiles_at(places).tolist() == [[5, 6], [5, 20]]
    assert places[0] == pytest.approx(board.grid.centres((5, 6)), abs=1 / 1024)
    assert [unit.muster.facing for unit in setup.units] == [
        facing_of_degrees(30),
        facing_of_degrees(210),
    ]


def test_terrain_and_areas_of_tiles_cover_their_centres_and_no_others(write: Write) -> None:
    setup = load(write(*BOARD), TILED).setup
    board = board_of(setup.field)
    centres = points(board.grid.centres(board.tiles))
    (rock,), hill = setup.field.features, setup.area("hill")

    assert board.tiles[intersects(rock.outline, centres)].tolist() == [[3, 4], [4, 4], [3, 5]]
    assert board.tiles[intersects(hill, centres)].tolist() == [[20, 2], [10, 10]]
    assert rock.outline.area == pytest.approx(3 * 3**0.5 / 2, abs=0.01)


def test_a_field_without_cells_has_no_board(write: Write) -> None:
    setup = load(write(), TILED).setup

    assert setup.field.cells == "none"
    with pytest.raises(ValueError, match="the field is not divided into hexes"):
        board_of(setup.field)


def test_a_unit_of_a_system_that_deploys_needs_no_tile(write: Write) -> None:
    systems = {"emlia": Deploying()}

    setup = load(write(*BOARD[:4], (BANDITS[0], "facing = 210")), systems).setup

    assert [unit.placed for unit in setup.units] == [True, False]


def test_a_unit_that_arrives_later_may_come_to_a_tile_that_is_taken(write: Write) -> None:
    later = (BANDITS[0], "tile = [5, 6]\narrives = 2")

    assert check(write(*BOARD[:4], later), TILED) == ()


def test_a_wide_unit_fits_into_a_tile_at_the_edge(write: Write) -> None:
    edge = (ARCHERS[0], "tile = [0, 0]\nmembers = 200\nfiles = 100")

    assert check(write(*BOARD[:3], edge, BANDITS), TILED) == ()


ERRORS = [
    (
        HEXES,
        (HEXES[0], 'size = [40, 30]\ncells = "squares"'),
        "cells",
        'cells: expected none or hexes, got "squares"',
    ),
    (
        HEXES,
        (HEXES[0], 'size = [900, 700]\ncells = "hexes"'),
        "cells",
        "a field of 900 x 700 GSU has 725,897 tiles of 1 GSU, more than 250,000",
    ),
    (
        HEXES,
        (HEXES[0], 'size = [40, 0.5]\ncells = "hexes"'),
        "cells",
        "has no whole tile of 1 GSU",
    ),
    (
        ARCHERS,
        (ARCHERS[0], "tile = [99, 6]\nmembers = 20\nfiles = 10"),
        "tile = [99",
        "tile: [99, 6] is off the board; row 6 has [-3, 6] to [36, 6]",
    ),
    (
        ARCHERS,
        (ARCHERS[0], "tile = [-4, 7]\nmembers = 20\nfiles = 10"),
        "tile = [-4",
        "tile: [-4, 7] is off the board; row 7 has [-3, 7] to [35, 7]",
    ),
    (
        ARCHERS,
        (ARCHERS[0], "tile = [0, 99999999999999999]\nmembers = 20\nfiles = 10"),
        "tile = [0, 9",
        "is off the board; rows are 0 to 33",
    ),
    (
        BANDITS,
        (BANDITS[0], "tile = [5, 6] # theirs\nfacing = 210"),
        "# theirs",
        "tile: [5, 6] is taken by archers; move one of them",
    ),
    (
        BANDITS,
        (BANDITS[0], "tile = [5, 20]\nfacing = 180"),
        "facing = 180",
        "facing: expected a neighbour of the tile, 30, 90, 150, 210, 270 or 330 degrees, got 180",
    ),
    (
        BANDITS,
        (BANDITS[0], "tile = [5, 20]\nat = [7, 8]"),
        "at = [7, 8]",
        "at and tile exclude each other",
    ),
    (
        BANDITS,
        (BANDITS[0], "at = [7, 8]"),
        "at = [7, 8]",
        "at: on a field of tiles, state tile = [q, r] instead",
    ),
    (
        BANDITS,
        (BANDITS[0], "outline = [[1, 1], [2, 1], [2, 2]]"),
        "outline = ",
        "outline: on a field of tiles, state tile = [q, r] instead",
    ),
    (BANDITS, (BANDITS[0], "facing = 210"), None, "tile is missing: expected a tile [q, r]"),
    (BANDITS, (BANDITS[0], "tile = [5.5, 2]"), "tile = [5.5", "tile: expected a tile [q, r]"),
    (BANDITS, (BANDITS[0], "tile = [5]"), "tile = [5]", "tile: expected a tile [q, r]"),
    (
        BANDITS,
        (BANDITS[0], "tile = [5, 20]\nrow = {count = 3, step = 1}"),
        "row = ",
        "row: on tiles, each unit needs a table of its own",
    ),
    (ROCK, (ROCK[0], "tiles = [[3, 4], [99, 4]]"), "tiles = [[3", "[99, 4] is off the board"),
    (ROCK, (ROCK[0], "tiles = [[3, 4], [3, 4]]"), "tiles = [[3", "[3, 4] is listed twice"),
    (
        ROCK,
        (ROCK[0], "tiles = [[3, 4], [9, 4], [15, 4]]"),
        "tiles = [[3",
        "expected tiles that are connected, got 3 groups of tiles",
    ),
    (
        ROCK,
        (ROCK[0], "tiles = [[4, 4], [3, 5], [2, 5], [2, 4], [3, 3], [4, 3]]"),
        "tiles = [[4",
        "the tiles enclose others",
    ),
    (ROCK, (ROCK[0], "tiles = []"), "tiles = []", "expected at least one tile [q, r], got none"),
    (
        ROCK,
        (ROCK[0], "tiles = [[3, 4]]\ncircle = [3, 4, 1]"),
        "tiles = [[3",
        "expected one shape: outline, circle, path with width, or tiles",
    ),
    (HILL, (HILL[0], "tiles = [[3, -1]]"), "tiles = [[3, -1", "[3, -1] is off the board"),
]


@pytest.mark.parametrize(("part", "spoilt", "at", "message"), ERRORS)
def test_each_error_about_tiles_has_its_line(
    write: Write, part: tuple[str, str], spoilt: tuple[str, str], at: str | None, message: str
) -> None:
    path = write(*(spoilt if each is part else each for each in BOARD))

    diagnostics = check(path, TILED)

    (found,) = [diagnostic for diagnostic in diagnostics if message in diagnostic.message]
    if at is not None:
        assert found.line == line_of(path, at)
    # One error brings no other: the tiles of a board that is wrong are not checked.
    assert len(diagnostics) == 1


def test_tiles_need_a_field_of_cells(write: Write) -> None:
    path = write(ROCK, ARCHERS)

    told = [diagnostic.message for diagnostic in check(path, TILED)]

    assert told == [
        'tiles: the field has no tiles; state cells = "hexes"',
        'tile: the field has no tiles; state cells = "hexes"',
    ]


def test_a_system_without_cells_is_not_played_on_hexes(
    write: Write, systems: dict[str, Any]
) -> None:
    path = write(*BOARD)

    with pytest.raises(ScenarioError) as refused:
        load(path, systems)

    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.line == line_of(path, "cells =")
    assert diagnostic.message == "Emlia is not played on hexes"
