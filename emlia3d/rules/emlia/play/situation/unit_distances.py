"""Distances between units, each pair measured on first use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

Number = TypeVar("Number", bound=np.generic)


def with_room(known: NDArray[Number], rows: int, unknown: float) -> NDArray[Number]:
    """Return (rows, rows): the known distances of pairs, and *unknown* for pairs of later rows.

    known : (n, n), n <= rows
    """
    grown = np.full((rows, rows), unknown, dtype=known.dtype)
    grown[: len(known), : len(known)] = known
    return grown


class UnitDistances:
    """Distances between the nearest edges of units, GSU; kept until either changes.

    There is room for the rows that a battle begins with, and for another once a unit stands in it.
    """

    def __init__(self, rows: int) -> None:
        self._gaps = with_room(np.empty((0, 0)), rows, np.nan)

    def forked(self, battle: object) -> UnitDistances:
        """Return a copy that can be changed independently."""
        del battle
        twin = UnitDistances(0)
        twin._gaps = self._gaps.copy()
        return twin

    def forget(self, unit: int, *, is_there: bool) -> None:
        """Drop what was measured from and to a unit."""
        if is_there and unit >= len(self._gaps):
            self._gaps = with_room(self._gaps, unit + 1, np.nan)
        self._gaps[unit : unit + 1] = self._gaps[:, unit : unit + 1] = np.nan

    def between(self, a: int, b: int, outlines: Sequence[Polygon]) -> float:
        """Return the distance of two units, from the outlines of all."""
        found: float = self._gaps.item(a, b)
        if math.isnan(found):
            found = self._gaps[a, b] = float(shapely.distance(outlines[a], outlines[b]))
        return found

    def from_one(
        self, unit: int, others: Sequence[int], outlines: Sequence[Polygon]
    ) -> list[float]:
        """Return the distances from one unit to each of *others*."""
        kept, wanted = self._gaps[unit], np.asarray(others, dtype=np.intp)
        lacking = wanted[np.isnan(kept[wanted])]
        if len(lacking):
            far = [outlines[other] for other in lacking.tolist()]
            kept[lacking] = shapely.distance(outlines[unit], far)
        found: list[float] = kept[wanted].tolist()
        return found
