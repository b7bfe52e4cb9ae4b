"""The grid of tiles over the field in the window, and the tile at the cursor."""

from __future__ import annotations

from functools import cached_property

from emlia3d.battle.setup import Setup
from emlia3d.field.hexes import HexBoard
from emlia3d.view.moment.scene import DrawnTiles
from emlia3d.view.moment.tile_edges import drawn_board, drawn_tiles

_COLOUR = "#161a14"


class TileGrid:
    """The grid of tiles of the viewer.

    is_shown : whether it is on the ground; initially only on a field of tiles
    """

    def __init__(self, setup: Setup) -> None:
        self._field = setup.field
        self.is_shown = setup.field.cells == "hexes"
        self._pointed = ""

    def toggle(self) -> str:
        """Show or hide the grid; return a description."""
        if self._board is None:
            return "the field is smaller than a tile"
        self.is_shown = not self.is_shown
        if not self.is_shown:
            return "no tiles are shown"
        return f"tiles of {self._board.grid.across:g} GSU"

    def point(self, place: tuple[float, float] | None) -> None:
        """Move the cursor to this point of the ground, GSU; None for none."""
        self._pointed = ""
        if place is not None and self.is_shown and self._board is not None:
            tile = self._board.grid.tiles_at(place)
            if self._board.holds(tile):
                self._pointed = f"{tile[0]},{tile[1]}"

    def meant(self, place: tuple[float, float]) -> tuple[float, float]:
        """Return the point of a click, GSU: on a field of tiles the centre of the tile.

        A point outside all tiles stays unchanged.
        """
        if self._field.cells == "none" or self._board is None:
            return place
        centres, on_board = self._board.centres_around([place])
        return (float(centres[0, 0]), float(centres[0, 1])) if on_board[0] else place

    def drawn(self) -> DrawnTiles | None:
        """Return the grid to draw; the same object each time, or None."""
        return self._drawn if self.is_shown else None

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """The meaning of the lines, and the tile at the cursor: (colour, words) each."""
        if not self.is_shown or self._board is None:
            return ()
        told = f"tiles of {self._board.grid.across:g} GSU"
        return ((_COLOUR, f"{told}; cursor in {self._pointed}" if self._pointed else told),)

    @cached_property
    def _board(self) -> HexBoard | None:
        return drawn_board(self._field)

    @cached_property
    def _drawn(self) -> DrawnTiles | None:
        return None if self._board is None else drawn_tiles(self._field, self._board)
