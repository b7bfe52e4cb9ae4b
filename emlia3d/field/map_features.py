"""Outlines on the board from the shapes of a vector map, and kinds from OpenStreetMap's tags."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiPolygon, Polygon, box

from emlia3d.errors import FileError
from emlia3d.field.georeference import Georeference
from emlia3d.field.outline import GRID, outline_of_points
from emlia3d.field.scale import Scale
from emlia3d.field.vector_files import reprojected

LEVEL_M = 3.0
"""Height of one level of a building, metres."""

LOCAL = "local"
"""The reference system of a file in metres from the south-west corner of the field."""

# tag: value: kind and, for lines, the width in metres. `*` stands for any other value.
_OSM: Mapping[str, Mapping[str, tuple[str, float]]] = {
    "building": {"no": ("", 0), "*": ("building", 0)},
    "natural": {
        "wood": ("forest", 0), "scrub": ("scrub", 0), "heath": ("scrub", 0),
        "water": ("lake", 0), "wetland": ("marsh", 0), "bare_rock": ("rock", 0),
        "tree": ("tree", 4), "tree_row": ("forest", 6), "shrub": ("shrub", 1),
    },
    "waterway": {
        "river": ("river", 20), "riverbank": ("river", 20), "canal": ("river", 12),
        "stream": ("stream", 3), "ditch": ("stream", 2), "drain": ("stream", 2),
    },
    "landuse": {
        "forest": ("forest", 0), "orchard": ("orchard", 0), "vineyard": ("orchard", 0),
        "farmland": ("plough", 0), "basin": ("lake", 0), "reservoir": ("lake", 0),
    },
    "barrier": {
        "wall": ("wall", 0.6), "retaining_wall": ("wall", 0.6), "city_wall": ("rampart", 3),
        "hedge": ("hedge", 1.5), "fence": ("fence", 0.3),
    },
    "highway": {
        "path": ("track", 2), "footway": ("track", 2), "track": ("track", 3),
        "bridleway": ("track", 2), "steps": ("track", 2), "cycleway": ("track", 2),
        "motorway": ("road", 20), "trunk": ("road", 12), "primary": ("road", 9),
        "proposed": ("", 0), "construction": ("", 0), "*": ("road", 6),
    },
}  # fmt: skip

_OTHER_TAG = re.compile(r'"((?:[^"\\]|\\.)*)"=>"((?:[^"\\]|\\.)*)"')
_METRES = re.compile(r"\s*(\d+(?:[.,]\d+)?)\s*(m|ft|')?\s*")


USUAL_WIDTHS_M: Mapping[str, float] = {
    "road": 6, "track": 3, "bridge": 6, "river": 20, "stream": 3, "wall": 0.6, "hedge": 1.5,
    "fence": 0.3, "rampart": 3, "earthwork": 3, "tree": 4, "large-tree": 6, "shrub": 1,
}  # fmt: skip
"""Width of a line or a point of a kind if nothing states it, metres."""


class OsmKind(NamedTuple):
    """Kind and measures of a feature by OpenStreetMap's tags.

    height_m : metres above the ground; None if no tag says it
    width_m : of a line or a point, metres; 0 if only an area has this kind
    """

    kind: str
    height_m: float | None
    width_m: float


def osm_kind(tags: Mapping[str, object]) -> OsmKind | None:
    """Return the kind of terrain of a feature with these tags; None if there is no such kind."""
    tags = {key: str(value) for key, value in tags.items() if isinstance(value, str | int | float)}
    tags |= dict(_OTHER_TAG.findall(str(tags.get("other_tags", ""))))
    for key, kinds in _OSM.items():
        if not tags.get(key) or tags[key] == "nan":
            continue
        kind, width_m = kinds.get(str(tags[key]), kinds.get("*", ("", 0.0)))
        if not kind:
            continue
        width = _metres(tags.get("width")) if width_m else None
        return OsmKind(kind, _height_m(tags), width or width_m)
    return None


def _height_m(tags: Mapping[str, object]) -> float | None:
    height = _metres(tags.get("height"))
    if height is not None or "building" not in tags:
        return height
    levels = _metres(tags.get("building:levels", tags.get("building_levels")))
    return None if levels is None else levels * LEVEL_M


def _metres(given: object) -> float | None:
    """Return a length that a tag gives, metres; None if it is not above 0."""
    found = _METRES.fullmatch(str(given))
    if found is None:
        return None
    length = float(found[1].replace(",", ".")) * (0.3048 if found[2] in {"ft", "'"} else 1.0)
    return length if 0 < length <= 1000 else None


def laid_shapes(
    shapes: NDArray[Any], crs: str | None, place: Georeference | None, scale: Scale
) -> NDArray[Any]:
    """Return shapes of a map in GSU from the field's south-west corner.

    shapes : (n,) shapely geometries
    crs : theirs; `LOCAL`, or None on a field without georeference, for metres from that corner.
        None too if `place` has no reference system, but coordinates of a raster without one
    place : where the field lies; None if that is unknown

    Raises
    ------
    FileError
        Only one of the map and the field has a place on the earth, or a corner has no place.
    """
    if crs == LOCAL or (crs is None and place is None):
        west = south = 0.0
        east_per_m = north_per_m = 1.0
    elif place is None or (crs is None) != (not place.crs):
        lacking = "crs" if crs is None else "[field] ground"
        raise FileError(
            f"{lacking}: expected a coordinate reference system for the map and the ground, or "
            f'crs = "{LOCAL}" for metres from the south-west corner, got only one of them'
        )
    else:
        if crs is not None:
            shapes = reprojected(shapes, crs, place.crs)
        west, south = place.west, place.south
        east_per_m, north_per_m = place.east_per_m, place.north_per_m
    gsu = scale.metres_per_gsu
    per_gsu = np.array([east_per_m * gsu, north_per_m * gsu])
    moved: NDArray[Any] = shapely.transform(
        shapes, lambda corners: (corners - [west, south]) / per_gsu
    )
    return moved


def fault_in(shape: Any) -> str | None:
    """Return the reason why a shape is not valid, with the position; None if it is valid."""
    if shapely.is_valid(shape):
        return None
    return str(shapely.is_valid_reason(shape))


def outlines_of(
    shape: Any, size: tuple[float, float], *, width: float | None = None
) -> list[Polygon] | None:
    """Return the outlines of a valid shape on a field, from west to east.

    A line becomes a strip, a point a disc. Parts off the field are cut away, and a polygon with
    holes is split into polygons without holes. Holes of at most 4/1024 GSU in width are filled.

    shape : a shapely geometry, GSU
    width : of the strip, and diameter of the disc, GSU

    Returns
    -------
    None
        if the shape is a line or a point and there is no width.
    """
    if shapely.get_dimensions(shape) < 2:
        if width is None:
            return None
        shape = shapely.buffer(
            shape, max(width, 1 / 32) / 2, quad_segs=4, cap_style="flat"
            if shapely.get_dimensions(shape) == 1 else "round", join_style="mitre", mitre_limit=2,
        )  # fmt: skip
    shape = shapely.simplify(shape, 1 / GRID)
    found: list[Polygon] = []
    waiting = _polygons(shapely.intersection(shape, box(0, 0, *size), grid_size=1 / GRID))
    while waiting:
        polygon = waiting.pop()
        wide = [ring for ring in polygon.interiors if ring.bounds[2] - ring.bounds[0] > 4 / GRID]
        polygon = Polygon(polygon.exterior, wide)
        if polygon.interiors:
            waiting += _halves(polygon)
            continue
        try:
            found.append(outline_of_points(shapely.get_coordinates(polygon.exterior).tolist()))
        except ValueError:  # too thin for the grid
            continue
    return sorted(found, key=lambda each: (each.bounds, -each.area))


def _halves(polygon: Polygon) -> list[Polygon]:
    """Return a polygon with holes cut from south to north through the middle of its first hole."""
    west, south, east, north = polygon.bounds
    left, _, right, _ = polygon.interiors[0].bounds
    across = math.floor((left + right) / 2 * GRID) / GRID
    parts = box(west, south, across, north), box(across, south, east, north)
    return [
        piece
        for part in parts
        for piece in _polygons(shapely.intersection(polygon, part, grid_size=1 / GRID))
    ]


def _polygons(shape: Any) -> list[Polygon]:
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    if isinstance(shape, MultiPolygon) or hasattr(shape, "geoms"):
        return [polygon for each in shape.geoms for polygon in _polygons(each)]
    return []
