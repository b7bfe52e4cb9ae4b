"""The legal answers to a decision, and the reasons for refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from emlia3d.battle.commanders import ASKS_FOR_PLAN
from emlia3d.battle.decisions import Decision, Order

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Place: TypeAlias = tuple[float, float]
"""East and north, GSU."""


def choices(moment: Moment, decision: Decision) -> tuple[Order, ...]:
    """Return the options of a decision and other useful orders, with plans first."""
    more = moment.system.more(moment, decision)
    if decision.asks == ASKS_FOR_PLAN:
        return (*more, *decision.options)
    return tuple(dict.fromkeys((*decision.options, *more)))


def refusal_of(decision: Decision, order: Order) -> str | None:
    """Return why an order is illegal, in one line with the rule's slug; None if it is legal."""
    if order in decision.options:
        return None
    if decision.validator is None:
        return f"it is not on offer ({decision.asks})"
    refusal = decision.validator.refusal(order)
    return None if refusal is None else f"{refusal.reason} ({refusal.slug})"
