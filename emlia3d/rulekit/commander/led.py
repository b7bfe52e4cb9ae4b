"""The commander `Led`, which plans and acts within its plan under any rule system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emlia3d.battle.commanders import ASKS_FOR_PLAN, PLAN
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.rulekit.commander.adapter import Adapter
from emlia3d.rulekit.commander.army_plan import plan_for
from emlia3d.rulekit.commander.plan import Plan, to_words
from emlia3d.rulekit.commander.plan_record import orders_of, plan_of
from emlia3d.rulekit.commander.scaling import scaled_outlook, scaled_plan

WITHOUT = Plan(name="", missions=())
"""The plan of a side without one: each unit acts on its own."""


class Led:
    """Commander that stores nothing between decisions; the plan is in the battle."""

    def __init__(self, adapter: Callable[[Any], Adapter]) -> None:
        """Lead the side for which *adapter* makes an adapter from its picture."""
        self._adapter = adapter

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the answer to a decision, from what the side knows, without rolling dice."""
        side = self._adapter(picture)
        if decision.asks == ASKS_FOR_PLAN:
            return proposed(side)
        names = tuple(each.name for each in side.brigades)
        return side.answer(decision) or side.act(
            decision, plan_of(side.moment, side.side, names) or WITHOUT
        )


def proposed(side: Adapter) -> Order:
    """Return the best plan of a side that contains the missions from its player."""
    names = tuple(each.name for each in side.brigades)
    given = orders_of(side.moment, side.side, names)
    plan = plan_for(scaled_outlook(side.outlook, side.scale), given)
    return Order(verb=PLAN, words=to_words(scaled_plan(plan, 1 / side.scale)))
