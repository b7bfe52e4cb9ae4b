"""A game in a separate thread, and its questions for the window."""

from __future__ import annotations

import queue
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.formatting import rounded
from emlia3d.battle.game import Game, OrderUndoneError, PendingDecision, PlayerLeftError, Told
from emlia3d.battle.questions.options import choices
from emlia3d.battle.questions.order_kinds import OrderKind
from emlia3d.battle.questions.routines import Routine, Routines

_Answer: TypeAlias = Order | Literal["doctrine", "back", "leave", "again"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionSheet:
    """A question, prepared for the player who answers it.

    orders : the options, each with its words, rounded, in *phrases* and its kind in *kinds*
    advice : the order that the AI would give, with its reason
    pointed : verbs of orders that a point completes
    scene : a fork of the battle, in which the window computes answers
    """

    question: PendingDecision
    text: str
    orders: tuple[Order, ...]
    phrases: tuple[str, ...]
    kinds: tuple[OrderKind, ...]
    advice: Order
    pointed: tuple[str, ...]
    scene: Battle

    @property
    def side(self) -> int:
        """The side whose player is asked."""
        return self.question.decision.side

    @property
    def unit(self) -> int | None:
        """The unit concerned."""
        return self.question.decision.unit


class GameThread:
    """One game: play asks questions and waits, and the window answers them.

    sheet : the open question; None while play continues
    fog : whether a side sees only units that it is aware of
    """

    def __init__(
        self,
        path: Path,
        battle: Battle,
        people: Collection[int],
        *,
        before: int = 0,
        fog: bool = True,
    ) -> None:
        """Open a battle file for play; *battle* is its state before any event.

        before : number of known events, which are not reported again
        """
        self.fog = fog
        self.sheet: QuestionSheet | None = None
        self._answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        self._resting: tuple[int, int] | None = None
        self._left = False
        self.game = Game(path, battle, people, self._ask, before)

    def run(self) -> Iterator[Told]:
        """Yield events and undone events; run it in a separate thread."""
        return self.game.run()

    @property
    def routines(self) -> Routines:
        """The routine orders of units."""
        return self.game.routines

    def give(self, order: Order) -> None:
        """Answer the open question with a legal order."""
        self._reply(order)

    def give_routine(self, units: Collection[int], routine: Routine | None) -> None:
        """Give units a routine order, which also answers an open question about them.

        None ends their routine orders.
        """
        side = self.game.battle.state.units.integer("side", min(units))
        self.game.give_routine(side, units, routine)
        if self.sheet is not None and self.sheet.unit in {None, *units}:
            self._reply("again")

    def leave_to_doctrine(self, *, to_turns_end: bool = False) -> None:
        """Let the AI answer this question, or all questions of the side in this turn."""
        if self.sheet is not None:
            if to_turns_end:
                self._resting = self.sheet.side, self.sheet.question.battle.state.turn
            self._reply("doctrine")

    def take_back(self) -> bool:
        """Undo the last order of a player; return whether there was one."""
        number = self.game.choice_before(
            self.game.orders if self.sheet is None else self.sheet.question.number
        )
        return self._take_back(number)

    def take_back_to(self, events: int) -> bool:
        """Undo all orders of players after *events* events; return whether there were any."""
        return self._take_back(self.game.choice_since(events))

    def _take_back(self, number: int | None) -> bool:
        if number is None:
            return False
        self._resting = None
        self.game.take_back(number)
        self.tick()
        return True

    def tick(self) -> None:
        """Abort a question that no longer needs an answer."""
        if self.game.is_taking_back:
            self._reply("back")

    def leave(self) -> None:
        """Stop the game."""
        self._left = True
        self._answers.put("leave")

    def _reply(self, answer: _Answer) -> None:
        if self.sheet is not None:
            self.sheet = None
            self._answers.put(answer)

    def _ask(self, asked: PendingDecision) -> Order | None:
        if self._left:
            raise PlayerLeftError
        if self._resting == (asked.decision.side, asked.battle.state.turn):
            return None
        self._resting = None
        answer: _Answer = "again"
        while answer == "again":
            order = self.routines.answer(asked)
            if order is not None:
                return order
            self.sheet = worked_out(asked)
            if self.routines.answer(asked) is not None:
                # It was given just before the question was asked.
                answer = "again"
                continue
            answer = self._answers.get()
        self.sheet = None
        if answer == "leave":
            raise PlayerLeftError
        if answer == "back":
            raise OrderUndoneError
        return answer if isinstance(answer, Order) else None


def worked_out(asked: PendingDecision) -> QuestionSheet:
    """Return the sheet of a question."""
    battle, decision = asked.battle, asked.decision
    advice = asked.advice()
    orders = tuple(dict.fromkeys((advice, *choices(battle, decision))))
    system = battle.system
    return QuestionSheet(
        question=asked,
        text=system.question(battle, decision),
        orders=orders,
        phrases=tuple(rounded(system.phrase(battle, order)) for order in orders),
        kinds=tuple(map(system.words.kind, orders)),
        advice=advice,
        pointed=system.pointed(battle, decision),
        scene=battle.fork(),
    )
