"""Units as discs and rectangles, for systems that measure from base to base.

A ranked unit is the rectangle of its ranks and files. A unit of one member is a disc. A unit of
several members that is not ranked, or has an outline of its own, is the rectangle that its ranks
and files would fill. `emlia3d.geometry.footprints` measures the shapes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from shapely import LinearRing

from emlia3d.battle.derived import Columns, Derived
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import Formation, FormationLayout, centre
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.footprints import (
    Contacts,
    Footprints,
    Part,
    chords,
    contacts,
    edge_gaps,
    footprints,
    lie_in_arcs,
)
from emlia3d.geometry.free_moves import NO_WALLS, FreeMove, Walls, free_moves

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.state import State
    from emlia3d.field import Field

Place = tuple[float, float]


@dataclass(frozen=True, eq=False)
class UnitFootprints:
    """Units on the field with their footprints. All methods identify units by their rows.

    units : (n,) int64, rows of the units on the field, ascending
    bodies : their footprints, in the same order
    """

    units: NDArray[np.int64]
    bodies: Footprints

    @cached_property
    def gaps(self) -> Floats:
        """(n, n) float64, GSU: gaps between the nearest edges of all units on the field."""
        return edge_gaps(self.bodies)

    @cached_property
    def contacts(self) -> Contacts:
        """Contacts of all units on the field, by their indices in `units`."""
        return contacts(self.bodies)

    def __contains__(self, unit: int) -> bool:
        return bool(np.isin(unit, self.units))

    def index(self, unit: int) -> int:
        """Return the index of a unit in `units`; raise KeyError if it is not on the field."""
        at = int(np.searchsorted(self.units, unit))
        if at == len(self.units) or self.units[at] != unit:
            raise KeyError(unit)
        return at

    def centre(self, unit: int) -> Place:
        """Return the centre of a unit's footprint, GSU."""
        x, y = self.bodies.columns[self.index(unit), :2].tolist()
        return x, y

    def gap(self, one: int, other: int) -> float:
        """Return the gap between two units, GSU; 0 if they touch or overlap."""
        found: float = self.gaps.item(self.index(one), self.index(other))
        return found

    def within(self, unit: int, distance: float) -> list[int]:
        """Return the other units within a distance of a unit, the nearest first."""
        at = self.index(unit)
        gaps = self.gaps[at]
        order = np.argsort(gaps, kind="stable")
        rows: list[int] = self.units[order[gaps[order] <= distance]].tolist()
        return [row for row in rows if row != unit]

    def touching(self, unit: int) -> list[int]:
        """Return the units that touch a unit, by row."""
        found: list[int] = self.units[self.contacts.of(self.index(unit))].tolist()
        return found

    def part_touched(self, unit: int, by: int) -> Part:
        """Return the side or corner of a unit that another unit touches."""
        return self.contacts.between(self.index(unit), self.index(by))

    def shared_edge(self, one: int, other: int) -> float:
        """Return the length of the edge that two units share, GSU."""
        found: float = self.contacts.edge.item(self.index(one), self.index(other))
        return found

    def crossed(self, start: Place, end: Place, ignored: Collection[int] = ()) -> list[int]:
        """Return the units that a straight line crosses, in their order along it.

        ignored : rows of units to ignore
        """
        enters = chords(self.bodies, [start], [end])[0, :, 0]
        order = np.argsort(enters, kind="stable")
        rows: list[int] = self.units[order[~np.isnan(enters[order])]].tolist()
        return [row for row in rows if row not in ignored]

    def in_arc(self, point: Place, left: Place, right: Place) -> dict[int, int]:
        """Return the units in an arc by row: 1 if partly inside, 2 if completely; no other units.

        point : apex of the arc, GSU
        left, right : directions of its borders, clockwise, at most 180 degrees apart
        """
        found = lie_in_arcs(self.bodies, [point], [left], [right])[0].tolist()
        return {unit: lies for unit, lies in zip(self.units.tolist(), found, strict=True) if lies}

    def free_moves(
        self,
        unit: int,
        ends: Sequence[Place],
        ignored: Iterable[int] = (),
        outlines: Walls = NO_WALLS,
    ) -> list[FreeMove]:
        """Return how far a unit can move straight to each point before it touches an obstacle.

        ends : points for its centre, GSU
        ignored : rows of units that it can pass through
        """
        at = self.index(unit)
        rows = {unit, *ignored}
        passed = [place for place, row in enumerate(self.units.tolist()) if row in rows]
        moves = np.asarray(ends, dtype=np.float64).reshape(-1, 2) - self.centre(unit)
        found = free_moves(self.bodies.take([at]), moves, self.bodies, passed, outlines)
        return [
            free if free.body is None else replace(free, body=int(self.units[free.body]))
            for free in found
        ]

    def with_unit_at(self, unit: int, place: Place, facing: int) -> UnitFootprints:
        """Return a copy with one unit at another position.

        place : its centre, GSU
        facing : 64ths of a degree
        """
        at = self.index(unit)
        columns = self.bodies.columns.copy()
        columns[at] = self.bodies.moved(at, *place, unit_vector(facing)).columns[0]
        columns.flags.writeable = False
        return UnitFootprints(self.units, Footprints(columns))


def footprint_of(drill: FormationLayout) -> tuple[float, float, float]:
    """Return the width, depth and radius of a unit's footprint, GSU."""
    if drill.count <= 1 and drill.formation is not Formation.RANKED:
        return 0.0, 0.0, max(drill.width, drill.depth) / 2
    return drill.frontage, drill.length, 0.0


def _standing(moment: Moment) -> UnitFootprints:
    state = moment.state
    rows = np.flatnonzero(state.units["present"] != 0)
    measured = [_measured(state, row) for row in rows.tolist()]
    columns = np.array(measured, dtype=np.float64).reshape(-1, 7)
    found = footprints(columns[:, :2], columns[:, 2:4], *columns[:, 4:].T)
    return UnitFootprints(rows, found)


def _measured(state: State, unit: int) -> tuple[float, ...]:
    units, drill = state.units, state.roster.drill(unit)
    facing = units.integer("facing", unit)
    x, y = centre(drill, float(units.value("x", unit)), float(units.value("y", unit)), facing)
    return (x, y, *unit_vector(facing), *footprint_of(drill))


standing_of = Derived(
    Columns("present", "x", "y", "facing", "formation", "members", "files", "width", "depth"),
    make=_standing,
)
"""The footprints of the units on the field, as a derived value: ``standing_of(moment)``."""


def edge_of(field: Field) -> LinearRing:
    """Return the edge of a field as a line that can end moves (`emlia3d.geometry.walls`)."""
    east, north = field.size
    return LinearRing([(0, 0), (east, 0), (east, north), (0, north)])
