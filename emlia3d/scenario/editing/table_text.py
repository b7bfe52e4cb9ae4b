"""Editing of tables in a TOML text without changes to other lines.

Each function gets a text and returns the changed text. It inserts and removes whole tables as
lines. To change values, it gives tomlkit the lines of one table only. Therefore lines outside that
table do not change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from emlia3d.errors import Error, MissingExtraError
from emlia3d.scenario.toml_lines import Document, Path, read_document

try:
    import tomlkit
    from tomlkit.items import Array
except ImportError as fault:
    raise MissingExtraError("editing a scenario", "edit") from fault

_HEADER = re.compile(r"\s*\[\[?[^\[\]{}]+\]\]?\s*(#.*)?")
_NAME = "this text"


class TableText:
    """The lines of a TOML text, and the tables in them.

    Raises
    ------
    ScenarioError
        The text is not TOML.
    """

    def __init__(self, text: str) -> None:
        self.document: Document = read_document(_NAME, text)
        self.lines = self.document.text.split("\n")
        headers: dict[int, Path] = {}
        for path, line in self.document.lines.items():
            if _HEADER.fullmatch(self.lines[line - 1]) and isinstance(self._at(path), dict):
                headers[line - 1] = max(headers.get(line - 1, ()), path, key=len)
        self.headers = sorted(headers.items())

    def _at(self, path: Path) -> Any:
        found: Any = self.document.data
        for part in path:
            found = found[part]
        return found

    def table(self, path: Path) -> dict[str, Any]:
        """Return the data of a table with a header; of the keys above the first table for ()."""
        self._row(path)
        found = self._at(path)
        assert isinstance(found, dict)
        return found

    def count(self, kind: Path) -> int:
        """Return the number of tables in an array of tables; 0 if there is none."""
        found: Any = self.document.data
        for part in kind:
            found = found.get(part, {})
        return len(found)

    def has_header(self, path: Path) -> bool:
        """Return whether a table has its own header; also true for the keys above the first, ()."""
        return not path or any(header == path for _, header in self.headers)

    def _row(self, path: Path) -> int:
        """Return the index of a table's header; -1 for the keys above the first table."""
        if not path:
            return -1
        for row, (_, header) in enumerate(self.headers):
            if header == path:
                return row
        kind = ".".join(str(part) for part in path if isinstance(part, str))
        raise Error(f"no table [{kind}] with a header of its own has this place: {path}")

    def table_at(self, line: int) -> Path | None:
        """Return the table that contains a line, counted from 1; None above the first table."""
        found = None
        for first, path in self.headers:
            if first < line:
                found = path
        return found

    def own_lines(self, path: Path) -> tuple[int, int]:
        """Return the first line of a table, from 0, and the line after its last key."""
        row = self._row(path)
        first = 0 if row < 0 else self.headers[row][0]
        return first, self._last_key(row, first)

    def all_lines(self, path: Path) -> tuple[int, int]:
        """Return the lines of a table and of the tables inside it, in the form of `own_lines`."""
        row = self._row(path)
        first, last = self.headers[row][0], row
        while last + 1 < len(self.headers) and self.headers[last + 1][1][: len(path)] == path:
            last += 1
        return first, self._last_key(last, self.headers[last][0])

    def _last_key(self, row: int, first: int) -> int:
        """Return the line after the last key of a table, before comments below it."""
        more = row + 1 < len(self.headers)
        end = self.headers[row + 1][0] if more else len(self.lines)
        while end > first + (row >= 0) and self.lines[end - 1].lstrip()[:1] in {"", "#"}:
            end -= 1
        return end

    def last_of(self, kind: Path) -> Path | None:
        """Return the last table of an array of tables; None if no table has a header."""
        found = [path for _, path in self.headers if path[:-1] == kind]
        return found[-1] if found else None

    def spliced(self, first: int, end: int, lines: Sequence[str]) -> str:
        """Return the text with *lines* in place of the lines from *first* to *end*, exclusive."""
        return "\n".join([*self.lines[:first], *lines, *self.lines[end:]])


@lru_cache(maxsize=4)
def tables_of(text: str) -> TableText:
    """Return the tables of a text, cached; do not change them."""
    return TableText(text)


def inserted(text: str, kind: Path, values: Mapping[str, Any]) -> str:
    """Return the text with a new table after the last one of its kind, or at the end.

    kind : of an array of tables, such as ``("unit",)``
    values : by key; None omits a key
    """
    tables = tables_of(text)
    keys = tomlkit.document()
    for key, value in values.items():
        if value is not None:
            keys.add(key, tomlkit.item(_inline(value)))
    block = [f"[[{'.'.join(map(str, kind))}]]", *tomlkit.dumps(keys).rstrip("\n").split("\n")]
    return _below(tables, tables.last_of(kind), block)


def _below(tables: TableText, path: Path | None, block: Sequence[str]) -> str:
    """Return the text with a block below a table and its comments, or at the end."""
    if path is None:
        whole = "\n".join(tables.lines).rstrip("\n")
        return "\n".join([whole, "", *block, ""]) if whole else "\n".join([*block, ""])
    _, end = tables.all_lines(path)
    below = end
    while below < len(tables.lines) and tables.lines[below].lstrip().startswith("#"):
        below += 1
    # Comments directly above a header belong to that table.
    if below == len(tables.lines) or not tables.lines[below].strip():
        end = below
    after = [] if end < len(tables.lines) else [""]
    return tables.spliced(end, end, ["", *block, *after])


def deleted(text: str, path: Path) -> str:
    """Return the text without a table and the tables inside it.

    Comments above it and below its last key stay.
    """
    tables = tables_of(text)
    first, end = tables.all_lines(path)
    lines = tables.lines
    if end < len(lines) and not lines[end].strip() and (first == 0 or not lines[first - 1].strip()):
        end += 1
    return tables.spliced(first, end, [])


def copied(text: str, path: Path, values: Mapping[str, Any]) -> str:
    """Return the text with a copy of a table directly below it.

    values : changed values of the copy; None removes a key
    """
    tables = tables_of(text)
    first, end = tables.all_lines(path)
    _, own = tables.own_lines(path)
    block = _changed(tables.lines[first:own], path, values)
    return _below(tables, path, [*block, *tables.lines[own:end]])


def changed(text: str, path: Path, values: Mapping[str, Any]) -> str:
    """Return the text with values of one table changed.

    path : of the table; () for the keys above the first table
    values : new or changed values by key; None removes a key
    """
    tables = tables_of(text)
    first, end = tables.own_lines(path)
    return tables.spliced(first, end, _changed(tables.lines[first:end], path, values))


def changed_table(text: str, path: Path, keys: Sequence[str], value: str) -> str:
    """Return the text with one changed value, in a table with or without a header.

    path : of the table, which can be an inline table
    keys : of nested tables to add in this table; the last key is that of the value
    value : in TOML, or plain words

    Raises
    ------
    Error
        The key is that of tables with headers.
    """
    tables = tables_of(text)
    if any(found[: len(path) + 1] == (*path, keys[0]) for _, found in tables.headers):
        raise Error(f"{keys[0]!r} names a table; add the key of a value in it")
    header = next(path[:end] for end in range(len(path), -1, -1) if tables.has_header(path[:end]))
    first, end = tables.own_lines(header)
    document, table = _parsed(tables.lines[first:end], header)
    for part in path[len(header) :]:
        table = table[part]
    item: Any = value
    with suppress(tomlkit.exceptions.ParseError, ValueError):
        item = tomlkit.value(value)
    for key in reversed(keys[1:]):
        item = _inline({key: item})
    table[keys[0]] = item
    return tables.spliced(first, end, tomlkit.dumps(document).rstrip("\n").split("\n"))


def replaced(text: str, place: Path, value: str) -> str:
    """Return the text with another word at a place, also in a list or an inline table.

    place : of a word, or of index 0 if a list of one word has no brackets
    """
    tables = tables_of(text)
    header = next(
        place[:end] for end in range(len(place) - 1, -1, -1) if tables.has_header(place[:end])
    )
    first, end = tables.own_lines(header)
    document, table = _parsed(tables.lines[first:end], header)
    *way, last = place[len(header) :]
    for step, part in enumerate(way):
        if isinstance(table[part], str):
            last = part
            assert step == len(way) - 1, "only a list of names can be written as one value"
            break
        table = table[part]
    table[last] = value
    return tables.spliced(first, end, tomlkit.dumps(document).rstrip("\n").split("\n"))


def _parsed(lines: Sequence[str], path: Path) -> tuple[tomlkit.TOMLDocument, Any]:
    """Return the lines of one table as a document, and the table in it."""
    document = tomlkit.parse("\n".join([*lines, ""]))
    table: Any = document
    for part in path:
        if isinstance(part, str):
            table = table[part]
            table = table[0] if isinstance(table, list) else table
    return document, table


def _changed(lines: Sequence[str], path: Path, values: Mapping[str, Any]) -> list[str]:
    """Return the lines of one table with values changed."""
    document, table = _parsed(lines, path)
    for key, given in values.items():
        value = _inline(given)
        if value is None:
            table.pop(key, None)
        elif isinstance(table.get(key), Array) and isinstance(value, list):
            _fill(table[key], value)
        elif key not in table or table[key] != value:
            table[key] = value
    return tomlkit.dumps(document).rstrip("\n").split("\n")


def _fill(array: Any, values: Sequence[Any]) -> None:
    """Change the items of an array one by one, so that comments between them stay."""
    for index, value in enumerate(values):
        if index >= len(array):
            array.append(value)
        elif array[index] != value:
            array[index] = value
    for index in reversed(range(len(values), len(array))):
        del array[index]


def _inline(value: Any) -> Any:
    """Return a value in TOML, rounded to two decimals, with tables on one line."""
    if isinstance(value, float) and not isinstance(value, bool):
        fine = round(value, 2)
        return int(fine) if fine.is_integer() else fine
    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        inline.update({key: _inline(each) for key, each in value.items()})
        return inline
    if isinstance(value, list | tuple):
        return [_inline(each) for each in value]
    return value
