"""The flow of play: runs procedures, applies what they say, puts their questions.

A battle is a row of *stretches*. Each is a fresh generator of the rule system, started on the
state as it is; whatever outlives it is in the state. So play can be taken up at any boundary
between stretches, and within one from its first state and its recorded orders.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from emlia3d.battle.apply import close_stretch
from emlia3d.battle.changes import Set
from emlia3d.battle.commanders import Commander
from emlia3d.battle.decisions import Decision, Order, Procedure, advance
from emlia3d.battle.dice import Faces, NotedDice, SeededDice, deciders_dice
from emlia3d.battle.events import Event, Mustered
from emlia3d.battle.state import State
from emlia3d.errors import Error, IllegalOrderError

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of play so far, kept for systems that rehearse orders.

    start : the state before it, which nothing may change
    faces : of each roll in it
    answers : of each decision in it
    """

    start: State
    faces: list[Faces]
    answers: list[Order]

    def copy(self) -> Segment:
        """Return the same segment, which does not grow with this one."""
        return Segment(self.start, [*self.faces], [*self.answers])


class Recorder(Protocol):
    """A recorder of events and orders, in their order."""

    def order(self, side: int, order: Order) -> None:
        """Record an order."""
        ...

    def event(self, event: Event) -> None:
        """Record an event."""
        ...

    def boundary(self, state: State) -> None:
        """Record the end of a segment, which left *state*."""
        ...

    def recorded_orders(self) -> Iterable[Order]:
        """Orders of the first stretch that were given before and are not asked for again."""
        ...

    def lacks_answer(self) -> bool:
        """Return whether the record goes on without an order where play asks for one now."""
        ...

    def illegal(self, flaw: IllegalOrderError) -> Error:
        """Return the error for an order that is not an option, with its place if recorded."""
        ...


class NullRecorder:
    """Writes nothing down."""

    def order(self, side: int, order: Order) -> None:
        """Nothing."""

    def event(self, event: Event) -> None:
        """Nothing."""

    def boundary(self, state: State) -> None:
        """Nothing."""

    def recorded_orders(self) -> Iterable[Order]:
        """None."""
        return ()

    def lacks_answer(self) -> bool:
        """Return False: nothing is recorded."""
        return False

    def illegal(self, flaw: IllegalOrderError) -> Error:
        """Return the error itself."""
        return flaw


def play(battle: Battle, commanders: Sequence[Commander], recorder: Recorder) -> Iterator[Event]:
    """Stretch after stretch until the rule system knows no next one.

    Yields each event when it has been applied and recorded. Raises IllegalOrderError if a
    commander answers with an order that is not allowed, LogError if a recorded order is none.
    """
    recorded = deque(recorder.recorded_orders())
    if battle.state.stretch == 0:
        yield from _stretch(battle, _opening(battle), commanders, recorder, recorded)
    while (procedure := battle.system.next_step(battle)) is not None:
        yield from _stretch(battle, procedure, commanders, recorder, recorded)


def _opening(moment: Moment) -> Procedure[None]:
    """Yield the first stretch."""
    yield opening_event(moment)


def opening_event(moment: Moment) -> Event:
    """Return the first event, by which the rule system puts units in their states.

    Units without a place are off the field.
    """
    units = moment.setup.units
    away = (row for row, unit in enumerate(units) if not unit.placed)
    absent = tuple(Set(table="unit", row=row, column="present", value=0) for row in away)
    opening = moment.system.opening(moment.setup)
    return Event(facts=Mustered(), changes=(*absent, *opening))


def _stretch(
    battle: Battle,
    procedure: Procedure[None],
    commanders: Sequence[Commander],
    recorder: Recorder,
    recorded: deque[Order],
) -> Iterator[Event]:
    """Run one procedure to its end; *recorded* answers go before the commanders'.

    An older program may not have asked where it saw one way only. Where its record lacks an answer
    for this reason, the only option is taken and nothing more is recorded.
    """
    battle.dice = SeededDice(battle.seed, battle.state.stretch)
    segment = None
    if battle.system.rehearses:
        segment = battle.segment = Segment(battle.state.copy(), [], [])
        battle.dice = NotedDice(battle.dice, segment.faces)
    asked = 0

    def noted(decision: Decision) -> Order:
        order = answered(decision)
        if segment is not None:
            segment.answers.append(order)
        return order

    def answered(decision: Decision) -> Order:
        nonlocal asked
        if recorder.lacks_answer() and len(decision.options) == 1:
            return decision.options[0]
        asked += 1
        order = recorded.popleft() if recorded else _decide(battle, decision, commanders, asked)
        try:
            decision.check(order)
        except IllegalOrderError as flaw:
            raise recorder.illegal(flaw) from None
        recorder.order(decision.side, order)
        return order

    for event in driven(procedure, noted):
        battle.happen(event)
        recorder.event(event)
        yield event
    battle.segment = None
    close_stretch(battle.state)
    recorder.boundary(battle.state)


def driven(procedure: Procedure[Any], answer: Callable[[Decision], Order]) -> Iterator[Event]:
    """Yield the events of a procedure; the caller applies each before it asks for the next.

    answer : decides what the procedure asks
    """
    order: Order | None = None
    while True:
        try:
            said = advance(procedure, order)
        except StopIteration:
            return
        order = None
        if isinstance(said, Event):
            yield said
        else:
            order = answer(said)


def _decide(
    battle: Battle, decision: Decision, commanders: Sequence[Commander], asked: int
) -> Order:
    """Return the commander's answer, from its side's picture, with its own dice."""
    dice = deciders_dice(battle.seed, battle.state.stretch, asked)
    picture = battle.system.picture(battle, decision.side)
    return commanders[decision.side].decide(decision.known(picture.battle), picture, dice)
