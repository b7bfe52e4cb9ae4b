"""The knowledge from which a side plans: its units, known enemies and important positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, Point, intersects
from shapely.geometry.base import BaseGeometry

from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.personality import Personality
from emlia3d.rulekit.commander.plan import Plan
from emlia3d.rulekit.commander.unit_profile import UnitProfile

_ROUGH = 12.0
"""Length of rough ground that a mounted unit accepts on its way, GSU."""

_TOGETHER = 90.0
"""Distance from a unit of the brigade within which the brigade can agree on a target, GSU."""

_AROUND = 60.0
"""Distance from a position within which units take part in the fight for it, GSU."""

_LAST = 0.4
"""The last part of the battle, in which a side assaults positions, as a share of its turns."""

_SUPERIOR = 2.0
"""Ratio of the worth of fit units at a position to the enemy's that allows an assault."""

_TOO_MANY = 1.5
"""Maximum worth of the enemies at a position, relative to the side's own units there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """A position in a victory condition.

    worth : sum over all conditions that depend on it: 1 for the lowest level of victory, one more
        for each higher level
    takes : whether the side must hold it; otherwise it must only deny it to the enemy
    """

    name: str
    outline: BaseGeometry
    worth: float
    takes: bool

    def distance(self, body: UnitProfile) -> float:
        """Return the distance of a unit's centre from the position, GSU; 0 inside."""
        return float(self.outline.distance(Point(body.x, body.y)))

    def has(self, body: UnitProfile) -> bool:
        """Return whether a unit is at least partly in the position."""
        return body.outline.intersects(self.outline)

    def holds(self, bodies: Sequence[UnitProfile]) -> bool:
        """Return whether most of some units are at the position."""
        near = sum(self.distance(body) <= body.depth for body in bodies)
        return 2 * near >= len(bodies)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brigade:
    """Units that have one mission."""

    name: str
    units: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """Knowledge of a side at the beginning of a turn.

    frame : in the direction in which the side fights
    holds : whether the side only holds its positions
    size : of the field, GSU
    rough : the areas that slow mounted units down
    places : all named positions
    stands : the plan of the previous turn
    personality : of the side's commander
    """

    own: tuple[UnitProfile, ...]
    foes: tuple[UnitProfile, ...]
    brigades: tuple[Brigade, ...]
    objectives: tuple[Objective, ...]
    frame: Frame
    turn: int
    turns: int
    holds: bool
    size: tuple[float, float]
    rough: BaseGeometry
    places: Mapping[str, BaseGeometry]
    stands: Plan | None = None
    personality: Personality = field(default_factory=Personality)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The left, rear, right and front bounds of the field in the side's frame, GSU."""
        return self.frame.bounds(0.0, 0.0, *self.size)

    @cached_property
    def by_unit(self) -> dict[int, UnitProfile]:
        """The side's units by row."""
        return {body.unit: body for body in self.own}

    @cached_property
    def brigade_of(self) -> dict[int, str]:
        """The name of each unit's brigade."""
        return {unit: each.name for each in self.brigades for unit in each.units}

    @cached_property
    def standing(self) -> tuple[UnitProfile, ...]:
        """The known enemies that do not retreat, without leaders; if all retreat, all of them."""
        fighting = tuple(foe for foe in self.foes if foe.role != "leader")
        return tuple(foe for foe in fighting if not foe.is_broken) or fighting

    def was_sent(self, body: UnitProfile, place: Objective) -> bool:
        """Return whether the previous plan sent a unit to a position on its own."""
        before = None if self.stands is None else self.stands.mission_of(body.unit)
        return before is not None and before.units == (body.unit,) and before.area == place.name

    def is_open(self, body: UnitProfile, x: float, y: float) -> bool:
        """Return whether neither friends in line nor rough ground block cavalry's straight way."""
        way = LineString([(body.x, body.y), (x, y)])
        if way.intersection(self.rough).length > _ROUGH:
            return False
        return not intersects(self._lines, way).any()

    @cached_property
    def _lines(self) -> NDArray[np.object_]:
        """(n,) outlines of the side's units in line, without broken units."""
        line = [own for own in self.own if own.role == "line" and not own.is_broken]
        return np.array([own.outline for own in line], dtype=object)

    def agreed_target(
        self, bodies: Sequence[UnitProfile], place: Objective | None = None
    ) -> UnitProfile | None:
        """Return the enemy that a brigade attacks together; None if none is near enough.

        All units shoot at it first. In the second half of the battle, an enemy in the brigade's
        position has priority, then a disordered or shaken one, then the one nearest to most of the
        brigade.
        """
        clears = place if 2 * self.turn > self.turns else None

        def away(foe: UnitProfile) -> float:
            return sum(body.apart(foe) for body in bodies) / len(bodies)

        near = [
            foe
            for foe in self.standing
            if foe.role == "line" and any(body.apart(foe) < _TOGETHER for body in bodies)
        ]

        def rank(foe: UnitProfile) -> tuple[bool, bool, float, int]:
            is_in = clears is not None and clears.has(foe)
            return not is_in, foe.is_fit, away(foe), foe.unit

        return min(near, key=rank, default=None)

    def is_kept(self, place: Objective) -> bool:
        """Return whether the side has a unit of the line at a position and the enemy has none."""
        return any(
            own.role == "line" and not own.is_broken and place.has(own) for own in self.own
        ) and not any(map(place.has, self.foes))

    def should_assault(self, place: Objective) -> bool:
        """Return whether to assault the enemies at a position rather than shoot at them.

        This is so if little time is left, or if the fit units nearby outweigh the enemy's.
        """
        bold = self.personality.boldness
        if self.turn > self.turns * (1 - _LAST * bold):
            return True
        own, foes = (
            [body for body in bodies if place.distance(body) < _AROUND]
            for bodies in (self.own, self.standing)
        )
        return bool(foes) and _weight(own) > _SUPERIOR / bold * _weight(foes)

    def is_strong_enough(self, body: UnitProfile, place: Objective) -> bool:
        """Return whether a unit and friends at a position can face the enemies there."""
        foes = sum(foe.worth for foe in self.standing if place.distance(foe) < _AROUND)
        friends = sum(
            own.worth
            for own in self.own
            if own.unit != body.unit and not own.is_broken and place.distance(own) < _AROUND
        )
        return foes <= _TOO_MANY * self.personality.boldness * (body.worth + friends)

    def have_met(self, bodies: Iterable[UnitProfile], within: float) -> bool:
        """Return whether a standing enemy is within a distance of some units, by centres, GSU."""
        return any(body.apart(foe) < within for body in bodies for foe in self.standing)


def _weight(bodies: Iterable[UnitProfile]) -> float:
    """Return the total worth of the fit units, without leaders."""
    return sum(body.worth for body in bodies if body.is_fit and body.role != "leader")
