"""``row`` of a ``[[unit]]``: several units from one table, in ranks and files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.scenario.file_model import RowTable
from emlia3d.scenario.toml_lines import Document, Path


def with_rows(document: Document) -> Document:
    """Return a scenario in which each ``[[unit]]`` with a row is expanded to a table per unit.

    A unit's name is the table's name with a number from 1, starting at the left of the front rank.
    The centre of the row is the position in the table. A table with an error in its row is not
    expanded, so that the error can be reported.
    """
    tables = document.data.get("unit")
    if not isinstance(tables, list) or not any(map(_has_row, tables)):
        return document
    units: list[Any] = []
    origins: dict[Path, Path] = {}
    for index, table in enumerate(tables):
        row = _row_of(table)
        made = [table] if row is None else list(_units(table, row))
        for unit in made:
            origins["unit", len(units)] = ("unit", index)
            units.append(unit)
    lines = dict(_lines_outside_units(document))
    inside: dict[Path, list[tuple[Path, int]]] = {}
    for path, line in document.lines.items():
        if path[:1] == ("unit",):
            inside.setdefault(path[:2], []).append((path[2:], line))
    for place, origin in origins.items():
        lines |= {(*place, *rest): line for rest, line in inside.get(origin, [])}
    data = {**document.data, "unit": units}
    counts = Counter(origins.values())
    rows = {place: origin for place, origin in origins.items() if counts[origin] > 1}
    return replace(document, data=data, lines=lines, rows=rows)


def _lines_outside_units(document: Document) -> Iterator[tuple[Path, int]]:
    """Yield each path outside the tables of units, with its line."""
    return (
        (path, at) for path, at in document.lines.items() if path[:1] != ("unit",) or not path[1:]
    )


def _has_row(table: object) -> bool:
    return isinstance(table, Mapping) and "row" in table


def _row_of(table: Any) -> RowTable | None:
    """Return the row of a table; None if it has no valid row."""
    if not _has_row(table) or not isinstance(table.get("name"), str):
        return None
    if "outline" in table or "tile" in table:
        return None
    try:
        return RowTable.model_validate(table["row"])
    except ValidationError:
        return None


def _units(table: Mapping[str, Any], row: RowTable) -> Iterator[dict[str, Any]]:
    """Yield the table of each unit of a row."""
    own = {key: value for key, value in table.items() if key != "row"}
    at: Any = own.get("at")
    degrees: Any = own.get("facing", 0.0)
    placed = _is_place(at) and _is_number(degrees) and abs(degrees) <= 360
    for number, (across, along) in enumerate(_offsets(row), start=1):
        unit = {**own, "name": f"{own['name']} {number}"}
        if placed:
            east, north = unit_vector(facing_of_degrees(degrees))
            x, y = at
            unit["at"] = [x + across * north + along * east, y - across * east + along * north]
        yield unit


def _offsets(row: RowTable) -> Iterator[tuple[float, float]]:
    """Yield the offsets of units from the centre of a row, to the right and ahead, GSU."""
    files = -(-row.count // row.ranks)
    ranks = -(-row.count // files)
    for rank in range(ranks):
        in_rank = min(files, row.count - rank * files)
        for file in range(in_rank):
            yield (file - (in_rank - 1) / 2) * row.step, ((ranks - 1) / 2 - rank) * row.step


def _is_place(given: object) -> bool:
    return isinstance(given, list) and len(given) == 2 and all(map(_is_number, given))


def _is_number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)
