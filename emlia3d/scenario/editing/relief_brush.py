"""Editing of generated ground: raise and lower it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from emlia3d.errors import Error
from emlia3d.scenario.editing.table_text import TableText, changed, inserted

_PARTS = ("field", "relief", "parts")
_OF_ALL = ("cell", "channel")
"""Keys of a whole relief; other keys of a table with a kind belong to its landform."""


def raised(text: str, at: tuple[float, float], radius: float, height_m: float) -> str:
    """Return the text with the generated ground raised around a point.

    radius : of the foot of the hill, GSU
    height_m : of its top; negative for a hollow

    Raises
    ------
    Error
        The ground is from a file, or the file has its parts as one value.
    """
    text = _with_parts(text)
    tables = TableText(text)
    last = tables.last_of(_PARTS)
    place = [round(figure, 2) for figure in (*at, radius)]
    part = {} if last is None else tables.table(last)
    if last is None or part.get("kind") != "hills" or part.get("wander") != 0:
        new = {"kind": "hills", "wander": 0, "hills": [[*place, height_m]]}
        return inserted(text, _PARTS, new)
    hills = [list(hill) for hill in part["hills"]]
    for hill in hills:
        if hill[:3] == place:
            hill[3] += height_m
            break
    else:
        hills.append([*place, height_m])
    return changed(text, last, {"hills": hills})


def _with_parts(text: str) -> str:
    """Return the text with the same relief as a list of parts."""
    tables = TableText(text)
    field = tables.table(("field",))
    relief = field.get("relief")
    if "ground" in field:
        raise Error("this ground is from a file; only generated ground can be raised or lowered")
    if relief is None or tables.last_of(_PARTS) is not None:
        return text
    if not isinstance(relief, Mapping) or "parts" in relief:
        raise Error("the parts of this relief are one value; write them as [[field.relief.parts]]")
    whole = {key: relief[key] for key in _OF_ALL if key in relief}
    if not _has_header(tables):
        text = changed(text, ("field",), {"relief": None})
        landform = {key: value for key, value in relief.items() if key not in whole}
        text = _after_field(text, whole)
        return inserted(text, _PARTS, landform) if "kind" in landform else text
    if "kind" not in relief:
        return text
    inner = {key: None for key in whole if ("field", "relief", key, 0) not in _headers(tables)}
    text = changed(text, ("field", "relief"), inner)
    tables = TableText(text)
    first, _ = tables.own_lines(("field", "relief"))
    head = re.sub(r"\[\s*(.+?)\s*\]", r"[[\1.parts]]", tables.lines[first], count=1)
    text = tables.spliced(first, first + 1, ["[field.relief]", "", head])
    return changed(text, ("field", "relief"), {key: whole[key] for key in inner})


def _has_header(tables: TableText) -> bool:
    try:
        tables.table(("field", "relief"))
    except Error:
        return False
    return True


def _headers(tables: TableText) -> set[tuple[str | int, ...]]:
    """Return the first table of each array of tables with headers inside the relief."""
    last = tables.last_of(("field", "relief", "channel"))
    return set() if last is None else {(*last[:-1], 0)}


def _after_field(text: str, whole: Mapping[str, object]) -> str:
    """Return the text with a table ``[field.relief]`` below ``[field]``."""
    tables = TableText(text)
    _, end = tables.own_lines(("field",))
    text = tables.spliced(end, end, ["", "[field.relief]"])
    return changed(text, ("field", "relief"), whole)
