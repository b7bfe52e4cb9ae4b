"""The plan of a side as the tasks of its brigades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.battle.questions.intents import Intent
from emlia3d.battle.questions.options import Place
from emlia3d.rulekit.commander.asking import in_words
from emlia3d.rulekit.commander.plan import from_words
from emlia3d.rulekit.commander.record import plan_of
from emlia3d.rules.emlia.play.situation.brigades import brigade_names

if TYPE_CHECKING:
    from emlia3d.battle.decisions import Order
    from emlia3d.battle.moment import Moment
    from emlia3d.rulekit.commander.plan import Mission


def intents(moment: Moment, side: int, order: Order | None = None) -> tuple[Intent, ...]:
    """Return the task of each brigade of a side; () without a plan.

    order : a plan that the side may make; None for the one that stands
    """
    plan = plan_of(moment, side, brigade_names(moment, side))
    if order is not None:
        plan = from_words(order.words)
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
    """Return the place of a mission's target; None if it has none on the field."""
    units, target = moment.state.units, mission.target
    if target is None or not units.integer("present", target):
        return None
    return float(units.value("x", target)), float(units.value("y", target))
