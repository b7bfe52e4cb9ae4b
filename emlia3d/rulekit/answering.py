"""A commander that answers each question of the rules with a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.moment import Moment

Answers: TypeAlias = Mapping[str, Callable[[Moment, Decision], Order]]
"""Functions that answer decisions, by the slug of the rule that asks."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Commander that decides from an open picture and stores nothing between decisions.

    If a decision has one option, or its rule has no function, the answer is the first option.
    """

    answers: Answers

    def decide(self, decision: Decision, picture: OpenPicture, dice: Dice) -> Order:
        """Return the answer of the function for the rule that asks."""
        answer = self.answers.get(decision.asks)
        if len(decision.options) == 1 or answer is None:
            return decision.options[0]
        return answer(picture.battle, decision)
