"""The event log of the last steps: one line for each event, the latest with its rules.

Routine events are omitted. Consecutive moves of one brigade form one line, which can be opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from emlia3d.battle.events import Event, chief_rules
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.rules import Rules
from emlia3d.view.session.session import BattleSession
from emlia3d.view.window.status import LogLine

MOST_LINES, MOST_OPEN = 6, 12
"""Maximum number of lines of the log, without and with an open line."""

MOST_BACK, MOST_BACK_IN_FOG = 48, 12
"""Number of steps that are searched for lines; in fog each is costly."""

Brigade: TypeAlias = tuple[int, tuple[str, ...]]
"""A side, and the largest section of its army that a unit serves in."""


class News:
    """The log of one battle; the text of each step is computed once."""

    def __init__(self, setup: Setup, course: BattleSession, rules: Rules) -> None:
        self._setup = setup
        self._course = course
        self._rules = rules
        self._version = course.version
        self._told: dict[int, tuple[LogLine, ...]] = {}
        self._movers: dict[int, Brigade] = {}
        self._open: set[int] = set()
        self._known: tuple[int, tuple[LogLine, ...]] | None = None

    def upto(self, step: int) -> tuple[LogLine, ...]:
        """Return the last lines up to this step, oldest first."""
        if self._course.version != self._version:
            self._version = self._course.version
            self._told.clear()
            self._movers.clear()
            self._known = None
        if self._known is None or self._known[0] != step:
            self._known = step, self._lines(step)
        return self._known[1]

    def toggle(self, step: int) -> None:
        """Open or close the line of moves that ends in a step."""
        self._open ^= {step}
        self._known = None

    def words(self, event: Event, state: State) -> str:
        """Return an event as a sentence; "" for a routine event."""
        return self._rules.system.tell(self._rules.truly_at(state), event)

    def _lines(self, last: int) -> tuple[LogLine, ...]:
        state = self._course.timeline.moment(last)
        back = MOST_BACK if self._course.in_fog_of is None else MOST_BACK_IN_FOG
        runs: list[list[LogLine]] = []
        for step in range(last, max(last - back, 0), -1):
            if step not in self._told:
                self._told[step] = self._of(step, state)
            for line in reversed(self._told[step]):
                run = self._run_of(line, runs)
                if run is not None:
                    run.append(line)
                elif len(runs) == MOST_LINES:
                    return self._shown(runs)
                else:
                    runs.append([line])
        return self._shown(runs)

    def _run_of(self, line: LogLine, runs: list[list[LogLine]]) -> list[LogLine] | None:
        """Return the moves of its brigade that a line groups: only moves can be between them."""
        mover = self._movers.get(line.step)
        for run in reversed(runs[1:]):
            between = self._movers.get(run[0].step)
            if mover is None or between is None:
                return None
            if mover == between:
                return run
        return None

    def _shown(self, runs: list[list[LogLine]]) -> tuple[LogLine, ...]:
        """Return groups of lines, newest first, as lines, oldest first."""
        lines = [line for run in reversed(runs) for line in self._opened(run)]
        most = MOST_LINES if len(lines) == len(runs) else MOST_OPEN
        return tuple(lines[-most:])

    def _opened(self, run: list[LogLine]) -> Iterator[LogLine]:
        """Yield the moves of one brigade, newest first: one line, followed by all if it is open."""
        newest = run[0]
        if len(run) == 1:
            yield newest
            return
        side, section = self._movers[newest.step]
        name = section[0] if section else self._setup.sides[side].name
        is_open = newest.step in self._open
        sign = "-" if is_open else "+"
        yield LogLine(text=f"{sign} {name}: {len(run)} moves", step=newest.step)
        if is_open:
            yield from (replace(line, text=f"   {line.text}") for line in reversed(run))

    def _of(self, step: int, state: State) -> tuple[LogLine, ...]:
        """Return the lines of a step; the last has the main rules of every event."""
        events = [event for event in self._course.timeline.events(step) if not event.facts.routine]
        texts = []
        for event in events:
            words = self._course.as_shown(step, event, self.words(event, state))
            if words:
                texts.append(words)
                self._note_mover(step, event, only=len(texts) == 1)
        slugs = dict.fromkeys(slug for event in events for slug in chief_rules(event))
        newest = len(texts) - 1
        return tuple(
            LogLine(text=text, because=tuple(slugs) if row == newest else (), step=step)
            for row, text in enumerate(texts)
        )

    def _note_mover(self, step: int, event: Event, *, only: bool) -> None:
        """Store the brigade of a step that is one unit's own move."""
        if only and event.gesture == "march" and event.target is None and event.unit is not None:
            unit = self._setup.units[event.unit]
            self._movers[step] = unit.muster.side, unit.section[:1]
        else:
            self._movers.pop(step, None)
