"""``[field]`` and ``[[terrain]]``: the board and what stands on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.battle.system import RuleSystem
from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field import (
    KINDS,
    OTHER_NAMES,
    Feature,
    Field,
    Ground,
    Scale,
    feature_of,
    georeference_of,
    outline_of_circle,
    outline_of_path,
    outline_of_points,
    read_elevation,
    relief_of,
)
from emlia3d.geometry.bodies import FARTHEST
from emlia3d.scenario.ledger import Ledger
from emlia3d.scenario.model import AreaTable, FieldTable, GroundFile, ScaleTable, TerrainTable
from emlia3d.scenario.sources import Sources, fingerprint
from emlia3d.scenario.toml_lines import Path
from emlia3d.scenario.words import shown

Fingerprints = dict[str, dict[str, Any]]

# What stands for a body of which only outline, height and density are told.
_NAMELESS = {"solid": "rock", "sparse": "scrub"}


def read_field(
    ledger: Ledger, sources: Sources, system: RuleSystem | None, files: Fingerprints
) -> Field | None:
    """The field with its ground and its features; None if it is wrong.

    files : is given the fingerprint of each file that was read
    """
    features = read_terrain(ledger, system)
    if not isinstance(ledger.document.data.get("field"), Mapping):
        return None
    table = ledger.table(FieldTable, ("field",))
    if table is None:
        return None
    scale = Scale(_metres_per_gsu(ledger, table, system), table.metres_per_height)
    board = Field(size=table.size, scale=scale, ground=Ground.flat(table.size))
    ground = _ground(ledger, table, scale, sources, files)
    if ground is None:
        return board
    whole = Field(size=table.size, scale=scale, ground=ground, features=features, look=table.look)
    _look_how_far(ledger, whole)
    return whole


def _look_how_far(ledger: Ledger, board: Field) -> None:
    """Note a field that in metres, in which plain geometry measures, reaches too far."""
    corners = shapely.get_coordinates([feature.outline for feature in board.features])
    reach = max(*board.size, float(np.abs(corners).max(initial=0.0)))
    far_m = board.scale.metres_of_gsu(reach)
    if far_m > FARTHEST:
        told = f"the field, with its terrain, reaches {far_m:g} m; {FARTHEST} m is as far as it may"
        ledger.wrong(("field", "metres_per_gsu"), told)


def _metres_per_gsu(ledger: Ledger, table: FieldTable, system: RuleSystem | None) -> float:
    """As it is given, or as a scale of the rule system or of a table has it."""
    usual = Scale().metres_per_gsu
    if table.scale is None:
        return usual if table.metres_per_gsu is None else table.metres_per_gsu
    place: Path = ("field", "scale")
    if table.metres_per_gsu is not None:
        ledger.wrong(place, "a scale says what a GSU is: scale or metres_per_gsu")
        return usual
    if not isinstance(table.scale, str | Mapping):
        told = f"scale wants the name of a scale, or a table of one, not {shown(table.scale)}"
        ledger.wrong(place, told)
        return usual
    asked: Mapping[str, Any] = {"name": table.scale}
    if isinstance(table.scale, Mapping):
        given = ledger.table(ScaleTable, place, table.scale)
        if given is None:
            return usual
        asked = given.model_dump()
    try:
        return usual if system is None else system.metres_per_gsu(asked)
    except ValueError as fault:
        ledger.wrong(place, str(fault))
        return usual


def _ground(
    ledger: Ledger, table: FieldTable, scale: Scale, sources: Sources, files: Fingerprints
) -> Ground | None:
    if table.ground is not None and table.relief is not None:
        ledger.wrong(("field", "relief"), "the ground is read or generated: ground or relief")
        return None
    if table.relief is not None:
        return _relief(ledger, table.relief, table.size)
    if table.ground is None:
        return Ground.flat(table.size)
    return _ground_of_file(ledger, table, scale, sources, files)


def _ground_of_file(
    ledger: Ledger, table: FieldTable, scale: Scale, sources: Sources, files: Fingerprints
) -> Ground | None:
    place: Path = ("field", "ground")
    if not isinstance(table.ground, str | Mapping):
        wanted = "the name of a file, or a table with a file"
        ledger.wrong(place, f"ground wants {wanted}, not {shown(table.ground)}")
        return None
    named = {"file": table.ground} if isinstance(table.ground, str) else table.ground
    cut = ledger.table(GroundFile, place, named)
    if cut is None:
        return None
    try:
        path = sources.file(cut.file)
        files[cut.file] = fingerprint(path)
        elevation_m, cell_m = read_elevation(
            path, window=cut.window, cell_m=cut.cell_m, low_m=cut.low_m, high_m=cut.high_m
        )
        if cell_m is None:
            return Ground.stretched(elevation_m, table.size)
        return Ground.laid(
            elevation_m,
            table.size,
            scale.gsu_of_metres(cell_m),
            georeference_of(path, cut.window),
        )
    except (FileError, MissingExtraError, ValueError, OSError) as fault:
        ledger.wrong(place, f"ground: {fault}")
        return None


def _relief(ledger: Ledger, table: Mapping[str, Any], size: tuple[float, float]) -> Ground | None:
    parts = table.get("parts")
    faults = 0
    for index, part in enumerate(parts if isinstance(parts, list) else []):
        try:
            relief_of({"parts": [part]})
        except ValueError as fault:
            ledger.wrong(("field", "relief", "parts", index), f"relief: {fault}")
            faults += 1
    if faults:
        return None
    try:
        return relief_of(table).ground(size)
    except ValueError as fault:
        ledger.wrong(("field", "relief"), f"relief: {fault}")
        return None


def read_terrain(ledger: Ledger, system: RuleSystem | None) -> tuple[Feature, ...]:
    """Every piece of terrain that is right."""
    taken: dict[str, Path] = {}
    found = []
    for index in ledger.tables("terrain"):
        place: Path = ("terrain", index)
        table = ledger.table(TerrainTable, place)
        if table is None:
            continue
        name = table.name or f"{table.kind or table.body or 'terrain'} {index + 1}"
        if name in taken:
            ledger.wrong((*place, "name"), named_twice(ledger, name, taken[name]))
            continue
        taken[name] = place
        feature = _feature(ledger, place, table, name, system)
        if feature is not None:
            found.append(feature)
    return tuple(found)


def _feature(
    ledger: Ledger, place: Path, table: TerrainTable, name: str, system: RuleSystem | None
) -> Feature | None:
    outline = outline_in(ledger, place, table)
    kind = table.kind or _NAMELESS.get(table.body or "")
    if kind is None or (table.kind is None and table.height is None):
        ledger.wrong(place, "terrain wants a kind, or else a height and a body, solid or sparse")
        return None
    kinds = set(KINDS) if system is None else set(system.terrain) & set(KINDS)
    names = kinds | {other for other, meant in OTHER_NAMES.items() if meant in kinds}
    if not ledger.known((*place, "kind"), "kind of terrain", kind, names) or outline is None:
        return None
    return feature_of(
        name,
        kind,
        outline,
        height=table.height,
        body=table.body,
        size=table.size,
        hits=table.hits,
        damage_limit=table.damage_limit,
        as_=table.as_,
    )


def outline_in(ledger: Ledger, place: Path, table: TerrainTable | AreaTable) -> Polygon | None:
    """The one shape that a table draws; None, and why is noted, if there is none."""
    path = table.path if isinstance(table, TerrainTable) else None
    width = table.width if isinstance(table, TerrainTable) else None
    shapes = {"outline": table.outline, "circle": table.circle, "path": path}
    given = [key for key, shape in shapes.items() if shape is not None]
    choices = "outline, circle, or path with width"
    if len(given) != 1:
        ledger.wrong((*place, *given[1:2]), f"one shape is wanted: {choices}")
        return None
    if (path is None) != (width is None):
        ledger.wrong((*place, "path" if width is None else "width"), "path and width go together")
        return None
    try:
        if path is not None and width is not None:
            return outline_of_path(path, width)
        if table.circle is not None:
            return outline_of_circle(*table.circle)
        return outline_of_points(table.outline or ())
    except ValueError as fault:
        ledger.wrong((*place, given[0]), f"{given[0]}: {fault}")
        return None


def named_twice(ledger: Ledger, name: str, first: Path) -> str:
    """What is wrong with a second place of the same name."""
    line = ledger.document.line_of(first)
    return f"{shown(name)} is a name already, of what begins in line {line}; choose another"
