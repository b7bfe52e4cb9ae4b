"""Renaming of an object of a scenario and of all references to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from emlia3d.scenario.editing.table_text import changed, replaced, tables_of
from emlia3d.scenario.error_collector import NameReference

_KINDS: Mapping[str, tuple[str, ...]] = {
    "unit": ("unit", "side or unit"),
    "side": ("side", "side or unit"),
    "terrain": ("terrain", "area or terrain"),
    "area": ("area or terrain",),
}
"""The kinds of references to a table of each kind, as in errors."""


def renamed(text: str, kind: str, row: int, name: str, references: Iterable[NameReference]) -> str:
    """Return the text with another name for a table and in all references to it.

    The names of units in a row consist of the table's name and a number, so they change too.
    """
    table = tables_of(text).table((kind, row))
    others = _after(table, name)
    kinds = _KINDS.get(kind, ())
    sides = {side.get("name") for side in tables_of(text).document.data.get("side", ())}
    for each in references:
        # If a side and a unit have the same name, the side counts.
        is_side = kind == "unit" and each.kind == "side or unit" and each.name in sides
        if each.kind in kinds and each.name in others and not is_side:
            text = replaced(text, each.place, others[each.name])
    return changed(text, (kind, row), {"name": name})


def _after(table: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return the new names of a table's units, or of its object, by the old names."""
    before, row = table.get("name"), table.get("row")
    if not isinstance(before, str):
        return {}
    if isinstance(row, Mapping) and isinstance(row.get("count"), int):
        return {f"{before} {each}": f"{name} {each}" for each in range(1, row["count"] + 1)}
    return {before: name}
