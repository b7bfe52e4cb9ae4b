"""Hiding, searching for hidden enemies, and pointing enemies out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.free_actions.hiding import shot_at
from emlia3d.rules.emlia.play.sight.sight_cache import level_on, sight_cache_of
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import within

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_COMES_NEAR = 3
"""Normal Moves within which an enemy who is on the march is waited for."""

_MATTERS = 2
"""Normal Moves within which an enemy matters to friends that are not aware of it."""

_HIDE = ("conceal-self-only", "conceal-self", "conceal-self-primary", "conceal-self-move")
_POINT_OUT = ("pass-awareness-primary", "pass-awareness")


def look(ai: AiContext, offered: Offered) -> Order | None:
    """Return a search, which is free, if an enemy may be near that the unit is not aware of."""
    searches = offered.each("detect-hidden")
    anyone = next(searches, None)
    if anyone is not None and ai.missing:
        return replace(anyone, why="searches for an enemy that may be hidden")
    named = next(searches, None)
    return None if named is None else replace(named, why="searches for a reported enemy")


def lies_in_wait(ai: AiContext, unit: int) -> bool:
    """Return whether a unit that can hide would rather wait for the enemy than go to meet it.

    No near enemy sees it plainly, and one of them approaches. It does not wait if
    its side lacks the objective in the last turns.
    """
    battle = ai.battle
    if ai.is_pressed or situation_of(battle).entry(unit).skill("stealth") is None:
        return False
    if role_of(battle, unit) not in {Role.LINE, Role.SKIRMISH}:
        return False
    near = _within(battle, unit, ai.known, _COMES_NEAR)
    if not any(battle.state.units.value("moved", foe) for foe in near):
        return False
    sight_cache_of(battle).look(near, [unit])
    return all(level_on(battle, foe, unit) is not Level.NONE for foe in near)


def hide(offered: Offered) -> Order | None:
    """Return the surest way of hiding that is left."""
    for verb in _HIDE:
        if verb in offered:
            return replace(offered[verb][0], why="prepares an ambush")
    return None


def point_out(ai: AiContext, unit: int, offered: Offered) -> Order | None:
    """Return the order to point out the nearest enemy that matters and that friends do not know."""
    near = _within(ai.battle, unit, ai.known, _MATTERS)
    targets = shot_at(ai.battle, unit, ai.known)
    for verb, foes, why in (
        ("pass-awareness-free", targets, "reports the target of its shots"),
        *((verb, near, "reports enemies that friends do not know") for verb in _POINT_OUT),
    ):
        found = offered.first(Order(verb=verb, unit=unit, target=foe) for foe in foes)
        if found is not None:
            return replace(found, why=why)
    return None


def _within(moment: Moment, unit: int, foes: Sequence[int], moves: int) -> list[int]:
    """Return the enemies within *moves* Normal Moves, the nearest first."""
    near = within(moment, unit, foes, moves * speed_of(moment, unit))
    return sorted(near, key=lambda foe: (near[foe], foe))
