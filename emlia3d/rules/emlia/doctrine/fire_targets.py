"""Shooting of the commander's units: their targets, and whether they halt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia.doctrine import bombarding, manoeuvring, places, reserving
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import (
    ExpectedShot,
    Role,
    effective_range,
    enemies_share,
    nearest,
    role_of,
    shot,
)
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.acting.checks import FOCUSED
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import head_of, members_of_all
from emlia3d.rules.emlia.play.situation.situation import situation_of

_WORTH_AN_AIM = 1.5
"""Worth of a shot from which a unit halts and aims rather than goes on."""

WORTH_A_HALT = 0.02
"""Worth of a halt for each member of a large unit, all of which would halt for it."""

WORTH_A_SHOT = 0.3
"""Worth below which a shot only helps units it leaves unharmed (`emlia.morale.pos.unharmed`)."""


def shots(ai: AiContext, unit: int, offered: Offered) -> list[ExpectedShot]:
    """Return the best shots and volleys of a unit at known enemies.

    Shots at fights that would hurt friends more are left out. A unit that has not moved aims:
    readiness to go on is worth nothing to it, because it shoots only if it would halt.
    """
    battle, known = ai.battle, set(ai.known)
    plain = "fire" if battle.state.units.value("move_used", unit) else "aim"
    at = [
        (target, order)
        for verb in (plain, f"{plain}{FOCUSED}")
        for order in offered.get(verb, ())
        if order.target is not None
        and (target := head_of(battle, order.target)) in known
        and enemies_share(battle, order) > 0
    ]
    sight_cache_of(battle).look([unit], sorted({target for target, _ in at}))
    aimed = [shot(battle, order, at_best=True) for _, order in at]
    volleys = [
        ExpectedShot(order, harm, harm)
        for verb in bombarding.VERBS
        for order in offered.get(verb, ())
        for harm in (bombarding.worth(ai, order),)
    ]
    return aimed + volleys


def shoot_or_move(
    ai: AiContext, decision: Decision, unit: int, offered: Sequence[ExpectedShot], stays: bool
) -> Order:
    """Return the order to halt and aim if worthwhile, else to move, else to shoot or turn."""
    battle = ai.battle
    best = worthwhile(ai, offered)
    moved = bool(battle.state.units.value("move_used", unit))
    stand = not moved and (stays or places.should_stand(ai, unit))
    if best and (moved or stand or best.worth >= _threshold(ai, unit, best.order.target)):
        turn = None if moved else manoeuvring.face(ai, decision, unit, best.order.target)
        return turn or replace(best.order, why=format_expected_shot(ai, unit, best))
    if not moved:
        wanted = reserving.relieve if stand else manoeuvring.move
        move = wanted(ai, decision, unit)
        if move is not None:
            return move
    if best:
        return replace(best.order, why=format_expected_shot(ai, unit, best))
    if not moved:
        near = nearest(battle, unit, ai.sought)
        turn = manoeuvring.face(ai, decision, unit, near[0] if near else None)
        if turn is not None:
            return turn
    return decision.of("done")[0]


def best_of(ai: AiContext, offered: Sequence[ExpectedShot]) -> ExpectedShot | None:
    """Return the shot that is worth most; in the last turns at an enemy on the objective.

    Cover only reduces worth, so it is computed from the most promising shot on, until none
    could be worth more.
    """
    first = set(ai.contesting) if ai.is_late else set[int]()

    def rank(one: ExpectedShot) -> tuple[bool, float, bool, int]:
        target = one.order.target
        urgent = target is not None and head_of(ai.battle, target) in first
        worth = one.worth + one.heart
        return urgent and one.worth >= WORTH_A_SHOT, worth, one.order.verb == "aim", -(target or 0)

    best: ExpectedShot | None = None
    for hope in sorted(offered, key=rank, reverse=True):
        if best is not None and rank(hope) <= rank(best):
            break
        one = shot(ai.battle, hope.order) if hope.at_best else hope
        if best is None or rank(one) > rank(best):
            best = one
    return best


def worthwhile(ai: AiContext, offered: Sequence[ExpectedShot]) -> ExpectedShot | None:
    """Return the shot that is worth most; None if none is worth making."""
    best = best_of(ai, offered)
    return best if best is not None and best.worth >= WORTH_A_SHOT else None


def _threshold(ai: AiContext, unit: int, target: int | None) -> float:
    """Return the worth that a volley must have before a unit halts for it.

    Guns always prefer to shoot; foot goes on until in effective range; a bold commander
    lets it go on sooner than a cautious one. In the last turns it halts only for enemies that
    are still on the objective.
    """
    battle = ai.battle
    if role_of(battle, unit) is Role.GUNS:
        return WORTH_A_SHOT
    if target is not None and head_of(battle, target) not in ai.sought:
        return inf
    near = nearest(battle, unit, () if target is None else (target,))
    far = near is not None and near[1] > 1.1 * effective_range(ai, unit)
    least = max(_WORTH_AN_AIM, WORTH_A_HALT * members_of_all(battle, unit))
    return inf if far else least * (0.5 + ai.personality.aggression)


def format_expected_shot(ai: AiContext, unit: int, one: ExpectedShot) -> str:
    """Return the expected effect as text for a reason."""
    if one.order.target is None:
        return (
            f"bombards the enemy: {one.harm:.1f} losses expected, less possible losses of friends"
        )
    target = head_of(ai.battle, one.order.target)
    far = situation_of(ai.battle).distance(unit, target)
    told = f"aimed fire at {ai.name(target)}, {far:.0f} GSU away: {one.harm:.1f} losses expected"
    return f"{told}, enough to shake it" if one.breaks else told
