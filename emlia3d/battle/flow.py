"""The flow of play: run procedures, apply their events, ask commanders for their decisions.

A battle is a sequence of *segments* ("stretches" in files and code). Each is a new generator of the
rule system, which starts from the current state; everything that outlives it is in the state. So
play can resume at any boundary between segments, and within one from its first state and its
recorded orders.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from emlia3d.battle.apply import close_stretch
from emlia3d.battle.commanders import Commander, Picture
from emlia3d.battle.decisions import Decision, Order, Procedure, advance
from emlia3d.battle.dice import Dice, Faces, NotedDice, SeededDice, deciders_dice
from emlia3d.battle.events import Event, Mustered
from emlia3d.battle.state import State
from emlia3d.errors import Error, IllegalOrderError

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

Request = TypeVar("Request")


@dataclass(frozen=True, slots=True)
class Segment:
    """The current segment of play so far, recorded for systems that rehearse orders.

    start : the state before it, which must not change
    faces : the faces of each roll in it
    answers : the answer to each decision in it
    """

    start: State
    faces: list[Faces]
    answers: list[Order]

    def copy(self) -> Segment:
        """Return a copy that does not grow with this segment."""
        return Segment(self.start, [*self.faces], [*self.answers])


class Recorder(Protocol):
    """Recorder of events and orders, in order."""

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
        """Return recorded orders of the first segment, which answer decisions before commanders."""
        ...

    def lacks_answer(self) -> bool:
        """Return whether the record continues without an order for the current decision."""
        ...

    def illegal(self, flaw: IllegalOrderError) -> Error:
        """Return the error for an illegal order, with its line if it is recorded."""
        ...


class NullRecorder:
    """Recorder that records nothing."""

    def order(self, side: int, order: Order) -> None:
        """Do nothing."""

    def event(self, event: Event) -> None:
        """Do nothing."""

    def boundary(self, state: State) -> None:
        """Do nothing."""

    def recorded_orders(self) -> Iterable[Order]:
        """Return no orders."""
        return ()

    def lacks_answer(self) -> bool:
        """Return False because nothing is recorded."""
        return False

    def illegal(self, flaw: IllegalOrderError) -> Error:
        """Return the error itself."""
        return flaw


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """A decision that the commander of a side must make, and what it may use.

    decision : the decision as the side knows it
    picture : what the side knows; it may be read until the order is sent
    dice : the commander's own dice
    """

    decision: Decision
    picture: Picture
    dice: Dice


Dialogue: TypeAlias = Generator[Event | DecisionRequest, Order | None, None]
"""Play whose caller commands: it yields events and requests, and receives an order per request."""


def play(battle: Battle, commanders: Sequence[Commander], recorder: Recorder) -> Iterator[Event]:
    """Play segment after segment until the rule system returns no next one.

    Yield each event after it has been applied and recorded. Raise IllegalOrderError if a commander
    gives an illegal order, and LogError if a recorded order is illegal.
    """

    def answer(request: DecisionRequest) -> Order:
        commander = commanders[request.decision.side]
        return commander.decide(request.decision, request.picture, request.dice)

    return driven(dialogue(battle, recorder), answer)


def dialogue(battle: Battle, recorder: Recorder) -> Dialogue:
    """Play as `play` does, but yield each decision too; the caller must send its order."""
    recorded = deque(recorder.recorded_orders())
    if battle.state.stretch == 0:
        yield from _stretch(battle, _opening(battle), recorder, recorded)
    while (procedure := battle.system.next_step(battle)) is not None:
        yield from _stretch(battle, procedure, recorder, recorded)


def _opening(moment: Moment) -> Procedure[None]:
    """Yield the only event of the first segment."""
    yield opening_event(moment)


def opening_event(moment: Moment) -> Event:
    """Return the first event, in which the rule system sets its own columns."""
    return Event(facts=Mustered(), changes=moment.system.opening(moment.setup))


def _stretch(
    battle: Battle, procedure: Procedure[None], recorder: Recorder, recorded: deque[Order]
) -> Dialogue:
    """Run one procedure to its end; *recorded* orders answer decisions before the commanders do.

    An older version may have recorded no answer to a decision with one option. If the record lacks
    an answer for this reason, take the only option and record nothing.
    """
    battle.dice = SeededDice(battle.seed, battle.state.stretch)
    segment = None
    if battle.system.rehearses:
        segment = battle.segment = Segment(battle.state.copy(), [], [])
        battle.dice = NotedDice(battle.dice, segment.faces)
    asked = 0
    order: Order | None = None
    while True:
        try:
            said = advance(procedure, order)
        except StopIteration:
            break
        order = None
        if isinstance(said, Event):
            battle.happen(said)
            recorder.event(said)
            yield said
            continue
        if recorder.lacks_answer() and len(said.options) == 1:
            order = said.options[0]
        else:
            asked += 1
            order = recorded.popleft() if recorded else (yield _request(battle, said, asked))
            assert order is not None, "a request is answered by an order"
            try:
                said.check(order)
            except IllegalOrderError as flaw:
                raise recorder.illegal(flaw) from None
            recorder.order(said.side, order)
        if segment is not None:
            segment.answers.append(order)
    battle.segment = None
    close_stretch(battle.state)
    recorder.boundary(battle.state)


def driven(
    procedure: Generator[Event | Request, Order, Any], answer: Callable[[Request], Order]
) -> Iterator[Event]:
    """Yield the events of a procedure; the caller must apply each before it requests the next.

    answer : returns the order for each decision of the procedure
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


def _request(battle: Battle, decision: Decision, asked: int) -> DecisionRequest:
    """Return a decision as its side knows it, with the side's picture and its own dice.

    asked : number of this decision in the segment, from 1
    """
    dice = deciders_dice(battle.seed, battle.state.stretch, asked)
    picture = battle.system.picture(battle, decision.side)
    return DecisionRequest(decision.for_moment(picture.battle), picture, dice)
