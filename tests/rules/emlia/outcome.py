"""What came of a procedure: the names of what happened."""

from __future__ import annotations

from collections.abc import Iterable

from emlia3d.battle.events import Event


def names(events: Iterable[Event]) -> list[str]:
    """The name of each event, in the order in which they happened."""
    return [event.name for event in events]
