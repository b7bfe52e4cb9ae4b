"""The tiles of a field for the picture: its board, or a grid over any field."""

from __future__ import annotations

from emlia3d.field import Field
from emlia3d.field.hexes import HexBoard, board_of
from emlia3d.field.hexes.hex_grid import ROW
from emlia3d.view.moment.scene import DrawnTiles

MOST_DRAWN = 60_000
"""Maximum number of tiles of a grid over a field without tiles."""


def drawn_board(field: Field) -> HexBoard | None:
    """Return the board of a field, or a grid over it; None if no tile fits on the field.

    Tiles of such a grid are 1 GSU across, or 2, 4, 8... GSU on a large field.
    """
    if field.cells == "hexes":
        return board_of(field)
    east, north = field.size
    across = 1.0
    while east * north / (across * across * ROW) > MOST_DRAWN:
        across *= 2
    try:
        return HexBoard.covering(field.size, across)
    except ValueError:
        return None


def drawn_tiles(field: Field, board: HexBoard) -> DrawnTiles:
    """Return the grid of a board on a field."""
    metres = field.scale.metres_per_gsu
    return DrawnTiles(edges_m=board.edges * metres, across_m=board.grid.across * metres)
