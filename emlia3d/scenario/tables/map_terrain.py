"""``[[terrain]] from = {...}``: features of the field from a vector map."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field import Georeference, Scale
from emlia3d.field.map_features import fault_in, laid_shapes, osm_kind, outlines_of
from emlia3d.field.vector_files import Vectors, read_vectors
from emlia3d.scenario.ledger import ErrorCollector
from emlia3d.scenario.model import MOST_HEIGHT, TerrainFile
from emlia3d.scenario.sources import Sources, fingerprint
from emlia3d.scenario.toml_lines import Path
from emlia3d.scenario.words import shown

OSM = "osm"
"""The kind that stands for the kinds of OpenStreetMap's tags."""

# A Shapefile has its columns and its reference system in other files.
_BESIDE = (".dbf", ".shx", ".prj", ".cpg")


class FieldPlace(NamedTuple):
    """Field that a map is laid on: size in GSU, scale, and place on the earth if known."""

    size: tuple[float, float]
    scale: Scale
    georeference: Georeference | None


class MapPiece(NamedTuple):
    """One outline of a map; height in height units, None for the height of the kind."""

    kind: str
    outline: Polygon
    height: float | None


def read_map(
    ledger: ErrorCollector,
    place: Path,
    table: TerrainFile,
    field: FieldPlace,
    sources: Sources,
    files: dict[str, dict[str, Any]],
) -> list[MapPiece]:
    """Return the outlines that a map has on a field; an error is noted, and then there are none.

    A remark says how many features the file has, and how many of them are not on the field.

    files : is given the fingerprint of each file that was read
    """
    try:
        vectors = _vectors(table, sources, files)
        crs = vectors.crs if table.crs is None else table.crs
        wanted = _wanted(table, vectors)
        _require_valid(table, vectors, wanted)
        shapes = laid_shapes(vectors.shapes[wanted], crs, field.georeference, field.scale)
        if table.mend:
            shapes = shapely.make_valid(shapes)
        facts = _of_osm if table.kind == OSM else _of_columns
        found, off, unknown = [], 0, 0
        for shape, about in zip(shapes, facts(table, vectors, wanted, field.scale), strict=True):
            if about is None:
                unknown += 1
                continue
            kind, height, width = about
            outlines = outlines_of(shape, field.size, width=width)
            if outlines is None:
                key = "radius" if shapely.get_dimensions(shape) == 0 else "width"
                if table.kind == OSM:
                    unknown += 1
                    continue
                raise FileError(f"{key}: expected a number of GSU for {shape.geom_type}, got none")
            off += not outlines
            found += [MapPiece(kind, outline, height) for outline in outlines]
    except (FileError, MissingExtraError, OSError) as fault:
        ledger.wrong((*place, "from"), f"from: {_short(table, fault)}")
        return []
    told = f"{table.file}: {len(vectors.shapes)} features, {len(found)} outlines on the field"
    left = len(vectors.shapes) - len(wanted) + unknown
    ledger.advise((*place, "from"), f"{told}; {off} features off the field, {left} not chosen")
    return found


def _short(table: TerrainFile, fault: Exception) -> str:
    """Return a message with the file's name as the scenario has it."""
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
    """Return the rows of the features that have the wanted values."""
    right = np.ones(len(vectors.shapes), dtype=bool)
    for column, given in table.where.items():
        if column not in vectors.columns:
            raise FileError(f"key where: expected a column of the file, got {shown(column)}")
        values = given if isinstance(given, list) else [given]
        right &= np.array([value in values for value in vectors.columns[column].tolist()], bool)
    if not right.any():
        raise FileError(f"key where: expected values that a feature has, got {shown(table.where)}")
    return np.flatnonzero(right)


def _require_valid(table: TerrainFile, vectors: Vectors, wanted: Any) -> None:
    if table.mend:
        return
    for row in wanted:
        fault = fault_in(vectors.shapes[row])
        if fault is not None:
            told = f"feature {vectors.ids[row]}: expected a valid shape, got {fault}"
            raise FileError(f"{told}; mend = true makes it valid")


Facts = Iterator[tuple[str, float | None, float | None] | None]


def _of_osm(table: TerrainFile, vectors: Vectors, wanted: Any, scale: Scale) -> Facts:
    for row in wanted:
        tags = {name: values[row] for name, values in vectors.columns.items()}
        found = osm_kind({key: value for key, value in tags.items() if value is not None})
        if found is None:
            yield None
            continue
        height = None if found.height_m is None else scale.heights_of_metres(found.height_m)
        yield found.kind, height, scale.gsu_of_metres(found.width_m) or None


def _of_columns(table: TerrainFile, vectors: Vectors, wanted: Any, scale: Scale) -> Facts:
    for row in wanted:
        width = table.width
        if shapely.get_dimensions(vectors.shapes[row]) == 0:
            width = None if table.radius is None else 2 * table.radius
        yield table.kind, _height(table, vectors, row, scale), width


def _height(table: TerrainFile, vectors: Vectors, row: int, scale: Scale) -> float | None:
    """Return the height of a feature, height units: a number, or metres in a column."""
    if not isinstance(table.height, str):
        return table.height
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

    numbers : the last number of each kind, which is counted up
    """
    while True:
        numbers[kind] = numbers.get(kind, 0) + 1
        name = f"{kind} {numbers[kind]}"
        if not taken(name):
            return name
