"""A battle at any moment: folded from its events, without its rules.

A battle is seen in *steps*. A step is an event together with those after it that are part of
it; nothing is ever shown between the parts. Step 0 is the battle before the first event.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from emlia3d.battle.apply import apply
from emlia3d.battle.events import Event
from emlia3d.battle.state import State

MOST_CHECKPOINTS = 48
"""A state of 100,000 figures is about 6 MB, so these are some 300 MB."""


class Timeline:
    """The events so far, and the state after each step.

    A battle that is still being played is appended with `extend`; its last step is not there
    to be seen before it is complete: when the next one begins, at `pause` or `close`.

    count : of the events so far
    halted : whether nothing more happens before a player answers, or ever
    """

    def __init__(self, start: State, events: Iterable[Event] = (), every: int = 64) -> None:
        """Begin with a copy of *start*; store a state every *every* steps."""
        self._every = every
        self._steps: list[list[Event]] = []
        self._whole = 0
        self._turn_starts: list[int] = []
        self._checkpoints = {0: start.copy()}
        self._head = start.copy()
        self._shown, self._shown_at = start.copy(), 0
        self._turn = start.turn
        self.count = 0
        self.closed = False
        self.halted = False
        for event in events:
            self.extend(event)

    def __len__(self) -> int:
        """Return how many whole steps there are."""
        return self._whole

    @property
    def turn_starts(self) -> tuple[int, ...]:
        """The step that begins each turn, in order."""
        return tuple(self._turn_starts)

    def extend(self, event: Event) -> None:
        """One more event happened."""
        assert not self.closed, "a battle that is over goes on no longer"
        self.count += 1
        self.halted = False
        if event.part_of_last and self._whole < len(self._steps):
            self._steps[-1].append(event)
            return
        self._settle()
        self._steps.append([event])

    def pause(self) -> None:
        """Show the last step as it is, because the battle waits for a player."""
        self._settle()
        self.halted = True

    def close(self) -> None:
        """Complete the last step, because the battle is over."""
        self._settle()
        self.closed = self.halted = True

    def cut(self, events: int) -> None:
        """Undo all but the first *events* events; the battle goes on from there."""
        kept: list[list[Event]] = []
        complete = 0
        for step in self._steps:
            if events <= 0:
                break
            kept.append(step[:events])
            complete += len(step) <= events
            events -= len(step)
        near = max(at for at in self._checkpoints if at <= complete)
        self._checkpoints = {at: moment for at, moment in self._checkpoints.items() if at <= near}
        self._turn_starts = [start for start in self._turn_starts if start <= near]
        self._head = self._checkpoints[near].copy()
        self._shown, self._shown_at = self._head.copy(), near
        self._turn, self._whole = self._head.turn, near
        self._steps = kept[:near]
        self.count = sum(map(len, self._steps))
        self.closed = self.halted = False
        for step in kept[near:]:
            self._settle()
            self._steps.append(step)
            self.count += len(step)
        self._settle()

    def events(self, step: int) -> tuple[Event, ...]:
        """Return the events of a step, 1 to `len`; none in step 0."""
        return tuple(self._steps[step - 1]) if 0 < step <= self._whole else ()

    def count_at(self, step: int) -> int:
        """Return how many events have happened when a step is over."""
        return sum(map(len, self._steps[:step]))

    def step_at(self, events: int) -> int:
        """Return the first step after which *events* events have happened, or the last step."""
        counts = accumulate(map(len, self._steps[: self._whole]), initial=0)
        return next((step for step, count in enumerate(counts) if count >= events), self._whole)

    def turn(self, step: int) -> int:
        """Return which of the turns in `turn_starts` a step lies in, from 1; 0 before the first."""
        return bisect_right(self._turn_starts, step)

    def moment(self, step: int) -> State:
        """Return the battle after a step, 0 to `len`.

        The state is the timeline's own: it is for reading, and only until the next call.
        """
        assert 0 <= step <= self._whole, f"there is no step {step} of {self._whole}"
        near = max(at for at in self._checkpoints if at <= step)
        if not near <= self._shown_at <= step:
            self._shown, self._shown_at = self._checkpoints[near].copy(), near
        for events in self._steps[self._shown_at : step]:
            for event in events:
                apply(self._shown, event)
        self._shown_at = step
        return self._shown

    def _settle(self) -> None:
        """Fold the complete last step into the latest state."""
        if self._whole == len(self._steps):
            return
        for event in self._steps[-1]:
            apply(self._head, event)
        self._whole += 1
        if self._head.turn != self._turn:
            self._turn = self._head.turn
            self._turn_starts.append(self._whole)
        if self._whole % self._every == 0:
            self._checkpoints[self._whole] = self._head.copy()
            self._thin_out()

    def _thin_out(self) -> None:
        """Twice as far apart, so that a long battle needs no more memory than a short one."""
        if len(self._checkpoints) <= MOST_CHECKPOINTS:
            return
        self._every *= 2
        self._checkpoints = {
            at: state for at, state in self._checkpoints.items() if at % self._every == 0
        }
