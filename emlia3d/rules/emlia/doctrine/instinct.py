"""Units of the commander that act on initiative."""

from __future__ import annotations

from dataclasses import replace

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import charge_exchange, shot
from emlia3d.rules.emlia.play.turn.initiative import is_called


def early(ai: AiContext, decision: Decision) -> Order | None:
    """Return the activation of a unit that its own conditions call before its time.

    None if there is no such unit; units that only fall back do so in their own time.
    """
    for order in decision.options:
        if order.verb == "activate-early":
            assert order.unit is not None
            if is_called(ai.battle, order.unit):
                return replace(order, why="acts early, because its condition is met")
    return None


def follow(ai: AiContext, decision: Decision) -> Order:
    """Return the option for a condition that hurts the enemy most, or the first."""
    battle = ai.battle

    def worth(order: Order) -> float:
        if order.target is None or order.unit is None:
            return 0.0
        match order.verb:
            case "fire" | "aim" | "fire-focused" | "aim-focused":
                return shot(battle, order).worth
            case "charge":
                found = charge_exchange(battle, order.unit, order.target)
                return found.odds if found else 0.0
            case _:
                return 0.0

    best = max(decision.options, key=worth)
    return replace(best, why="acts on initiative")
