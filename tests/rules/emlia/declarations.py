"""Records what derived values read of the state, and compares it with what they declare."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.derived import Anything, Columns, Derived, FigureSource, List, Rows
from emlia3d.force.table import Table

Read = tuple[str, str]
"""A table and a column of it, or "derived" and the name of another derived value."""

READERS = ("__getitem__", "ints", "value", "integer")


def names() -> dict[Any, str]:
    """The derived values of all loaded modules, by the names that they have there."""
    found: dict[Any, str] = {}
    for home, module in [*sys.modules.items()]:
        if home.startswith("emlia3d."):
            for name, value in vars(module).items():
                several = value.values() if isinstance(value, dict) else (value,)
                found |= {one: name for one in several if isinstance(one, Derived | Rows)}
    return found


class Declarations:
    """Wraps the readers of tables and derived values while a test runs.

    computed : names of all that were computed
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._undeclared: dict[str, set[Read]] = {}
        self.computed: set[str] = set()
        self._reads: list[set[Any]] = []
        self._names: dict[Any, str] = {}
        for reader in READERS:
            monkeypatch.setattr(Table, reader, self._noting(getattr(Table, reader)))
        for kind in (Derived, Rows):
            monkeypatch.setattr(kind, "_current", self._computing(kind._current))
            monkeypatch.setattr(kind, "__call__", self._calling(kind.__call__))

    def undeclared(self) -> list[str]:
        """What derived values have read without declaring it, a line for each."""
        return [
            f"{name} reads {where} {what}"
            for name, reads in sorted(self._undeclared.items())
            for where, what in sorted(reads)
        ]

    def _noting(self, read: Callable[..., Any]) -> Callable[..., Any]:
        def noted(table: Table, column: str, *args: Any) -> Any:
            if self._reads and (declared := table.declared(column)) is not None:
                self._reads[-1].add((declared.table, column))
            return read(table, column, *args)

        return noted

    def _calling(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def called(value: Any, battle: Any) -> Any:
            if self._reads:
                self._reads[-1].add(value)
            return call(value, battle)

        return called

    def _computing(self, compute: Callable[..., Any]) -> Callable[..., Any]:
        def computed(value: Any, battle: Any) -> Any:
            self._reads.append(set())
            try:
                return compute(value, battle)
            finally:
                self._compare(value, self._reads.pop())

        return computed

    def _compare(self, value: Any, reads: set[Any]) -> None:
        if not reads:
            return
        lists = {source.name for source in value.sources if isinstance(source, List)}
        declared = _declared(value)
        missing = {
            read
            for read in reads - declared - {value}
            if isinstance(read, tuple) or not _columns(read) <= declared
        }
        missing = {read for read in missing if not isinstance(read, tuple) or read[0] not in lists}
        if value not in self._names:
            self._names = names()
        name = self._names[value]
        self.computed.add(name)
        if missing and not any(isinstance(source, Anything) for source in value.sources):
            found = self._undeclared.setdefault(name, set())
            found |= {
                read if isinstance(read, tuple) else ("derived", self._names[read])
                for read in missing
            }


def _columns(value: Any) -> set[Any]:
    """The columns that a value depends on."""
    return {read for read in _declared(value) if isinstance(read, tuple)}


def _declared(value: Any) -> set[Any]:
    """All that a value depends on, directly or by way of other values."""
    found: set[Any] = set()
    for source in value.sources:
        if isinstance(source, Columns):
            found |= {(source.table, name) for name in source.names}
        elif isinstance(source, FigureSource):
            found |= {("figure", name) for name in ("x", "y", "facing", "slot", "condition")}
            found |= {("figure", "unit"), ("unit", "first"), ("unit", "until")}
        elif isinstance(source, Derived | Rows):
            found |= _declared(source) | {source}
    return found
