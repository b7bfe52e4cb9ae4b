"""Shapes of terrain and areas from the keys of their tables."""

from __future__ import annotations

from shapely import Polygon

from emlia3d.battle.setup import Outline
from emlia3d.field import outline_of_circle, outline_of_path, outline_of_points
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import AreaTable, TerrainTable
from emlia3d.scenario.tables.tile_keys import TileKeys
from emlia3d.scenario.toml_lines import Path


def terrain_outline(
    collector: ErrorCollector,
    place: Path,
    table: TerrainTable,
    wrong: frozenset[str],
    tiles: TileKeys,
) -> Polygon | None:
    """Return the shape of a feature; report an error and return None if it has none.

    wrong : invalid keys of the table, already reported
    """
    shapes = ("outline", "circle", "path", "tiles")
    given = [key for key in shapes if getattr(table, key) is not None]
    if len(given) > 1 or not (given or wrong & {*shapes, "width"}):
        choices = "outline, circle, path with width, or tiles"
        collector.wrong((*place, *given[1:2]), f"expected one shape: {choices}")
    if (table.path is None) != (table.width is None) and not wrong & {"path", "width"}:
        key = "path" if table.width is None else "width"
        collector.wrong((*place, key), "path and width: expected both or neither")
    if table.tiles is not None:
        return tiles.outline((*place, "tiles"), table.tiles)
    found = _drawn(collector, place, table)
    if table.path is None or table.width is None:
        return found
    try:
        return outline_of_path(table.path, table.width)
    except ValueError as fault:
        collector.wrong((*place, "path"), f"path: {fault}")
        return None


def area_outline(
    collector: ErrorCollector, place: Path, table: AreaTable, tiles: TileKeys
) -> Outline | None:
    """Return the drawn shape of an area; None if there is none. Report errors."""
    if table.tiles is not None:
        return tiles.union((*place, "tiles"), table.tiles)
    return _drawn(collector, place, table)


def _drawn(
    collector: ErrorCollector, place: Path, table: TerrainTable | AreaTable
) -> Polygon | None:
    """Return the drawn shape of a table; None if there is none. Report errors in all shapes."""
    found = None
    for key in ("outline", "circle"):
        try:
            if key == "outline" and table.outline is not None:
                found = outline_of_points(table.outline)
            elif key == "circle" and table.circle is not None:
                found = outline_of_circle(*table.circle)
        except ValueError as fault:
            collector.wrong((*place, key), f"{key}: {fault}")
    return found
