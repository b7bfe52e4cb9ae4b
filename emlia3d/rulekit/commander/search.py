"""The commander `Search`, which compares the orders that a system's doctrine proposes.

Each order is rehearsed with the same dice. The doctrine decides for all sides in the rehearsal, and
`System.worth` evaluates its end. The effect of the dice is often larger than that of the order.
Therefore an order replaces the doctrine's own only if it ends better in every trial
(`better_in_every_trial`), or on average of many trials (`halving`).
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
"""Maximum number of orders that are tried at one decision."""

Proposals = Callable[[Decision, Any], Sequence[Order]]
"""Proposes orders for a decision from a side's picture, the most promising first."""


Sift = Callable[[Sequence[Order], Mapping[Order, Sequence[float]]], list[Order]]
"""Returns the orders to try again, the doctrine's own first; a single order is the answer.

Its parameters are the orders of the last trial, and the results of all trials by order.
"""


def better_in_every_trial(
    orders: Sequence[Order], ends: Mapping[Order, Sequence[float]]
) -> list[Order]:
    """Return the doctrine's own order, and the orders that ended better in every trial."""
    usual, *others = orders
    return [usual, *(order for order in others if ends[order][-1] > ends[usual][-1])]


def halving(first: int, together: int, caution: float) -> Sift:
    """Return a sift that drops the worse half of the orders whenever the trials have doubled.

    The last two orders are compared until no trials are left.

    Parameters
    ----------
    first
        Number of trials of each order before the first one is dropped.
    together
        Maximum number of trials of all orders together.
    caution
        Minimum lead of the best order over the doctrine's own, standard errors.
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
    """Return whether the mean lead in trials exceeds some standard errors."""
    gaps = [end - other for end, other in zip(ends, others, strict=True)]
    error = stdev(gaps) / sqrt(len(gaps)) if len(gaps) > 1 else 0.0
    return fmean(gaps) > caution * error


class Search:
    """Commander that decides by rehearsals.

    It stores nothing between decisions. If nothing can be rehearsed, the doctrine decides.

    Parameters
    ----------
    doctrine
        Decides in rehearsals, and decides itself if there is nothing to compare.
    proposals
        Returns orders to try; by default the doctrine's own and options of the decision.
    tries
        Maximum number of rehearsals of each order. The dice differ between rehearsals, but not
        between orders.
    sift
        Makes the function that drops orders after each trial, from the battle; by default
        `better_in_every_trial`.
    until
        Makes the function that ends rehearsals, from the battle before them; by default at the end
        of the turn.
    answer
        Decides in rehearsals in place of the doctrine, for example to save time.
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
        """Return the order that remains after the trials; see `Sift`."""
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
