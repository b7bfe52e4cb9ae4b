"""Boards of hexagons: tiles, distances and lines, before any rule."""

from __future__ import annotations

from emlia3d.field.hexes.axial import SIDES, Tiles, as_tiles, disc, ring, steps_between
from emlia3d.field.hexes.hex_board import MOST_TILES, HexBoard
from emlia3d.field.hexes.hex_grid import HexGrid
from emlia3d.field.hexes.tile_lines import TileLines, lines_between

__all__ = [
    "MOST_TILES",
    "SIDES",
    "HexBoard",
    "HexGrid",
    "TileLines",
    "Tiles",
    "as_tiles",
    "disc",
    "lines_between",
    "ring",
    "steps_between",
]
