"""The viewer's knowledge of the battle, at any step."""

from __future__ import annotations

import numpy as np

from emlia3d.battle.events import Event
from emlia3d.battle.questions.fog import as_seen, concerns_others, redact
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.rules import Rules
from emlia3d.view.session.timeline import Timeline

_MOST_KEPT = 2
"""Moments that are asked for by turns: a step, and the one before it."""


class ViewerKnowledge:
    """The fog over a battle, as a side at the window sees through it."""

    def __init__(self, setup: Setup, timeline: Timeline, rules: Rules, side: int) -> None:
        self._setup = setup
        self._timeline = timeline
        self._rules = rules
        self.side = side
        self._moments: dict[int, State] = {}
        self._hidden: dict[int, frozenset[int]] = {}
        self.forget()

    def moment(self, step: int) -> State:
        """Return the battle after a step as the side knows it."""
        if step not in self._moments:
            true = self._timeline.moment(step)
            state = self._rules.known(self.side, true)
            self._hidden[step] = _missing(true, state)
            self._moments = dict([*self._moments.items()][1 - _MOST_KEPT :])
            self._moments[step] = state
        return self._moments[step]

    def hidden(self, step: int) -> frozenset[int]:
        """Units that the side was not aware of after a step."""
        if step not in self._hidden:
            self.moment(step)
        return self._hidden[step]

    def seen(self, step: int) -> tuple[Event, ...]:
        """Return the events of a step without events that concern only unknown units."""
        events, hidden = self._timeline.events(step), self.hidden(step)
        seen = (as_seen(event, hidden) for event in events)
        return tuple(event for event in seen if event is not None)

    def as_shown(self, step: int, event: Event, text: str) -> str:
        """Return the sentence of an event as the side is shown it; "" if it is no news for it."""
        state = self._timeline.moment(step)
        if not text or not concerns_others(state, self.side, event):
            return text
        # A unit that leaves the field can no longer be found hidden.
        hidden = self.hidden(step) | self.hidden(max(step - 1, 0))
        return redact(self._setup, self._timeline.moment(step), self.side, hidden, event, text)

    def forget(self) -> None:
        """Discard the results, because the course of the battle has changed."""
        self._moments, self._hidden = {}, {}
        self._rules.look_through(self.side)


def _missing(true: State, known: State) -> frozenset[int]:
    """Units that are on the field, and not in what is known of it."""
    gone = (true.units["present"] != 0) & (known.units["present"] == 0)
    return frozenset(int(row) for row in np.flatnonzero(gone))
