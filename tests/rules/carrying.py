"""One procedure played with fixed dice and answers, for the tests of rulebooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, Procedure, advance
from emlia3d.battle.dice import FixedDice
from emlia3d.battle.events import Event

Answer = str | Order | Callable[[Decision], Order]
"""A verb, of which the first option is given; an order; or a function of the decision."""


@dataclass
class Outcome:
    """A procedure that was played.

    value : that it returned
    """

    events: list[Event]
    asked: list[Decision]
    value: Any = None

    def named(self, name: str) -> list[Event]:
        """Return the events of a name."""
        return [event for event in self.events if event.name == name]

    def facts(self, name: str, number: int = 0) -> Any:
        """Return the facts of an event of a name."""
        return self.named(name)[number].facts


def carry(
    battle: Battle, procedure: Procedure[Any], *answers: Answer, dice: Sequence[int] = ()
) -> Outcome:
    """Play a procedure with these answers and faces, of which all must be used."""
    fixed, left = FixedDice(dice), [*answers]
    battle.dice = fixed
    done = Outcome([], [])
    order: Order | None = None
    while True:
        try:
            said = advance(procedure, order)
        except StopIteration as end:
            done.value = end.value
            break
        order = None
        if isinstance(said, Event):
            battle.happen(said)
            done.events.append(said)
        else:
            done.asked.append(said)
            order = _answered(said, left.pop(0))
            said.check(order)
    assert not left, f"answers to nothing: {left}"
    fixed.assert_spent()
    return done


def _answered(decision: Decision, answer: Answer) -> Order:
    if isinstance(answer, Order):
        return answer
    return decision.of(answer)[0] if isinstance(answer, str) else answer(decision)
