"""``[[area]]``: named areas of the field, for objectives, deployment and events."""

from __future__ import annotations

from collections.abc import Mapping

import shapely
from shapely import MultiPolygon, Polygon, box

from emlia3d.battle.setup import Area, Outline
from emlia3d.field import Field
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import AreaTable
from emlia3d.scenario.messages import nearest, shown
from emlia3d.scenario.tables.board import named_twice
from emlia3d.scenario.tables.drawn_shapes import area_outline
from emlia3d.scenario.tables.tile_keys import TileKeys
from emlia3d.scenario.toml_lines import Path


def read_areas(collector: ErrorCollector, board: Field | None) -> tuple[Area, ...]:
    """Return every valid area.

    board : with the features that areas can refer to; None if it is invalid
    """
    features = collector.names("terrain")
    taken: dict[str, Path] = {name: ("terrain", index) for name, index in features.items()}
    outlines: dict[str, Outline | None] = dict.fromkeys(features)
    if board is not None:
        outlines |= {feature.name: feature.outline for feature in board.features}
        taken |= {name: ("terrain", 0) for name in outlines if name not in taken}
    found = []
    for index in collector.tables("area"):
        place: Path = ("area", index)
        table, wrong = collector.salvage(AreaTable, place)
        if table is None:
            continue
        outline = _outline(collector, place, table, wrong, board, outlines)
        if "name" in wrong:
            continue
        if table.name in taken:
            collector.wrong((*place, "name"), named_twice(collector, table.name, taken[table.name]))
            continue
        taken[table.name] = place
        outlines[table.name] = outline
        if outline is not None:
            found.append(Area(name=table.name, outline=outline))
    return tuple(found)


def _outline(
    collector: ErrorCollector,
    place: Path,
    table: AreaTable,
    wrong: frozenset[str],
    board: Field | None,
    outlines: Mapping[str, Outline | None],
) -> Outline | None:
    """Return the shape of an area: drawn, along an edge, or a union of others."""
    drawn = [key for key in ("outline", "circle", "tiles") if getattr(table, key) is not None]
    if (table.edge is None) != (table.depth is None) and not wrong & {"edge", "depth"}:
        key = "edge" if table.depth is None else "depth"
        collector.wrong((*place, key), "edge and depth: expected both or neither")
    given = [*drawn, *(key for key in ("edge", "of") if getattr(table, key) is not None)]
    shapes = {"outline", "circle", "tiles", "edge", "depth", "of"}
    if len(given) > 1 or not (given or wrong & shapes or table.depth is not None):
        choices = "outline, circle, tiles, edge with depth, or of"
        collector.wrong((*place, *given[1:2]), f"expected one shape: {choices}")
    joined = None if table.of is None else _joined(collector, place, table, outlines)
    if drawn:
        return area_outline(collector, place, table, TileKeys.of(collector, board))
    if table.edge is not None and table.depth is not None:
        return None if board is None else strip_along(table.edge, table.depth, board.size)
    return joined


def _joined(
    collector: ErrorCollector, place: Path, table: AreaTable, outlines: Mapping[str, Outline | None]
) -> Outline | None:
    """Return the union of earlier areas in the file and of terrain features."""
    parts = table.of or ()
    for number, name in enumerate(parts):
        collector.refer((*place, "of", number), "area or terrain", name)
        if name not in outlines:
            told = f"there is no terrain and no earlier area {shown(name)}"
            collector.wrong((*place, "of", number), f"{told}; {nearest(name, outlines)}")
    shapes = [outlines.get(name) for name in parts]
    known = [shape for shape in shapes if shape is not None]
    if not known or len(known) < len(shapes):
        return None
    whole = shapely.union_all(known)
    assert isinstance(whole, Polygon | MultiPolygon)
    return whole


def strip_along(edge: str, depth: float, size: tuple[float, float]) -> Polygon:
    """Return the strip within *depth* GSU of an edge of a field of this size."""
    east, north = size
    strips = {
        "south": (0.0, 0.0, east, min(depth, north)),
        "north": (0.0, max(north - depth, 0.0), east, north),
        "west": (0.0, 0.0, min(depth, east), north),
        "east": (max(east - depth, 0.0), 0.0, east, north),
    }
    return box(*strips[edge])
