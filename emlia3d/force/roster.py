"""The roster: figures and units in columns, as they are mustered for a battle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.force.formation import (
    FORMATIONS,
    Formation,
    FormationLayout,
    boundary,
    front_of,
    places,
)
from emlia3d.force.table import Column, Table


class FigureCondition(IntEnum):
    """The condition of a figure: standing, fallen, or off the field."""

    STANDING = 0
    FALLEN = 1
    GONE = 2


CORE_COLUMNS = (
    Column(table="figure", name="x", dtype="f8", label="east"),
    Column(table="figure", name="y", dtype="f8", label="north"),
    Column(table="figure", name="facing", dtype="i4", label="facing"),
    Column(table="figure", name="unit", dtype="i4", label="unit"),
    Column(table="figure", name="slot", dtype="i4", default=-1, label="place in the formation"),
    Column(table="figure", name="condition", dtype="u1", label="condition",
           words=tuple(condition.name.lower() for condition in FigureCondition)),
    Column(table="unit", name="side", label="side"),
    Column(table="unit", name="parent", default=-1, label="belongs to"),
    Column(table="unit", name="x", dtype="f8", label="front, east"),
    Column(table="unit", name="y", dtype="f8", label="front, north"),
    Column(table="unit", name="facing", label="facing"),
    Column(table="unit", name="formation", label="formation", words=FORMATIONS),
    Column(table="unit", name="files", default=1, label="files"),
    Column(table="unit", name="width", dtype="f8", default=1.0, label="room of a figure across"),
    Column(table="unit", name="depth", dtype="f8", default=1.0, label="room of a figure along"),
    Column(table="unit", name="on_height", dtype="f8", label="stands above the ground by"),
    Column(table="unit", name="first", label="first figure"),
    Column(table="unit", name="until", label="figure after the last"),
    Column(table="unit", name="strength", label="figures at the start"),
    Column(table="unit", name="members", label="members"),
    Column(table="unit", name="present", dtype="u1", default=1, label="on the field",
           words=("no", "yes")),
    Column(table="feature", name="height", dtype="f8", label="height"),
    Column(table="feature", name="present", dtype="u1", default=1, label="stands",
           words=("no", "yes")),
    Column(table="battle", name="turn", label="turn"),
)  # fmt: skip
"""Columns of every rule system: positions, formations, and which members still stand."""

CORE_UNIT_COLUMNS = frozenset(column.name for column in CORE_COLUMNS if column.table == "unit")
"""The columns of the unit table that every system has."""


Base: TypeAlias = Literal["none", "round", "square"]
"""Shape of a base; a square one is a rectangle if its room is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Troops:
    """Properties of a kind of troops that do not depend on the rule system.

    model : the model that the view draws
    width, depth : space of one figure across and along its facing, GSU
    base : base of each figure, as large as its space; "none" if it stands on the ground
    """

    model: str
    width: float
    depth: float
    base: Base = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDeployment:
    """A unit as deployed.

    at : centre of its boundary, GSU
    facing : 64ths of a degree
    parent : the row of the unit above it, -1 for none
    spare_for : for a row that is reserved for a part of another unit, the row of that unit. A
        reserved row has no members and is off the field until the unit divides. -1 for all other
        units
    """

    name: str
    side: int
    troops: Troops
    members: int
    at: tuple[float, float]
    facing: int
    formation: Formation
    files: int
    on_height: float = 0.0
    parent: int = -1
    spare_for: int = -1

    @property
    def drill(self) -> FormationLayout:
        """Layout of the unit."""
        return FormationLayout(
            formation=self.formation,
            count=self.members,
            files=self.files,
            width=self.troops.width,
            depth=self.troops.depth,
        )

    @property
    def boundary(self) -> Polygon:
        """Boundary of the unit at its start, GSU."""
        x, y = front_of(self.drill, *self.at, self.facing)
        return boundary(self.drill, x, y, self.facing)


class Roster:
    """The figure table and the unit table of a battle.

    The column "unit" of a figure is the row of its unit. The figures of a unit are within one range
    of rows, which can also contain figures of its divided parts.
    """

    def __init__(self, figures: Table, units: Table) -> None:
        self.figures = figures
        self.units = units

    @classmethod
    def muster(cls, musters: Sequence[UnitDeployment], columns: Iterable[Column]) -> Roster:
        """Return a roster with all units deployed at their starting positions."""
        declared = tuple(columns)
        total = sum(muster.members for muster in musters)
        figures = Table((c for c in declared if c.table == "figure"), total)
        units = Table((c for c in declared if c.table == "unit"), len(musters))
        first = 0
        for row, muster in enumerate(musters):
            drill = muster.drill
            x, y = front_of(drill, *muster.at, muster.facing)
            cells = {
                "side": muster.side, "parent": muster.parent, "x": x, "y": y,
                "facing": muster.facing, "formation": muster.formation, "files": muster.files,
                "width": drill.width, "depth": drill.depth, "on_height": muster.on_height,
                "first": first, "until": first + muster.members,
                "strength": muster.members, "members": muster.members,
                "present": muster.spare_for < 0,
            }  # fmt: skip
            for name, cell in cells.items():
                units.writable(name)[row] = cell
            span = slice(first, first + muster.members)
            spots = places(drill, x, y, muster.facing)
            figures.writable("x")[span] = spots[:, 0]
            figures.writable("y")[span] = spots[:, 1]
            figures.writable("facing")[span] = muster.facing
            figures.writable("unit")[span] = row
            figures.writable("slot")[span] = np.arange(muster.members)
            first += muster.members
        return cls(figures, units)

    def drill(self, unit: int) -> FormationLayout:
        """Return the current layout of a unit."""
        units = self.units
        return FormationLayout(
            formation=Formation(units.integer("formation", unit)),
            count=units.integer("members", unit),
            files=units.integer("files", unit),
            width=float(units.value("width", unit)),
            depth=float(units.value("depth", unit)),
        )

    def figures_of(self, unit: int) -> NDArray[np.intp]:
        """Return the rows of a unit's figures, ascending, including fallen and departed figures."""
        first, until = self.units.integer("first", unit), self.units.integer("until", unit)
        return first + np.flatnonzero(self.figures.ints("unit")[first:until] == unit)

    def standing(self, unit: int) -> NDArray[np.intp]:
        """Return the rows of a unit's standing figures, ascending."""
        own = self.figures_of(unit)
        stands: NDArray[np.bool_] = self.figures["condition"][own] == FigureCondition.STANDING
        return own[stands]

    def copy(self) -> Roster:
        """Return an independent copy."""
        return Roster(self.figures.copy(), self.units.copy())
