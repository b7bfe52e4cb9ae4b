"""A battle at the window: what has happened so far, where one is in it, and who sees it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from emlia3d.battle.events import Event
from emlia3d.battle.game import Rewind, Told
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.rules import Rules
from emlia3d.view.session.event_queue import Feed
from emlia3d.view.session.knowledge import ViewerKnowledge
from emlia3d.view.session.playback import Playback
from emlia3d.view.session.timeline import Timeline

MOST_PULLED = 400


class BattleSession:
    """The course that a battle takes, recorded or as it is fought.

    timeline : what has happened; playback : where in it the viewer is
    """

    def __init__(self, setup: Setup, start: State, events: Iterable[Told], rules: Rules) -> None:
        """Show a finished battle (a sequence of events) or one in progress (an iterable)."""
        self._setup = setup
        self._rules = rules
        self._known: ViewerKnowledge | None = None
        self._cuts = 0
        self._feed: Feed | None = None
        self.timeline = Timeline(start)
        if isinstance(events, Sequence):
            self._take(events)
            self.timeline.close()
        else:
            self._feed = Feed(events)
        turns = self.timeline.turn_starts
        start_at = turns[0] - 1 if turns else len(self.timeline)
        self.playback = Playback(self.timeline, start_at, self._begins_phase)

    def _begins_phase(self, event: Event) -> bool:
        return isinstance(event.facts, self._rules.system.phases)

    @property
    def live(self) -> bool:
        """True if the battle is still being fought."""
        return not self.timeline.closed

    @property
    def fed(self) -> bool:
        """True if there is anything that events come from."""
        return self._feed is not None

    @property
    def step(self) -> int:
        """The step that is shown."""
        return self.playback.position.step

    @property
    def state(self) -> State:
        """The battle after the step that is shown; for reading, until the next step is."""
        return self.moment(self.step)

    def moment(self, step: int) -> State:
        """Return the battle after a step, as the viewer's side knows it; read-only."""
        return self.timeline.moment(step) if self._known is None else self._known.moment(step)

    def seen(self, step: int) -> tuple[Event, ...]:
        """Return the events of a step, as far as the viewer's side sees them."""
        return self.timeline.events(step) if self._known is None else self._known.seen(step)

    def as_shown(self, step: int, event: Event, words: str) -> str:
        """Return the sentence of an event of a step, as the viewer's side is shown it."""
        return words if self._known is None else self._known.as_shown(step, event, words)

    @property
    def version(self) -> tuple[int, int | None]:
        """Changes whenever the same step must be shown differently: undone, or to others."""
        return self._cuts, self.in_fog_of

    @property
    def in_fog_of(self) -> int | None:
        """The side whose knowledge is shown; None where everything is."""
        return None if self._known is None else self._known.side

    def look_through(self, side: int) -> None:
        """Show what that side knows, and no more."""
        self._known = ViewerKnowledge(self._setup, self.timeline, self._rules, side)

    def follow(self, events: Iterable[Told]) -> None:
        """From now on, what happens comes from there."""
        self._feed = Feed(events)

    def take_in(self) -> None:
        """Put what has happened since on the timeline; Error where the battle broke off."""
        if self._feed is None:
            return
        over = self._feed.finished  # asked first: what broke it off is raised after the last event
        try:
            self._take(self._feed.take(MOST_PULLED))
        finally:
            if over:
                self.timeline.close()
                self._feed = None

    def cut(self, events: int) -> None:
        """Undo all but the first *events* events, and show the rest."""
        self.timeline.cut(events)
        self._cuts += 1
        if self._known is not None:
            self._known.forget()
        else:
            self._rules.look_through(None)
        self.playback.seek(min(self.step, len(self.timeline)))
        self.playback.playing = True

    def close(self) -> None:
        """Take in no more."""
        if self._feed is not None:
            self._feed.stop()

    def _take(self, events: Iterable[Told]) -> None:
        for told in events:
            if isinstance(told, Rewind):
                self.cut(told.events)
            else:
                self.timeline.extend(told)
