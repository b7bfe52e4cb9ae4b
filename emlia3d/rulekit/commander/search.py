"""A commander that tries the orders that its system's doctrine proposes.

Each order is rehearsed with the same dice, the doctrine decides for all sides on the way, and
`System.worth` judges the moment at the end. Dice often differ more than orders do. So an order
takes the place of the doctrine's own only if it ends better in every trial
(`better_in_every_trial`), or better on average of many (`halving`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev
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


Sift = Callable[[Sequence[Order], Mapping[Order, Sequence[float]]], list[Order]]
"""Returns the orders that are tried again, the doctrine's own first; a single one is the answer.

It is called with the orders of the last trial and the ends of all trials of each order.
"""


def better_in_every_trial(
    orders: Sequence[Order], ends: Mapping[Order, Sequence[float]]
) -> list[Order]:
    """Return the orders that have ended better than the doctrine's own, which stays."""
    usual, *others = orders
    return [usual, *(order for order in others if ends[order][-1] > ends[usual][-1])]


def halving(first: int, together: int, caution: float) -> Sift:
    """Return a sift that leaves out the worse half of the orders, and again as trials double.

    The last two are tried until the trials are used up.

    Parameters
    ----------
    first
        Trials of each order before one is left out.
    together
        Trials of all orders, at most.
    caution
        The standard errors by which the best order must lead the doctrine's own.
    """

    def sift(orders: Sequence[Order], ends: Mapping[Order, Sequence[float]]) -> list[Order]:
        usual, number = orders[0], len(ends[orders[0]])
        ranked = sorted(orders, key=lambda order: -fmean(ends[order]))
        if sum(map(len, ends.values())) + len(orders) > together:
            return [ranked[0] if _leads(ends[ranked[0]], ends[usual], caution) else usual]
        if len(orders) < 3 or number % first or (number // first).bit_count() != 1:
            return [*orders]
        return list(dict.fromkeys([usual, *ranked[: (len(orders) + 1) // 2]]))

    return sift


def _leads(ends: Sequence[float], others: Sequence[float], caution: float) -> bool:
    """Return whether trials end better on average, by more than some standard errors."""
    gaps = [end - other for end, other in zip(ends, others, strict=True)]
    error = stdev(gaps) / sqrt(len(gaps)) if len(gaps) > 1 else 0.0
    return fmean(gaps) > caution * error


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
        Rehearsals of each order at most, with other dice each; the same for all orders.
    sift
        Makes the rule that leaves orders out after each trial, from the battle; by default
        `better_in_every_trial`.
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
        sift: Callable[[Battle], Sift] = lambda _: better_in_every_trial,
        until: Callable[[Battle], Until] = to_end_of_turn,
        answer: AnswerFunction | None = None,
    ) -> None:
        self._doctrine, self._proposals = doctrine, proposals
        self._tries, self._sift, self._until = tries, sift, until
        self._answer = by_commander(doctrine) if answer is None else answer

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the best of the orders that trials leave; see `Sift`."""
        (seed,) = dice.roll("command.search", 1, 2**31)
        usual = self._doctrine.decide(decision, picture, dice)
        orders = self._orders(decision, picture, usual)
        if len(orders) < 2:
            return usual
        ends: dict[Order, list[float]] = {order: [] for order in orders}
        sift = self._sift(picture.battle)
        for number in range(self._tries):
            for order in orders:
                worth = self._worth(picture.battle, decision, order, seed + number)
                if worth is None:
                    return usual
                ends[order].append(worth)
            orders = sift(orders, ends)
            if len(orders) == 1:
                break
        best = max(orders, key=lambda order: fmean(ends[order]))
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
