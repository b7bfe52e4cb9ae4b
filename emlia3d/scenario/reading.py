"""Reading of a scenario file into a battle setup, with all errors."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from emlia3d.battle.setup import Outline, Setup
from emlia3d.battle.system import System
from emlia3d.errors import Diagnostic, ScenarioError, cut
from emlia3d.scenario.error_collector import ErrorCollector, NameReference
from emlia3d.scenario.file_model import Heading
from emlia3d.scenario.messages import nearest, shown
from emlia3d.scenario.sources import RecordedSources, Sources
from emlia3d.scenario.systems import Systems
from emlia3d.scenario.tables.area_tables import read_areas
from emlia3d.scenario.tables.board import Fingerprints, read_field
from emlia3d.scenario.tables.cameras import read_cameras
from emlia3d.scenario.tables.forces import look_at_forces
from emlia3d.scenario.tables.game_tables import read_game
from emlia3d.scenario.tables.occurrences import read_occurrences
from emlia3d.scenario.tables.rows import with_rows
from emlia3d.scenario.tables.sides import read_sides
from emlia3d.scenario.tables.starting import Units
from emlia3d.scenario.tables.unit_set_files import loaded
from emlia3d.scenario.tables.units import read_units
from emlia3d.scenario.tables.victory_tables import read_aims
from emlia3d.scenario.tables.zones import look_at_zones
from emlia3d.scenario.toml_lines import Document, Path

# Above this value, integers are not exact as floats.
_TOO_LARGE = 2**53

_MOST_MODIFIER = 1000

_JUDGED = "field", "side", "unit", "game", "house"
"""Tables that a rule system checks together, if none has errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedScenario:
    """A valid scenario.

    entries : the unit-set entries in use, as in their files, by "set/entry"
    files : size and SHA-256 of the other files, by name
    advice : notes, for example about converted units
    """

    summary: str
    setup: Setup
    system: System
    entries: Mapping[str, Mapping[str, Any]]
    files: Fingerprints
    advice: tuple[Diagnostic, ...] = ()


def read_scenario(document: Document, sources: Sources, systems: Systems) -> ParsedScenario:
    """Return the battle that a scenario file sets up.

    Raises
    ------
    ScenarioError
        The file has errors; the exception lists all of them, in the order of the lines.
    """
    return _read(ErrorCollector(with_rows(document)), sources, systems)


def references_in(
    document: Document, sources: Sources, systems: Systems
) -> tuple[NameReference, ...]:
    """Return the references in a scenario file, even if it has errors."""
    collector = ErrorCollector(with_rows(document))
    with suppress(ScenarioError):
        _read(collector, sources, systems)
    own = {line: path for path, line in document.lines.items() if path[:1] == ("unit",)
           and len(path) == 2}  # fmt: skip
    return tuple(
        replace(each, place=(*_own_table(collector.document, own, each.place), *each.place[2:]))
        for each in collector.references
    )


def _own_table(read: Document, own: Mapping[int, Path], place: Path) -> Path:
    """Return the table in the file for a unit's table, which can come from a row."""
    line = read.lines.get(place[:2])
    found = None if line is None or place[:1] != ("unit",) else own.get(line)
    return place[:2] if found is None else found


def _read(collector: ErrorCollector, sources: Sources, systems: Systems) -> ParsedScenario:
    """Read the document of an error collector."""
    heading, wrong = collector.salvage(Heading, ())
    assert heading, "a document is a table"
    system = _system(collector, systems)
    numbers = _numbers(collector, system)
    files: Fingerprints = {}
    board = read_field(collector, sources, system, systems, files)
    areas = read_areas(collector, board)
    places = [*collector.names("area"), *collector.names("terrain")]
    shapes: dict[str, Outline | None] = dict.fromkeys(places)
    shapes |= {area.name: area.outline for area in areas}
    if board is not None:
        shapes |= {feature.name: feature.outline for feature in board.features}
        places = list(shapes)
    sides = read_sides(collector, system, places, shapes)
    turns = None if "turns" in wrong else _turns(collector, heading, system)
    units = read_units(collector, sources, system, board, shapes, turns)
    if not isinstance(sources, RecordedSources):
        look_at_forces(collector, system, units)
    look_at_zones(collector, sides, units.standing, shapes)
    aims = read_aims(collector, system, places, turns)
    occurrences = read_occurrences(collector, system, places, turns)
    viewpoints = read_cameras(collector)
    game = read_game(collector, system)
    own = not isinstance(sources, RecordedSources)
    if system is None or board is None or not (own and collector.is_sound(*_JUDGED)):
        collector.settle()
    assert system, "a unknown rule system was reported"
    assert board, "a field that is wrong was noted"
    setup = Setup(
        title=heading.title,
        rules=system.name,
        turns=turns or 1,
        field=board,
        sides=tuple(sides.values()),
        units=tuple(units.rows),
        numbers=numbers,
        areas=areas,
        aims=aims,
        occurrences=occurrences,
        viewpoints=viewpoints,
        game=game,
    )
    if own:
        _look_for_faults(collector, system, setup, units)
    collector.settle()
    return ParsedScenario(
        summary=heading.summary,
        setup=setup,
        system=system,
        entries=units.entries,
        files=files,
        advice=collector.advice,
    )


def _look_for_faults(collector: ErrorCollector, system: System, setup: Setup, units: Units) -> None:
    """Report the errors that the rule system finds in a scenario."""
    for fault in system.faults(setup):
        place = fault.at
        if place[:1] == ("unit",) and len(place) > 1:
            assert isinstance(place[1], int), "a row follows"
            place = (*units.places[place[1]], *place[2:])
        collector.wrong(place, fault.message)


def _turns(collector: ErrorCollector, heading: Heading, system: System | None) -> int | None:
    """Return the maximum number of turns of the battle; None if it is not stated."""
    turns = system.turns if heading.turns is None and system else heading.turns
    if turns is None:
        wanted = Heading.model_fields["turns"].description
        collector.wrong((), f"turns is missing: expected {wanted}")
    return turns


def _system(collector: ErrorCollector, systems: Systems) -> System | None:
    """Return the rule system that the file names, or that a misspelling means, if any."""
    name = collector.document.data.get("rules")
    meant = None
    if isinstance(name, str):
        meant = collector.meant(("rules",), "rule system", name, systems)
    if meant is None and len(systems) == 1:
        (meant,) = systems
    return None if meant is None else loaded(collector, systems, meant)


def _numbers(collector: ErrorCollector, system: System | None) -> Any:
    """Return the system's values with the values of house rules."""
    house = collector.document.data.get("house", {})
    if system is None or not isinstance(house, Mapping):
        return None
    names = [field.name for field in dataclasses.fields(system.numbers) if field.name != "rows"]
    usual = {name: getattr(system.numbers, name) for name in names}
    changed: dict[str, Any] = {}
    rows: dict[str, int] = {}
    for name, value in house.items():
        if name in system.rows and type(value) is int and abs(value) <= _MOST_MODIFIER:
            rows[name] = value
        elif name in system.rows:
            told = f"{name}: expected a whole number up to {_MOST_MODIFIER}, got {shown(value)}"
            collector.wrong(("house", name), told)
        elif name not in usual:
            near = nearest(name, (*usual, *system.rows))
            collector.wrong(
                ("house", name), f"{system.title} has no house rule {cut(name)}; {near}"
            )
        elif (fit := fitting(value, usual[name])) is None:
            told = f"{name}: expected {_kind(usual[name])}, got {shown(value)}"
            collector.wrong(("house", name), told)
        else:
            changed[name] = fit
    if rows:
        changed["rows"] = rows
    for name, value in list(changed.items()):
        try:
            dataclasses.replace(system.numbers, **{name: value})
        except ValueError as fault:
            collector.wrong(("house", name), str(fault))
            del changed[name]
    return dataclasses.replace(system.numbers, **changed)


def fitting(value: Any, usual: Any) -> Any:
    """Return a house rule's value in the type of the default; None if the types differ."""
    if isinstance(usual, float) and type(value) is int:
        value = float(value) if abs(value) < _TOO_LARGE else math.inf
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if type(value) is type(usual) else None


def _kind(usual: Any) -> str:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}
    return words.get(type(usual), "another value")
