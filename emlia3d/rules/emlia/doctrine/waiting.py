"""Prepared actions of units that have no better action."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, boldness, exchange, nearest, role_of
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.charges.charging import foreseen
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.preparation import Note

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def prepare(ai: AiContext, unit: int, offered: Offered) -> Order | None:
    """Return a prepared shot at any enemy that comes into range, or a charge, if it would pay.

    No charge is prepared at enemies higher or lower, because it would fall short on the slope,
    nor past friends that bar the way.
    """
    battle = ai.battle
    notes = {order: Note.model_validate_json(order.words) for order in offered.get("prepare", [])}
    near = nearest(battle, unit, ai.known)
    if near is None:
        return None
    for order, note in notes.items():
        if note.do == ("aimed fire",) and note.when[0].band == "medium":
            return replace(order, why="saves its shot for an enemy in range")
    charge = next((order for order, note in notes.items() if note.do == ("charge",)), None)
    foe, gap = near
    situation = situation_of(battle)
    able = role_of(battle, unit) in {Role.LINE, Role.CAVALRY}
    if charge is None or not able:
        return None
    if abs(situation.footing(foe) - situation.footing(unit)) >= situation.height(unit):
        return None
    found = exchange(battle, unit, foe)
    if found.odds < boldness(ai, unit) or not _is_free(battle, unit, foe, gap):
        return None
    why = f"is ready to charge {ai.name(foe)} ({gap:.0f} GSU away): {found}"
    return replace(charge, why=why)


def _is_free(moment: Moment, unit: int, foe: int, gap: float) -> bool:
    """Return whether a charge at an enemy would cover a good part of the way to it."""
    end, _ = foreseen(moment, unit, foe)
    left = float(end.outline.distance(situation_of(moment).outline(foe)))
    return gap - left >= min(gap, speed_of(moment, unit)) / 2
