"""A battle that people play: decisions of people, undo, and the record on disk.

A game always has a battle file. Undo appends a line to that file and resumes from the remaining
orders. So the battle always follows from scenario, seed and recorded orders, and no record is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import DOCTRINE, Commander, Picture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice, SeededDice
from emlia3d.battle.events import Event, kinds_by_name
from emlia3d.battle.files import log
from emlia3d.battle.files.file_lock import FileLock
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import Record, RecordedLine, read_record
from emlia3d.battle.questions.routines import BY_ROUTINE, Routine, Routines
from emlia3d.battle.state import State
from emlia3d.errors import Error, IllegalOrderError


class PlayerLeftError(Exception):
    """Raised if the player who must decide has left; the battle stays as recorded."""


class OrderUndoneError(Exception):
    """Raised if an order must be undone, so that a pending decision needs no answer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PendingDecision:
    """A decision that a person must make.

    number : number of orders before it
    events : number of events before it
    battle : the battle as the player's side knows it; it may be read until the answer is given
    advice : returns the order that the AI "doctrine" would give; valid until the answer is given
    """

    decision: Decision
    picture: Picture
    battle: Battle
    number: int
    events: int
    advice: Callable[[], Order]


@dataclass(frozen=True, slots=True)
class Rewind:
    """Notice that events were undone: only the first *events* remain."""

    events: int


Ask: TypeAlias = Callable[[PendingDecision], Order | None]
"""Returns a person's order; None lets the AI "doctrine" decide.

It may raise PlayerLeftError or OrderUndoneError.
"""

Told: TypeAlias = Event | Rewind


class Game:
    """One battle in which people play some sides; also the `Recorder` of its play.

    battle : the battle at present
    routines : orders that units of people carry out until changed; kept in the file
    people : rows of the sides for which *ask* decides
    """

    def __init__(
        self, path: Path, battle: Battle, people: Collection[int], ask: Ask, before: int = 0
    ) -> None:
        """Resume the battle in a file.

        battle : the battle of that file, before its first event
        before : number of events already reported, which `run` does not repeat
        """
        self.path = path
        self.people = frozenset(people)
        self.battle = battle
        self._ask = ask
        self._given: list[_Given] = []
        self._told = before
        self.routines = Routines()
        # A window gives routine orders while the thread of play writes.
        self._writing = Lock()
        self._wish: int | None = None
        self._written = self._sat_down(read_record(path))

    @property
    def orders(self) -> int:
        """Number of orders that have not been undone."""
        return len(self._given)

    def run(self) -> Iterator[Told]:
        """Play to the end; yield each event after it has been recorded, and a `Rewind` per undo.

        It may run again after its end if an order is undone then.
        """
        while True:
            if self._wish is not None:
                yield self._rewind(self._wish)
            yield from self._known()
            try:
                yield from self._played()
            except OrderUndoneError:
                assert self._wish is not None, "the caller that aborts has said how far back"
            except PlayerLeftError:
                return
            if self._wish is None:
                return

    def choice_before(self, number: int) -> int | None:
        """Return the last order that a person chose among the first *number*; None without one.

        Orders that result from routine orders do not count, because play gives them again.
        """
        if self._wish is not None:
            number = min(number, self._wish)
        return next((row for row in range(number - 1, -1, -1) if self._is_choice(row)), None)

    def choice_since(self, events: int) -> int | None:
        """Return the first order that a person chose after *events*; None without one."""
        later = (row for row, given in enumerate(self._given) if given.events >= events)
        return next(filter(self._is_choice, later), None)

    def _is_choice(self, row: int) -> bool:
        given = self._given[row]
        return given.chosen and given.side in self.people

    def give_routine(self, side: int, units: Collection[int], routine: Routine | None) -> None:
        """Give a routine order to units of a side, and record it; None ends the current one.

        Another thread may call this.
        """
        with self._writing:
            self._written.routine(side, units, routine)
            self.routines.give(units, routine)
            self._routine_is_new = True

    def take_back(self, number: int) -> None:
        """Undo the order of this number, counted from 0, and all orders after it.

        A pending decision ends with OrderUndoneError. Another thread may call this.
        """
        self._wish = number

    @property
    def is_taking_back(self) -> bool:
        """True if an undo is requested but not yet done."""
        return self._wish is not None

    def close(self) -> None:
        """Close the battle file."""
        self._written.close()

    def order(self, side: int, order: Order) -> None:
        """Record an order."""
        chosen = self._routine_is_new or not order.why.startswith(BY_ROUTINE)
        with self._writing:
            self._written.order(side, order)
            self._routine_is_new = False
        self._given.append(_Given(side, self.battle.digest.events, chosen))

    def event(self, event: Event) -> None:
        """Record an event."""
        with self._writing:
            self._written.event(event)
            self._routine_is_new = False

    def boundary(self, state: State) -> None:
        """Record the end of a segment."""
        with self._writing:
            self._written.boundary(state)
            self._routine_is_new = False

    def recorded_orders(self) -> tuple[Order, ...]:
        """Return the orders recorded after the last boundary, which play repeats."""
        return tuple(self._written.recorded_orders())

    def lacks_answer(self) -> bool:
        """Return whether the record continues without an order for the current decision."""
        return self._written.lacks_answer()

    def illegal(self, flaw: IllegalOrderError) -> Error:
        """Return the error for an illegal order, with its line if it is recorded."""
        return self._written.illegal(flaw)

    def _sat_down(self, record: Record, lock: FileLock | None = None) -> BattleLog:
        """Resume the battle at the end of its record."""
        self._record: Record | None = record
        self._over = record.result is not None
        self.routines.clear()
        self._routine_is_new = False
        for units, routine in record.routine_orders(len(self.battle.setup.units)):
            self.routines.give(units, routine)
        written = log.resume(record, self.battle, lock)
        written.people = self.people
        given = [
            _Given(line.body.get("side"), events, record.is_chosen(line))
            for events, line in record.order_lines()
        ]
        self._given = given[: len(given) - len(tuple(written.recorded_orders()))]
        return written

    def _known(self) -> Iterator[Event]:
        """Yield the recorded events up to the last boundary that were not yet reported."""
        if self._record is None:
            return
        record, self._record = self._record, None
        for row, event in enumerate(record.events(kinds_by_name(self.battle.system.events))):
            if self._told <= row < self.battle.digest.events:
                self._told = row + 1
                yield event

    def _played(self) -> Iterator[Event]:
        """Play to the end; yield each event that was not yet reported, then record the result."""
        if self._over:
            return
        for event in self.battle.run(self._commanders(), self):
            if self.battle.digest.events > self._told:
                self._told = self.battle.digest.events
                yield event
            if self._wish is not None:
                return
        result = self.battle.result
        assert result is not None, "a battle that is over has a result"
        self._written.finish(result)
        self._over = True

    def _commanders(self) -> tuple[Commander, ...]:
        return tuple(
            _Person(self) if row in self.people else self.battle.commander_of(row)
            for row in range(len(self.battle.setup.sides))
        )

    def _rewind(self, number: int) -> Rewind:
        """Record the undo of an order, and resume from the remaining orders."""
        with self._writing:
            _, order = next(islice(read_record(self.path).order_lines(), number, None))
            lock = self._written.take_back(order)
            record = read_record(self.path)
            fresh = self.battle
            self.battle = Battle(fresh.setup, fresh.system, fresh.seed)
            self._written = self._sat_down(record, lock)
        self._told = sum(1 for line in record.lines if "event" in line.body)
        self._wish = None
        return Rewind(self._told)

    def asked(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
        """Return a player's answer, or the AI's if the player leaves the decision to it."""
        doctrine = self.battle.commander(DOCTRINE)
        # It has its own dice, so that advice does not use the dice of the battle.
        advice = partial(doctrine.decide, decision, picture, SeededDice(self.battle.seed, 0))
        question = PendingDecision(
            decision=decision,
            picture=picture,
            battle=picture.battle,
            number=self.orders,
            events=self.battle.digest.events,
            advice=advice,
        )
        order = self._ask(question)
        if order is not None:
            return order
        return doctrine.decide(decision, picture, dice)


@dataclass(frozen=True, slots=True)
class _Given:
    """An order not undone: its side, the events before it, and whether a person or AI chose it."""

    side: int | None
    events: int
    chosen: bool


class _Person:
    """Commander of a side that a person plays."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def decide(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
        """Return the person's answer."""
        return self._game.asked(decision, picture, dice)


def branch(record: Record, battle: Battle, events: int, path: Path) -> None:
    """Begin a battle file with the first *events* of another, to continue it differently.

    Raises LogError if the file exists.
    """
    lines, seen = list[RecordedLine](), 0
    for line in record.lines:
        if seen == events and "boundary" not in line.body:
            break
        seen += "event" in line.body
        lines.append(line)
    BattleLog.begin(path, record.header, battle, lines).close()
