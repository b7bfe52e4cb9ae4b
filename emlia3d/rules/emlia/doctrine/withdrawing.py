"""Withdrawal from fights, and units that cover it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, exchange, role_of, with_role
from emlia3d.rules.emlia.doctrine.unit_paths import best_way
from emlia3d.rules.emlia.play.retreat.compulsion import is_compelled
from emlia3d.rules.emlia.play.retreat.fallback_goals import nearest_friends, order_to_friend
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.parts import members_of_all
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    pass

_ELSEWHERE = {Role.GUNS, Role.GENERAL, Role.SKIRMISH}
"""Roles whose place is not in hand-to-hand combat, unless they win it."""


def order(
    ai: AiContext, decision: Decision, unit: int, by_verb: Mapping[str, list[Order]]
) -> Order | None:
    """Return the order to break free, to distract the enemy or to leave; None if none is of use."""
    battle = ai.battle
    foes = [foe for foe in engaged_by(battle, unit) if foe in ai.known]
    if not foes:
        return None
    worst = min((exchange(battle, unit, foe) for foe in foes), key=lambda found: found.odds)
    leaves = _wants_out(ai, unit, worst.odds)
    free = any(source == unit for source, _ in battle.state.pairs["barred"])
    if leaves and free:
        return _away(ai, decision, unit, foes)
    if "disengage" not in by_verb:
        return None
    if leaves:
        return replace(by_verb["disengage"][0], why=f"disengages: {worst}")
    if worst.odds < 1 and _others_go(ai, unit, foes):
        return replace(
            by_verb["disengage"][0], why="keeps the enemy busy while other units disengage"
        )
    return None


def _wants_out(ai: AiContext, unit: int, odds: float) -> bool:
    """Return whether a unit that still can had better be elsewhere."""
    battle = ai.battle
    if battle.state.units.value("move_used", unit) or not speed_of(battle, unit):
        return False
    return odds < (1.0 if role_of(battle, unit) in _ELSEWHERE else ai.personality.hopeless)


def _away(ai: AiContext, decision: Decision, unit: int, foes: list[int]) -> Order | None:
    """Return the move straight away from the nearest enemy."""
    battle, situation = ai.battle, situation_of(ai.battle)
    foe = min(foes, key=lambda one: (situation.distance(unit, one), one))
    (x, y), (fx, fy) = situation.centre(unit), situation.centre(foe)
    way = facing_towards(x - fx, y - fy)
    return best_way(
        battle,
        decision,
        unit,
        way,
        "move",
        speed_of(battle, unit),
        f"retreats from {ai.name(foe)}",
    )


def _others_go(ai: AiContext, unit: int, foes: list[int]) -> bool:
    """Return whether a friend who fights the same enemies has yet to run."""
    battle = ai.battle
    return any(
        other != unit
        and not battle.state.units.value("activated", other)
        and is_compelled(battle, other)
        and any(foe in foes for foe in engaged_by(battle, other))
        for other in ai.own
    )


def bar(ai: AiContext, decision: Decision) -> Order:
    """Return the option against the most numerous enemies, because they strike hardest."""

    def most(one: Order) -> tuple[int, int]:
        assert one.target is not None
        return members_of_all(ai.battle, one.target), -one.target

    return replace(
        max(decision.options, key=most), why="keeps the strongest enemies from a free strike"
    )


def fall_back(ai: AiContext, decision: Decision) -> Order:
    """Return the retreat to cover, else to the general, else to the own lines."""
    battle, unit = ai.battle, decision.unit
    assert unit is not None
    cover = next(decision.each("to-cover"), None)
    if cover is not None:
        return replace(cover, why="leaves the enemy's fire")
    generals = with_role(battle, nearest_friends(battle, unit), Role.GENERAL)
    to_general = decision.first([order_to_friend(unit, friend) for friend in generals])
    if to_general is not None:
        return replace(to_general, why="falls back to the general, to be rallied")
    home = next(decision.each("to-lines"), None)
    return replace(home or decision.options[-1], why="falls back to rally")
