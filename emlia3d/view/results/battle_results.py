"""The results of the battle in the window: counted once it is over, beside the window."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from emlia3d.battle.apply import apply
from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.battle.questions.highlights import HIGHLIGHT_WORDS, Highlight
from emlia3d.battle.questions.statistics import statistics
from emlia3d.view.results.results_card import ResultsCard, TurningPoint, results_card
from emlia3d.view.rules import Rules
from emlia3d.view.session.session import BattleSession

TURNING: tuple[Highlight, ...] = ("leader", "rout", "destroyed")
"""Kinds of key events that the results list; of several the first is named."""

COUNTING = ResultsCard(outcome="The battle is over", reason="", counting=True)


class BattleResults:
    """The results of one battle.

    They open by themselves when the battle has been played to its end, once.

    shown : whether they are open
    """

    def __init__(self, course: BattleSession, rules: Rules) -> None:
        self._course = course
        self._rules = rules
        self._version = course.version
        self._counted: Future[ResultsCard] | None = None
        self._played = False
        self._opened = False
        self._stopped = False
        self.shown = False

    @property
    def over(self) -> bool:
        """True if the battle is over."""
        return not self._course.live

    def update(self) -> None:
        """Open the results when the last step has been played; forget an earlier course."""
        playback = self._course.playback
        if self._course.version != self._version:
            self._version, self._counted = self._course.version, None
            self.shown = self._opened = False
        ended = self._played and playback.at_end and not playback.playing
        if ended and not self._opened:
            self.shown = self._opened = True
        self._played = playback.playing

    def toggle(self) -> str:
        """Open the results, or close them; return a message, "" for none."""
        if not self.over:
            self.shown = False
            return "results are shown when the battle is over"
        self.shown = not self.shown
        return ""

    def hide(self) -> bool:
        """Close the results; return whether they were open."""
        was_open, self.shown = self.shown, False
        return was_open

    def card(self) -> ResultsCard | None:
        """Return the results; None if they are not open."""
        if not self.shown or not self.over:
            return None
        if self._counted is None:
            self._counted = self._begin()
        return self._counted.result() if self._counted.done() else COUNTING

    def close(self) -> None:
        """Count no further."""
        self._stopped = True

    def _begin(self) -> Future[ResultsCard]:
        """Begin to count in a thread, in a battle of its own."""
        timeline = self._course.timeline
        battle = self._rules.truly_at(timeline.moment(0)).fork()
        steps = [timeline.events(step) for step in range(1, len(timeline) + 1)]
        with_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="results")
        try:
            return with_thread.submit(self._count, battle, steps)
        finally:
            with_thread.shutdown(wait=False)

    def _count(self, battle: Battle, steps: list[tuple[Event, ...]]) -> ResultsCard:
        points: list[TurningPoint] = []
        found = statistics(battle, self._story(battle, steps, points))
        return results_card(battle.setup, found, battle.result, tuple(points))

    def _story(
        self, battle: Battle, steps: list[tuple[Event, ...]], points: list[TurningPoint]
    ) -> Iterator[Event]:
        """Yield the events, each applied to *battle*; add the key events to *points*."""
        for step, events in enumerate(steps, start=1):
            for event in events:
                if self._stopped:
                    return
                apply(battle.state, event)
                yield event
                points += _points(battle, step, event)


def _points(battle: Battle, step: int, event: Event) -> Iterator[TurningPoint]:
    """Yield the key event that an event just applied is, if it is one."""
    if event.unit is None:
        return
    unit = battle.setup.units[event.unit]
    kinds = battle.system.highlights(battle.setup, event)
    words = [HIGHLIGHT_WORDS[kind] for kind in TURNING if kind in kinds]
    if words:
        yield TurningPoint(
            step=step,
            turn=battle.state.turn,
            colour=battle.setup.sides[unit.muster.side].colour,
            text=f"{unit.name}: {words[0]}",
            leads="leader" in kinds,
            figures=unit.muster.members,
        )
