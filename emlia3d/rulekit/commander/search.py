"""A commander that tries the orders that its system's doctrine proposes, and gives the best.

Each order is rehearsed with the same dice, the doctrine decides for all sides on the way, and
`System.worth` judges the moment at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.formatting import format_value
from emlia3d.battle.questions.options import refusal_of
from emlia3d.rulekit.commander.rehearse import Onward, Until, rehearse, to_end_of_turn
from emlia3d.rulekit.ways import Answer, by_commander

MOST_ORDERS = 6
"""Orders that are tried at one decision, at most."""

Proposals = Callable[[Decision, Any], Sequence[Order]]
"""Proposes orders for a decision from a side's picture, the likeliest first."""


class Search:
    """Decides by rehearsals.

    It keeps nothing between decisions. Where nothing can be rehearsed, the doctrine decides.

    Parameters
    ----------
    doctrine
        Decides in rehearsals, and decides itself if there is nothing to compare.
    proposals
        Orders to try; by default the doctrine's own and options of the decision.
    tries
        Rehearsals of each order, with other dice each; the same for all orders.
    until
        Makes the end of rehearsals from the battle before them; by default the end of the turn.
    answer
        Decides in rehearsals in place of the doctrine, for instance faster.
    """

    def __init__(
        self,
        doctrine: Commander,
        proposals: Proposals | None = None,
        *,
        tries: int = 2,
        until: Callable[[Battle], Until] = to_end_of_turn,
        answer: Answer | None = None,
    ) -> None:
        self._doctrine, self._proposals = doctrine, proposals
        self._tries, self._until = tries, until
        self._answer = by_commander(doctrine) if answer is None else answer

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the order with the best end on average, from what the side knows."""
        (seed,) = dice.roll("command.search", 1, 2**31)
        usual = self._doctrine.decide(decision, picture, dice)
        orders = self._orders(decision, picture, usual)
        if len(orders) < 2:
            return usual
        found: list[tuple[float, Order]] = []
        for order in orders:
            worth = self._worth(picture.battle, decision, order, seed)
            if worth is None:
                return usual
            found.append((worth, order))
        # Of equals the first, which is the doctrine's own.
        worth, best = max(found, key=lambda each: each[0])
        why = f"{best.why}; " if best.why else ""
        return replace(best, why=f"{why}tried, worth {format_value(worth)}")

    def _orders(self, decision: Decision, picture: Any, usual: Order) -> list[Order]:
        """Return the orders to try, the doctrine's own first."""
        if self._proposals is None:
            options = decision.options
            step = max(1, len(options) // MOST_ORDERS)
            proposed: Sequence[Order] = options[::step]
        else:
            proposed = self._proposals(decision, picture)
        allowed = [order for order in proposed if refusal_of(decision, order) is None]
        return list(dict.fromkeys([usual, *allowed]))[:MOST_ORDERS]

    def _worth(self, battle: Battle, decision: Decision, order: Order, seed: int) -> float | None:
        """Return the worth of an order on average; None if it cannot be rehearsed."""
        total = 0.0
        for number in range(self._tries):
            onward = Onward(answer=self._answer, until=self._until(battle), seed=seed + number)
            end = rehearse(battle, decision, order, onward)
            if end is None:
                return None
            total += end.battle.system.worth(end.battle, decision.side)
        return total / self._tries
