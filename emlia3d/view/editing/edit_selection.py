"""The selection in the editor: one table, or several that are moved and turned together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from emlia3d.view.editing.edit_drag import place_of
from emlia3d.view.editing.edit_shapes import outline_of_table
from emlia3d.view.editing.edited_scenario import Place, TableRef

GROUPED = ("unit", "terrain", "area")
"""Kinds of tables that can be selected together."""


class EditSelection:
    """The selected tables, in the order in which they were selected."""

    def __init__(self) -> None:
        self._tables: tuple[TableRef, ...] = ()

    @property
    def tables(self) -> tuple[TableRef, ...]:
        """All selected tables."""
        return self._tables

    @property
    def last(self) -> TableRef | None:
        """The table that was selected last; None without a selection."""
        return self._tables[-1] if self._tables else None

    @property
    def is_group(self) -> bool:
        """True if several tables are selected."""
        return len(self._tables) > 1

    def set(self, tables: Iterable[TableRef]) -> None:
        """Select these tables, and no others."""
        self._tables = tuple(dict.fromkeys(tables))

    def switch(self, table: TableRef) -> None:
        """Add a table, or remove it if it is selected."""
        rest = tuple(each for each in self._tables if each != table)
        self._tables = rest if table in self._tables else (*rest, table)


def inside_box(
    tables: Callable[[str], Iterable[Mapping[str, Any]]],
    corners: tuple[Place, Place],
    size: tuple[float, float],
) -> list[TableRef]:
    """Return the tables whose centres are in a rectangle between two corners, GSU.

    tables : returns the data of all tables of a kind
    size : of the field, GSU
    """
    (west, east), (south, north) = (sorted(pair) for pair in zip(*corners, strict=True))
    found = []
    for kind in GROUPED:
        for row, values in enumerate(tables(kind)):
            centre = place_of(values) if kind == "unit" else _centre(values, size)
            if centre is not None and west <= centre[0] <= east and south <= centre[1] <= north:
                found.append((kind, row))
    return found


def _centre(values: Mapping[str, Any], size: tuple[float, float]) -> Place | None:
    outline = outline_of_table(values, size)
    if outline is None:
        return None
    low, high = outline.min(axis=0), outline.max(axis=0)
    return float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2
