"""A moment of a battle as one side knows it: without those whom nobody there is aware of."""

from __future__ import annotations

from collections.abc import Collection

from emlia3d.battle.apply import apply
from emlia3d.battle.changes import Leave
from emlia3d.battle.events import Event
from emlia3d.battle.state import State

_MOST_SIDES = 64


def veiled(state: State, hidden: Collection[int], side: int) -> State:
    """The state without the standing figures of those hidden from a side; itself without any.

    Those who have fallen lie in the open, and are left.
    """
    present = state.units["present"]
    gone = [row for row in sorted(hidden) if present[row]]
    if not gone:
        return state
    seen = state.copy()
    apply(seen, Event(name="unseen", changes=tuple(Leave(unit=row) for row in gone)))
    # What is worked out from this moment must not be taken for what any real one comes to.
    seen.clock = -(state.clock * _MOST_SIDES + side + 2)
    seen.stamps[gone] = seen.clock
    return seen
