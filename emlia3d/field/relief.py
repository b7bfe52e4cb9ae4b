"""Generated ground: a row of landforms from a seed, laid on a field of any size."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np

from emlia3d.errors import cut, quoted
from emlia3d.field.curves import Place
from emlia3d.field.ground import MOST_CELLS, Ground, rows_and_columns
from emlia3d.field.landform import Channel, Fractal, Hills, Landform, Ridge, Valley

# Elevations on a binary grid: differences of them are exact.
_GRID_M = 1024

# Twice the longest field, and more metres than any mountain has.
_FARTHEST = 65_536

LANDFORMS: Mapping[str, type[Fractal | Ridge | Hills | Valley | Channel]] = MappingProxyType(
    {"fractal": Fractal, "ridge": Ridge, "hills": Hills, "valley": Valley, "channel": Channel}
)
"""The landforms by the word that a scenario has for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relief:
    """Generated ground for a field.

    parts : landforms, each on top of those before it
    cell : GSU between the centres of the raster
    """

    parts: tuple[Landform, ...]
    cell: float = 5.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.cell) and self.cell > 0):
            raise ValueError(f"cell is a number of GSU above 0, not {quoted(self.cell)}")

    def ground(self, size: tuple[float, float]) -> Ground:
        """Make the ground of a field of this size.

        Raises
        ------
        ValueError
            Cells so small that more than `MOST_CELLS` would be needed each way.
        """
        rows, columns = rows_and_columns(size, self.cell)
        if max(rows, columns) > MOST_CELLS:
            raise ValueError(f"cells of {self.cell:g} GSU are too small for this field")
        x = self.cell * (np.arange(columns, dtype=np.float64) + 0.5)
        y = size[1] - self.cell * (np.arange(rows, dtype=np.float64) + 0.5)
        place = Place(x[None, :], y[:, None], size, self.cell)
        elevation_m = np.zeros((rows, columns))
        for part in self.parts:
            elevation_m = part.shaped(elevation_m, place)
        grid = np.round(elevation_m * _GRID_M) / _GRID_M
        return Ground(elevation_m=grid, size=size, cell=self.cell)


def relief_of(table: Mapping[str, Any]) -> Relief:
    """The relief that a scenario's table describes.

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
    rest = dict(table)
    cell = _number("cell", rest.pop("cell", 5.0))
    channels = _tables("channel", rest.pop("channel", []))
    if "parts" in rest:
        tables = _tables("parts", rest.pop("parts"))
        seed = _whole("seed", rest.pop("seed", 0))
        _no_others(rest, ("cell", "channel", "parts", "seed"))
    else:
        tables, seed = [rest], 0
    parts = [_landform(part, seed + 32 * place) for place, part in enumerate(tables)]
    parts += [_landform({"kind": "channel", **channel}, 0) for channel in channels]
    return Relief(parts=tuple(parts), cell=cell)


def _landform(table: Mapping[str, Any], seed: int) -> Landform:
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in LANDFORMS:
        raise ValueError(f"kind of relief is one of {', '.join(LANDFORMS)}, not {quoted(kind)}")
    made = LANDFORMS[kind]
    known = [field.name for field in fields(made)]
    values = {key: value for key, value in table.items() if key != "kind"}
    _no_others({key: value for key, value in values.items() if key not in known}, known)
    if "seed" in known:
        values.setdefault("seed", seed)
    needed = {"line", "path", "hills"}.intersection(known).difference(values)
    if needed:
        raise ValueError(f"a {kind} wants {needed.pop()} = [[...], ...]")
    return made(**{key: _READERS.get(key, _number)(key, value) for key, value in values.items()})


def _no_others(others: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in others:
        near = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        raise ValueError(f"relief has no {cut(key)}; {hint}")


def _number(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{key} is a number, not {quoted(value)}")
    if isinstance(value, float) and math.isnan(value):
        raise ValueError(f"{key} is a number, not nan")
    if abs(value) > _FARTHEST:
        raise ValueError(f"{key} is a number from -{_FARTHEST} to {_FARTHEST}, not {value!r:.20}")
    return float(value)


def _whole(key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{key} is a whole number, not {quoted(value)}")
    return value


def _numbers(key: str, value: object) -> tuple[float, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key} is a list of numbers, not {quoted(value)}")
    return tuple(_number(key, figure) for figure in value)


def _rows(key: str, value: object) -> tuple[tuple[float, ...], ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key} is a list of points, not {quoted(value)}")
    return tuple(_numbers(key, row) for row in value)


def _lines(key: str, value: object) -> tuple[tuple[tuple[float, ...], ...], ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{key} is a list of lines, not {quoted(value)}")
    return tuple(_rows(key, line) for line in value)


def _tables(key: str, value: object) -> list[Mapping[str, Any]]:
    tables = [value] if isinstance(value, Mapping) else value
    if not isinstance(tables, list | tuple) or not all(isinstance(t, Mapping) for t in tables):
        raise ValueError(f"{key} is a table, or a list of tables, not {quoted(value)}")
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
