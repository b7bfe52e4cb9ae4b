"""What whoever sits at the window knows of the battle, at any step of it."""

from __future__ import annotations

from emlia3d.battle.events import Event
from emlia3d.battle.fog import concerns_others, veiled
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.orders.desk import Desk
from emlia3d.view.orders.veil import veiled as veiled_state
from emlia3d.view.referee import Referee
from emlia3d.view.window.timeline import Timeline


class Knowledge:
    """The fog over a battle, for the people at one table."""

    def __init__(self, setup: Setup, timeline: Timeline, referee: Referee, desk: Desk) -> None:
        self._setup = setup
        self._timeline = timeline
        self._referee = referee
        self._people = tuple(sorted(desk.game.people))
        self._hidden: dict[tuple[int | None, int], frozenset[int]] = {}
        self._moments: dict[tuple[int | None, int], State] = {}

    def moment(self, side: int | None, step: int) -> State:
        """The battle after a step as a side knows it; None for what all people know."""
        state, hidden = self._timeline.moment(step), self.hidden(side, step)
        if not hidden:
            return state
        key = side, step
        if key not in self._moments:
            # Two at most are asked for by turns: a step, and the one before it.
            self._moments = dict([*self._moments.items()][-1:])
            self._moments[key] = veiled_state(state, hidden, -1 if side is None else side)
        return self._moments[key]

    def hidden(self, side: int | None, step: int) -> frozenset[int]:
        """Units that a side was not aware of after a step."""
        key = side, step
        if key not in self._hidden:
            find = self._referee.hidden
            state = self._timeline.moment(step)
            sides = self._people if side is None else (side,)
            found = [] if find is None else [frozenset(find(each, state)) for each in sides]
            self._hidden[key] = frozenset().union(*found)
        return self._hidden[key]

    def told(self, side: int | None, step: int, event: Event, text: str) -> str:
        """A sentence about an event of a step as a side is told it; "" for none of its news."""
        state = self._timeline.moment(step)
        if not text or side is None or not concerns_others(state, side, event):
            return text
        # Whoever leaves the field is not on it any more to be found hidden.
        hidden = self.hidden(side, step) | self.hidden(side, max(step - 1, 0))
        return veiled(self._setup, state, side, hidden, event, text)

    def forget(self, steps: int) -> None:
        """All after so many steps is taken back."""
        self._moments = {}
        self._hidden = {key: units for key, units in self._hidden.items() if key[1] <= steps}
        if self._referee.forget is not None:
            self._referee.forget()
