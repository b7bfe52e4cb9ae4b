"""Generated ground: a row of landforms from a seed, laid on a field of any size."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np

from emlia3d.errors import cut, quoted
from emlia3d.field.curves import CentreGrid
from emlia3d.field.ground import Ground
from emlia3d.field.landform import Fractal, Hills, Landform, Ridge, StreamBed, Valley
from emlia3d.field.resampling import MOST_CELLS, rows_and_columns

# Elevations on a binary grid: differences of them are exact.
_GRID_M = 1024

# Twice the longest field, and more metres than any mountain has.
_FARTHEST = 65_536

LANDFORMS: Mapping[str, type[Fractal | Ridge | Hills | Valley | StreamBed]] = MappingProxyType(
    {"fractal": Fractal, "ridge": Ridge, "hills": Hills, "valley": Valley, "channel": StreamBed}
)
"""The landforms by the word that a scenario has for them."""

_ALL_KEYS = sorted({field.name for made in LANDFORMS.values() for field in fields(made)})

# For keys that are missing or wrong, so that the others can be checked.
_STAND_INS: Mapping[str, Any] = MappingProxyType(
    {
        "line": ((0.0, 0.0), (1.0, 0.0)),
        "path": ((0.0, 0.0), (1.0, 0.0)),
        "hills": ((0.0, 0.0, 1.0, 1.0),),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relief:
    """Generated ground of a field.

    parts : landforms, each added to the ones before it
    cell : GSU between the centres of the raster
    """

    parts: tuple[Landform, ...]
    cell: float = 5.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.cell) and self.cell > 0):
            raise ValueError(f"cell: expected a number of GSU above 0, got {quoted(self.cell)}")

    def ground(self, size: tuple[float, float]) -> Ground:
        """Make the ground of a field of this size.

        Raises
        ------
        ValueError
            If the cells are so small that there would be more than `MOST_CELLS` in a direction.
        """
        rows, columns = rows_and_columns(size, self.cell)
        if max(rows, columns) > MOST_CELLS:
            raise ValueError(f"cells of {self.cell:g} GSU are too small for this field")
        x = self.cell * (np.arange(columns, dtype=np.float64) + 0.5)
        y = size[1] - self.cell * (np.arange(rows, dtype=np.float64) + 0.5)
        place = CentreGrid(x[None, :], y[:, None], size, self.cell)
        elevation_m = np.zeros((rows, columns))
        for part in self.parts:
            elevation_m = part.shaped(elevation_m, place)
        grid = np.round(elevation_m * _GRID_M) / _GRID_M
        return Ground(elevation_m=grid, size=size, cell=self.cell)


Fault = tuple[tuple[str | int, ...], str]
"""An error in a table of relief: the path of the key within the table, and what is wrong."""


def relief_of(table: Mapping[str, Any]) -> Relief:
    """Return the relief that a scenario's table describes.

    ``{kind = "ridge", line = [[x, y], ...], width = 120, ..., cell = 5}`` is one landform, whose
    other keys are the fields of its class; ``{parts = [{kind = ...}, ...], cell = 5}`` are
    several, each on top of those before it. ``channel = {path = [...], ...}``, or a list of
    such, is cut in last. A part without a seed of its own has one from the table's ``seed``.

    Raises
    ------
    ValueError
        An unknown key or kind, a key left out, or a value that does not fit; the message says
        which and what would be right.
    """
    faults: list[Fault] = []
    relief = _read(table, faults)
    if relief is None:
        raise ValueError(faults[0][1])
    return relief


def relief_faults(table: Mapping[str, Any]) -> list[Fault]:
    """Return all errors in a table of relief."""
    faults: list[Fault] = []
    _read(table, faults)
    return faults


def _read(table: Mapping[str, Any], faults: list[Fault]) -> Relief | None:
    """Read a table of relief; None, each error appended to *faults*, if it is wrong."""
    rest = dict(table)
    cell = _taken(rest, "cell", 5.0, _number, faults)
    channels = _taken(rest, "channel", [], _tables, faults) or []
    several = isinstance(rest.get("channel"), list)
    seed: int | None = 0
    if "parts" in rest:
        tables = _taken(rest, "parts", [], _tables, faults) or []
        seed = _taken(rest, "seed", 0, _whole, faults)
        known = ("cell", "channel", "parts", "seed")
        faults += _unknown({key for key in rest if key not in known}, rest, known, ())
        places: list[tuple[str | int, ...]] = [("parts", row) for row in range(len(tables))]
    else:
        tables, places = [{k: v for k, v in rest.items() if k not in {"cell", "channel"}}], [()]
    parts = [
        _landform(part, (seed or 0) + 32 * row, places[row], faults)
        for row, part in enumerate(tables)
    ]
    parts += [
        _landform(
            {"kind": "channel", **channel}, 0, ("channel", row) if several else ("channel",), faults
        )
        for row, channel in enumerate(channels)
    ]
    if faults or cell is None:
        return None
    try:
        return Relief(parts=tuple(part for part in parts if part is not None), cell=cell)
    except ValueError as fault:
        faults.append((("cell",), str(fault)))
        return None


def _taken(
    table: Mapping[str, Any],
    key: str,
    usual: Any,
    read: Callable[[str, object], Any],
    faults: list[Fault],
) -> Any:
    """Read one key of a table; None, and the error appended, if it is wrong."""
    try:
        return read(key, table.get(key, usual))
    except ValueError as fault:
        faults.append(((key,), str(fault)))
        return None


def _landform(
    table: Mapping[str, Any], seed: int, place: tuple[str | int, ...], faults: list[Fault]
) -> Landform | None:
    """Read one landform; None, each error appended to *faults*, if it is wrong."""
    kind = table.get("kind")
    known = _ALL_KEYS
    misspelt = kind is None and any(_nearest(key, ["kind"]) for key in table)
    if not misspelt and not (isinstance(kind, str) and kind in LANDFORMS):
        told = f"kind: expected one of {', '.join(LANDFORMS)}, got {quoted(kind)}"
        faults.append(((*place, "kind") if "kind" in table else place, told))
        kind = _nearest(str(kind), LANDFORMS)
    if kind is not None:
        known = [field.name for field in fields(LANDFORMS[kind])]
    others = {key for key in table if key not in {"kind", *known}}
    found = _unknown(others, table, known, place)
    values: dict[str, Any] = {}
    for key in table:
        if key in known:
            inner: list[Fault] = []
            values[key] = _taken(table, key, None, _READERS.get(key, _number), inner)
            found += [((*place, *path), told) for path, told in inner]
            if inner:
                del values[key]
    if kind is None:
        faults += found
        return None
    made = LANDFORMS[kind]
    for key in ("line", "path", "hills"):
        misspelt = any(_nearest(other, known) == key for other in others)
        if key in known and key not in table and not misspelt:
            found.append((place, f"a {kind} needs {key} = [[...], ...]"))
    if "seed" in known:
        values.setdefault("seed", seed)
    # Errors between values are found by leaving out one after another.
    whole = {key: _STAND_INS[key] for key in known if key in _STAND_INS} | values
    if "line" not in values:
        whole.pop("crest", None)
    while True:
        try:
            landform = made(**whole)
            break
        except ValueError as fault:
            told = str(fault)
        culprit = next(key for key in values if _error(kind, _without(whole, key)) != told)
        found.append(((*place, culprit), told))
        whole = _without(whole, culprit)
    faults += found
    return None if found else landform


def _nearest(word: str, known: Iterable[str]) -> str | None:
    return next(iter(difflib.get_close_matches(word, list(known), n=1)), None)


def _error(kind: str, values: Mapping[str, Any]) -> str:
    """Return what is wrong with a landform; "" if nothing is."""
    try:
        LANDFORMS[kind](**values)
    except ValueError as fault:
        return str(fault)
    return ""


def _without(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the values with a default in place of one."""
    rest = {name: value for name, value in values.items() if name != key}
    return {**rest, key: _STAND_INS[key]} if key in _STAND_INS else rest


def _unknown(
    others: set[str],
    table: Mapping[str, Any],
    known: Sequence[str],
    place: tuple[str | int, ...],
) -> list[Fault]:
    """Return an error for each key that is unknown, in the order of the table."""
    found: list[Fault] = []
    for key in table:
        if key in others:
            near = _nearest(key, known)
            hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}"
            found.append(((*place, key), f"relief has no {cut(key)}; {hint}"))
    return found


def _number(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{key}: expected a number, got {quoted(value)}")
    if isinstance(value, float) and math.isnan(value):
        raise ValueError(f"{key}: expected a number, got nan")
    if abs(value) > _FARTHEST:
        raise ValueError(
            f"{key}: expected a number from -{_FARTHEST} to {_FARTHEST}, got {value!r:.20}"
        )
    return float(value)


def _whole(key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{key}: expected a whole number, got {quoted(value)}")
    return value


def _numbers(key: str, value: object) -> tuple[float, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key}: expected a list of numbers, got {quoted(value)}")
    return tuple(_number(key, figure) for figure in value)


def _rows(key: str, value: object) -> tuple[tuple[float, ...], ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key}: expected a list of points, got {quoted(value)}")
    return tuple(_numbers(key, row) for row in value)


def _lines(key: str, value: object) -> tuple[tuple[tuple[float, ...], ...], ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key}: expected a list of lines, got {quoted(value)}")
    return tuple(_rows(key, line) for line in value)


def _tables(key: str, value: object) -> list[Mapping[str, Any]]:
    tables = [value] if isinstance(value, Mapping) else value
    if not isinstance(tables, list | tuple) or not all(isinstance(t, Mapping) for t in tables):
        raise ValueError(f"{key}: expected a table, or a list of tables, got {quoted(value)}")
    return list(tables)


_READERS: Mapping[str, Callable[[str, object], Any]] = MappingProxyType(
    {
        "seed": _whole,
        "line": _rows,
        "path": _rows,
        "hills": _rows,
        "spurs": _lines,
        "crest": _numbers,
    }
)
