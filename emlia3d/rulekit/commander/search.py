"""A commander that tries the orders that its system's doctrine proposes.

Each order is rehearsed with the same dice, the doctrine decides for all sides on the way, and
`System.worth` judges the moment at the end. Dice differ more than orders do, so an order takes the
place of the doctrine's own only if it ends better in every trial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.formatting import format_value
from emlia3d.battle.questions.options import refusal_of
from emlia3d.rulekit.commander.rehearse import Onward, Until, rehearse, to_end_of_turn
from emlia3d.rulekit.ways import AnswerFunction, by_commander

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
        Rehearsals of each order at most, with other dice each; the same for all orders. An order
        that ends no better than the doctrine's own is not tried again.
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
        answer: AnswerFunction | None = None,
    ) -> None:
        self._doctrine, self._proposals = doctrine, proposals
        self._tries, self._until = tries, until
        self._answer = by_commander(doctrine) if answer is None else answer

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the best of the orders that end better than the doctrine's in every trial."""
        (seed,) = dice.roll("command.search", 1, 2**31)
        usual = self._doctrine.decide(decision, picture, dice)
        orders = self._orders(decision, picture, usual)
        if len(orders) < 2:
            return usual
        ends: dict[Order, list[float]] = {order: [] for order in orders}
        for number in range(self._tries):
            for order in orders:
                worth = self._worth(picture.battle, decision, order, seed + number)
                if worth is None:
                    return usual
                ends[order].append(worth)
            orders = [usual, *(order for order in orders if ends[order][-1] > ends[usual][-1])]
            if len(orders) == 1:
                break
        best = max(orders, key=lambda order: sum(ends[order]))
        why = f"{best.why}; " if best.why else ""
        return replace(best, why=f"{why}tried, worth {format_value(fmean(ends[best]))}")

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
        """Return the worth of an order in one trial; None if it cannot be rehearsed."""
        onward = Onward(answer=self._answer, until=self._until(battle), seed=seed)
        end = rehearse(battle, decision, order, onward)
        return None if end is None else end.battle.system.worth(end.battle, decision.side)
