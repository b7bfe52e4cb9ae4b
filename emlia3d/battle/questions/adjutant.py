"""Decisions as people meet them: put into words, and answered by pointing at the field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.questions.odds import Odds
from emlia3d.battle.words import figure

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

Place: TypeAlias = tuple[float, float]
"""East and north, GSU."""


@runtime_checkable
class Adjutant(Protocol):
    """A rule system that helps a person to decide: words for what is asked, orders from places."""

    def question(self, battle: Battle, decision: Decision) -> str:
        """What is asked, as a question to the player."""
        ...

    def phrase(self, battle: Battle, order: Order) -> str:
        """An order in words, as an answer to choose."""
        ...

    def hidden_from(self, battle: Battle, side: int) -> tuple[int, ...]:
        """Units on the field that nobody on a side is aware of."""
        ...

    def pointed(self, battle: Battle, decision: Decision) -> tuple[str, ...]:
        """Verbs of orders that a place on the field completes, where the decision has a reach."""
        ...

    def more(self, battle: Battle, decision: Decision) -> list[Order]:
        """Orders that the reach allows and that are worth offering beside the options."""
        ...

    def order_to(
        self, battle: Battle, decision: Decision, verb: str, place: Place, facing: int | None
    ) -> Order | None:
        """The order that a place completes, as far that way as it may lead; None if there is none.

        facing : that a move ends in, 64ths of a degree; as it comes where None

        It may still be refused: ask the decision's reach.
        """
        ...

    def reach_of(self, battle: Battle, decision: Decision, verb: str) -> tuple[Place, ...]:
        """Corners round the places that orders of a verb lead to; fewer than three for nowhere."""
        ...

    def odds_of(self, battle: Battle, order: Order) -> Odds | None:
        """What may come of an order, as the battle stands; None if it is no attack on a unit.

        Raises Error where that can go in too many ways.
        """
        ...


def question(battle: Battle, decision: Decision) -> str:
    """What is asked, as a question to the player."""
    if isinstance(battle.system, Adjutant):
        return battle.system.question(battle, decision)
    who = battle.setup.sides[decision.side].name
    if decision.unit is not None:
        who = battle.setup.units[decision.unit].name
    return f"{who}: what is to be done?"


def phrase(battle: Battle, order: Order) -> str:
    """An order in words, as an answer to choose."""
    if isinstance(battle.system, Adjutant):
        return battle.system.phrase(battle, order)
    return plain_phrase(battle, order)


def plain_phrase(battle: Battle, order: Order) -> str:
    """An order in words that need no rules: its verb, whom and what it names, where it leads."""
    parts = [order.verb.replace("-", " ")]
    if order.target is not None and order.target != order.unit:
        parts.append(battle.setup.units[order.target].name)
    if order.number is not None:
        parts.append(str(order.number))
    for x, y in (*((leg.x, leg.y) for leg in order.legs[-1:]), *filter(None, (order.point,))):
        parts.append(f"to {figure(x)}, {figure(y)}")
    return " ".join(parts)


def hidden_from(battle: Battle, side: int) -> tuple[int, ...]:
    """Units on the field that nobody on a side is aware of; none where the rules hide nobody."""
    if isinstance(battle.system, Adjutant):
        return battle.system.hidden_from(battle, side)
    return ()


def choices(battle: Battle, decision: Decision) -> tuple[Order, ...]:
    """The options of a decision, and what else is worth offering."""
    if not isinstance(battle.system, Adjutant):
        return tuple(decision.options)
    return tuple(dict.fromkeys((*decision.options, *battle.system.more(battle, decision))))


def refusal_of(decision: Decision, order: Order) -> str | None:
    """Why an order may not be given, in one line with the rule's slug; None if it may."""
    if order in decision.options:
        return None
    if decision.reach is None:
        return f"it is not on offer ({decision.asks})"
    refusal = decision.reach.refusal(order)
    return None if refusal is None else f"{refusal.reason} ({refusal.slug})"
