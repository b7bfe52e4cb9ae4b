"""TOML text as plain data, with the line of each key and item.

`tomllib` reads the data but not the lines, so a second, simpler pass over the valid text finds
them. A place in the data is a path of keys and indices: ``("unit", 3, "formation")`` is the
formation of the fourth ``[[unit]]``.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from emlia3d.errors import Diagnostic, ScenarioError

Path = tuple[str | int, ...]

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SCALAR = re.compile(r"[^,\]}#\n]*")
_STRINGS = (
    ('"""', re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}(?!")', re.DOTALL)),
    ("'''", re.compile(r"'''.*?'{3,5}(?!')", re.DOTALL)),
    ('"', re.compile(r'"(?:[^"\\\n]|\\.)*"')),
    ("'", re.compile(r"'[^'\n]*'")),
)
# Maximum number of digits that Python converts to an integer.
_ENDLESS = re.compile(r"\d(?:_?\d){4300}")
# Dotted keys are nested without recursion; each one also marks the keys above it.
_DEEPEST = 200
_PLACE = re.compile(r"\s*\(at line (\d+), column \d+\)$|\s*\(at end of document\)$")


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A TOML file: its data, and the lines of its parts.

    lines : of every key, table and array item, counted from 1
    rows : for each table that was expanded from a row, the original table in the file
    """

    name: str
    data: dict[str, Any]
    lines: Mapping[Path, int]
    text: str = ""
    rows: Mapping[Path, Path] = field(default_factory=dict)

    def line_of(self, path: Path) -> int | None:
        """Return the line of *path*, or of the nearest part that contains it; None for the file.

        Parts of *path* that are not in the text, such as the tag of a union, are skipped.
        """
        found: Path = ()
        for part in path:
            if (*found, part) in self.lines:
                found = (*found, part)
        return self.lines.get(found)

    def diagnostic(self, path: Path, message: str) -> Diagnostic:
        """Return an error at *path*."""
        return Diagnostic(self.name, self.line_of(path), message)


def read_document(name: str, text: str) -> Document:
    """Return the document in *text*; *name* is its name in errors.

    Raises
    ------
    ScenarioError
        The text is not TOML. This error hides all others.
    """
    text = text.replace("\r\n", "\n")
    try:
        data = tomllib.loads(text)
        lines = _Scan(text).document()
    except RecursionError:
        raise ScenarioError(
            [Diagnostic(name, None, "tables and lists are nested too deeply")]
        ) from None
    except tomllib.TOMLDecodeError as fault:
        raise ScenarioError([_syntax_mistake(name, text, str(fault))]) from None
    except ValueError:
        found = _ENDLESS.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else None
        raise ScenarioError([Diagnostic(name, line, "a number has too many digits")]) from None
    return Document(name, data, lines, text)


def _syntax_mistake(name: str, text: str, told: str) -> Diagnostic:
    found = _PLACE.search(told)
    line = None
    if found:
        line = int(found[1]) if found[1] else text.rstrip("\n").count("\n") + 1
        told = told[: found.start()]
    return Diagnostic(name, line, f"this is not TOML: {told[:1].lower()}{told[1:]}")


class _Scan:
    """One pass over valid TOML; it does not handle invalid text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._counts: dict[Path, int] = {}

    def document(self) -> dict[Path, int]:
        """Return the line of every path."""
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
        return self.lines

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        assert found is not None, f"good TOML has {pattern.pattern!r} at {self.at}"
        self.at = found.end()
        return found[0]

    def _mark(self, path: Path, line: int) -> None:
        if len(path) > _DEEPEST:
            raise RecursionError
        self.lines.setdefault(path, line)

    def _line(self) -> int:
        return bisect_right(self._starts, self.at)

    def _header(self) -> Path:
        """Parse ``[table]`` or ``[[array of tables]]``; return the path of the pairs below it."""
        line = self._line()
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        keys = self._keys()
        self.at += brackets
        path: Path = ()
        for key in keys[:-1]:
            path = self._into((*path, key), line)
        path = (*path, keys[-1])
        self._mark(path, line)
        if brackets == 1:
            self.lines[path] = line
            return path
        count = self._counts.get(path, 0)
        self._counts[path] = count + 1
        self._mark((*path, count), line)
        return (*path, count)

    def _into(self, path: Path, line: int) -> Path:
        """Return *path*, or the path of the latest item if it is an array of tables."""
        self._mark(path, line)
        return (*path, self._counts[path] - 1) if path in self._counts else path

    def _keys(self) -> list[str]:
        """Parse a key with dots and the space around it."""
        keys = []
        while True:
            self._skip(_SPACE)
            keys.append(self._key())
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def _key(self) -> str:
        if self.text[self.at] not in "\"'":
            return self._skip(_BARE_KEY)
        key = tomllib.loads(f"key = {self._string()}")["key"]
        assert isinstance(key, str)
        return key

    def _pair(self, table: Path) -> None:
        """Parse ``key = value`` in *table*."""
        line = self._line()
        path = table
        for key in self._keys():
            path = (*path, key)
            self._mark(path, line)
        self.at += 1
        self._skip(_SPACE)
        self._value(path)

    def _value(self, path: Path) -> None:
        match self.text[self.at]:
            case '"' | "'":
                self._string()
            case "[":
                self._array(path)
            case "{":
                self._inline_table(path)
            case _:
                self._skip(_SCALAR)

    def _string(self) -> str:
        for opening, whole in _STRINGS:
            if self.text.startswith(opening, self.at):
                return self._skip(whole)
        raise AssertionError("a string opens with a quotation mark")

    def _array(self, path: Path) -> None:
        self.at += 1
        self._skip(_BLANK)
        index = 0
        while not self.text.startswith("]", self.at):
            self._mark((*path, index), self._line())
            self._value((*path, index))
            self._comma()
            index += 1
        self.at += 1

    def _inline_table(self, path: Path) -> None:
        self.at += 1
        self._skip(_BLANK)
        while not self.text.startswith("}", self.at):
            self._pair(path)
            self._comma()
        self.at += 1

    def _comma(self) -> None:
        self._skip(_BLANK)
        if self.text.startswith(",", self.at):
            self.at += 1
            self._skip(_BLANK)
