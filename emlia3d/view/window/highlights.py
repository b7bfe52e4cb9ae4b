"""The key events of a battle, for markers on its timeline and for jumps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import partial

from emlia3d.battle.events import Event
from emlia3d.battle.questions.highlights import HIGHLIGHT_WORDS, HIGHLIGHTS, Highlight
from emlia3d.view.rules import Rules
from emlia3d.view.session.session import BattleSession

MOST_IN_FOG = 4
"""Number of steps in each frame for which visibility is computed, which is costly."""


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """A step of the battle with an event of some kind."""

    step: int
    kind: Highlight


class Highlights:
    """The key events so far, of the selected kinds.

    shown : the events of the selected kinds, in the order of steps
    kinds : the selected kinds
    """

    def __init__(
        self, course: BattleSession, rules: Rules, unmarked: tuple[Highlight, ...] = ()
    ) -> None:
        self._course = course
        self._of = partial(rules.system.highlights, rules.setup)
        self._version = course.version
        self._looked_at = 0
        self._all: list[KeyEvent] = []
        self.kinds: frozenset[Highlight] = frozenset(HIGHLIGHTS) - frozenset(unmarked)
        self.shown: tuple[KeyEvent, ...] = ()
        self.counts: dict[Highlight, int] = {}

    def update(self) -> None:
        """Add new events that the viewer's side saw."""
        steps = len(self._course.timeline)
        if self._course.version != self._version:
            self._version = self._course.version
            self._looked_at, self._all = 0, []
        elif self._looked_at == steps:
            return
        costly = 0
        while self._looked_at < steps and costly < MOST_IN_FOG:
            self._looked_at += 1
            kinds = self._kinds_in(self._course.timeline.events(self._looked_at))
            if kinds and self._course.in_fog_of is not None:
                costly += 1
                kinds = self._kinds_in(self._course.seen(self._looked_at))
            self._all += [KeyEvent(self._looked_at, kind) for kind in kinds]
        self._choose()

    @property
    def unmarked(self) -> tuple[Highlight, ...]:
        """The kinds that are not selected."""
        return tuple(kind for kind in HIGHLIGHTS if kind not in self.kinds)

    def toggle(self, kind: Highlight) -> None:
        """Select a kind, or deselect it."""
        self.kinds = self.kinds ^ {kind}
        self._choose()

    def toggle_all(self) -> None:
        """Select all kinds, or none if all are selected."""
        self.kinds = frozenset() if len(self.kinds) == len(HIGHLIGHTS) else frozenset(HIGHLIGHTS)
        self._choose()

    def next(self, step: int) -> int | None:
        """Return the first later step with a key event of a selected kind."""
        at = bisect_right(self.shown, step, key=lambda moment: moment.step)
        return self.shown[at].step if at < len(self.shown) else None

    def previous(self, step: int) -> int | None:
        """Return the last earlier step with a key event of a selected kind."""
        at = bisect_left(self.shown, step, key=lambda moment: moment.step)
        return self.shown[at - 1].step if at else None

    def words_at(self, step: int) -> str:
        """Return the text for the key events of a step: "rout, 2 of 5"."""
        words = []
        for moment in self.shown:
            if moment.step == step:
                same = [one.step for one in self.shown if one.kind == moment.kind]
                place = bisect_left(same, step) + 1
                words.append(f"{HIGHLIGHT_WORDS[moment.kind]}, {place} of {len(same)}")
        return "; ".join(words)

    def _kinds_in(self, events: tuple[Event, ...]) -> tuple[Highlight, ...]:
        """Return the kinds of a step, each once, in the order of `HIGHLIGHTS`."""
        found: set[Highlight] = set()
        for event in events:
            found.update(self._of(event))
        return tuple(kind for kind in HIGHLIGHTS if kind in found)

    def _choose(self) -> None:
        self.counts = dict(Counter(moment.kind for moment in self._all))
        self.shown = tuple(moment for moment in self._all if moment.kind in self.kinds)
