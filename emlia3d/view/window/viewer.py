"""What a viewer does with a battle: plays it, picks units, asks for help. No window, no rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.view.moment import captions
from emlia3d.view.moment.scale import units_in_sight
from emlia3d.view.moment.scene import Overlay
from emlia3d.view.referee import NOBODY, Referee
from emlia3d.view.sight.exhibit import Exhibit
from emlia3d.view.sight.sighttool import Sight, SightTool
from emlia3d.view.sight.tape import Tape
from emlia3d.view.window.feed import Feed
from emlia3d.view.window.panel import SideLine, Status, Told, UnitCard
from emlia3d.view.window.playback import Playback
from emlia3d.view.window.timeline import Timeline

MOST_NEWS = 6
MOST_PULLED = 400
NOTICE_S = 4.0


class Viewer:
    """One battle being watched, recorded or as it is fought.

    playback : where in the battle the viewer is
    selected : the chosen unit; help : whether the keys are shown
    tool : the sight tool; tape : the measuring tape
    alarm : what went wrong, in one line
    """

    def __init__(
        self,
        setup: Setup,
        start: State,
        events: Iterable[Event],
        referee: Referee = NOBODY,
    ) -> None:
        """A sequence is a battle that is over; of any other iterable, events come as it goes."""
        self._setup = setup
        self._tell = referee.tell
        self._card = referee.card
        self._told: dict[int, tuple[Told, ...]] = {}
        self._feed: Feed | None = None
        self.timeline = Timeline(start)
        if isinstance(events, Sequence):
            self._take(events)
            self.timeline.close()
        else:
            self._feed = Feed(events)
        turns = self.timeline.turn_starts
        self.playback = Playback(self.timeline, turns[0] - 1 if turns else len(self.timeline))
        self.selected: int | None = None
        self.tool = SightTool(setup, referee)
        self.tape = Tape(setup)
        self.help = False
        self.alarm = ""
        self._notice = ""
        self._notice_s = 0.0

    @property
    def live(self) -> bool:
        """Whether the battle is still being fought."""
        return not self.timeline.closed

    @property
    def focus(self) -> int | None:
        """The unit through whose eyes things are seen: the chosen one, or who looks in the tool."""
        return self.tool.observer if self.tool.active else self.selected

    @property
    def state(self) -> State:
        """The battle after the step that is shown; for reading, until the next step is."""
        return self.timeline.moment(self.playback.position.step)

    def tick(self, dt: float) -> None:
        """*dt* seconds go by: new events are taken in, what is shown plays on."""
        if self._feed is not None:
            self._pull(self._feed)
        self.playback.tick(dt)
        if self.tool.active:
            self.tool.tick(dt, self.state, self.playback.position.step)
        self._notice_s -= dt
        if self._notice_s <= 0:
            self._notice = ""

    def say(self, notice: str) -> None:
        """Tell something for a little while."""
        self._notice, self._notice_s = notice, NOTICE_S

    def select(self, unit: int | None) -> None:
        """Choose a unit, or none; the sight tool takes it for the role that is to be filled."""
        if self.tool.active:
            self.tool.pick(unit)
        else:
            self.selected = unit

    def toggle_tool(self) -> None:
        """Take the sight tool up, with the chosen unit as the one who looks, or put it away."""
        if self.tool.active:
            self.tool.close()
            return
        if self.tape.active:
            self.tape.toggle()
        self.tool.open(self.selected)

    def toggle_tape(self) -> None:
        """Take the measuring tape up, or put it away."""
        self.tool.close()
        self.tape.toggle()

    def point(self, place: tuple[float, float] | None) -> None:
        """The pointer lies over this place of the ground, GSU; None for none."""
        self.tool.point(place)
        self.tape.point(place)

    def on_field(self) -> tuple[Exhibit | None, Overlay | None]:
        """What the tool in hand shows on the field, and of the ground under it."""
        sight = self.sight()
        if sight is not None:
            return sight.exhibit, sight.ground
        return (self.tape.exhibit() if self.tape.active else None), None

    def sight(self) -> Sight | None:
        """What the sight tool shows of the moment; None while it is put away."""
        if not self.tool.active:
            return None
        return self.tool.look(self.state, self.playback.position.step)

    def select_next(self, by: int) -> None:
        """Choose the next unit on the field, or the one before; the first where none was."""
        if self.tool.active:
            self.tool.pick_next(self.state, by)
            return
        there = units_in_sight(self.state)[:: 1 if by > 0 else -1]
        beyond = [
            unit for unit in there if self.selected is None or (unit - self.selected) * by > 0
        ]
        self.selected = next(iter(beyond or there), None)

    def toggle_help(self) -> None:
        """Show the keys, or show them no longer."""
        self.help = not self.help

    def dismiss(self) -> None:
        """Close what is open: the keys, the alarm, the tool in hand, the choice of a unit."""
        if self.help:
            self.help = False
        elif self.alarm:
            self.alarm = ""
        elif self.tool.active:
            self.tool.close()
        elif self.tape.active:
            self.tape.toggle()
        else:
            self.selected = None

    def status(self) -> Status:
        """What is to be told over the picture."""
        step = self.playback.position.step
        state = self.timeline.moment(step)
        sight = self.sight()
        return Status(
            title=self._setup.title,
            turn=self._turn_words(state),
            sides=self._side_lines(state),
            step=step,
            steps=len(self.timeline),
            turn_starts=self.timeline.turn_starts,
            playing=self.playback.playing,
            speed=self.playback.speed,
            news=self._news(step, state),
            card=self._unit_card(state),
            sight=None if sight is None else sight.card,
            help=self.help,
            notice=self._notice,
            alarm=self.alarm,
        )

    def close(self) -> None:
        """Fight the battle no further."""
        if self._feed is not None:
            self._feed.stop()

    def _pull(self, feed: Feed) -> None:
        over = feed.finished  # asked first: what broke it off is raised after the last event
        try:
            self._take(feed.take(MOST_PULLED))
        except Error as flaw:
            self.alarm = str(flaw)
        if over:
            self.timeline.close()
            self._feed = None

    def _take(self, events: Iterable[Event]) -> None:
        for event in events:
            self.timeline.extend(event)

    def _turn_words(self, state: State) -> str:
        turn = "before the first turn" if state.turn == 0 else f"Turn {state.turn}"
        whole = f"{turn} of {self._setup.turns}" if state.turn else turn
        return f"{whole}, being fought" if self.live else whole

    def _side_lines(self, state: State) -> tuple[SideLine, ...]:
        """Figures left of each side; of a side with none there is nothing to say."""
        side, members = state.units.ints("side"), state.units.ints("members")
        strength = state.units.ints("strength")
        present = members * (state.units["present"] != 0)
        lines = []
        for row, looks in enumerate(self._setup.sides):
            left, whole = int(np.sum(present[side == row])), int(np.sum(strength[side == row]))
            told = f"{left:,} of {whole:,}"
            lines.append(SideLine(name=looks.name, colour=looks.colour, left=told))
        return tuple(lines)

    def _news(self, step: int, state: State) -> tuple[Told, ...]:
        """The last steps up to this one that there is something to tell of."""
        news: list[Told] = []
        while step > 0 and len(news) < MOST_NEWS:
            if step not in self._told:
                self._told[step] = self._tell_step(step, state)
            news = [*self._told[step], *news]
            step -= 1
        return tuple(news[-MOST_NEWS:])

    def _tell_step(self, step: int, state: State) -> tuple[Told, ...]:
        """What happened in a step; its last line has the rules of all of it."""
        events = self.timeline.events(step)
        texts = []
        for event in events:
            words = self._tell(event, state) if self._tell else captions.caption(self._setup, event)
            if words:
                texts.append(words)
        slugs = dict.fromkeys(slug for event in events for slug in event.because)
        newest = len(texts) - 1
        return tuple(
            Told(text=text, because=tuple(slugs) if row == newest else ())
            for row, text in enumerate(texts)
        )

    def _unit_card(self, state: State) -> UnitCard | None:
        if self.tape.active:
            return self.tape.card()
        unit = self.selected
        if unit is None:
            return None
        make = self._card
        rows = captions.card_of(self._setup, state, unit) if make is None else make(unit, state)
        side = self._setup.sides[state.units.integer("side", unit)]
        return UnitCard(name=self._setup.units[unit].name, colour=side.colour, rows=tuple(rows))
