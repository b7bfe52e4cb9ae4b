"""A battle that people play: who is asked, taking orders back, and the record on disk.

A game always has its battle file. Taking an order back is a line more in that file and resuming
from what stands then, so what is on the table is always what scenario, seed and recorded orders
make; nothing that was recorded is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander, Picture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.events import Event, kinds_by_name
from emlia3d.battle.files import log
from emlia3d.battle.files.file_lock import FileLock
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import Line, Record, read_record
from emlia3d.battle.state import State
from emlia3d.errors import Error, IllegalOrderError

DOCTRINE = "doctrine"


class PlayerLeftError(Exception):
    """Raised when the player that was asked has left; the battle stays as recorded."""


class OrderUndoneError(Exception):
    """Raised when an order must be undone, so that an open question needs no answer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PendingDecision:
    """A decision for a person to make.

    number : number of orders before it
    events : that have happened before it
    battle : as the player's side knows it; may be read until the answer is given
    """

    decision: Decision
    picture: Picture
    battle: Battle
    number: int
    events: int


@dataclass(frozen=True, slots=True)
class Rewind:
    """Rewinds the events to a number; events after it follow."""

    events: int


Ask: TypeAlias = Callable[[PendingDecision], Order | None]
"""Asks a person; None where the doctrine is to decide. Raises LeftError or TakenBackError."""

Told: TypeAlias = Event | Rewind


class Game:
    """One battle with people at some of its sides; also the `Recorder` of its play.

    battle : as it stands
    people : sides for which *ask* is asked, by row
    """

    def __init__(
        self, path: Path, battle: Battle, people: Collection[int], ask: Ask, before: int = 0
    ) -> None:
        """Sit down to the battle in a file.

        battle : of that file, before anything has happened
        before : number of events known already, which are not reported again
        """
        self.path = path
        self.people = frozenset(people)
        self.battle = battle
        self._ask = ask
        self._given: list[_Given] = []
        self._told = before
        self._wish: int | None = None
        self._written = self._sat_down(read_record(path))

    @property
    def orders(self) -> int:
        """Number of orders that stand."""
        return len(self._given)

    def run(self) -> Iterator[Told]:
        """Play on to the end; each event when it is recorded, or what is taken back.

        May be run again after its end, when something has been taken back.
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
        """Return the last order among the first *number* that was given for a side of people."""
        if self._wish is not None:
            number = min(number, self._wish)
        mine = (row for row in range(number - 1, -1, -1) if self._given[row].side in self.people)
        return next(mine, None)

    def choice_since(self, events: int) -> int | None:
        """Return the first order of a person's side after *events*; None without one."""
        later = (row for row, given in enumerate(self._given) if given.events >= events)
        return next((row for row in later if self._given[row].side in self.people), None)

    def take_back(self, number: int) -> None:
        """Undo the order of this number, from 0, and all after it.

        An open question ends with TakenBackError; may be called from another thread.
        """
        self._wish = number

    @property
    def is_taking_back(self) -> bool:
        """True if an order that still stands must be undone."""
        return self._wish is not None

    def close(self) -> None:
        """Let go of the file."""
        self._written.close()

    def order(self, side: int, order: Order) -> None:
        """Record an order."""
        self._written.order(side, order)
        self._given.append(_Given(side, self.battle.digest.events))

    def event(self, event: Event) -> None:
        """Record an event."""
        self._written.event(event)

    def boundary(self, state: State) -> None:
        """Record the end of a segment."""
        self._written.boundary(state)

    def recorded_orders(self) -> tuple[Order, ...]:
        """Orders after the last boundary that are given again."""
        return tuple(self._written.recorded_orders())

    def lacks_answer(self) -> bool:
        """Return whether the record goes on without an order where play asks for one now."""
        return self._written.lacks_answer()

    def illegal(self, flaw: IllegalOrderError) -> Error:
        """Return the error for an order that is not an option."""
        return self._written.illegal(flaw)

    def _sat_down(self, record: Record, lock: FileLock | None = None) -> BattleLog:
        """Take the battle up where its record ends."""
        self._record: Record | None = record
        self._over = record.result is not None
        written = log.resume(record, self.battle, lock)
        written.people = self.people
        given = [_Given(line.body.get("side"), events) for events, line in record.order_lines()]
        self._given = given[: len(given) - len(tuple(written.recorded_orders()))]
        return written

    def _known(self) -> Iterator[Event]:
        """Yield the recorded events up to the last boundary that were not reported yet."""
        if self._record is None:
            return
        record, self._record = self._record, None
        for row, event in enumerate(record.events(kinds_by_name(self.battle.system.events))):
            if self._told <= row < self.battle.digest.events:
                self._told = row + 1
                yield event

    def _played(self) -> Iterator[Event]:
        """Play on; events replayed within a segment are not reported twice."""
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
        """Write down that an order is taken back, and sit down to what stands then."""
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
        """Return a player's answer, or the doctrine's if the player leaves the decision to it."""
        question = PendingDecision(
            decision=decision,
            picture=picture,
            battle=picture.battle,
            number=self.orders,
            events=self.battle.digest.events,
        )
        order = self._ask(question)
        if order is not None:
            return order
        return self.battle.commander(DOCTRINE).decide(decision, picture, dice)


@dataclass(frozen=True, slots=True)
class _Given:
    """An order that stands: whose choice it was, and how many events had happened before it."""

    side: int | None
    events: int


class _Person:
    """The commander of a side that a person plays."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def decide(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
        """Return the person's answer."""
        return self._game.asked(decision, picture, dice)


def branch(record: Record, battle: Battle, events: int, path: Path) -> None:
    """Begin a battle file with the first *events* of another, to play on differently.

    Raises LogError if there is a file of that name.
    """
    lines, seen = list[Line](), 0
    for line in record.lines:
        if seen == events and "boundary" not in line.body:
            break
        seen += "event" in line.body
        lines.append(line)
    BattleLog.begin(path, record.header, battle, lines).close()
