"""The fixed data of a battle: field, sides, units, victory conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import shapely
from shapely import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from emlia3d.field import Field
from emlia3d.force.roster import UnitDeployment

Edge = Literal["north", "east", "south", "west"]
Lines = Edge | tuple[float, float]
"""A side's own lines: an edge of the field, or a point."""

Outline = Polygon | MultiPolygon
"""Of an area, which may be in several pieces."""

# Places are on a grid; a place this far beyond the line is within it, GSU.
_SLACK = 1 / 256


def deployment_zone(areas: Sequence[Outline]) -> BaseGeometry:
    """Return the union of a side's deployment areas; a unit on its line is inside."""
    return shapely.union_all(areas).buffer(_SLACK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a battle.

    colour : "#rrggbb"
    commander : who decides for it: "doctrine", "random" or another that the rule system knows
    brigades : sections of its units that have a commander of their own, each with its name
    allies : names of the sides that it does not fight
    stance : "advance", or "hold": what the side has, it keeps, and goes no farther
    deploys : the areas, taken together, in which its units start; anywhere where empty
    general : the unit whose leader is its army general; the rule system chooses one if None
    game : its table ``game`` as the rule system's model has it; None without a model
    """

    name: str
    colour: str
    commander: str = "doctrine"
    brigades: tuple[tuple[str, str], ...] = ()
    lines: Lines = "south"
    allies: tuple[str, ...] = ()
    objective: str | None = None
    stance: Literal["advance", "hold"] = "advance"
    deploys: tuple[str, ...] = ()
    general: str | None = None
    game: object = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnitSetup:
    """A unit at its start.

    entry : its rule system's data, validated; opaque to all other code
    states : "prone", "taking cover"...
    outline : the starting boundary of a single body that is drawn rather than formed;
        None for a unit bounded by its members' positions
    lines : its own lines; None for its side's
    section : the part of its side's army in which it serves, from the largest down
    arrives : the turn at whose beginning it enters the field; 0 from the start
    placed : whether the scenario places it; otherwise it is off the field until the
        rule system puts it there (`emlia3d.battle.system.System.deploys`)
    leader : the row of the unit that leads it; -1 for none. Under systems that have leaders (see
        `emlia3d.battle.system.System.groups`) each unit of a group stands for itself
    """

    muster: UnitDeployment
    entry: object
    kind: str
    states: tuple[str, ...] = ()
    outline: Polygon | None = None
    lines: Lines | None = None
    section: tuple[str, ...] = ()
    arrives: int = 0
    placed: bool = True
    leader: int = -1

    @property
    def name(self) -> str:
        """The unit's name."""
        return self.muster.name

    @property
    def starts_in(self) -> Polygon:
        """Its boundary where it starts."""
        return self.outline or self.muster.boundary


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Area:
    """A named place that can be held."""

    name: str
    outline: Outline


@dataclass(frozen=True, slots=True, kw_only=True)
class VictoryCondition:
    """A victory condition: what *side* must achieve, and its level of victory.

    All given parts must hold together. Areas may also be terrain features.

    controls : areas that it must control, each of them
    denied : areas of which no enemy may control any
    conceded : areas that an enemy must control, each of them
    unguarded : areas in which no unit at all may be
    outnumbers : an area in which its enemies have fewer members than it has in areas it controls
    gone : a side or unit that must have no fit unit left on the field
    destroyed : a side or unit that must be destroyed
    cleared : a side that must have no unit left on the field, destroyed or not
    lost : a unit that must be destroyed or captured
    after : the turn after which it counts
    turns : number of turn ends in a row at which it must hold
    ends : whether it ends the battle when it holds, or counts when the battle is over
    """

    side: str
    level: str
    controls: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    conceded: tuple[str, ...] = ()
    unguarded: tuple[str, ...] = ()
    outnumbers: str | None = None
    gone: str | None = None
    destroyed: str | None = None
    cleared: str | None = None
    lost: str | None = None
    after: int = 0
    turns: int = 1
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Occurrence:
    """A scheduled event at the beginning of turns.

    turns : the turns of the event
    strike : a bombardment, in the rule system's form
    shakes : an area that trembles
    destroys : terrain features that it removes
    harms : a hazard for units near something, in the rule system's form; it does not happen
        by itself, but is active in these turns
    """

    name: str
    turns: tuple[int, ...]
    strike: object | None = None
    shakes: str | None = None
    destroys: tuple[str, ...] = ()
    harms: object | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewpoint:
    """A place, with a name, to look at the battle from: two spots, or a unit that is followed.

    eye, look_at : east and north in GSU, and height units above the ground there
    angle_deg : from the picture's lower edge to its upper; the usual one where None
    unit : over the shoulders of this unit's men, wherever they are
    """

    name: str
    eye: tuple[float, float, float] | None = None
    look_at: tuple[float, float, float] | None = None
    angle_deg: float | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setup:
    """The fixed data of a battle except its seed and its orders.

    numbers : the rule system's values that house rules may vary
    game : the table ``[game]`` as the rule system's model has it; None without a model
    """

    title: str
    rules: str
    turns: int
    field: Field
    sides: tuple[Side, ...]
    units: tuple[UnitSetup, ...]
    numbers: object
    areas: tuple[Area, ...] = ()
    aims: tuple[VictoryCondition, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    viewpoints: tuple[Viewpoint, ...] = ()
    game: object = None

    def side_of(self, name: str) -> int:
        """Return the row of the side called *name*."""
        return next(row for row, side in enumerate(self.sides) if side.name == name)

    def mustered_as(self, row: int) -> int:
        """Return the row of the unit that a row's figures began in: itself except for parts."""
        spare_for = self.units[row].muster.spare_for
        return row if spare_for < 0 else spare_for

    def section_of(self, row: int) -> str:
        """Return the section in which a unit serves, or the unit that it is a part of; "" for none.

        The largest, where sections have sections.
        """
        row = self.mustered_as(row)
        while self.units[row].muster.parent >= 0:
            row = self.units[row].muster.parent
        return self.units[row].section[0] if self.units[row].section else ""

    def leader_of(self, row: int) -> int:
        """Return the row of the unit that leads a unit: its own if none does."""
        leader = self.units[row].leader
        return row if leader < 0 else leader

    def followers_of(self, row: int) -> tuple[int, ...]:
        """Return the rows of the units that a unit leads, without its own."""
        return tuple(r for r, unit in enumerate(self.units) if unit.leader == row)

    def bodies_of(self, row: int) -> tuple[int, ...]:
        """Return the row of a unit, and the rows reserved for its parts."""
        spare = (r for r, unit in enumerate(self.units) if unit.muster.spare_for == row)
        return (row, *spare)

    def unit_of(self, name: str) -> int:
        """Return the row of the unit called *name*; KeyError if there is none."""
        for row, unit in enumerate(self.units):
            if unit.name == name:
                return row
        raise KeyError(name)

    def lines_of(self, unit: int) -> Lines:
        """Return the own lines of the unit in a row: those noted for it, or else its side's."""
        mine = self.units[unit]
        return self.sides[mine.muster.side].lines if mine.lines is None else mine.lines

    def area(self, name: str) -> Outline:
        """Return the outline of the area, or else of the terrain feature, called *name*."""
        for area in self.areas:
            if area.name == name:
                return area.outline
        return self.field.feature_named(name).outline

    def zone_of(self, side: int) -> BaseGeometry | None:
        """Return where the units of a side start; None if that is anywhere."""
        deploys = self.sides[side].deploys
        return deployment_zone([self.area(name) for name in deploys]) if deploys else None

    def hostile(self, side: int, other: int) -> bool:
        """Return whether two sides fight each other."""
        mine, theirs = self.sides[side], self.sides[other]
        return side != other and theirs.name not in mine.allies and mine.name not in theirs.allies

    def commanded(self, commanders: Mapping[str, str]) -> Setup:
        """Return the battle with these commanders for the sides with these names.

        A replaced commander also replaces the commanders of the side's brigades.
        """
        sides = (
            s
            if commanders.get(s.name, s.commander) == s.commander
            else replace(s, commander=commanders[s.name], brigades=())
            for s in self.sides
        )
        return replace(self, sides=tuple(sides))

    def swapped(self) -> Setup:
        """Return the battle with each side commanded by the commander of the next.

        The last side gets the commander of the first; of two sides they change places.
        """
        led = [side.commander for side in self.sides]
        return replace(
            self,
            sides=tuple(
                replace(side, commander=commander, brigades=())
                for side, commander in zip(self.sides, (*led[1:], *led[:1]), strict=True)
            ),
        )
