"""Names of tiles, as people read and write them."""

from __future__ import annotations

import pytest

from emlia3d.field import Field, Ground, Scale
from emlia3d.field.hexes import board_of, centre_of_named_tile, tile_name_at

SIZE = (12.0, 9.0)
HEXES = Field(size=SIZE, scale=Scale(), ground=Ground.flat(SIZE), cells="hexes")


def test_each_tile_has_a_name_that_leads_back_to_its_centre() -> None:
    board = board_of(HEXES)

    for tile, centre in zip(
        board.tiles.tolist(), board.grid.centres(board.tiles).tolist(), strict=True
    ):
        name = tile_name_at(HEXES, tuple(centre))
        assert name == f"{tile[0]},{tile[1]}"
        assert centre_of_named_tile(HEXES, name) == tuple(centre)


def test_a_place_outside_all_tiles_has_no_name() -> None:
    assert tile_name_at(HEXES, (0.01, 0.01)) == ""
    assert tile_name_at(Field(size=SIZE, scale=Scale(), ground=Ground.flat(SIZE)), (3, 3)) == ""


@pytest.mark.parametrize("word", ["", "5", "5,", "5;6", "5.0,6", "a,b", "1,2,3", "9" * 12 + ",1"])
def test_other_words_name_no_tile(word: str) -> None:
    with pytest.raises(ValueError, match="expected a tile such as 12,5, got "):
        centre_of_named_tile(HEXES, word)


def test_a_tile_off_the_board_is_refused() -> None:
    with pytest.raises(ValueError, match="the tile 3,-1 is off the board"):
        centre_of_named_tile(HEXES, "3,-1")
