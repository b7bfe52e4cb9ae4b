"""What came of a procedure: what happened, by its name, who is hit, and where a unit stands now."""

from __future__ import annotations

from collections.abc import Iterable

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.play.situation.pose import pose_of


def names(events: Iterable[Event]) -> list[str]:
    """The name of each event, in the order in which they happened."""
    return [event.name for event in events]


def told(events: Iterable[Event], name: str) -> list[Event]:
    """The events of one name."""
    return [event for event in events if event.name == name]


def markers(battle: Battle, *columns: str) -> list[tuple[int, ...]]:
    """These columns of each hit marker, in the order in which they were laid."""
    rows = battle.state.lists["marker"]
    return list(zip(*(rows[column].tolist() for column in columns), strict=True))


def spot(battle: Battle, unit: int) -> tuple[float, float]:
    """The middle of a unit's front line, GSU."""
    pose = pose_of(battle, unit)
    return pose.x, pose.y
