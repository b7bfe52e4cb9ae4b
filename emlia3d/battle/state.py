"""The state of a battle: tables that only `emlia3d.battle.apply` writes.

Derived data (outlines, sight) is cached outside the state and keyed by *stamps*. `apply` gives
every unit and every sparse column that it changes a new stamp from a counter that never decreases.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from emlia3d.battle.plain_values import is_number, is_whole
from emlia3d.errors import quoted
from emlia3d.force.formation import GRID
from emlia3d.force.roster import CORE_COLUMNS, Roster, UnitDeployment
from emlia3d.force.table import AnyArray, Column, Table, Value, tick

_FIXED = ("figure", "unit", "side", "feature", "battle")

PairKey = tuple[int, int]

MOST_BYTES = 2**26
"""Maximum length of a column of a key frame, so that a small file cannot unpack to fill memory."""


class Written:
    """The clock at which each cell of a table was last written.

    when : (columns, rows) int64, the clocks
    latest : the latest clock of each column, by name
    place : the row of each column in `when`, by name
    """

    def __init__(self, table: Table, clock: int) -> None:
        names = [column.name for column in table.columns]
        self.place = {name: row for row, name in enumerate(names)}
        self.when = np.full((len(names), len(table)), clock, dtype=np.int64)
        self.latest = dict.fromkeys(names, clock)

    def note(self, column: str, rows: Any, clock: int) -> None:
        """Record that cells of a column have been written."""
        self.when[self.place[column], rows] = clock
        self.latest[column] = clock

    def note_all(self, row: int, clock: int) -> None:
        """Record that all cells of a row have been written."""
        self.when[:, row] = clock
        self.latest = dict.fromkeys(self.latest, clock)

    def note_where(self, cells: Any, rows: Any, clock: int) -> None:
        """Record that *cells* of these rows have been written: (columns, len(rows)) bool."""
        column, row = np.nonzero(cells)
        self.when[column, rows[row]] = clock
        names = [*self.place]
        for place in np.unique(column).tolist():
            self.latest[names[place]] = clock

    def copy(self) -> Written:
        """Return a copy that can be written independently."""
        twin = Written.__new__(Written)
        twin.place, twin.when, twin.latest = self.place, self.when.copy(), dict(self.latest)
        return twin


class State:
    """All data that can change in a battle.

    figures, units, sides, features, battle : tables; battle has one row
    lists : tables that grow and are cleared, by name
    pairs : sparse columns, by name: (unit, unit) -> value
    stretch : number of finished segments of play
    clock : the last change of a figure, unit, feature, sparse column or list, from `tick`
    stamps : (units,) int64, the clock of each unit's last change
    figure_stamps : (units,) int64, the clock of the last change of each unit's figures
    pair_stamps : the clock of each sparse column's last change, by name
    """

    def __init__(
        self,
        roster: Roster,
        tables: Mapping[str, Table],
        lists: Mapping[str, Table],
        pairs: Mapping[str, dict[PairKey, Value]],
    ) -> None:
        self.roster = roster
        self.figures = roster.figures
        self.units = roster.units
        self.sides = tables["side"]
        self.features = tables["feature"]
        self.battle = tables["battle"]
        self._fixed = {"figure": self.figures, "unit": self.units, **tables}
        self.lists = dict(lists)
        self.pairs = {name: dict(cells) for name, cells in pairs.items()}
        self.stretch = 0
        self._stamp_all()

    @classmethod
    def mustered(
        cls,
        musters: Sequence[UnitDeployment],
        sides: int,
        feature_heights: Sequence[float],
        columns: Iterable[Column] = (),
    ) -> State:
        """Return the state before the first event, with the rule system's own *columns*."""
        declared = (*CORE_COLUMNS, *columns)
        rows = {"side": sides, "feature": len(feature_heights), "battle": 1}
        tables = {
            name: Table((c for c in declared if c.table == name), count)
            for name, count in rows.items()
        }
        tables["feature"].writable("height")[:] = feature_heights
        names = dict.fromkeys(c.table for c in declared if c.table not in {*_FIXED, "pair"})
        lists = {name: Table((c for c in declared if c.table == name), 0) for name in names}
        pairs: dict[str, dict[PairKey, Value]] = {c.name: {} for c in declared if c.table == "pair"}
        return cls(Roster.muster(musters, declared), tables, lists, pairs)

    def table(self, name: str) -> Table:
        """Return a table or list by its name."""
        return self._fixed[name] if name in self._fixed else self.lists[name]

    @property
    def turn(self) -> int:
        """The turn that is being played, from 1; 0 before the first."""
        return self.battle.integer("turn", 0)

    def copy(self) -> State:
        """Return an independent copy of the state, stamps included."""
        twin = State(
            self.roster.copy(),
            {name: self.table(name).copy() for name in ("side", "feature", "battle")},
            {name: rows.copy() for name, rows in self.lists.items()},
            self.pairs,
        )
        twin.stretch, twin.clock, twin.stamps = self.stretch, self.clock, self.stamps.copy()
        twin.figure_stamps, twin.pair_stamps = self.figure_stamps.copy(), dict(self.pair_stamps)
        twin.written = {name: one.copy() for name, one in self.written.items()}
        return twin

    def key_frame(self) -> dict[str, Any]:
        """Return the state as plain JSON values: each column as base64 of zlib of its bytes.

        Bytes are little-endian. Positions are integers of 1/1024 GSU; other real numbers keep
        their bits.
        """
        return {
            "stretch": self.stretch,
            "tables": {
                name: {
                    column.name: _packed(self.table(name)[column.name], column)
                    for column in self.table(name).columns
                }
                for name in (*_FIXED, *self.lists)
            },
            "pairs": {
                name: [[a, b, value] for (a, b), value in sorted(cells.items())]
                for name, cells in self.pairs.items()
            },
        }

    def restore(self, frame: Mapping[str, Any]) -> None:
        """Replace the state by the key frame *frame*.

        Raises ValueError, without a change, if *frame* is no key frame or is of another battle.
        """
        try:
            tables = {
                name: self._columns(name, frame["tables"][name])
                for name in (*_FIXED, *self.lists)
                if name in _FIXED or name in frame["tables"]
            }
            # A file older than a list lacks it, so the list is empty.
            tables |= {
                name: {column.name: np.empty(0, column.dtype) for column in rows.columns}
                for name, rows in self.lists.items()
                if name not in tables
            }
            pairs = {name: _pairs(frame["pairs"][name]) for name in self.pairs}
            stretch = int(frame["stretch"])
        except (LookupError, TypeError, ValueError, AttributeError, zlib.error) as flaw:
            raise ValueError(f"the key frame does not fit this battle: {flaw}") from flaw
        for name, columns in tables.items():
            self.table(name).replace(columns)
        self.pairs, self.stretch = pairs, stretch
        self._stamp_all()

    def _stamp_all(self) -> None:
        """Record that all cells have been written."""
        self.clock = tick()
        self.stamps = np.full(len(self.units), self.clock, dtype=np.int64)
        self.figure_stamps = self.stamps.copy()
        self.pair_stamps = dict.fromkeys(self.pairs, self.clock)
        self.written = {
            "unit": Written(self.units, self.clock),
            "feature": Written(self.features, self.clock),
        }

    def _columns(self, name: str, packed: Mapping[str, str]) -> dict[str, AnyArray]:
        """Return the unpacked columns of a table or list.

        Raises ValueError if their lengths differ, or if a table has another number of rows.
        """
        table = self.table(name)
        columns = {column.name: _unpacked(packed[column.name], column) for column in table.columns}
        rows = {len(cells) for cells in columns.values()}
        if len(rows) > 1 or (name in _FIXED and not rows <= {len(table)}):
            raise ValueError(f"the table {quoted(name)} has another number of rows")
        return columns


def _pairs(cells: Any) -> dict[PairKey, Value]:
    if not all(is_whole(a) and is_whole(b) and is_number(value) for a, b, value in cells):
        raise ValueError("expected two units and a number for each pair")
    return {(a, b): value for a, b, value in cells}


def _is_place(column: Column) -> bool:
    return column.table == "figure" and column.name in {"x", "y"}


def _written_as(column: Column) -> str:
    """Return the type of a column in a file: 64-bit integers, because zlib packs them as well."""
    return "<i8" if column.dtype == "i4" else f"<{column.dtype}"


def _packed(cells: np.ndarray[Any, Any], column: Column) -> str:
    if _is_place(column):
        whole = np.round(cells * GRID).astype("<i4")
    else:
        whole = cells.astype(_written_as(column))
    return base64.b64encode(zlib.compress(whole.tobytes(), 6)).decode("ascii")


def _unpacked(text: str, column: Column) -> np.ndarray[Any, Any]:
    packed = zlib.decompressobj()
    raw = packed.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
    if not packed.eof:
        raise ValueError(f"the column {quoted(column.name)} is incomplete or too long")
    if _is_place(column):
        return np.frombuffer(raw, dtype="<i4") / GRID
    return _narrowed(np.frombuffer(raw, dtype=_written_as(column)), column)


def _narrowed(cells: AnyArray, column: Column) -> AnyArray:
    if column.dtype != "i4":
        return cells
    held = cells.astype("i4")
    if (held != cells).any():
        raise ValueError(f"the column {quoted(column.name)} cannot hold all its numbers")
    return held
