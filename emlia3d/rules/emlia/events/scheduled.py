"""Events that the scenario schedules (`emlia.scenario.events`)."""

from __future__ import annotations

from emlia3d.battle.events import Facts, Point, Rolled
from emlia3d.battle.plain_values import Number, Whole


class Bombarded(Rolled, frozen=True, kw_only=True):
    """A bombardment has come down.

    name : of the scheduled event
    weapon : by name
    aimed_at, fell_at : places on the field, GSU
    coverage : diameter of the circle that is struck, GSU
    struck : names of the units that it hits
    """

    name: str
    weapon: str
    aimed_at: Point
    fell_at: Point
    coverage: Number
    struck: tuple[str, ...]


class Trembled(Facts, frozen=True, kw_only=True):
    """The ground has trembled.

    name : of the scheduled event
    faces : a die for each unit in the area
    thrown : names of the units that are thrown down
    """

    name: str
    faces: tuple[Whole, ...]
    thrown: tuple[str, ...]


class SweptAway(Facts, frozen=True, kw_only=True):
    """Terrain features are gone.

    name : of the scheduled event
    features : their names
    """

    name: str
    features: tuple[str, ...]


class Harmed(Facts, frozen=True, kw_only=True):
    """A unit takes hits from what it ended its activation near to.

    name : of what harms it
    near : name of the area or terrain feature
    hits : how many
    """

    name: str
    near: str
    hits: Whole


class EventsOver(Facts, frozen=True):
    """All events scheduled for this turn have happened."""


EVENTS: tuple[type[Facts], ...] = (Bombarded, Trembled, SweptAway, Harmed, EventsOver)
"""The kinds of event of this module."""
