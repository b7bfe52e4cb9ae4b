"""The knowledge that a side plans with: its units, the known enemies, and the places that count."""

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
"""GSU of rough ground on the way that a mounted unit rides over."""

_TOGETHER = 90.0
"""GSU from a unit of the brigade within which an enemy can be attacked together."""

_AROUND = 60.0
"""GSU from a place within which units take part in the fight for it."""

_TOO_MANY = 1.5
"""Times the worth of the side's own units at a place that the enemies may be worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """A place that decides a victory condition.

    worth : 1 for the lowest level of victory that it decides, one more for each higher level;
        the sum over all conditions that it decides
    takes : the side's own conditions ask for it; otherwise it is only to be denied to the enemy
    """

    name: str
    outline: BaseGeometry
    worth: float
    takes: bool

    def distance(self, body: UnitProfile) -> float:
        """Return how far the centre of a unit is from the place, GSU; 0 in it."""
        return float(self.outline.distance(Point(body.x, body.y)))

    def has(self, body: UnitProfile) -> bool:
        """Return whether a unit is in the place, if only in part."""
        return body.outline.intersects(self.outline)

    def holds(self, bodies: Sequence[UnitProfile]) -> bool:
        """Return whether most of some units have come to the place."""
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

    frame : looks the way in which the side fights
    holds : the side keeps what it has and goes no farther
    size : of the field, GSU
    rough : the areas that slow mounted units down
    places : every place that has a name
    stands : the plan of the turn before
    personality : that of the side's commander
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
        """The left, rear, right and front end of the field in the side's frame, GSU."""
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
        """The known enemies that neither retreat nor lead; if none stands, all but leaders."""
        fighting = tuple(foe for foe in self.foes if foe.role != "leader")
        return tuple(foe for foe in fighting if not foe.is_broken) or fighting

    def was_sent(self, body: UnitProfile, place: Objective) -> bool:
        """Return whether a unit was on its own way to a place in the turn before."""
        before = None if self.stands is None else self.stands.mission_of(body.unit)
        return before is not None and before.units == (body.unit,) and before.area == place.name

    def is_open(self, body: UnitProfile, x: float, y: float) -> bool:
        """Return whether cavalry can ride straight to a place: no own line nor rough ground."""
        way = LineString([(body.x, body.y), (x, y)])
        if way.intersection(self.rough).length > _ROUGH:
            return False
        return not intersects(self._lines, way).any()

    @cached_property
    def _lines(self) -> NDArray[np.object_]:
        """(n,) the outlines of the side's line, but for broken units."""
        line = [own for own in self.own if own.role == "line" and not own.is_broken]
        return np.array([own.outline for own in line], dtype=object)

    def agreed_target(
        self, bodies: Sequence[UnitProfile], place: Objective | None = None
    ) -> UnitProfile | None:
        """Return the enemy that a brigade attacks together; None if none is near enough.

        All shoot at it first. In the second half of the battle an enemy in the brigade's place
        comes first, then one in disorder or shaken, then the one that most of the brigade is near.
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
        """Return whether a place is the side's: it has a unit of the line there, the enemy none."""
        return any(
            own.role == "line" and not own.is_broken and place.has(own) for own in self.own
        ) and not any(map(place.has, self.foes))

    def is_strong_enough(self, body: UnitProfile, place: Objective) -> bool:
        """Return whether a unit and the friends at a place are strong enough for its enemies."""
        foes = sum(foe.worth for foe in self.standing if place.distance(foe) < _AROUND)
        friends = sum(
            own.worth
            for own in self.own
            if own.unit != body.unit and not own.is_broken and place.distance(own) < _AROUND
        )
        return foes <= _TOO_MANY * self.personality.boldness * (body.worth + friends)

    def have_met(self, bodies: Iterable[UnitProfile], within: float) -> bool:
        """Return whether a standing enemy is nearer to any of some units, by centres, GSU."""
        return any(body.apart(foe) < within for body in bodies for foe in self.standing)
