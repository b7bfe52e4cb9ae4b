"""What a viewer does with a battle: plays it, picks units, asks for help. No window, no rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from emlia3d.battle.events import Event
from emlia3d.battle.game import Rewound, Told
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.view.moment import captions
from emlia3d.view.moment.scale import units_in_sight
from emlia3d.view.moment.scene import Overlay
from emlia3d.view.orders.desk import Desk
from emlia3d.view.orders.knowledge import Knowledge
from emlia3d.view.orders.ordersheet import CURTAIN
from emlia3d.view.orders.seat import Seat
from emlia3d.view.referee import NOBODY, Referee
from emlia3d.view.sight.exhibit import Exhibit
from emlia3d.view.sight.sighttool import Sight, SightTool
from emlia3d.view.sight.tape import Tape
from emlia3d.view.window.feed import Feed
from emlia3d.view.window.headings import side_lines, turn_words, unit_card
from emlia3d.view.window.panel import Status, UnitCard
from emlia3d.view.window.panel import Told as News
from emlia3d.view.window.playback import Playback
from emlia3d.view.window.timeline import Timeline

TakeOver: TypeAlias = Callable[[int, int], Desk]
"""Plays on after so many events, for a side; Error where no file can be begun for it."""

MOST_NEWS = 6
MOST_PULLED = 400
NOTICE_S = 4.0


class Viewer:
    """One battle being watched, recorded or as it is fought.

    playback : where in the battle the viewer is
    selected : the chosen unit; help : whether the keys are shown
    seat : where orders are given; None where nobody is asked
    tool : the sight tool; tape : the measuring tape
    alarm : what went wrong, in one line
    """

    def __init__(
        self,
        setup: Setup,
        start: State,
        events: Iterable[Told],
        referee: Referee = NOBODY,
        take_over: TakeOver | None = None,
    ) -> None:
        """A sequence is a battle that is over; of any other iterable, events come as it goes.

        take_over : gives whoever asks for it the battle from any moment on
        """
        self._setup = setup
        self._referee = referee
        self._take_over = take_over
        self.seat: Seat | None = None
        self._known: Knowledge | None = None
        self._cuts = 0
        self._tell = referee.tell
        self._card = referee.card
        self._told: dict[tuple[int | None, int], tuple[News, ...]] = {}
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
        return self.moment(self.playback.position.step)

    def moment(self, step: int) -> State:
        """The battle after a step, as whoever sits at the window knows it; for reading as well."""
        known = self._known_now()
        return self.timeline.moment(step) if known is None else known.moment(step)

    def seen(self, step: int) -> tuple[Event, ...]:
        """What happened in a step, as far as whoever sits at the window gets to see it."""
        known = self._known_now()
        return self.timeline.events(step) if known is None else known.seen(step)

    @property
    def course(self) -> tuple[int, int | None]:
        """Another whenever the same step is to be shown otherwise: taken back, or to others."""
        return self._cuts, self.in_fog_of

    @property
    def in_fog_of(self) -> int | None:
        """The side whose knowledge is shown; None where everything is."""
        known = self._known_now()
        return None if known is None else known.side

    def sit_down(self, desk: Desk, events: int) -> None:
        """Play on after so many events: what happens comes from *desk*, which asks for orders."""
        self._cut(events)
        self.playback.seek(len(self.timeline))
        self.seat = Seat(self._setup, desk)
        self._feed = Feed(desk.run())
        self.say(f"every order is written to {desk.game.path.name}")

    def take_over(self) -> None:
        """Play on from the moment that is shown, with the chosen unit's side or the first.

        In a game, what people have ordered since then is taken back.
        """
        events = self.timeline.count_at(self.playback.position.step)
        if self.seat is not None:
            back = self.seat.desk.take_back_to(events)
            self.say("taken back" if back else "there is no order to take back since then")
            return
        if self._take_over is None or self.live:
            self.say("this battle cannot be taken over")
            return
        side = 0 if self.selected is None else self.state.units.integer("side", self.selected)
        try:
            desk = self._take_over(events, side)
        except Error as flaw:
            self.alarm = str(flaw)
            return
        self.sit_down(desk, events)
        self.say(f"{self._setup.sides[side].name} is yours; written down in {desk.game.path.name}")

    def tick(self, dt: float) -> None:
        """*dt* seconds go by: new events are taken in, what is shown plays on."""
        if self.seat is not None:
            self.seat.desk.tick()
        if self._feed is not None:
            self._pull(self._feed)
        self.playback.tick(dt)
        if self.seat is not None:
            self._attend(self.seat)
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

    def press(self, key: str) -> bool:
        """A key is pressed; whether it was meant for the orders that are asked for."""
        if self.seat is None:
            return False
        in_hand = self.tool.active or self.tape.active or self.help or bool(self.alarm)
        return (self.seat.curtain is not None or not in_hand) and self.seat.key(key)

    def press_button(self, name: str) -> bool:
        """A button is pressed; whether it was one of the orders' panel, or the curtain."""
        kind, _, what = name.partition(":")
        if self.seat is None or kind not in {"order", CURTAIN}:
            return False
        if kind == CURTAIN:
            self.seat.lift()
        else:
            self.seat.press(what)
        return True

    def click(self, unit: int | None, place: tuple[float, float] | None) -> None:
        """Someone clicks on a unit, or on a place of the ground: to choose it, or for an order."""
        seat = self.seat
        if seat is None or seat.sheet is None or self.tool.active:
            self.select(unit)
        elif unit is not None:
            if not seat.touch(unit):
                self.selected = unit
        elif place is not None:
            seat.point(place)

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
        if self.tape.active:
            return self.tape.exhibit(), None
        return (None if self.seat is None else self.seat.exhibit()), None

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
        state = self.moment(step)
        sight = self.sight()
        seat = self.seat
        return Status(
            title=self._setup.title,
            turn=turn_words(self._setup, state, live=self.live),
            sides=side_lines(self._setup, state, self.in_fog_of),
            step=step,
            steps=len(self.timeline),
            turn_starts=self.timeline.turn_starts,
            playing=self.playback.playing,
            speed=self.playback.speed,
            news=self._news(step),
            card=self._unit_card(state),
            sight=None if sight is None else sight.card,
            help=self.help,
            notice=self._notice,
            alarm=self.alarm,
            orders=None if seat is None else seat.card(),
            curtain=None if seat is None else seat.curtain,
        )

    def close(self) -> None:
        """Fight the battle no further."""
        if self.seat is not None:
            self.seat.close()
        if self._feed is not None:
            self._feed.stop()
        if self.seat is not None:
            self.seat.desk.game.close()

    def _pull(self, feed: Feed) -> None:
        over = feed.finished  # asked first: what broke it off is raised after the last event
        try:
            self._take(feed.take(MOST_PULLED))
        except Error as flaw:
            self.alarm = str(flaw)
        if over:
            self.timeline.close()
            self._feed = None

    def _take(self, events: Iterable[Told]) -> None:
        for told in events:
            if isinstance(told, Rewound):
                self._cut(told.events)
            else:
                self.timeline.extend(told)

    def _cut(self, events: int) -> None:
        """Show what stands when something has been taken back."""
        self.timeline.cut(events)
        self._cuts += 1
        steps = len(self.timeline)
        self._told = {key: news for key, news in self._told.items() if key[1] <= steps}
        if self._known is not None:
            self._known.forget()
        elif self._referee.look_through is not None:
            self._referee.look_through(None)
        self.tool.forget()
        self.playback.seek(min(self.playback.position.step, steps))
        self.playback.playing = True

    def _known_now(self) -> Knowledge | None:
        """What is known to whoever sits at the window; None where everything is shown."""
        seat = self.seat
        if seat is None or not seat.desk.fog:
            return None
        if self._known is None or self._known.side != seat.eyes:
            self._known = Knowledge(self._setup, self.timeline, self._referee, seat.eyes)
            self.selected = None
            self.tool.close()
            self.tool.forget()
        return self._known

    def _attend(self, seat: Seat) -> None:
        """Put the question that waits as soon as all that came before it has been seen."""
        if seat.notice:
            self.say(seat.notice)
            seat.notice = ""
        sheet = seat.waiting
        if self._feed is None and seat.desk.game.is_taking_back:
            self._feed = Feed(seat.desk.run())
        if sheet is None or self.timeline.count != sheet.question.events:
            seat.rise()
            return
        self.timeline.pause()
        position = self.playback.position
        if position.step < len(self.timeline) or position.alpha < 1.0:
            seat.rise()
        elif seat.attend(sheet) and sheet.unit is not None:
            self.selected = sheet.unit

    def _news(self, step: int) -> tuple[News, ...]:
        """The last steps up to this one that there is something to tell of."""
        news: list[News] = []
        side, state = self.in_fog_of, self.timeline.moment(step)
        while step > 0 and len(news) < MOST_NEWS:
            if (side, step) not in self._told:
                self._told[side, step] = self._tell_step(step, state)
            news = [*self._told[side, step], *news]
            step -= 1
        return tuple(news[-MOST_NEWS:])

    def _tell_step(self, step: int, state: State) -> tuple[News, ...]:
        """What happened in a step; its last line has the rules of all of it."""
        events, known = self.timeline.events(step), self._known_now()
        texts = []
        for event in events:
            words = self._tell(event, state) if self._tell else captions.caption(self._setup, event)
            if known is not None:
                words = known.told(step, event, words)
            if words:
                texts.append(words)
        slugs = dict.fromkeys(slug for event in events for slug in event.because)
        newest = len(texts) - 1
        return tuple(
            News(text=text, because=tuple(slugs) if row == newest else ())
            for row, text in enumerate(texts)
        )

    def _unit_card(self, state: State) -> UnitCard | None:
        if self.tape.active:
            return self.tape.card()
        unit = self.selected
        if unit is None:
            return None
        return unit_card(self._setup, state, unit, self._card)
