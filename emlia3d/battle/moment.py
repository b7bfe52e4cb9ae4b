"""A moment of a battle: the setup, the state, and the values derived from both."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from emlia3d.battle.apply import apply_changes

if TYPE_CHECKING:
    from emlia3d.battle.changes import Change
    from emlia3d.battle.derived import CachedValue, Value
    from emlia3d.battle.setup import Setup
    from emlia3d.battle.state import State
    from emlia3d.battle.system import System


class Moment:
    """All data that rules and the view read.

    setup : data that do not change
    system : the rules
    state : the current state
    derived : cached values of setup and state, by their `Derived`, `Rows` or `Each`
    """

    def __init__(self, setup: Setup, system: System, state: State) -> None:
        self.setup, self.system, self.state = setup, system, state
        self.derived: dict[Value[Any], CachedValue[Any]] = {}

    def fork(self) -> Self:
        """Return a copy of the moment with its own state, for trials.

        It keeps derived values. A change in one of the two moments does not affect the other.
        """
        twin = copy.copy(self)
        twin.state = self.state.copy()
        twin.derived = {
            value: entry.forked(twin) for value, entry in self.derived.items() if value.forks
        }
        return twin

    def suppose(self, changes: Sequence[Change]) -> None:
        """Apply changes in a fork to examine their effects, without a record.

        Raises ValueError before the first change that does not fit the current state.
        """
        apply_changes(self.state, changes)
