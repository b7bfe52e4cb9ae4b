"""Maps of a battle: figures that stood, were known to enemies and fell, by square of the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

SQUARES = 40
"""Squares along the longer side of the field."""

PlaceKind = Literal["stood", "seen", "fell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceCount:
    """Figures of a side in one square of the field.

    The longer side of the field has `SQUARES` squares.

    kind : "stood" on the field as a turn ended, "seen" (an enemy was aware of the unit as a turn
        ended) or "fell"; a figure counts once for each turn, at the centre of its unit
    column, row : column and row of the square from the south-west corner, from 0
    """

    side: str
    kind: PlaceKind
    column: int
    row: int
    figures: int


class PlaceCounter:
    """Counts figures by square."""

    def __init__(self, moment: Moment) -> None:
        self._setup = moment.setup
        self._square = max(moment.setup.field.size) / SQUARES
        self._grid = grid_of(moment.setup.field.size)
        self._figures: Counter[tuple[int, PlaceKind, int, int]] = Counter()

    def add(self, kind: PlaceKind, unit: int, figures: int, x: float, y: float) -> None:
        """Count *figures* of a unit at a place, GSU; a place off the field counts at its edge."""
        if not figures:
            return
        east, north = self._setup.field.size
        column = int(min(max(x, 0.0), east) / self._square)
        row = int(min(max(y, 0.0), north) / self._square)
        square = min(column, self._grid[0] - 1), min(row, self._grid[1] - 1)
        self._figures[self._setup.units[unit].muster.side, kind, *square] += figures

    def counts(self) -> Iterator[PlaceCount]:
        """Yield the counts by side, kind, row and column."""
        for (side, kind, column, row), figures in sorted(self._figures.items()):
            name = self._setup.sides[side].name
            yield PlaceCount(side=name, kind=kind, column=column, row=row, figures=figures)


def grid_of(size: tuple[float, float]) -> tuple[int, int]:
    """Return the number of columns and of rows of squares on a field of *size* GSU."""
    square = max(size) / SQUARES
    east, north = (max(-int(-length // square), 1) for length in size)
    return min(east, SQUARES), min(north, SQUARES)
