"""Checks of starting positions: on the field and without overlaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Point, Polygon

from emlia3d.field import Field
from emlia3d.geometry import outlines_within
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.toml_lines import Path

# Tolerance for rounding to the grid, GSU.
_SLACK = 1 / 256

# Tolerance for the overlap of two adjacent blocks, square GSU.
_TOUCH = 1 / 16


@dataclass(frozen=True, slots=True)
class _PlacedBody:
    """A unit at its starting position.

    solid : whether no other solid unit can overlap it, as for close and ranked formation
    """

    place: Path
    name: str
    outline: Polygon
    solid: bool


class StartingPlaces:
    """Checks of starting positions. Units of one row count as one, so an error is reported once.

    board : the field; None if it is invalid
    """

    def __init__(self, collector: ErrorCollector, board: Field | None) -> None:
        self._collector = collector
        self._board = board
        self._rows = collector.document.rows
        self._bodies: list[_PlacedBody] = []
        self._off: set[Path] = set()

    def check_on_field(self, spot: Path, name: str, shape: Polygon | Point) -> None:
        """Report a unit that is not completely on the field.

        spot : the key of its position
        """
        if self._board is None:
            return
        west, south, east, north = shape.bounds
        size = self._board.size
        if min(west, south) >= -_SLACK and east <= size[0] + _SLACK and north <= size[1] + _SLACK:
            return
        row = self._rows.get(spot[:2])
        if row is not None and row in self._off:
            return
        self._off.add(row or spot[:2])
        self._collector.wrong(
            spot,
            f"{name} reaches from [{west:g}, {south:g}] to [{east:g}, {north:g}], beyond "
            f"the field of {size[0]:g} x {size[1]:g} GSU; move it inside",
        )

    def add(self, place: Path, name: str, outline: Polygon, *, solid: bool) -> None:
        """Add a unit that is on the field from the start."""
        self._bodies.append(_PlacedBody(place, name, outline, solid))

    def check_apart(self) -> None:
        """Report every solid unit that overlaps another.

        A unit of a row must not overlap a solid unit, a unit of a row, or a single body.
        """
        if not self._bodies:
            return
        outlines = np.array([body.outline for body in self._bodies], dtype=object)
        noted: set[tuple[Path, Path]] = set()
        for one, other in np.transpose(outlines_within(outlines, 0.0).pairs()).tolist():
            mine, theirs = self._bodies[one], self._bodies[other]
            if one < other or not self._keep_apart(mine, theirs):
                continue
            shared = shapely.area(shapely.intersection(mine.outline, theirs.outline))
            pair = self._row_of(mine), self._row_of(theirs)
            if shared > _TOUCH and pair not in noted:
                noted.add(pair)
                told = f"{mine.name} stands on {theirs.name}; move one of them"
                self._collector.wrong((*mine.place, "at"), told)

    def _keep_apart(self, one: _PlacedBody, other: _PlacedBody) -> bool:
        of_row = one.place[:2] in self._rows or other.place[:2] in self._rows
        return of_row or (one.solid and other.solid)

    def _row_of(self, body: _PlacedBody) -> Path:
        return self._rows.get(body.place[:2], body.place[:2])
