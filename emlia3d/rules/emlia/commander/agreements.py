"""Agreements between units about an attack: some shoot at the enemy that another will charge.

A unit delays its charge to a later step of the turn if friends can shoot at its enemy. The friends
determine the targets of such units, and shoot at them first.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.adapter import at_the_target
from emlia3d.rulekit.commander.ordered import NO_CHARGE
from emlia3d.rulekit.commander.plan import Plan
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.commander.attacks import PlannedAttack, best_charge
from emlia3d.rules.emlia.doctrine import appraisal, fire_targets, places
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import ExpectedShot, Role, role_of
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by, side_met_from
from emlia3d.rules.emlia.play.situation.parts import head_of
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import within
from emlia3d.rules.emlia.play.turn.activation import ask
from emlia3d.rules.emlia.tables.equipment import Band

_WORTH_A_CHARGE = 0.1
"""Army value that a charge must gain."""

_SHOOTERS = frozenset({Role.LINE, Role.SKIRMISH, Role.GUNS})
"""Roles of units whose fire a charge waits for."""

_FIRST_SHOT = 0.2
"""Minimum worth of the first shot at a target of waiting friends, relative to the best shot."""

_GROUND = -1
"""Marker for the target of a volley at the ground."""


def charge_of(
    ai: AiContext,
    decision: Decision,
    unit: int,
    offered: Offered,
    plan: Plan,
    *,
    sought: Collection[int] | None = None,
) -> PlannedAttack | None:
    """Return the charge, or the move before it, that is worth most; None if none is worth it.

    Cavalry can also charge the broken enemy of its mission.

    sought : as of `best_charge`
    """
    mission = plan.mission_of(unit)
    if mission is not None and mission.kind in NO_CHARGE:
        return None
    foes = set(places.worth_meeting(ai))
    rides = role_of(ai.battle, unit) is Role.CAVALRY
    if rides and mission is not None and mission.target in ai.known:
        foes.add(mission.target)
    best = best_charge(ai, decision, unit, offered.get("charge", ()), foes, plan, sought=sought)
    return None if best is None or best.worth < _WORTH_A_CHARGE else best


def after_fire(ai: AiContext, decision: Decision, unit: int, foe: int) -> Order | None:
    """Return the delay until others have shot at the enemy; None if no others will."""
    battle = ai.battle
    units, attacked = battle.state.units, battle.state.pairs["attacked"]
    timing, step = units.ints("timing"), battle.state.battle.integer("step", 0)

    def shoots(one: int) -> bool:
        if units.value("activated", one):
            return bool(timing[one] == step and attacked.get((one, foe)) == battle.state.turn)
        return bool(timing[one] <= step) and _can_shoot(ai, one, foe)

    others = [one for one in ai.own if one != unit and role_of(battle, one) in _SHOOTERS]
    last = min((int(timing[one]) for one in others if shoots(one)), default=0)
    waits = next((one for one in decision.each("delay") if (one.number or 0) < last), None)
    if waits is None:
        return None
    return replace(waits, why=f"waits until others have shot at {ai.name(foe)}")


def _can_shoot(ai: AiContext, unit: int, foe: int) -> bool:
    """Return whether a unit that does not wait can shoot at an enemy from its position."""
    battle, units = ai.battle, ai.battle.state.units
    if units.value("delayed", unit) or units.value("disordered", unit) or engaged_by(battle, unit):
        return False
    far = places.range_of(battle, unit, Band.MEDIUM)
    return situation_of(battle).distance(unit, foe) <= far and is_aware(battle, unit, foe)


def has_been_attacked(ai: AiContext, foe: int) -> bool:
    """Return whether the side has attacked an enemy this turn."""
    battle = ai.battle
    attacked = battle.state.pairs["attacked"]
    return any(attacked.get((one, foe)) == battle.state.turn for one in ai.own)


def is_steady_front(ai: AiContext, unit: int, foe: int) -> bool:
    """Return whether a unit faces the front of an enemy that is steady and not engaged."""
    battle, units = ai.battle, ai.battle.state.units
    steady = units.integer("morale", foe) > 0 and not units.value("disordered", foe)
    if not steady or engaged_by(battle, foe):
        return False
    return side_met_from(battle, foe, situation_of(battle).outline(unit)) is UnitEdge.FRONT


def at_awaited(ai: AiContext, plan: Plan, shots: list[ExpectedShot]) -> list[ExpectedShot]:
    """Return a unit's shots at targets of waiting friends, or of the plan.

    The first shot at a target of a waiting friend can be worth much less than other shots. A unit
    with one shot has no choice, so its friends are then not examined.
    """
    if len(shots) < 2:
        return shots
    foes = _awaited(ai, plan, {_target(ai, one) for one in shots} - {_GROUND})
    unshot = {foe for foe in foes if not has_been_attacked(ai, foe)}
    most = max(one.worth for one in shots)
    first = [one for one in shots if _target(ai, one) in unshot and one.worth >= _FIRST_SHOT * most]
    if first and fire_targets.worthwhile(ai, first) is not None:
        return first
    return at_the_target(shots, foes or plan.targets)


def _target(ai: AiContext, one: ExpectedShot) -> int:
    """Return the target of a shot; `_GROUND` for a volley at the ground."""
    return _GROUND if one.order.target is None else head_of(ai.battle, one.order.target)


def _awaited(ai: AiContext, plan: Plan, foes: Collection[int]) -> set[int]:
    """Return which enemies are targets of waiting friends."""
    units, own = ai.battle.state.units, np.array(ai.own, dtype=np.intp)
    waits = (units["delayed"][own] != 0) & (units["activated"][own] == 0)
    waiting = appraisal.with_role(ai.battle, own[waits].tolist(), Role.LINE, Role.CAVALRY)
    left = set(foes)
    for one in waiting:
        if within(ai.battle, one, sorted(left), _reach(ai, one)):
            left.discard(_charges(ai, plan, one, left))
    return {*foes} - left


def _reach(ai: AiContext, unit: int) -> float:
    """Return the maximum distance of a charge, at once or after a move, GSU."""
    return 2 * speed_of(ai.battle, unit) + reach_of(situation_of(ai.battle), unit)


def _charges(ai: AiContext, plan: Plan, unit: int, foes: Collection[int]) -> int:
    """Return the enemy among some that a unit would charge if it acted now; `_GROUND` for none."""
    decision = next(iter(ask(ai.battle, unit)), None)
    if not isinstance(decision, Decision):
        return _GROUND
    best = charge_of(ai, decision, unit, Offered(ai.battle, decision), plan, sought=foes)
    return _GROUND if best is None or best.target is None else best.target
