"""The kinds of event of Emlia: a record for each."""

from __future__ import annotations

from emlia3d.battle.events import Facts
from emlia3d.rulekit.commander.asking import Ordered, Planned
from emlia3d.rules.emlia.events import (
    awareness,
    combat,
    engagement,
    losses,
    movement,
    scheduled,
    turn,
)

EVENTS: tuple[type[Facts], ...] = (
    *turn.EVENTS,
    Ordered,
    Planned,
    *movement.EVENTS,
    *combat.EVENTS,
    *engagement.EVENTS,
    *losses.EVENTS,
    *awareness.EVENTS,
    *scheduled.EVENTS,
)
"""Every kind of event, in the order of the book's chapters."""


def feature_of(facts: Facts) -> str | None:
    """Return the name of the terrain feature that an event is about; None if it is about none."""
    feature: str | None = getattr(facts, "feature", None)
    return feature
