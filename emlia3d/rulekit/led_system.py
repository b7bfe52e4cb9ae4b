"""Rule systems whose sides are led by plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from emlia3d.battle.commanders import ASKS_FOR_PLAN, DOCTRINE, OpenPicture
from emlia3d.battle.system import System
from emlia3d.rulekit.commander import plan_record
from emlia3d.rulekit.commander.adapter import Adapter
from emlia3d.rulekit.commander.intents import intents_of
from emlia3d.rulekit.commander.led import Led
from emlia3d.rulekit.commander.personality import personality_of
from emlia3d.rulekit.commander.proposals import proposals
from emlia3d.rulekit.commander.search import Search

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.commanders import Commander
    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.intents import Intent


class LedSystem(System):
    """Rule system with open pictures, whose commanders lead by plan.

    The name of a commander can have a personality after a colon, as in "doctrine:bold". A subclass
    must include the columns of `plan_record`, the events `Planned` and `Ordered`, and their
    `plan_words`.

    adapter : one side of a battle, for its commander
    """

    adapter: ClassVar[type[Adapter]]

    @override
    def picture(self, battle: Battle, side: int) -> OpenPicture:
        picture = super().picture(battle, side)
        picture.battle.suppose(plan_record.without_plans_of_others(battle, side))
        return OpenPicture(picture.battle, side)

    @override
    def commander(self, name: str) -> Commander | None:
        kind, colon, words = name.partition(":")
        personality = personality_of(words if colon else "steady")
        if kind not in self.commanders or personality is None:
            return None
        doctrine = Led(lambda known: self.adapter(known.battle, known.side, personality))
        return doctrine if kind == DOCTRINE else self.search(doctrine)

    def search(self, doctrine: Commander) -> Commander:
        """Return the commander "search", which compares orders by rehearsals with *doctrine*."""
        return Search(doctrine)

    @override
    def more(self, moment: Moment, decision: Decision) -> list[Order]:
        if decision.asks != ASKS_FOR_PLAN:
            return []
        return proposals(self.adapter(moment, decision.side))

    @override
    def intents(self, moment: Moment, side: int, order: Order | None = None) -> tuple[Intent, ...]:
        return intents_of(moment, side, self.adapter(moment, side).brigades, order)
