"""Names of tiles, "q,r", as people read and write them."""

from __future__ import annotations

import re

from emlia3d.errors import quoted
from emlia3d.field.field import Field
from emlia3d.field.hexes.hex_board import board_of

# More digits than any board has rows or columns.
_NAME = re.compile(r"(-?\d{1,9}),(-?\d{1,9})")


def tile_name_at(field: Field, place: tuple[float, float]) -> str:
    """Return the name of the tile at a position, such as "12,5"; "" outside all tiles."""
    if field.cells == "none":
        return ""
    board = board_of(field)
    tile = board.grid.tiles_at(place)
    return f"{tile[0]},{tile[1]}" if board.holds(tile) else ""


def centre_of_named_tile(field: Field, word: str) -> tuple[float, float]:
    """Return the centre of the tile with a name, GSU.

    Raises
    ------
    ValueError
        If the text is not the name of a tile, or the tile is off the board.
    """
    board = board_of(field)
    found = _NAME.fullmatch(word)
    if found is None:
        raise ValueError(f"expected a tile such as 12,5, got {quoted(word)}")
    tile = int(found[1]), int(found[2])
    if not board.holds(tile):
        raise ValueError(f"the tile {word} is off the board")
    east, north = board.grid.centres(tile).tolist()
    return east, north


def named_place(field: Field, word: str) -> tuple[float, float]:
    """Return the position of a text, GSU: the centre of a tile "q,r" on a field of tiles, or "x,y".

    A third number in the word is left to the caller.

    Raises
    ------
    ValueError
        The word is no place, or the tile is off the board.
    """
    if field.cells != "none":
        return centre_of_named_tile(field, ",".join(word.split(",")[:2]))
    x, y, *_ = map(float, word.split(","))
    return x, y
