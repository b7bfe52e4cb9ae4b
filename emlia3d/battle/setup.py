"""What a battle is fought with and never changes: field, sides, units, the aims of each side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shapely import Polygon

from emlia3d.field import Field
from emlia3d.force.roster import Muster

Edge = Literal["north", "east", "south", "west"]
Lines = Edge | tuple[float, float]
"""A side's own lines: an edge of the field, or a point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a battle.

    colour : "#rrggbb"
    commander : who decides for it: "doctrine", "random" or another that the rule system knows
    allies : names of the sides that it does not fight
    """

    name: str
    colour: str
    commander: str = "doctrine"
    lines: Lines = "south"
    allies: tuple[str, ...] = ()
    objective: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnitSetup:
    """One unit as it starts.

    entry : what its rule system knows of it, validated; opaque to everyone else
    states : "prone", "taking cover"...
    outline : the boundary, where it starts, of a single body that is drawn rather than formed;
        None for a unit whose members' places make its boundary
    """

    muster: Muster
    entry: object
    kind: str
    states: tuple[str, ...] = ()
    outline: Polygon | None = None

    @property
    def name(self) -> str:
        """The unit's name."""
        return self.muster.name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Area:
    """A named place that can be held."""

    name: str
    outline: Polygon


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """A victory condition: what *side* must bring about, and how much of a victory it is.

    controls : an area that must be controlled
    gone : a side or unit of which nothing fit to fight may be left on the field
    turns : at how many turn ends running it must hold
    ends : whether it ends the battle when it holds, or is looked at when the battle is over
    """

    side: str
    level: str
    controls: str | None = None
    gone: str | None = None
    turns: int = 1
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setup:
    """All that is fixed about a battle but its seed and its orders.

    numbers : the figures of the rule system that a house rule may vary, as that system has them
    """

    title: str
    rules: str
    turns: int
    field: Field
    sides: tuple[Side, ...]
    units: tuple[UnitSetup, ...]
    numbers: object
    areas: tuple[Area, ...] = ()
    aims: tuple[Aim, ...] = ()

    def side_of(self, name: str) -> int:
        """The row of the side called *name*."""
        return next(row for row, side in enumerate(self.sides) if side.name == name)

    def unit_of(self, name: str) -> int:
        """The row of the unit called *name*; KeyError if there is none."""
        for row, unit in enumerate(self.units):
            if unit.name == name:
                return row
        raise KeyError(name)

    def area(self, name: str) -> Polygon:
        """The outline of the area, or else of the terrain feature, called *name*."""
        for area in self.areas:
            if area.name == name:
                return area.outline
        return self.field.feature_named(name).outline

    def hostile(self, side: int, other: int) -> bool:
        """Whether two sides fight each other."""
        mine, theirs = self.sides[side], self.sides[other]
        return side != other and theirs.name not in mine.allies and mine.name not in theirs.allies
