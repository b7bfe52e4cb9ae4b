"""The choice of a unit's attack in close combat, by worth.

A few attacks in a unit's turn are rehearsed, the most promising first. Charges that fall short are
not rehearsed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rulekit.commander.plan import Plan
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.commander.charge_lanes import run_ups, straight_moves
from emlia3d.rules.emlia.commander.currency import value_of
from emlia3d.rules.emlia.commander.exchange import Exchange
from emlia3d.rules.emlia.commander.rehearsal import rehearse
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.assaulting import (
    into_flanks,
    may_move_first,
    moves_before,
    straight_at,
)
from emlia3d.rules.emlia.doctrine.unit_paths import allowed
from emlia3d.rules.emlia.play.charges.charging import brought_home
from emlia3d.rules.emlia.play.movement.obstruction_cache import NearbyBodies
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by, side_met_from
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import within

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_REHEARSED = 3
"""Maximum number of rehearsed attacks in a decision."""

_AT_ONCE = 2
"""Maximum number of rehearsed charges that are possible at once."""

_CLOSE = 10.0
"""Distance added to that of an enemy, so that the nearest does not outweigh all others, GSU."""

_LANES = 4
"""Maximum number of free runs at an enemy that are tried."""

_LOOKED_AT = 3
"""Maximum number of enemies for which charges after a move are sought."""

_LEAST_DICE = 3
"""Minimum dice of a charge, or the dice of the unit with all its members in reach."""

_BETTER = 1.25
"""Minimum ratio of the worth of a charge after a move to that of a charge at once."""

_SHORT_RUN = 0.25
"""The proportion of its speed that a unit keeps for a charge over ground that slows it."""

_LEAST = 0.005
"""Minimum worth of an attack in close combat, relative to the unit's worth."""

_TOGETHER = 1.5
"""Factor for the gain of a charge at an enemy that is in close combat already."""

_URGENT = 1.5
"""Factor for attacks on enemies on the objective in the last turns.

If the side does not hold its objective then, the price of its own losses is divided by it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAttack:
    """An attack, or the move from which a unit will make it.

    worth : loss of the enemy minus its cost, army value
    target : the enemy; None for an attack on all enemies in reach
    exchange : result of its rehearsal
    """

    order: Order
    worth: float
    target: int | None
    exchange: Exchange


def best_strike(ai: AiContext, orders: Sequence[Order]) -> PlannedAttack | None:
    """Return the most valuable Close Combat, over all weapons and enemies."""
    found = []
    for order in orders[:_REHEARSED]:
        exchange = rehearse(ai.battle, order)
        if exchange is not None:
            against = "" if order.target is None else f" against {ai.name(order.target)}"
            given = replace(order, why=f"close combat{against}: {exchange}")
            worth = _priced(ai, order.target, exchange)
            found.append(
                PlannedAttack(order=given, worth=worth, target=order.target, exchange=exchange)
            )
    return max(found, key=lambda one: one.worth, default=None)


def best_charge(  # noqa: PLR0913  the unit, its orders, and the enemies that matter
    ai: AiContext,
    decision: Decision,
    unit: int,
    charges: Iterable[Order],
    foes: Collection[int],
    plan: Plan,
    *,
    sought: Collection[int] | None = None,
) -> PlannedAttack | None:
    """Return the most valuable charge, or the move before it; None if none is worth it.

    charges : orders among the options
    foes : enemies that the unit can attack
    plan : its agreed targets are tried first; in an assault, own losses have less weight
    sought : only these enemies matter to the caller; None also if no charge is at one
    """
    battle, agreed, presses = ai.battle, plan.targets, plan.has_assault_of(unit)
    able = role_of(battle, unit) in {Role.LINE, Role.CAVALRY}
    if not able or battle.state.units.integer("morale", unit) <= 0:
        return None
    at_once = _at_once(battle, unit, [one for one in charges if one.target in foes], agreed)
    near = _near(ai, unit, foes, agreed) if may_move_first(battle, unit) else []
    if sought is not None and set(sought).isdisjoint(
        [*(order.target for order in at_once[:_AT_ONCE]), *near]
    ):
        return None
    best: PlannedAttack | None = None
    for order in at_once[:_AT_ONCE]:
        found = _charge(ai, order, None, presses=presses)
        if found is not None and (best is None or found.worth > best.worth):
            best = found
    left = _REHEARSED - min(len(at_once), _AT_ONCE)
    more = _by_a_move(ai, decision, unit, near, into_flanks_only=best is not None)
    for move, order in islice(more, left):
        found = _charge(ai, order, move, presses=presses)
        if found is not None and (best is None or found.worth > _BETTER * best.worth):
            best = found
    return best


def _urgency(ai: AiContext) -> float:
    return _URGENT if ai.is_late else 1.0


def _priced(ai: AiContext, target: int | None, found: Exchange, *, presses: bool = False) -> float:
    """Return the worth of an exchange to a personality; caution weights own losses more."""
    gain = found.gain * (_urgency(ai) if target in ai.contesting else 1.0)
    price = (0.5 + ai.personality.caution) / (_URGENT if presses or ai.is_pressed else 1.0)
    return gain - price * found.cost


def _charge(
    ai: AiContext, charge: Order, start: Order | None, *, presses: bool
) -> PlannedAttack | None:
    """Return a charge, or the move before it, with its worth; None if it is too small."""
    assert charge.unit is not None
    assert charge.target is not None
    found = rehearse(ai.battle, charge, start, least=_LEAST_DICE)
    if found is None:
        return None
    if engaged_by(ai.battle, charge.target):
        found = replace(found, gain=_TOGETHER * found.gain)
    worth = _priced(ai, charge.target, found, presses=presses)
    if worth < _LEAST * value_of(ai.battle, charge.unit) * (1.5 - ai.personality.aggression):
        return None
    deed = "charges" if start is None else "closes in to charge"
    order = replace(start or charge, why=f"{deed} {ai.name(charge.target)}: {found}")
    return PlannedAttack(order=order, worth=worth, target=charge.target, exchange=found)


def _at_once(
    moment: Moment, unit: int, charges: Iterable[Order], agreed: Collection[int]
) -> list[Order]:
    """Return the charges that reach their targets, the most promising first."""
    by_target: dict[int, Order] = {}
    for order in charges:
        if order.target is not None:
            by_target.setdefault(order.target, order)
    hopes = []
    for target, order in by_target.items():
        end = brought_home(moment, unit, target)
        if end is not None:
            hopes.append((target not in agreed, -_hope(moment, target, end), target, order))
    return [order for *_, order in sorted(hopes, key=lambda one: one[:3])]


_PROMISING = {UnitEdge.LEFT: 1.5, UnitEdge.RIGHT: 1.5, UnitEdge.REAR: 2.0}


def _hope(moment: Moment, target: int, end: Pose) -> float:
    """Return an estimate of the worth of a charge from a pose, without a rehearsal."""
    side, units = side_met_from(moment, target, end.outline), moment.state.units
    weak = 1.5 if units.value("disordered", target) else 1.0
    busy = 1.5 if engaged_by(moment, target) else 1.0
    return value_of(moment, target) * (_PROMISING.get(side, 1.0) if side else 1.0) * weak * busy


def _by_a_move(
    ai: AiContext,
    decision: Decision,
    unit: int,
    near: Sequence[int],
    *,
    into_flanks_only: bool,
) -> Iterator[tuple[Order, Order]]:
    """Yield moves before a charge in the same activation, with the charge.

    near : enemies within reach of a charge after a move
    """
    if not near:
        return
    battle, nearby = ai.battle, NearbyBodies(ai.battle, unit)
    rides = role_of(battle, unit) is Role.CAVALRY
    moves = straight_moves(ai, unit) if rides else None
    for foe in near:
        ways = into_flanks(battle, unit, foe)
        if moves is not None:
            ways = [*run_ups(ai, unit, foe, moves)[:_LANES], *ways]
        if not into_flanks_only:
            ways = [*ways, *straight_at(battle, unit, foe), *_close_to(battle, unit, foe)]
        charge = Order(verb="charge", unit=unit, target=foe, number=0)
        for move, end in moves_before(battle, unit, foe, ways, nearby):
            if brought_home(battle, unit, foe, end) is None:
                continue
            legal = allowed(decision, move, "")
            if legal is not None:
                yield legal, charge
                break


def _close_to(moment: Moment, unit: int, foe: int) -> list[tuple[int, float]]:
    """Return the facing and distance of a move near an enemy, for a charge over rough ground."""
    situation, speed = situation_of(moment), speed_of(moment, unit)
    (x, y), (foe_x, foe_y) = situation.centre(unit), situation.centre(foe)
    most = situation.distance(unit, foe) - _SHORT_RUN * speed
    return [(facing_towards(foe_x - x, foe_y - y), most)] if most > 0 else []


def _near(ai: AiContext, unit: int, foes: Collection[int], agreed: Collection[int]) -> list[int]:
    """Return the enemies that a unit could charge after a move, the most promising first.

    Infantry charges only visible enemies, cavalry also others that its side knows.
    """
    battle = ai.battle
    far, pose = 2 * speed_of(battle, unit), pose_of(battle, unit)
    near = {foe: gap for foe, gap in within(battle, unit, sorted(foes), far).items() if gap < far}

    def promise(foe: int) -> tuple[bool, float, int]:
        return foe not in agreed, -_hope(battle, foe, pose) / (_CLOSE + near[foe]), foe

    ranked = sorted(near, key=promise)
    if role_of(battle, unit) is Role.CAVALRY:
        return ranked[:_LOOKED_AT]
    sight_cache_of(battle).look([unit], ranked[:_LOOKED_AT])
    return [*islice((foe for foe in ranked if is_aware(battle, unit, foe)), _LOOKED_AT)]
