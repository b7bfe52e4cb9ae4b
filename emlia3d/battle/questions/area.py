"""Viewsheds: the visibility of a figure at each of many points of a field."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Levels: TypeAlias = NDArray[np.uint8]

Progress: TypeAlias = Callable[[float], None]
"""Function called from time to time with the proportion of a query that is done."""

NONE, PARTIAL, TOTAL = 0, 1, 2
"""Concealment values in a raster."""

GROUND = "the ground"
"""The name of the ground among concealing bodies."""

# Tolerance, so that rounding alone never adds a last cell.
_ALIKE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Square cells over a field, row 0 northernmost, from its north-west corner.

    cell : cell size, GSU
    north : position of the field's northern edge, GSU; the western edge is at 0

    In the east and south the last cells may extend beyond the field.
    """

    rows: int
    columns: int
    cell: float
    north: float

    @classmethod
    def over(cls, size: tuple[float, float], cell: float) -> Grid:
        """Return the grid with this cell size that covers a field of this size."""
        columns, rows = (max(1, math.ceil(length / cell * (1 - _ALIKE))) for length in size)
        return cls(rows=rows, columns=columns, cell=cell, north=size[1])

    @property
    def spots(self) -> Floats:
        """(rows * columns, 2) float64: the centres, row by row from the north-west, GSU."""
        x = (np.arange(self.columns) + 0.5) * self.cell
        y = self.north - (np.arange(self.rows) + 0.5) * self.cell
        spots = np.empty((self.rows, self.columns, 2))
        spots[:, :, 0], spots[:, :, 1] = x, y[:, None]
        return spots.reshape(-1, 2)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Bounding box: west, south, east and north, GSU."""
        return 0.0, self.north - self.rows * self.cell, self.columns * self.cell, self.north


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """An observer of an area or, in reverse, a target seen from all of it.

    unit : the row of a unit; None for a single figure of height and size 1 at *place*
    place : x and y of that figure, GSU
    on_height : height of that figure's foot above the ground, height units
    """

    name: str
    unit: int | None = None
    place: tuple[float, float] = (0.0, 0.0)
    on_height: float = 0.0


class PointVisibility(NamedTuple):
    """The visibility of a figure at each of many points from one observer, or the reverse.

    levels : (n,) uint8, 0 for no concealment, 1 for partial, 2 for total
    because : slugs of rules, each with the number of points at which it decided
    hides : names of concealing bodies, each with its number of points
    """

    levels: Levels
    because: Counter[str]
    hides: Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SightArea:
    """The concealment of a figure at the centre of every cell from some observers.

    asked : the units, sides and positions as the query names them
    observers : the observers; with *reverse*, the targets seen from the cells
    rules : the rule system, or "true" for geometric sight
    height : height of the figure in the cells, height units; its size has the same value
    each : (observers, rows, columns) uint8, 0 for no concealment, 1 for partial, 2 for total
    because : slugs of deciding rules, most cells first
    hides : names of concealing bodies with their number of cells, most first
    text : the answer in one paragraph
    """

    asked: tuple[str, ...]
    observers: tuple[str, ...]
    rules: str
    height: float
    reverse: bool
    grid: Grid
    each: Levels
    because: tuple[str, ...]
    hides: tuple[tuple[str, int], ...]
    text: str

    @property
    def levels(self) -> Levels:
        """(rows, columns) uint8, the minimum concealment of each cell over all observers."""
        return np.asarray(self.each.min(axis=0), dtype=np.uint8)

    @property
    def counts(self) -> NDArray[np.int32]:
        """(rows, columns) int32, the number of observers that see anything in each cell."""
        return np.asarray((self.each < TOTAL).sum(axis=0), dtype=np.int32)

    def _repr_markdown_(self) -> str:
        """Return the form for a notebook: the answer in one paragraph."""
        return self.text

    @property
    def digest(self) -> str:
        """SHA-256 of the shape of *each* (int64, little-endian) and its bytes."""
        told = hashlib.sha256(np.array(self.each.shape, dtype="<i8").tobytes())
        told.update(np.ascontiguousarray(self.each).tobytes())
        return told.hexdigest()


def silent(_: float) -> None:
    """Ignore the progress."""


def cells_of(levels: Levels) -> tuple[int, int, int]:
    """Return the numbers of cells with no, partial and total concealment."""
    none, partial, total = np.bincount(levels.ravel(), minlength=3).tolist()
    return none, partial, total
