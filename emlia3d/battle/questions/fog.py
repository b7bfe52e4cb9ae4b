"""Fog of war: the part of a battle that is shown to one side."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec.structs import replace

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

SOMEBODY = "an unseen unit"


class Fog:
    """The log of a battle for one side, event by event."""

    def __init__(self, side: int) -> None:
        self._side = side
        self._hidden: frozenset[int] = frozenset()

    def tell(self, moment: Moment, event: Event) -> str:
        """Return the sentence of an event just applied; "" if the side does not learn of it."""
        text = moment.system.tell(moment, event)
        if not text or not concerns_others(moment.state, self._side, event):
            return text
        return redact(moment.setup, moment.state, self._side, self._hidden_now(moment), event, text)

    def _hidden_now(self, moment: Moment) -> frozenset[int]:
        """Return the hidden units, including units that left the field unseen."""
        now = frozenset(moment.system.hidden_from(moment, self._side))
        present = moment.state.units["present"]
        self._hidden = now | {row for row in self._hidden if not present[row]}
        return self._hidden


def concerns_others(state: State, side: int, event: Event) -> bool:
    """Return whether an event names units of other sides, or has no unit."""
    return any(own != side for own in _sides(state, event)) or event.unit is None


def as_seen(event: Event, hidden: Collection[int]) -> Event | None:
    """Return an event without its hidden actors; None if all actors are hidden.

    An event without a unit is unchanged. The result is also None if the target is hidden.
    """
    if event.target in hidden:
        return None
    seen = tuple(unit for unit in event.actors if unit not in hidden)
    if seen == event.actors:
        return event
    return replace(event, unit=seen[0], others=seen[1:]) if seen else None


def redact(
    setup: Setup, state: State, side: int, hidden: Collection[int], event: Event, text: str
) -> str:
    """Return the sentence of an event without hidden units; "" if the side does not learn of it.

    The sentence reports effects of hidden units on the side's own units, but not their names.
    """
    if not event.facts.are_known_to(setup.sides[side].name):
        return ""
    unseen = bool(event.actors) and all(unit in hidden for unit in event.actors)
    if unseen and side not in _sides(state, event):
        return ""
    if not hidden:
        return text
    secret = {setup.units[row].name for row in hidden}
    # A name may be a prefix of another, so the longest names come first.
    names = sorted((unit.name for unit in setup.units), key=len, reverse=True)
    return re.sub(
        "|".join(map(re.escape, names)),
        lambda found: SOMEBODY if found[0] in secret else found[0],
        text,
    )


def _sides(state: State, event: Event) -> list[int]:
    return [state.units.integer("side", row) for row in event.named]
