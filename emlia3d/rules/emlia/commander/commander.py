"""The commander of Emlia: plans for the army, gives brigades missions, and acts unit by unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.rulekit.commander.army import plan_for
from emlia3d.rulekit.commander.plan import ASKS, Plan, to_words
from emlia3d.rules.emlia.commander.acting import act
from emlia3d.rules.emlia.commander.outlook import outlook_of
from emlia3d.rules.emlia.doctrine.commander import ANSWERS
from emlia3d.rules.emlia.doctrine.mind import MANNERS, Manner, Mind
from emlia3d.rules.emlia.play.sight.picture import Picture


class Led:
    """The commander "doctrine"."""

    def __init__(self, manner: Manner = MANNERS["steady"]) -> None:
        self.manner = manner
        self._plans: dict[tuple[int, int], Plan] = {}

    def decide(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
        """Return the answer to a decision, from what the side knows."""
        mind = Mind(picture, self.manner)
        if decision.asks in ANSWERS:
            return ANSWERS[decision.asks](mind, decision)
        key = mind.battle.state.turn, mind.side
        if key not in self._plans:
            self._plans[key] = plan_for(outlook_of(mind))
        return act(mind, self._plans[key], decision)
