"""Reserves of the commander: they go behind the unit of the line that is hard pressed."""

from __future__ import annotations

from itertools import compress

import numpy as np

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards, unit_vector
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, exchange, role_of, with_role
from emlia3d.rules.emlia.doctrine.places import (
    axis_of,
    in_second_line,
    progress,
    progress_of_each,
    second_line,
)
from emlia3d.rules.emlia.doctrine.unit_paths import best_way
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.situation import situation_of

_BEHIND = 35.0
"""GSU from the middle of a unit to that of the one that is to relieve it."""

_WAVERS = 1
"""Morale at which an unengaged unit counts as hard pressed."""


def relieve(ai: AiContext, decision: Decision, unit: int) -> Order | None:
    """Return the move of a reserve to behind the friend that may soon give way.

    None if there is no such friend, or another unit is nearer to it.
    """
    battle, situation = ai.battle, situation_of(ai.battle)
    if role_of(battle, unit) is not Role.LINE or not in_second_line(ai, unit):
        return None
    line = with_role(battle, ai.own, Role.LINE)
    before = progress_of_each(ai, line) > progress(ai, unit)
    pressed = [other for other in compress(line, before) if _is_pressed(ai, other)]
    if not pressed:
        return None
    waiting = second_line(ai, ai.own)
    mine = [
        other
        for other in pressed
        if min(waiting, key=lambda one: (situation.distance(one, other), one), default=unit) == unit
    ]
    if not mine:
        return None
    friend = min(mine, key=lambda other: (battle.state.units.integer("morale", other), other))
    east, north = unit_vector(axis_of(ai))
    (x, y), (front_x, front_y) = situation.centre(unit), situation.centre(friend)
    away_x, away_y = front_x - _BEHIND * east - x, front_y - _BEHIND * north - y
    away = float(np.sqrt(away_x**2 + away_y**2))
    if away < _BEHIND / 2:
        return None
    why = f"moves up behind {ai.name(friend)}, which is under pressure"
    return best_way(battle, decision, unit, facing_towards(away_x, away_y), "move", away, why)


def _is_pressed(ai: AiContext, unit: int) -> bool:
    """Return whether a unit wavers, or has the worst of a fight."""
    battle = ai.battle
    if battle.state.units.integer("morale", unit) <= _WAVERS:
        return True
    foes = [foe for foe in engaged_by(battle, unit) if foe in ai.known]
    return any(exchange(battle, unit, foe).odds < 1 for foe in foes)
