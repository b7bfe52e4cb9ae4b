"""Checks of files before play: errors and advice."""

from __future__ import annotations

import os
import pathlib
from dataclasses import dataclass, field

from emlia3d.errors import Diagnostic, ScenarioError
from emlia3d.scenario.bundled import path_of
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.reading import ParsedScenario, read_scenario
from emlia3d.scenario.sources import FolderSources, read_text
from emlia3d.scenario.systems import Systems, or_installed
from emlia3d.scenario.tables.rows import with_rows
from emlia3d.scenario.tables.unit_set_files import check_unit_set
from emlia3d.scenario.toml_lines import Document, Path, read_document


@dataclass(frozen=True, slots=True)
class Review:
    """The findings about a file.

    advice : notes about its ground and maps, and its rule system's advice, each with its place;
        empty if there are errors
    parsed : the scenario; None for a unit set, or if there are errors
    """

    diagnostics: tuple[Diagnostic, ...]
    advice: tuple[Diagnostic, ...] = ()
    parsed: ParsedScenario | None = field(default=None, compare=False, repr=False)


def review(source: str | os.PathLike[str], systems: Systems | None = None) -> Review:
    """Return the errors of a scenario or a unit set, or the advice if there are none."""
    try:
        path = path_of(source)
        document = read_text(path, os.fspath(source))
    except ScenarioError as fault:
        return Review(fault.diagnostics)
    return review_document(document, path.parent, systems)


def review_text(
    text: str, name: str, folder: pathlib.Path, systems: Systems | None = None
) -> Review:
    """Return the errors of an unsaved scenario text, or the advice if there are none.

    name : of the text in errors
    folder : of the files that it names
    """
    try:
        document = read_document(name, text)
    except ScenarioError as fault:
        return Review(fault.diagnostics)
    return review_document(document, folder, systems)


def review_document(
    document: Document, folder: pathlib.Path, systems: Systems | None = None
) -> Review:
    """Return the errors of a document with files in *folder*, or the advice if there are none."""
    try:
        if "entry" in document.data and "field" not in document.data:
            return Review(check_unit_set(document, or_installed(systems)).diagnostics)
        reading = read_scenario(document, FolderSources(folder), or_installed(systems))
    except ScenarioError as fault:
        return Review(fault.diagnostics)
    return Review((), _advice(document, reading), reading)


def check(source: str | os.PathLike[str], systems: Systems | None = None) -> tuple[Diagnostic, ...]:
    """Return the errors of a scenario or a unit set; empty if there are none."""
    return review(source, systems).diagnostics


def _advice(document: Document, reading: ParsedScenario) -> tuple[Diagnostic, ...]:
    collector = ErrorCollector(with_rows(document))
    if not reading.setup.units:
        told = "no unit is on the field: it can be viewed, but not played"
        return (*reading.advice, document.diagnostic((), told))
    for one in reading.system.advice(reading.setup, reading.summary):
        place: Path = ()
        if one.about:
            table, name = one.about
            # A feature of a map has no table of its own.
            row = collector.names(table).get(name)
            place = () if row is None else (table, row)
        collector.wrong(place, f"advice ({one.slug}): {one.told}")
    return (*reading.advice, *collector.diagnostics)
