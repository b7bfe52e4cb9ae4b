"""Conversion between tiles, which a file states, and positions, which an editor uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from emlia3d.field import Field
from emlia3d.field.hexes import HexBoard, board_of


@dataclass(frozen=True, slots=True)
class TilePlaces:
    """Conversion between positions on a board and tiles."""

    board: HexBoard

    def centre_near(self, place: tuple[float, float]) -> tuple[float, float]:
        """Return the centre of the tile at a point, GSU; the tile can be off the board."""
        grid = self.board.grid
        east, north = grid.centres(grid.tiles_at(place)).tolist()
        return east, north

    def in_file(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values of a unit's table with its tile in place of its centre."""
        at = values.get("at")
        if at is None:
            return dict(values)
        kept = {key: value for key, value in values.items() if key != "at"}
        return {**kept, "at": None, "tile": self.board.grid.tiles_at(at).tolist()}

    def with_centre(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a unit's table with the centre of its tile; unchanged without a valid tile."""
        tile: Any = table.get("tile")
        usable = isinstance(tile, list) and len(tile) == 2
        if not usable or any(type(each) is not int or abs(each) >= 2**31 for each in tile):
            return table
        return {**table, "at": self.board.grid.centres(tile).tolist()}


def tile_places(field: Field) -> TilePlaces | None:
    """Return the converter for a field; None if it has no tiles."""
    return TilePlaces(board_of(field)) if field.cells == "hexes" else None
