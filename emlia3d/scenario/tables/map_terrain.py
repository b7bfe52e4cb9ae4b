"""``[[terrain]] from = {...}``: features of the field from a vector map."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field import Georeference, Scale
from emlia3d.field.map_features import fault_in, laid_shapes, osm_kind, outlines_of
from emlia3d.field.vector_files import Vectors, read_vectors
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import MOST_HEIGHT, TerrainFile
from emlia3d.scenario.messages import shown
from emlia3d.scenario.sources import Sources, fingerprint
from emlia3d.scenario.toml_lines import Path

OSM = "osm"
"""The kind for terrain by the tags of OpenStreetMap."""

# A Shapefile has its columns and its reference system in separate files.
_BESIDE = (".dbf", ".shx", ".prj", ".cpg")


class FieldPlace(NamedTuple):
    """The field of a map: size in GSU, scale, and georeference if known."""

    size: tuple[float, float]
    scale: Scale
    georeference: Georeference | None


class MapPiece(NamedTuple):
    """One outline of a map.

    height : height units; None for the height of the kind
    name : from the tags of OpenStreetMap; None if they have none
    """

    kind: str
    outline: Polygon
    height: float | None
    name: str | None = None


class MapPieces(NamedTuple):
    """The outlines of a map layer on a field.

    features : number of features of the layer
    off : number of chosen features off the field
    left_out : number of features that are not terrain, by reason
    """

    pieces: list[MapPiece]
    features: int
    off: int
    left_out: Counter[str]


def read_map(
    collector: ErrorCollector,
    place: Path,
    table: TerrainFile,
    field: FieldPlace,
    sources: Sources,
    files: dict[str, dict[str, Any]],
) -> list[MapPiece]:
    """Return the outlines of a map on a field; report an error and return none if it has one.

    A note states the number of features in the file and of those off the field.

    files : is given the fingerprint of each file that was read
    """
    try:
        found = pieces_of(table, _vectors(table, sources, files), field)
    except (FileError, MissingExtraError, OSError) as fault:
        collector.wrong((*place, "from"), f"from: {_short(table, fault)}")
        return []
    told = (
        f"{table.file}: {found.features} features, {len(found.pieces)} outlines on the field; "
        f"{found.off} features off the field, {found.left_out.total()} not chosen"
    )
    collector.advise((*place, "from"), told)
    return found.pieces


def pieces_of(
    table: TerrainFile,
    vectors: Vectors,
    field: FieldPlace,
    *,
    mending: str = "mend = true",
    lenient: bool = False,
) -> MapPieces:
    """Return the outlines of a map layer on a field.

    mending : name of the option that repairs shapes, for the error message
    lenient : whether to omit lines and points without a width, as for OpenStreetMap

    Raises
    ------
    FileError
        A column or value is missing, a shape on the field crosses itself, the map cannot be placed
        on the field, or a line or point has no width.
    MissingExtraError
        rasterio is not installed.
    """
    crs = vectors.crs if table.crs is None else table.crs
    wanted = _wanted(table, vectors)
    shapes = laid_shapes(vectors.shapes[wanted], crs, field.georeference, field.scale)
    here = shapely.intersects(shapely.envelope(shapes), shapely.box(0, 0, *field.size))
    _require_valid(table, vectors, wanted[here], mending)
    if table.mend:
        shapes[here] = shapely.make_valid(shapes[here])
    left_out = Counter[str]()
    if len(wanted) < len(vectors.shapes):
        left_out["not chosen"] = len(vectors.shapes) - len(wanted)
    facts = _of_osm if table.kind == OSM else _of_columns
    found, off = [], 0
    about_each = facts(table, vectors, wanted, field.scale)
    for shape, inside, about in zip(shapes, here, about_each, strict=True):
        if isinstance(about, str):
            left_out[about] += 1
            continue
        outlines = outlines_of(shape, field.size, width=about.width) if inside else []
        if outlines is None:
            if table.kind == OSM or lenient:
                left_out[f"{about.kind} without width"] += 1
                continue
            key = "radius" if shapely.get_dimensions(shape) == 0 else "width"
            raise FileError(f"{key}: expected a number of GSU for {shape.geom_type}, got none")
        off += not outlines
        found += [MapPiece(about.kind, each, about.height, about.name) for each in outlines]
    return MapPieces(found, len(vectors.shapes), off, left_out)


def _short(table: TerrainFile, fault: Exception) -> str:
    """Return a message with the name of the file from the scenario."""
    _, name, rest = str(fault).rpartition(f"{table.file}: ")
    return f"{table.file}: {rest if name else fault}"


def _vectors(table: TerrainFile, sources: Sources, files: dict[str, dict[str, Any]]) -> Vectors:
    path = sources.file(table.file)
    files[table.file] = fingerprint(path)
    if path.suffix.lower() == ".shp":
        for ending in _BESIDE:
            if path.with_suffix(ending).is_file():
                name = table.file[: -len(path.suffix)] + ending
                files[name] = fingerprint(sources.file(name))
    columns = None
    if table.kind != OSM:
        columns = [*table.where, *([table.height] if isinstance(table.height, str) else [])]
    return read_vectors(path, layer=table.layer, columns=columns)


def _wanted(table: TerrainFile, vectors: Vectors) -> Any:
    """Return the rows of the features with the requested values."""
    right = np.ones(len(vectors.shapes), dtype=bool)
    for column, given in table.where.items():
        if column not in vectors.columns:
            raise FileError(f"key where: expected a column of the file, got {shown(column)}")
        values = given if isinstance(given, list) else [given]
        right &= np.array([value in values for value in vectors.columns[column].tolist()], bool)
    if not right.any():
        raise FileError(f"key where: expected values that a feature has, got {shown(table.where)}")
    return np.flatnonzero(right)


def _require_valid(table: TerrainFile, vectors: Vectors, wanted: Any, mending: str) -> None:
    if table.mend:
        return
    for row in wanted:
        fault = fault_in(vectors.shapes[row])
        if fault is not None:
            told = f"feature {vectors.ids[row]}: expected a valid shape, got {fault}"
            raise FileError(f"{told}; {mending} makes it valid")


class _Facts(NamedTuple):
    """Properties of a feature: kind, height in height units, width in GSU, and name."""

    kind: str
    height: float | None
    width: float | None
    name: str | None = None


_Each = Iterator[_Facts | str]
"""The properties of each feature, or the reason why it is not terrain."""


def _of_osm(table: TerrainFile, vectors: Vectors, wanted: Any, scale: Scale) -> _Each:
    for row in wanted:
        tags = {name: values[row] for name, values in vectors.columns.items()}
        found = osm_kind({key: value for key, value in tags.items() if value is not None})
        if found is None:
            yield "tags that mean no terrain"
            continue
        height = None if found.height_m is None else scale.heights_of_metres(found.height_m)
        name = tags.get("name")
        yield _Facts(
            found.kind,
            height,
            scale.gsu_of_metres(found.width_m) or None,
            name if isinstance(name, str) and name.strip() else None,
        )


def _of_columns(table: TerrainFile, vectors: Vectors, wanted: Any, scale: Scale) -> _Each:
    for row in wanted:
        width = table.width
        if shapely.get_dimensions(vectors.shapes[row]) == 0:
            width = None if table.radius is None else 2 * table.radius
        yield _Facts(table.kind, _height(table, vectors, row, scale), width)


def _height(table: TerrainFile, vectors: Vectors, row: int, scale: Scale) -> float | None:
    """Return the height of a feature, height units: a number, or metres in a column."""
    if not isinstance(table.height, str):
        return table.height
    if table.height not in vectors.columns:
        raise FileError(f"height: expected a column of the file, got {shown(table.height)}")
    value = vectors.columns[table.height][row]
    try:
        height = scale.heights_of_metres(float(value))
    except (TypeError, ValueError):
        height = math.nan
    if not abs(height) <= MOST_HEIGHT:
        told = f"expected a number of metres in column {shown(table.height)}"
        raise FileError(f"height: {told}, got {shown(value)} in feature {vectors.ids[row]}")
    return height


def free_name(kind: str, taken: Callable[[str], bool], numbers: dict[str, int]) -> str:
    """Return the next name such as "forest 2" that is not taken.

    numbers : the last number of each kind, which is incremented
    """
    while True:
        numbers[kind] = numbers.get(kind, 0) + 1
        name = f"{kind} {numbers[kind]}"
        if not taken(name):
            return name
