"""The part of a scenario with errors that can be shown: the tables without errors."""

from __future__ import annotations

import pathlib
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import Diagnostic, ScenarioError
from emlia3d.scenario.editing.table_text import tables_of
from emlia3d.scenario.reading import ParsedScenario, read_scenario
from emlia3d.scenario.sources import FolderSources
from emlia3d.scenario.systems import Systems
from emlia3d.scenario.toml_lines import Document, Path

LEFT_OUT = ("unit", "terrain", "area", "victory", "event")
"""Tables that can be left out."""

ROUNDS = 4
"""Maximum number of passes: without a table, other tables can have errors."""

Table = tuple[str, int]


class ReadablePart:
    """Reader of the tables without errors.

    name : of the text in errors; folder : of the files that it names
    """

    def __init__(self, text: str, name: str, folder: pathlib.Path, systems: Systems) -> None:
        self._tables = tables_of(text)
        self._document = replace(self._tables.document, name=name)
        self._folder, self._systems = folder, systems

    def table_of(self, diagnostic: Diagnostic) -> Table | None:
        """Return the table of an error, by kind and number; None for an error elsewhere."""
        path = None if diagnostic.line is None else self._tables.table_at(diagnostic.line)
        if path is None or len(path) < 2 or not isinstance(path[1], int):
            return None
        return str(path[0]), path[1]

    def without_errors(self, diagnostics: Collection[Diagnostic]) -> ParsedScenario | None:
        """Return the scenario without the tables with errors; None if there are other errors."""
        gone: set[Table] = set()
        found = tuple(diagnostics)
        for _ in range(ROUNDS):
            tables = [self.table_of(diagnostic) for diagnostic in found]
            fresh = {table for table in tables if table is not None and table[0] in LEFT_OUT}
            if None in tables or not fresh - gone:
                return None
            gone |= fresh
            try:
                return self._read(_without(self._document, gone))
            except ScenarioError as fault:
                found = fault.diagnostics
        return None

    def footprints(self, row: int) -> tuple[NDArray[np.float64], ...]:
        """Return the outlines from a unit's table alone, GSU; empty if the table has errors.

        The unit can be off the field or on another unit.
        """
        data = self._document.data
        table = data["unit"][row]
        at = table.get("at")
        others = {("unit", each) for each in range(len(data["unit"])) if each != row}
        others |= {(kind, each) for kind in ("victory", "event")
                   for each in range(len(data.get(kind, ())))}  # fmt: skip
        alone = _without(self._document, others)
        try:
            middle = [length / 2 for length in data["field"]["size"]]
            moved = np.array(at, np.float64) - middle
            alone.data["unit"] = [{**table, "at": middle}]
            parsed = self._read(alone)
        except (ScenarioError, KeyError, TypeError, ValueError):
            return ()
        return tuple(
            np.asarray(unit.starts_in.exterior.coords, np.float64)[:-1] + moved
            for unit in parsed.setup.units
        )

    def _read(self, document: Document) -> ParsedScenario:
        return read_scenario(document, FolderSources(self._folder), self._systems)


def _without(document: Document, gone: Collection[Table]) -> Document:
    """Return a document without some tables and without cameras; others keep their lines."""
    # A camera can name a unit that is left out.
    data: dict[str, Any] = {key: each for key, each in document.data.items() if key != "cameras"}
    numbers: dict[Path, int] = {}
    for kind in {kind for kind, _ in gone}:
        kept = [row for row in range(len(data[kind])) if (kind, row) not in gone]
        numbers |= {(kind, row): number for number, row in enumerate(kept)}
        data[kind] = [data[kind][row] for row in kept]
        if not kept:
            del data[kind]
    return replace(document, data=data, lines=dict(_lines(document, gone, numbers)))


def _lines(
    document: Document, gone: Collection[Table], numbers: dict[Path, int]
) -> Iterator[tuple[Path, int]]:
    """Yield the lines of the remaining parts, by their new paths."""
    for path, line in document.lines.items():
        if path[:2] in gone:
            continue
        number = numbers.get(path[:2])
        yield (path if number is None else (path[0], number, *path[2:])), line
