"""Commanders that need no rule: one that gives any order that is legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emlia3d.battle.decisions import Decision, Offer, Order
from emlia3d.battle.dice import Dice


class RandomCommander:
    """Gives any order on offer: legal, and no more can be said for it.

    Each kind of order has the same chance, and each order the same among those of its kind: so
    only the kind that is drawn needs to be worked out.
    """

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """One of the options, by a die for its kind, where there are kinds, and one for itself."""
        options = decision.options
        if isinstance(options, Offer) and options.by_kind:
            options = _one_kind(options, dice)
        return options[_drawn(dice, len(options))]


def _one_kind(offer: Offer, dice: Dice) -> Sequence[Order]:
    """The options of a kind of which there are any."""
    kinds = [*range(offer.kinds)]
    while True:
        orders = offer.of_kind(kinds.pop(_drawn(dice, len(kinds))))
        if orders:
            return orders


def _drawn(dice: Dice, count: int) -> int:
    """One of so many, counted from 0."""
    (face,) = dice.roll("commander.random", 1, count)
    return face - 1
