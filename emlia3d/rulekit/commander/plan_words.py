"""The words for plans and missions, for the table of words of a rule system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from emlia3d.battle.commanders import ASKS_FOR_PLAN, MISSION, NO_PLAN, PLAN
from emlia3d.battle.events import Facts
from emlia3d.rulekit.commander.asking import Ordered, Planned, told_missions, told_order, told_plan
from emlia3d.rulekit.commander.plan import from_words
from emlia3d.rulekit.words import EventWords, OrderPhrase, QuestionPhrase, said

if TYPE_CHECKING:
    from emlia3d.battle.decisions import Order
    from emlia3d.battle.moment import Moment


def _planned(moment: Moment, order: Order) -> str:
    missions = told_missions(moment, from_words(order.words).missions)
    return f"accept this plan: {'; '.join(missions) or 'each unit acts on its own'}"


EVENTS: Mapping[type[Facts], EventWords] = dict(
    (
        said(Planned, "{side} <plans> to {plan}", lambda e, f, n: told_plan(f), whole=True),
        said(
            Ordered,
            "{side} <gives> a mission. {mission}",
            lambda e, f, n: told_order(f),
            whole=True,
        ),
    )
)
"""By kind of event."""

ORDERS: Mapping[str, OrderPhrase] = {
    NO_PLAN: "keep the plan",
    PLAN: _planned,
    MISSION: lambda moment, order: f"mission {order.words}",
}
"""By verb."""

QUESTIONS: Mapping[str, QuestionPhrase] = {
    ASKS_FOR_PLAN: "{side}: what is the plan of this turn?",
}
"""By the slug of the rule that asks."""
