"""The battle as it stands: tables that only `emlia3d.battle.apply` writes.

What is worked out from the state (outlines, who sees whom) lives beside it, keyed by *stamps*:
`apply` gives every unit that it changes a fresh one from a counter that is never set back.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from emlia3d.force.formation import GRID
from emlia3d.force.roster import CORE_COLUMNS, Muster, Roster
from emlia3d.force.table import Column, Table, Value

_FIXED = ("figure", "unit", "side", "feature", "battle")

PairKey = tuple[int, int]


class State:
    """All that can change in a battle.

    figures, units, sides, features, battle : tables; battle has one row
    lists : tables that grow and are cleared, by name
    pairs : sparse columns, by name: (unit, unit) -> value
    stretch : how many stretches of play are finished
    stamps : (units,) int64, later for a unit that changed later
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
        self.lists = dict(lists)
        self.pairs = {name: dict(cells) for name, cells in pairs.items()}
        self.stretch = 0
        self.clock = 0
        self.stamps = np.zeros(len(self.units), dtype=np.int64)

    @classmethod
    def mustered(
        cls,
        musters: Sequence[Muster],
        sides: int,
        feature_heights: Sequence[float],
        columns: Iterable[Column] = (),
    ) -> State:
        """The state before the first event, with the rule system's own *columns*."""
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
        """A table or list by its name."""
        fixed = {
            "figure": self.figures,
            "unit": self.units,
            "side": self.sides,
            "feature": self.features,
            "battle": self.battle,
        }
        return fixed[name] if name in fixed else self.lists[name]

    @property
    def turn(self) -> int:
        """The turn that is being played, from 1; 0 before the first."""
        return self.battle.integer("turn", 0)

    def copy(self) -> State:
        """The same state, owned apart, stamps included."""
        twin = State(
            self.roster.copy(),
            {name: self.table(name).copy() for name in ("side", "feature", "battle")},
            {name: rows.copy() for name, rows in self.lists.items()},
            self.pairs,
        )
        twin.stretch, twin.clock, twin.stamps = self.stretch, self.clock, self.stamps.copy()
        return twin

    def key_frame(self) -> dict[str, Any]:
        """Everything as plain JSON values: columns as zlib of little-endian integers, base64.

        Places are whole 1/1024 GSU. Real-number columns that are no places keep their bits.
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
        """Become what *frame* says; ValueError if it does not fit. For `apply` and the log."""
        try:
            for name in (*_FIXED, *self.lists):
                table, packed = self.table(name), frame["tables"][name]
                table.replace({c.name: _unpacked(packed[c.name], c) for c in table.columns})
            self.pairs = {
                name: {(int(a), int(b)): value for a, b, value in frame["pairs"][name]}
                for name in self.pairs
            }
            self.stretch = int(frame["stretch"])
        except (KeyError, TypeError, AssertionError, zlib.error) as flaw:
            raise ValueError(f"the key frame does not fit this battle: {flaw}") from flaw
        self.clock += 1
        self.stamps = np.full(len(self.units), self.clock, dtype=np.int64)


def _is_place(column: Column) -> bool:
    return column.table == "figure" and column.name in {"x", "y"}


def _packed(cells: np.ndarray[Any, Any], column: Column) -> str:
    if _is_place(column):
        whole = np.round(cells * GRID).astype("<i4")
    else:
        whole = cells.astype(np.dtype(column.dtype).newbyteorder("<"))
    return base64.b64encode(zlib.compress(whole.tobytes(), 6)).decode("ascii")


def _unpacked(text: str, column: Column) -> np.ndarray[Any, Any]:
    raw = zlib.decompress(base64.b64decode(text, validate=True))
    if _is_place(column):
        return np.frombuffer(raw, dtype="<i4") / GRID
    return np.frombuffer(raw, dtype=np.dtype(column.dtype).newbyteorder("<"))
