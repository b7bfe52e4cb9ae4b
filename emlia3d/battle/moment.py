"""A moment of a battle: what is fixed, the state, and the values derived from both."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from emlia3d.battle.apply import apply_changes

if TYPE_CHECKING:
    from emlia3d.battle.changes import Change
    from emlia3d.battle.derived import Entry, Value
    from emlia3d.battle.setup import Setup
    from emlia3d.battle.state import State
    from emlia3d.battle.system import System


class Moment:
    """All data that rules and the view read.

    setup : fixed data
    system : the rules
    state : the present state
    derived : values computed from the two, by their `Derived`, `Rows` or `Each`
    """

    def __init__(self, setup: Setup, system: System, state: State) -> None:
        self.setup, self.system, self.state = setup, system, state
        self.derived: dict[Value[Any], Entry[Any]] = {}

    def fork(self) -> Self:
        """Return the same moment with a state of its own, to try something out in.

        Derived values are taken over; a change in one of the two moments leaves the other alone.
        """
        twin = copy.copy(self)
        twin.state = self.state.copy()
        twin.derived = {
            value: entry.forked(twin) for value, entry in self.derived.items() if value.forks
        }
        return twin

    def suppose(self, changes: Sequence[Change]) -> None:
        """Make changes in a fork, to see what follows from them; nothing is recorded.

        Raises ValueError before the first that does not fit the state as it is then.
        """
        apply_changes(self.state, changes)
