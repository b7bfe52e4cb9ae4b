"""Outlines of tiles, for terrain and areas that are given tile by tile."""

from __future__ import annotations

import shapely
from numpy.typing import ArrayLike
from shapely import MultiPolygon, Polygon

from emlia3d.field.hexes.axial import as_tiles
from emlia3d.field.hexes.hex_grid import HexGrid
from emlia3d.field.hexes.tile_chains import chains
from emlia3d.field.outline import outline_of_points, snapped


def union_of_tiles(grid: HexGrid, tiles: ArrayLike) -> Polygon | MultiPolygon:
    """Return the union of tiles, its corners on the grid of 1/1024 GSU.

    tiles : (tiles, 2) integers

    Raises
    ------
    ValueError
        No tiles.
    """
    given = as_tiles(tiles).reshape(-1, 2)
    if not len(given):
        raise ValueError("an outline needs at least one tile")
    corners = snapped(grid.corners(given).reshape(-1, 2).tolist()).reshape(-1, 6, 2)
    whole = shapely.union_all(shapely.polygons(corners))
    assert isinstance(whole, Polygon | MultiPolygon)
    return whole


def outline_of_tiles(grid: HexGrid, tiles: ArrayLike) -> Polygon:
    """Return the outline around tiles that are connected, on the grid of 1/1024 GSU.

    tiles : (tiles, 2) integers

    Raises
    ------
    ValueError
        No tiles, tiles that are not connected, or tiles that enclose others.
    """
    whole = union_of_tiles(grid, tiles)
    if not isinstance(whole, Polygon):
        parts = int(chains(tiles, 1).max()) + 1
        raise ValueError(f"expected tiles that are connected, got {parts} groups of tiles")
    if whole.interiors:
        raise ValueError("the tiles enclose others; give these too, or leave a gap")
    return outline_of_points(shapely.get_coordinates(whole).tolist())
