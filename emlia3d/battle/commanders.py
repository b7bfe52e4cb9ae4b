"""Commanders that need no rule: one that gives any order that is legal."""

from __future__ import annotations

from typing import Any

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice


class RandomCommander:
    """Gives each order on offer with the same chance: legal, and no more can be said for it."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """One of the options, by one die."""
        (face,) = dice.roll("commander.random", 1, len(decision.options))
        return decision.options[face - 1]
