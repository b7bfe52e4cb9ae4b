"""Keys about tiles: ``cells`` of the field, ``tile`` of units, ``tiles`` of terrain and areas."""

from __future__ import annotations

from collections.abc import Sequence

from shapely import MultiPolygon, Polygon

from emlia3d.battle.system import System
from emlia3d.field import Field
from emlia3d.field.field import Cells
from emlia3d.field.hexes import (
    SIDE_DEGREES,
    HexBoard,
    board_of,
    outline_of_tiles,
    union_of_tiles,
)
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import Tile, UnitTable
from emlia3d.scenario.toml_lines import Path

_NO_TILES = 'the field has no tiles; state cells = "hexes"'

_USUAL_FACING = 30.0
"""Default facing of a unit in a tile, degrees: north-east, towards a neighbour."""


def read_board(
    collector: ErrorCollector, system: System | None, cells: Cells, size: tuple[float, float] | None
) -> HexBoard | None:
    """Return the board of a field; None if it has no cells, or too many, which is reported.

    size : of the field; None if it is invalid
    """
    if cells == "none":
        return None
    place: Path = ("field", "cells")
    if system is not None and cells not in system.cells:
        collector.wrong(place, f"{system.title} is not played on {cells}")
    if size is None:
        return None
    try:
        return HexBoard.covering(size)
    except ValueError as fault:
        collector.wrong(place, f"cells: {fault}")
        return None


class TileKeys:
    """Reader of keys that name tiles.

    board : None without tiles
    is_known : whether it is certain that the field has this board, or none. Otherwise an error of
        the field is already reported, and these keys are not checked
    """

    def __init__(
        self, collector: ErrorCollector, board: HexBoard | None = None, *, is_known: bool = False
    ) -> None:
        self._collector = collector
        self._board = board
        self._is_known = is_known
        self._taken: dict[Tile, str] = {}

    @classmethod
    def of(cls, collector: ErrorCollector, field: Field | None) -> TileKeys:
        """Return the reader for a field; None if the field is invalid."""
        if field is None:
            return cls(collector)
        if field.cells == "hexes":
            return cls(collector, board_of(field), is_known=True)
        # If the field lacks the cells in the file, that error is already reported.
        return cls(collector, is_known=collector.at(("field",)).get("cells", "none") == "none")

    @property
    def missing(self) -> str:
        """Return the error of a unit without a position."""
        if self._board is None:
            return "at is missing: expected a point [east, north] in GSU"
        return "tile is missing: expected a tile [q, r]"

    def outline(self, place: Path, tiles: Sequence[Tile]) -> Polygon | None:
        """Return the outline of a feature in tiles; report an error and return None without one."""
        if not self._are_tiles(place, tiles) or self._board is None:
            return None
        try:
            return outline_of_tiles(self._board.grid, tiles)
        except ValueError as fault:
            self._collector.wrong(place, f"tiles: {fault}")
            return None

    def union(self, place: Path, tiles: Sequence[Tile]) -> Polygon | MultiPolygon | None:
        """Return the union of the tiles of an area; report an error and return None without one."""
        if not self._are_tiles(place, tiles) or self._board is None:
            return None
        return union_of_tiles(self._board.grid, tiles)

    def placed(self, place: Path, table: UnitTable, wrong: frozenset[str]) -> UnitTable:
        """Return a unit's table with the position and facing from its tile.

        wrong : keys of the table that are noted already
        """
        if self._board is None:
            if table.tile is not None:
                self._note_no_tiles((*place, "tile"))
            return table
        if table.row is not None:
            self._collector.wrong(
                (*place, "row"), "row: on tiles, each unit needs a table of its own"
            )
        if table.tile is None:
            for key in ("at", "outline"):
                if getattr(table, key) is not None:
                    told = f"{key}: on a field of tiles, state tile = [q, r] instead"
                    self._collector.wrong((*place, key), told)
            return table
        if table.at is not None:
            self._collector.wrong((*place, "at"), "at and tile exclude each other")
        changes: dict[str, object] = {"facing": self._facing(place, table, wrong)}
        if self._is_free(place, table, table.tile):
            changes["at"] = tuple(self._board.grid.centres(table.tile).tolist())
        return table.model_copy(update=changes)

    def _facing(self, place: Path, table: UnitTable, wrong: frozenset[str]) -> float:
        """Return the facing of a unit in a tile, towards a neighbour."""
        if "facing" not in table.model_fields_set or "facing" in wrong:
            return _USUAL_FACING
        if table.facing % 360 not in SIDE_DEGREES:
            *others, last = sorted(SIDE_DEGREES)
            known = f"{', '.join(map(str, others))} or {last} degrees"
            told = f"facing: expected a neighbour of the tile, {known}, got {table.facing:g}"
            self._collector.wrong((*place, "facing"), told)
        return table.facing

    def _is_free(self, place: Path, table: UnitTable, tile: Tile) -> bool:
        """Return whether a tile is on the board; also report a tile with two units."""
        spot = (*place, "tile")
        if not self._is_on_board(spot, "tile", tile):
            return False
        name = table.name or "this unit"
        if not table.arrives and self._taken.setdefault(tile, name) != name:
            told = f"tile: {_tile_text(tile)} is taken by {self._taken[tile]}; move one of them"
            self._collector.wrong(spot, told)
        return True

    def _are_tiles(self, place: Path, tiles: Sequence[Tile]) -> bool:
        """Return whether there are tiles, all on the board and without duplicates."""
        if self._board is None:
            self._note_no_tiles(place)
            return False
        if not tiles:
            self._collector.wrong(place, "tiles: expected at least one tile [q, r], got none")
            return False
        found = True
        for number, tile in enumerate(tiles):
            if tile in tiles[:number]:
                self._collector.wrong(
                    (*place, number), f"tiles: {_tile_text(tile)} is listed twice"
                )
            found = self._is_on_board((*place, number), "tiles", tile) and found
        return found

    def _is_on_board(self, place: Path, key: str, tile: Tile) -> bool:
        assert self._board is not None
        if abs(tile[0]) < 2**31 and abs(tile[1]) < 2**31 and self._board.holds(tile):
            return True
        _, r = tile
        known = f"rows are 0 to {self._board.rows - 1}"
        if 0 <= r < self._board.rows:
            first, last = -(r // 2), (self._board.odd if r % 2 else self._board.even) - r // 2 - 1
            known = f"row {r} has [{first}, {r}] to [{last}, {r}]"
        self._collector.wrong(place, f"{key}: {_tile_text(tile)} is off the board; {known}")
        return False

    def _note_no_tiles(self, place: Path) -> None:
        """Report a key about tiles on a field without tiles."""
        if self._is_known:
            self._collector.wrong(place, f"{place[-1]}: {_NO_TILES}")


def _tile_text(tile: Tile) -> str:
    return f"[{tile[0]}, {tile[1]}]"
