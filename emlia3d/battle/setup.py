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
"""The outline of an area, which may consist of several pieces."""

# Positions are on a grid, so a position this far outside an area still counts as inside, GSU.
_SLACK = 1 / 256


def deployment_zone(areas: Sequence[Outline]) -> BaseGeometry:
    """Return the union of a side's deployment areas; a unit on its edge is inside."""
    return shapely.union_all(areas).buffer(_SLACK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a battle.

    colour : "#rrggbb"
    commander : "doctrine", "random", another AI of the rule system, or a commander of other code
        (`emlia3d.battle.exchange.naming`)
    brigades : (section, AI) for each section of its units with its own commander
    allies : names of the sides that it does not fight
    stance : "advance", or "hold" to keep its ground without an advance
    deploys : the areas whose union its units start in; () for anywhere
    general : the unit whose leader is its army general; None lets the rule system choose
    game : its table ``game``, read by the rule system's model; None without a model
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
    outline : the drawn starting boundary of a single body; None for a unit whose boundary results
        from its members' positions
    lines : its own lines; None for its side's
    section : the sections of its side's army in which it serves, from the largest down
    arrives : the turn at whose beginning it enters the field; 0 if it starts there
    placed : whether the scenario places it; otherwise it is off the field until the
        rule system places it (`emlia3d.battle.system.System.deploys`)
    leader : the row of the unit that leads it; -1 for none. In systems with leaders (see
        `emlia3d.battle.system.System.groups`) each unit of a group is independent
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
        """The unit's boundary at its start."""
        return self.outline or self.muster.boundary


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Area:
    """A named area that a side can control."""

    name: str
    outline: Outline


@dataclass(frozen=True, slots=True, kw_only=True)
class VictoryCondition:
    """A victory condition: what *side* must achieve, and its level of victory.

    All given parts must hold at the same time. A terrain feature may serve as an area.

    controls : areas that the side must control, all of them
    denied : areas of which no enemy may control any
    conceded : areas that an enemy must control, all of them
    unguarded : areas that must contain no unit of any side
    outnumbers : an area in which the enemies must have fewer members than the side has in areas
        that it controls
    gone : a side or unit that must have no fit unit left on the field
    destroyed : a side or unit that must be destroyed
    cleared : a side that must have no unit left on the field, destroyed or not
    lost : a unit that must be destroyed or captured
    after : the turn after which the condition counts
    turns : number of consecutive turn ends at which it must hold
    ends : whether it ends the battle as soon as it holds; otherwise it counts when the battle is
        over
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

    turns : turns in which it happens
    strike : a bombardment, in the rule system's form
    shakes : an area that trembles
    destroys : terrain features that it removes
    harms : a hazard for units near something, in the rule system's form; it is active in these
        turns but does not happen by itself
    """

    name: str
    turns: tuple[int, ...]
    strike: object | None = None
    shakes: str | None = None
    destroys: tuple[str, ...] = ()
    harms: object | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewpoint:
    """A named camera position: two points, or a unit to follow.

    eye, look_at : east and north in GSU, and height units above the ground there
    angle_deg : vertical field of view; None for the default
    unit : the unit that the camera follows, over its members' shoulders
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
    game : the table ``[game]``, read by the rule system's model; None without a model
    time_limit_s : seconds that a commander of other code has for each answer
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
    time_limit_s: float = 10.0

    def side_of(self, name: str) -> int:
        """Return the row of the side called *name*."""
        return next(row for row, side in enumerate(self.sides) if side.name == name)

    def deployed_as(self, row: int) -> int:
        """Return the row in which a unit's figures mustered; for a part, that of the whole unit."""
        spare_for = self.units[row].muster.spare_for
        return row if spare_for < 0 else spare_for

    def section_of(self, row: int) -> str:
        """Return the largest section in which a unit serves; "" for none.

        For a part of a unit, return the section of the whole unit.
        """
        row = self.deployed_as(row)
        while self.units[row].muster.parent >= 0:
            row = self.units[row].muster.parent
        return self.units[row].section[0] if self.units[row].section else ""

    def leader_of(self, row: int) -> int:
        """Return the row of the unit that leads a unit: its own if none does."""
        leader = self.units[row].leader
        return row if leader < 0 else leader

    def followers_of(self, row: int) -> tuple[int, ...]:
        """Return the rows of the units that a unit leads, except its own."""
        return tuple(r for r, unit in enumerate(self.units) if unit.leader == row)

    def bodies_of(self, row: int) -> tuple[int, ...]:
        """Return the row of a unit, and the rows reserved for its parts."""
        spare = (r for r, unit in enumerate(self.units) if unit.muster.spare_for == row)
        return (row, *spare)

    def unit_of(self, name: str) -> int:
        """Return the row of the unit called *name*; raise KeyError if there is none."""
        for row, unit in enumerate(self.units):
            if unit.name == name:
                return row
        raise KeyError(name)

    def lines_of(self, unit: int) -> Lines:
        """Return the own lines of a unit, which are by default its side's."""
        mine = self.units[unit]
        return self.sides[mine.muster.side].lines if mine.lines is None else mine.lines

    def area(self, name: str) -> Outline:
        """Return the outline of the area or terrain feature called *name*; an area comes first."""
        for area in self.areas:
            if area.name == name:
                return area.outline
        return self.field.feature_named(name).outline

    def zone_of(self, side: int) -> BaseGeometry | None:
        """Return the zone in which the units of a side start; None for anywhere."""
        deploys = self.sides[side].deploys
        return deployment_zone([self.area(name) for name in deploys]) if deploys else None

    def hostile(self, side: int, other: int) -> bool:
        """Return whether two sides fight each other."""
        mine, theirs = self.sides[side], self.sides[other]
        return side != other and theirs.name not in mine.allies and mine.name not in theirs.allies

    def with_commanders(self, commanders: Mapping[str, str]) -> Setup:
        """Return a copy with these commanders, by the names of their sides.

        A new commander of a side also replaces the commanders of its brigades.
        """
        sides = (
            s
            if commanders.get(s.name, s.commander) == s.commander
            else replace(s, commander=commanders[s.name], brigades=())
            for s in self.sides
        )
        return replace(self, sides=tuple(sides))

    def with_sides_swapped(self) -> Setup:
        """Return a copy in which each side has the commander of the next side.

        The last side gets the commander of the first, so two sides swap commanders.
        """
        led = [side.commander for side in self.sides]
        return replace(
            self,
            sides=tuple(
                replace(side, commander=commander, brigades=())
                for side, commander in zip(self.sides, (*led[1:], *led[:1]), strict=True)
            ),
        )
