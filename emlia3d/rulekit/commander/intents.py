"""The plan of a side as the tasks of its brigades, for pictures and cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from emlia3d.battle.questions.intents import Intent
from emlia3d.battle.questions.options import Place
from emlia3d.rulekit.commander.asking import in_words
from emlia3d.rulekit.commander.plan import from_words
from emlia3d.rulekit.commander.plan_record import plan_of

if TYPE_CHECKING:
    from emlia3d.battle.decisions import Order
    from emlia3d.battle.moment import Moment
    from emlia3d.rulekit.commander.outlook import Brigade
    from emlia3d.rulekit.commander.plan import Mission


def intents_of(
    moment: Moment, side: int, brigades: Sequence[Brigade], order: Order | None = None
) -> tuple[Intent, ...]:
    """Return the task of each brigade of a side; () without a plan.

    order : a plan that the side can make; None for its current plan
    """
    if order is not None:
        return tuple(_intent(moment, each) for each in from_words(order.words).missions)
    plan = plan_of(moment, side, tuple(each.name for each in brigades))
    return () if plan is None else tuple(_intent(moment, each) for each in plan.missions)


def _intent(moment: Moment, mission: Mission) -> Intent:
    return Intent(
        text=in_words(moment, mission),
        group=mission.brigade,
        units=mission.units,
        line=mission.line,
        limit=mission.limit,
        goal=_goal(moment, mission),
    )


def _goal(moment: Moment, mission: Mission) -> Place | None:
    """Return the position of a mission's target; None if it is not on the field."""
    units, target = moment.state.units, mission.target
    if target is None or not units.integer("present", target):
        return None
    return float(units.value("x", target)), float(units.value("y", target))
