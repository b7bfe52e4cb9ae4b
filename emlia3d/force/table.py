"""Tables: rows by number, one NumPy column for each name.

A battle's state is a few such tables (figures, units, sides, features, the battle itself) and
lists that grow and are cleared (hit markers, notes). Which columns there are is declared: the
layers below declare the core ones, a rule system adds its own, and the view shows what it finds
by label. Everyone is handed read-only views; only `emlia3d.battle.apply` asks to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

Value = int | float
AnyArray = NDArray[np.generic]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A declared column: its table, its type and its label.

    table : "figure", "unit", "side", "feature", "battle", "pair" (sparse, by two units), or the
        name of a list
    dtype : NumPy's "i8", "i4" (for columns of figures), "f8" or "u1"
    words : the words for the numbers 0, 1, 2, ..., if they stand for words
    """

    table: str
    name: str
    dtype: str = "i8"
    default: Value = 0
    label: str = ""
    words: tuple[str, ...] = ()


class Table:
    """Columns of equal length.

    A reader gets a read-only view of a column, which shows later changes. Columns of one
    type are in one block, so that copying all cells takes few steps.

    stamp : a number that changes at each request to write; unique among tables
    """

    def __init__(self, columns: Iterable[Column], rows: int) -> None:
        self.columns = tuple(columns)
        self._declared = {column.name: column for column in self.columns}
        self._alike: dict[str, list[Column]] = {}
        for column in self.columns:
            self._alike.setdefault(column.dtype, []).append(column)
        self._views: dict[str, AnyArray] = {}
        self._set_columns(
            {
                dtype: np.repeat(_cells(dtype, [[column.default] for column in alike]), rows, 1)
                for dtype, alike in self._alike.items()
            },
            rows,
        )

    def _set_columns(self, blocks: dict[str, AnyArray], rows: int) -> None:
        """Have these cells from now on.

        blocks : by type, (columns, rows)
        """
        self.stamp = tick()
        self._blocks, self._rows = blocks, rows
        self._data: dict[str, AnyArray] = {
            column.name: cells
            for dtype, block in blocks.items()
            for column, cells in zip(self._alike[dtype], block, strict=True)
        }
        self._views.clear()

    def __len__(self) -> int:
        return self._rows

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        """Return the column, read-only."""
        view = self._views.get(name)
        if view is None:
            view = self._data[name].view()
            view.flags.writeable = False
            self._views[name] = view
        return view

    def declared(self, name: str) -> Column | None:
        """Return the declaration of a column; None if there is no such column."""
        return self._declared.get(name)

    def ints(self, name: str) -> NDArray[np.int64 | np.int32]:
        """Return a column as integers, read-only."""
        return self[name]  # type: ignore[return-value]  # declared dtype

    def floats(self, name: str) -> NDArray[np.float64]:
        """Return a column as floating-point numbers, read-only."""
        return self[name]  # type: ignore[return-value]  # declared dtype

    def value(self, name: str, row: int) -> Value:
        """Return a cell as a Python number."""
        return self._data[name].item(row)  # type: ignore[no-any-return]  # declared dtype

    def integer(self, name: str, row: int) -> int:
        """Return a cell of an integer column."""
        return self._data[name].item(row)  # type: ignore[no-any-return]  # declared dtype

    def writable(self, name: str) -> AnyArray:
        """Return a writable column; only `emlia3d.battle.apply` may call it."""
        self.stamp = tick()
        return self._data[name]

    def append(self, row: Mapping[str, Value]) -> None:
        """Append a row to a list, with defaults for missing values; only for `apply`."""
        blocks = {}
        for dtype, alike in self._alike.items():
            cells = [[row.get(column.name, column.default)] for column in alike]
            blocks[dtype] = np.concatenate([self._blocks[dtype], _cells(dtype, cells)], axis=1)
        self._set_columns(blocks, self._rows + 1)

    def clear(self) -> None:
        """Remove all rows; only for `apply`."""
        self._set_columns({dtype: block[:, :0].copy() for dtype, block in self._blocks.items()}, 0)

    def replace(self, data: Mapping[str, AnyArray]) -> None:
        """Replace all columns from a key frame; only for `apply`."""
        lengths = {len(cells) for cells in data.values()}
        assert set(data) == set(self._data), "every column, and no other"
        assert len(lengths) <= 1, "columns of equal length"
        blocks = {
            dtype: _cells(dtype, [data[column.name] for column in alike])
            for dtype, alike in self._alike.items()
        }
        self._set_columns(blocks, lengths.pop() if lengths else self._rows)

    def become(self, other: Table, rows: NDArray[np.bool_] | slice = slice(None)) -> None:
        """Copy all rows from another table with the same columns.

        rows : (rows of the other,) the rows to copy
        """
        blocks = {dtype: block[:, rows].copy() for dtype, block in other._blocks.items()}
        taken = next((block.shape[1] for block in blocks.values()), len(other))
        self._set_columns(blocks, taken)

    def take(self, other: Table, rows: NDArray[np.intp] | slice = slice(None)) -> None:
        """Copy some rows from another table with the same columns and number of rows."""
        self.stamp = tick()
        for dtype, block in self._blocks.items():
            block[:, rows] = other._blocks[dtype][:, rows]

    def copy(self) -> Table:
        """Return an independent copy of the cells."""
        twin = Table(self.columns, 0)
        twin.become(self)
        return twin


_TICKS = count(1)


def tick() -> int:
    """Return a number that is higher than all earlier ones in this process.

    It is the stamp of a table after a change, and the clock of a battle's state. Two states that
    differ by their latest changes therefore never have a stamp in common.
    """
    return next(_TICKS)


def _cells(dtype: str, rows: Sequence[Sequence[Value] | AnyArray]) -> AnyArray:
    """Several columns of one type, one below the other, owned."""
    return np.array(rows, dtype=dtype)
