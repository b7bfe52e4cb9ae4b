"""Events that the scenario schedules (`emlia.scenario.events`)."""

from __future__ import annotations

from emlia3d.battle.events import Facts, Point, Rolled
from emlia3d.battle.plain_values import Number, Whole


class Bombarded(Rolled, frozen=True, kw_only=True):
    """A bombardment lands.

    name : name of the scheduled event
    weapon : name of the weapon
    aimed_at : aiming point, GSU
    fell_at : centre of the circle that it hits, GSU
    coverage : diameter of that circle, GSU
    struck : names of the units that it hits
    """

    name: str
    weapon: str
    aimed_at: Point
    fell_at: Point
    coverage: Number
    struck: tuple[str, ...]


class Trembled(Facts, frozen=True, kw_only=True):
    """The ground trembles.

    name : name of the scheduled event
    faces : result of the die of each unit in the area
    thrown : names of the units that go prone
    """

    name: str
    faces: tuple[Whole, ...]
    thrown: tuple[str, ...]


class SweptAway(Facts, frozen=True, kw_only=True):
    """Terrain features are destroyed.

    name : name of the scheduled event
    features : names of the features
    """

    name: str
    features: tuple[str, ...]


class Harmed(Facts, frozen=True, kw_only=True):
    """A unit takes hits, because it ends its activation near a hazard.

    name : name of the scheduled event
    near : name of the area or terrain feature
    hits : number of hits
    """

    name: str
    near: str
    hits: Whole


class EventsOver(Facts, frozen=True):
    """All events scheduled for this turn have happened."""


EVENTS: tuple[type[Facts], ...] = (Bombarded, Trembled, SweptAway, Harmed, EventsOver)
"""The kinds of event of this module."""
