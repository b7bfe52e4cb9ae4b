"""Boards of hexagons: tiles, distances, lines and paths, before any rule."""

from __future__ import annotations

from emlia3d.field.hexes.axial import (
    SIDE_DEGREES,
    SIDES,
    Tiles,
    as_tiles,
    disc,
    ring,
    steps_between,
)
from emlia3d.field.hexes.hex_board import MOST_TILES, HexBoard, board_of
from emlia3d.field.hexes.hex_grid import HexGrid
from emlia3d.field.hexes.tile_chains import chains, is_one_chain, links, sizes_of_chains
from emlia3d.field.hexes.tile_contents import TileContents, tile_contents
from emlia3d.field.hexes.tile_lines import TileLines, lines_between
from emlia3d.field.hexes.tile_names import centre_of_named_tile, named_place, tile_name_at
from emlia3d.field.hexes.tile_outlines import outline_of_tiles, union_of_tiles
from emlia3d.field.hexes.tile_paths import TileReach, walk_reach
from emlia3d.field.hexes.tile_sight import (
    FEATURE,
    OBSTRUCTION,
    HinderedPoint,
    TileSight,
    sight_over_tiles,
)

__all__ = [
    "FEATURE",
    "MOST_TILES",
    "OBSTRUCTION",
    "SIDES",
    "SIDE_DEGREES",
    "HexBoard",
    "HexGrid",
    "HinderedPoint",
    "TileContents",
    "TileLines",
    "TileReach",
    "TileSight",
    "Tiles",
    "as_tiles",
    "board_of",
    "centre_of_named_tile",
    "chains",
    "disc",
    "is_one_chain",
    "lines_between",
    "links",
    "named_place",
    "outline_of_tiles",
    "ring",
    "sight_over_tiles",
    "sizes_of_chains",
    "steps_between",
    "tile_contents",
    "tile_name_at",
    "union_of_tiles",
    "walk_reach",
]
