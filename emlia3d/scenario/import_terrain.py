"""Terrain from vector maps for an imported field: sources, names and omitted features."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from emlia3d.dem.raster_cut import RasterFrame
from emlia3d.errors import Error, FileError
from emlia3d.field import Feature, Scale, feature_of, kind_named
from emlia3d.field.map_features import USUAL_WIDTHS_M
from emlia3d.field.vector_files import VECTOR_ENDINGS, Vectors, layers_of, read_vectors
from emlia3d.scenario.file_model import TerrainFile
from emlia3d.scenario.import_text import AREAS
from emlia3d.scenario.tables.map_terrain import (
    OSM,
    FieldPlace,
    MapPiece,
    free_name,
    pieces_of,
)

MEND = "--mend"
"""The option that repairs shapes that cross themselves."""

_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")
_LONGEST_NAME = 120
_TERRAIN = re.compile(
    rf"(?P<file>.+(?:{'|'.join(map(re.escape, VECTOR_ENDINGS))}))"
    r"(?::(?P<layer>[^=]+))?(?:=(?P<kind>[^@]+)(?:@(?P<column>.+))?)?",
    re.IGNORECASE,
)


class TerrainSource(NamedTuple):
    """A vector map as a source of terrain.

    layer : its name; None for the only layer, or for all layers if `kind` is "osm"
    kind : a kind of terrain; with "osm", the tags of OpenStreetMap determine the kinds
    column : the name of a column of heights, metres; None for the default height of the kind
    """

    file: Path
    layer: str | None = None
    kind: str = OSM
    column: str | None = None

    @classmethod
    def parsed(cls, text: str) -> TerrainSource:
        """Parse ``FILE[:LAYER][=KIND[@COLUMN]]``.

        Raises
        ------
        Error
            The text has another form, or the kind is unknown.
        """
        found = _TERRAIN.fullmatch(text)
        if found is None:
            endings = ", ".join(VECTOR_ENDINGS)
            raise Error(
                f"--terrain: expected FILE, FILE:LAYER or FILE:LAYER=KIND with a name that ends "
                f"in {endings}, got {text!r:.200}"
            )
        kind = found["kind"] or OSM
        if kind != OSM:
            try:
                kind = kind_named(kind).name
            except ValueError as fault:
                raise Error(f"--terrain: {text}: {fault}, or {OSM}") from None
        return cls(Path(found["file"]), found["layer"], kind, found["column"])


class LayerReport(NamedTuple):
    """The result for the features of one layer.

    name : of the file, and of the layer if the file has several
    features : their number
    off : number of features off the field
    left_out : number of features that are not terrain, by reason
    outlines : number of outlines on the field, by kind
    """

    name: str
    features: int
    off: int
    left_out: Counter[str]
    outlines: Counter[str]


def terrain_of(
    source: TerrainSource, field: FieldPlace, frame: RasterFrame, *, mend: bool
) -> Iterator[tuple[list[MapPiece], LayerReport]]:
    """Yield for each layer of a map its outlines on a field, and a report.

    frame : the raster under the field
    mend : whether to repair shapes that cross themselves

    Raises
    ------
    FileError
        The file, a layer or a column cannot be used, or a shape on the field crosses itself.
    MissingExtraError
        pyogrio or rasterio is not installed.
    """
    wanted = _layers_wanted(source)
    if not wanted:
        yield [], LayerReport(source.file.name, 0, 0, Counter(), Counter())
    for name, vectors in wanted:
        yield _of_layer(source, name, vectors, field, frame, mend)


def _layers_wanted(source: TerrainSource) -> list[tuple[str, Vectors]]:
    """Return the requested layers of a map, each with a name for reports."""
    path = source.file
    names = [source.layer]
    if source.layer is None:
        there = layers_of(path)
        if not there:
            return []
        names = [*there] if source.kind == OSM or len(there) == 1 else [None]
    return [
        (
            path.name if len(names) == 1 else f"{path.name}:{name}",
            read_vectors(path, layer=name, columns=None),
        )
        for name in names
    ]


def _of_layer(
    source: TerrainSource,
    name: str,
    vectors: Vectors,
    field: FieldPlace,
    frame: RasterFrame,
    mend: bool,
) -> tuple[list[MapPiece], LayerReport]:
    if (vectors.crs is None) != (frame.crs is None):
        lacking, other, tool = frame.name, str(source.file), "gdal_edit.py"
        if vectors.crs is None:
            lacking, other, tool = other, lacking, "ogr2ogr"
        raise FileError(
            f"{lacking}: expected a reference system, because {other} has one, got none; "
            f"{tool} -a_srs EPSG:N states one"
        )
    width = _width(source.kind, field.scale)
    table = TerrainFile(
        file=source.file.name,
        kind=source.kind,
        height=source.column,
        width=width,
        radius=None if width is None else width / 2,
        mend=mend,
    )
    try:
        found = pieces_of(table, vectors, field, mending=MEND, lenient=True)
    except FileError as fault:
        raise FileError(f"{source.file}: {fault}") from None
    kinds = Counter(piece.kind for piece in found.pieces)
    return found.pieces, LayerReport(name, found.features, found.off, found.left_out, kinds)


def _width(kind: str, scale: Scale) -> float | None:
    """Return the default width of lines and points of a kind, GSU; None if it has none."""
    width = USUAL_WIDTHS_M.get(kind)
    return None if width is None else scale.gsu_of_metres(float(width))


def named(pieces: Sequence[MapPiece]) -> tuple[Feature, ...]:
    """Return features with unique names from their tags, or else from their kind."""
    wanted = [_clean(piece.name) for piece in pieces]
    often = Counter([*(name for name in wanted if name is not None), *AREAS])
    numbers: dict[str, int] = {}
    taken = {name for name, count in often.items() if count == 1}
    found = []
    for piece, own in zip(pieces, wanted, strict=True):
        name = own
        if name is None or often[name] > 1:
            name = free_name(name or piece.kind, taken.__contains__, numbers)
            taken.add(name)
        found.append(feature_of(name, piece.kind, piece.outline, height=piece.height))
    return tuple(found)


def _clean(name: str | None) -> str | None:
    """Return a name that is valid in a scenario; None if nothing is left of it."""
    if name is None:
        return None
    return " ".join(_NOT_IN_NAMES.sub(" ", name).split())[:_LONGEST_NAME].strip() or None
