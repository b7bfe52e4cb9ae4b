"""Tables: rows by number, one NumPy column for each name.

A battle's state is a few such tables (figures, units, sides, features, the battle itself) and
lists that grow and are cleared (hit markers, notes). Which columns there are is declared: the
layers below declare the core ones, a rule system adds its own, and the view shows what it finds
by label. Everyone is handed read-only views; only `emlia3d.battle.apply` asks to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Value = int | float
AnyArray = NDArray[np.generic]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A declared column: where it lies, what it holds, what a person calls it.

    table : "figure", "unit", "side", "feature", "battle", "pair" (sparse, by two units), or the
        name of a list
    dtype : "i8", "i4" (for what every figure has), "f8" or "u1", as NumPy writes them
    words : what the numbers 0, 1, 2, ... mean, where they stand for words
    """

    table: str
    name: str
    dtype: str = "i8"
    default: Value = 0
    label: str = ""
    words: tuple[str, ...] = ()


class Table:
    """Columns of equal length.

    A reader's array is a read-only view of the column: it follows later changes.
    """

    def __init__(self, columns: Iterable[Column], rows: int) -> None:
        self.columns = tuple(columns)
        self._data: dict[str, AnyArray] = {
            column.name: np.full(rows, column.default, dtype=column.dtype)
            for column in self.columns
        }
        self._declared = {column.name: column for column in self.columns}
        self._rows = rows
        self._views: dict[str, AnyArray] = {}

    def __len__(self) -> int:
        return self._rows

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        """The column, read-only."""
        view = self._views.get(name)
        if view is None:
            view = self._data[name].view()
            view.flags.writeable = False
            self._views[name] = view
        return view

    def declared(self, name: str) -> Column | None:
        """What was declared of a column; None if there is none of that name."""
        return self._declared.get(name)

    def ints(self, name: str) -> NDArray[np.int64 | np.int32]:
        """The column as whole numbers, read-only."""
        return self[name]  # type: ignore[return-value]  # declared dtype

    def floats(self, name: str) -> NDArray[np.float64]:
        """The column as real numbers, read-only."""
        return self[name]  # type: ignore[return-value]  # declared dtype

    def value(self, name: str, row: int) -> Value:
        """One cell as a Python number."""
        return self._data[name].item(row)  # type: ignore[no-any-return]  # declared dtype

    def integer(self, name: str, row: int) -> int:
        """One cell of a whole-number column."""
        return self._data[name].item(row)  # type: ignore[no-any-return]  # declared dtype

    def writable(self, name: str) -> AnyArray:
        """The column itself, for `emlia3d.battle.apply` alone."""
        return self._data[name]

    def append(self, row: Mapping[str, Value]) -> None:
        """One more row of a list, defaults where *row* says nothing; for `apply` alone."""
        for column in self.columns:
            cell = np.array([row.get(column.name, column.default)], dtype=column.dtype)
            self._data[column.name] = np.concatenate([self._data[column.name], cell])
        self._rows += 1
        self._views.clear()

    def clear(self) -> None:
        """No rows any more; for `apply` alone."""
        for column in self.columns:
            self._data[column.name] = np.empty(0, dtype=column.dtype)
        self._rows = 0
        self._views.clear()

    def replace(self, data: Mapping[str, AnyArray]) -> None:
        """All columns anew, as a key frame has them; for `apply` alone."""
        lengths = {len(cells) for cells in data.values()}
        assert set(data) == set(self._data), "every column, and no other"
        assert len(lengths) <= 1, "columns of equal length"
        for column in self.columns:
            self._data[column.name] = np.array(data[column.name], dtype=column.dtype)
        self._rows = lengths.pop() if lengths else self._rows
        self._views.clear()

    def copy(self) -> Table:
        """The same cells, owned apart."""
        twin = Table(self.columns, 0)
        twin.replace(self._data)
        twin._rows = self._rows
        return twin
