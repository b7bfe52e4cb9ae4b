"""Useful actions of a unit that do not compete with its main order."""

from __future__ import annotations

from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.doctrine import ambush, breaching
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.offered import Offered


def order(ai: AiContext, unit: int, offered: Offered, *, idle: bool, lurks: bool) -> Order | None:
    """Return the first action that is of use; None if there is none.

    idle : the unit has nothing else to do
    lurks : it lies in wait for the enemy
    """
    return (
        (breaching.shoot(ai, offered) if idle else None)
        or (ambush.hide(offered) if lurks and idle else None)
        or ambush.look(ai, offered)
        or (ambush.point_out(ai, unit, offered) if idle else None)
    )
