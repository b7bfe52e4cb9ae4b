"""The commander of Emlia: plans for the army, gives brigades missions, and acts unit by unit."""

from __future__ import annotations

from emlia3d.battle.commanders import ASKS_FOR_PLAN, PLAN
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.rulekit.commander.army import plan_for
from emlia3d.rulekit.commander.plan import Plan, to_words
from emlia3d.rulekit.commander.record import orders_of, plan_of
from emlia3d.rules.emlia.commander import pushed
from emlia3d.rules.emlia.commander.acting import act
from emlia3d.rules.emlia.commander.outlook import outlook_of
from emlia3d.rules.emlia.doctrine.commander import ANSWERS
from emlia3d.rules.emlia.doctrine.mind import MANNERS, Manner, Mind
from emlia3d.rules.emlia.play.sight.picture import Picture
from emlia3d.rules.emlia.play.situation.brigades import brigade_names


class Led:
    """The commander "doctrine": it keeps nothing between decisions but the plan, in the battle."""

    def __init__(self, manner: Manner = MANNERS["steady"]) -> None:
        self.manner = manner

    def decide(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
        """Return the answer to a decision, from what the side knows."""
        mind = Mind(picture, self.manner)
        names = brigade_names(mind.battle, mind.side)
        if decision.asks == ASKS_FOR_PLAN:
            orders = orders_of(mind.battle, mind.side, names)
            return Order(verb=PLAN, words=to_words(plan_for(outlook_of(mind), orders)))
        if decision.asks == pushed.ASKS:
            return pushed.choice(mind.battle, decision, self.manner.light_push)
        if decision.asks in ANSWERS:
            return ANSWERS[decision.asks](mind, decision)
        return act(mind, plan_of(mind.battle, mind.side, names) or WITHOUT, decision)


WITHOUT = Plan(name="", missions=())
