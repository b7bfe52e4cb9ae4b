"""``[field]`` and ``[[terrain]]``: the field and its features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import shapely

from emlia3d.battle.system import System
from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field import (
    Feature,
    Field,
    Ground,
    Reading,
    Scale,
    companions_of,
    elevation_in,
    feature_of,
    georeference_of,
    placed,
)
from emlia3d.geometry.bodies import FARTHEST
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import (
    FieldTable,
    GroundFile,
    ScaleTable,
    TerrainFile,
    TerrainTable,
)
from emlia3d.scenario.messages import shown
from emlia3d.scenario.sources import Sources, fingerprint
from emlia3d.scenario.systems import Systems
from emlia3d.scenario.tables.drawn_shapes import terrain_outline
from emlia3d.scenario.tables.kinds import kind_of, taken_for, terrain_names
from emlia3d.scenario.tables.map_terrain import (
    OSM,
    FieldPlace,
    MapPiece,
    free_name,
    read_map,
)
from emlia3d.scenario.tables.tile_keys import TileKeys, read_board
from emlia3d.scenario.toml_lines import Path

if TYPE_CHECKING:
    from emlia3d.field.relief import Relief

Fingerprints = dict[str, dict[str, Any]]

# Substitute to check the rest of a field with an invalid size.
_ANY_SIZE = (100.0, 100.0)

# Kind of a feature with only outline, height and density.
_NAMELESS = {"solid": "rock", "sparse": "scrub"}


def read_field(
    collector: ErrorCollector,
    sources: Sources,
    system: System | None,
    systems: Systems,
    files: Fingerprints,
) -> Field | None:
    """Return the field with its ground and its features; None if its size is invalid.

    systems : all rule systems, for each of which a feature can be another kind

    files : receives the fingerprint of each file that was read
    """
    if not isinstance(collector.document.data.get("field"), Mapping):
        read_terrain(collector, system, systems, None, TileKeys(collector))
        return None
    table, wrong = collector.salvage(FieldTable, ("field",))
    assert table, "the field is a table"
    scale = Scale(_metres_per_gsu(collector, table, system), table.metres_per_height)
    known = "size" not in wrong
    size = table.size if known else _ANY_SIZE
    board = read_board(collector, system, table.cells, table.size if known else None)
    is_known = known and "cells" not in wrong and (board is not None or table.cells == "none")
    tiles = TileKeys(collector, board, is_known=is_known)
    ground = _ground(collector, table, size, scale, sources, files) or Ground.flat(size)
    maps = _MapReader(collector, FieldPlace(size, scale, ground.georeference), sources, files)
    features = read_terrain(collector, system, systems, maps if known else None, tiles)
    if not known:
        return None
    whole = Field(
        size=size,
        scale=scale,
        ground=ground,
        features=features,
        look=table.look,
        cells="none" if board is None else table.cells,
    )
    _look_how_far(collector, whole)
    return whole


def _look_how_far(collector: ErrorCollector, board: Field) -> None:
    """Report a field that is too large in metres, the unit of geometry."""
    corners = shapely.get_coordinates([feature.outline for feature in board.features])
    reach = max(*board.size, float(np.abs(corners).max(initial=0.0)))
    far_m = board.scale.metres_of_gsu(reach)
    if far_m > FARTHEST:
        told = f"the field, with its terrain, reaches {far_m:g} m; {FARTHEST} m is as far as it may"
        collector.wrong(("field", "metres_per_gsu"), told)


def _metres_per_gsu(collector: ErrorCollector, table: FieldTable, system: System | None) -> float:
    """Return the stated metres per GSU, or the value of a scale of the system or of a table."""
    usual = Scale().metres_per_gsu
    if table.scale is None:
        return usual if table.metres_per_gsu is None else table.metres_per_gsu
    place: Path = ("field", "scale")
    if table.metres_per_gsu is not None:
        collector.wrong(place, "expected a scale: scale or metres_per_gsu")
        return usual
    if not isinstance(table.scale, str | Mapping):
        told = f"scale: expected the name of a scale, or a table of one, got {shown(table.scale)}"
        collector.wrong(place, told)
        return usual
    asked: Mapping[str, Any] = {"name": table.scale}
    if isinstance(table.scale, Mapping):
        given = collector.table(ScaleTable, place, table.scale)
        if given is None:
            return usual
        asked = given.model_dump()
    try:
        return usual if system is None else system.metres_per_gsu(asked)
    except ValueError as fault:
        collector.wrong(place, str(fault))
        return usual


def _ground(
    collector: ErrorCollector,
    table: FieldTable,
    size: tuple[float, float],
    scale: Scale,
    sources: Sources,
    files: Fingerprints,
) -> Ground | None:
    if table.ground is not None and table.relief is not None:
        collector.wrong(("field", "relief"), "expected ground or relief, not both")
    relief = None if table.relief is None else _relief(collector, table.relief, size)
    if table.ground is None:
        return relief
    return _ground_of_file(collector, table, size, scale, sources, files)


def _ground_of_file(
    collector: ErrorCollector,
    table: FieldTable,
    size: tuple[float, float],
    scale: Scale,
    sources: Sources,
    files: Fingerprints,
) -> Ground | None:
    place: Path = ("field", "ground")
    if not isinstance(table.ground, str | Mapping):
        wanted = "the name of a file, or a table with a file"
        collector.wrong(place, f"ground: expected {wanted}, got {shown(table.ground)}")
        return None
    named = {"file": table.ground} if isinstance(table.ground, str) else table.ground
    cut = collector.table(GroundFile, place, named)
    if cut is None:
        return None
    try:
        path = sources.file(cut.file)
        files[cut.file] = fingerprint(path)
        for other in companions_of(path):
            name = (PurePath(cut.file).parent / other.relative_to(path.parent)).as_posix()
            files[name] = fingerprint(sources.file(name))
        found = elevation_in(
            path,
            window=cut.window,
            cell_m=cut.cell_m,
            low_m=cut.low_m,
            high_m=cut.high_m,
            reading=Reading(cut.band, cut.unit, cut.nodata),
        )
        for note in found.notes:
            collector.advise(place, f"ground: {note}")
        if found.cell_m is None:
            if cut.at is not None or cut.anchor != "south-west":
                raise ValueError("anchor and at need a raster with known spacing; state cell_m")
            return Ground.stretched(found.elevation_m, size, overwrite=True)
        lies = placed(
            (found.elevation_m.shape[0], found.elevation_m.shape[1]),
            found.cell_m,
            size,
            scale,
            georeference=georeference_of(path, cut.window),
            anchor=cut.anchor,
            at=cut.at,
        )
        ground = Ground.laid(
            found.elevation_m,
            size,
            scale.gsu_of_metres(found.cell_m),
            lies.georeference,
            corner=lies.corner,
            overwrite=True,
        )
        if lies.note is not None:
            collector.advise(place, f"ground: {lies.note}")
        return ground
    except (FileError, MissingExtraError, ValueError, OSError) as fault:
        collector.wrong(place, f"ground: {fault}")
        return None


def _relief(
    collector: ErrorCollector, table: Mapping[str, Any], size: tuple[float, float]
) -> Ground | None:
    from emlia3d.field.relief import relief_faults, relief_of  # noqa: PLC0415  for generated ground

    faults = relief_faults(table)
    for inner, message in faults:
        collector.wrong(("field", "relief", *inner), f"relief: {message}")
    if faults:
        return None
    try:
        return _generated(relief_of(table), size)
    except ValueError as fault:
        collector.wrong(("field", "relief"), f"relief: {fault}")
        return None


@lru_cache(maxsize=2)
def _generated(relief: Relief, size: tuple[float, float]) -> Ground:
    """Return the ground of a relief, cached because an editor reads it again at each edit."""
    return relief.ground(size)


class _MapReader(NamedTuple):
    """The arguments of `read_map` except the table."""

    collector: ErrorCollector
    field: FieldPlace
    sources: Sources
    files: Fingerprints

    def pieces(self, place: Path, table: TerrainFile) -> list[MapPiece]:
        """Return the outlines of the table's map on the field."""
        return read_map(self.collector, place, table, self.field, self.sources, self.files)


def read_terrain(
    collector: ErrorCollector,
    system: System | None,
    systems: Systems,
    maps: _MapReader | None,
    tiles: TileKeys,
) -> tuple[Feature, ...]:
    """Return every valid terrain feature.

    maps : reads the maps that tables name; None if the field is invalid
    """
    taken: dict[str, Path] = {}
    named = collector.names("terrain").keys() | collector.names("area").keys()
    numbers: dict[str, int] = {}
    found = []
    for index in collector.tables("terrain"):
        place: Path = ("terrain", index)
        table, wrong = collector.salvage(TerrainTable, place)
        if table is None:
            continue
        others = taken_for(collector, (*place, "as"), table.as_, systems)
        if table.from_ is not None:
            for feature in _mapped(collector, place, table, system, maps):
                name = free_name(feature.name, lambda one: one in named or one in taken, numbers)
                taken[name] = place
                found.append(replace(feature, name=name, as_=others))
            continue
        name = table.name or f"{table.kind or table.body or 'terrain'} {index + 1}"
        if name in taken:
            collector.wrong((*place, "name"), named_twice(collector, name, taken[name]))
        table = table.model_copy(update={"name": name})
        drawn = _feature(collector, place, table, wrong, system, tiles)
        if drawn is not None and name not in taken:
            found.append(replace(drawn, as_=others))
        taken.setdefault(name, place)
    return tuple(found)


def _mapped(
    collector: ErrorCollector,
    place: Path,
    table: TerrainTable,
    system: System | None,
    maps: _MapReader | None,
) -> list[Feature]:
    """Return the features of a map, named by their kinds."""
    for key in ("name", "kind", "outline", "circle", "path", "width", "tiles", "height"):
        if getattr(table, key) is not None:
            collector.wrong((*place, key), f"{key} cannot be combined with from")
    cut = collector.table(TerrainFile, (*place, "from"))
    if cut is None:
        return []
    names = terrain_names(system)
    if not collector.known((*place, "from", "kind"), "kind of terrain", cut.kind, {*names, OSM}):
        return []
    return [
        feature_of(
            piece.kind, kind_of(system, piece.kind), piece.outline, height=piece.height,
            body=table.body, size=table.size, hits=table.hits, damage_limit=table.damage_limit,
        )
        for piece in (maps.pieces(place, cut) if maps else [])
        if piece.kind in names
    ]  # fmt: skip


def _feature(
    collector: ErrorCollector,
    place: Path,
    table: TerrainTable,
    wrong: frozenset[str],
    system: System | None,
    tiles: TileKeys,
) -> Feature | None:
    outline = terrain_outline(collector, place, table, wrong, tiles)
    kind = table.kind or _NAMELESS.get(table.body or "")
    if kind is None or (table.kind is None and table.height is None):
        if not wrong & {"kind", "height", "body"}:
            told = "terrain: expected a kind, or else a height and a body, solid or sparse"
            collector.wrong(place, told)
        return None
    known = collector.meant((*place, "kind"), "kind of terrain", kind, terrain_names(system))
    if known is None or outline is None:
        return None
    assert table.name, "every feature has a name by now"
    return feature_of(
        table.name,
        kind_of(system, known),
        outline,
        height=table.height,
        body=table.body,
        size=table.size,
        hits=table.hits,
        damage_limit=table.damage_limit,
    )


def named_twice(collector: ErrorCollector, name: str, first: Path) -> str:
    """Return the error of a second object with the same name."""
    line = collector.document.line_of(first)
    return f"{shown(name)} is already the name of an object in line {line}; choose another"
