"""The commander of Emlia: plans for the army, gives brigades missions, and acts unit by unit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from typing_extensions import override

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander import led
from emlia3d.rulekit.commander.adapter import Adapter
from emlia3d.rulekit.commander.outlook import Brigade, Outlook
from emlia3d.rulekit.commander.plan import Plan
from emlia3d.rulekit.commander.proposals import proposals as proposals_of
from emlia3d.rules.emlia.commander import pushed
from emlia3d.rules.emlia.commander.acting import act
from emlia3d.rules.emlia.commander.outlook import outlook_of
from emlia3d.rules.emlia.doctrine.ai_context import (
    DOCTRINES,
    AiContext,
    DoctrinePersonality,
)
from emlia3d.rules.emlia.doctrine.plain_commander import ANSWERS
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.situation.brigades import brigades_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


class LedByRulekit(led.Led):
    """The commander "doctrine"."""

    def __init__(self, personality: DoctrinePersonality = DOCTRINES["steady"]) -> None:
        super().__init__(partial(EmliaSide, personality=personality))


class EmliaSide(Adapter):
    """One side under Emlia's rules; its units take several actions in a turn (`acting`)."""

    def __init__(self, picture: SidePicture, personality: DoctrinePersonality) -> None:
        super().__init__(picture.battle, picture.side)
        self.ai = AiContext(picture, personality)

    @property
    @override
    def brigades(self) -> tuple[Brigade, ...]:
        return brigades_of(self.moment, self.side)

    @override
    def see(self) -> Outlook:
        return outlook_of(self.ai)

    @override
    def answer(self, decision: Decision) -> Order | None:
        if decision.asks == pushed.ASKS:
            return pushed.choice(self.moment, decision, self.ai.personality.light_push)
        found = ANSWERS.get(decision.asks)
        return None if found is None else found(self.ai, decision)

    @override
    def act(self, decision: Decision, plan: Plan) -> Order:
        return act(self.ai, plan, decision)


def proposals(moment: Moment, decision: Decision) -> list[Order]:
    """Return the doctrine's plan, and the most common missions of each brigade.

    moment : the battle as the side knows it
    """
    return proposals_of(EmliaSide(SidePicture(moment, decision.side), DOCTRINES["steady"]))
