"""The event log of the last steps: a line an event, the latest with its rules."""

from __future__ import annotations

from emlia3d.battle.events import Event, chief_rules
from emlia3d.battle.state import State
from emlia3d.view.rules import Rules
from emlia3d.view.session.session import BattleSession
from emlia3d.view.window.status import LogLine

MOST_LINES = 6


class News:
    """The news of one battle; each step is put in words once."""

    def __init__(self, course: BattleSession, rules: Rules) -> None:
        self._course = course
        self._rules = rules
        self._version = course.version
        self._told: dict[int, tuple[LogLine, ...]] = {}

    def upto(self, step: int) -> tuple[LogLine, ...]:
        """Return the last lines up to this step, oldest first."""
        if self._course.version != self._version:
            self._version = self._course.version
            self._told.clear()
        lines: list[LogLine] = []
        state = self._course.timeline.moment(step)
        while step > 0 and len(lines) < MOST_LINES:
            if step not in self._told:
                self._told[step] = self._of(step, state)
            lines = [*self._told[step], *lines]
            step -= 1
        return tuple(lines[-MOST_LINES:])

    def words(self, event: Event, state: State) -> str:
        """Return an event in a sentence; "" for no news."""
        return self._rules.system.tell(self._rules.truly_at(state), event)

    def _of(self, step: int, state: State) -> tuple[LogLine, ...]:
        """Return what happened in a step; its last line has the chief rules of every event."""
        events = self._course.timeline.events(step)
        texts = []
        for event in events:
            words = self._course.told(step, event, self.words(event, state))
            if words:
                texts.append(words)
        slugs = dict.fromkeys(slug for event in events for slug in chief_rules(event))
        newest = len(texts) - 1
        return tuple(
            LogLine(text=text, because=tuple(slugs) if row == newest else (), step=step)
            for row, text in enumerate(texts)
        )
