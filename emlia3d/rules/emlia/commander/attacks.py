"""Which attack a unit makes now: by what each is worth beyond what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rules.emlia.commander.rehearsal import Exchange, Rehearsal
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.assaulting import into_flanks, straight_at, surely_falls_short
from emlia3d.rules.emlia.doctrine.mind import Mind
from emlia3d.rules.emlia.doctrine.ways import allowed
from emlia3d.rules.emlia.play.charges.charging import brought_home
from emlia3d.rules.emlia.play.movement.crowd import Crowd
from emlia3d.rules.emlia.play.movement.manoeuvre import turn_and_go
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of, turned
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import within

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_LEAST_DICE = 3
"""Dice below which a blow is not worth a charge."""

_TRIED = 3
"""Charges that are rehearsed in a unit's turn at most."""


_SHORT_RUN = 0.25
"""The proportion of its speed that a unit keeps for a charge over ground that slows it."""

_BUSY = 1.5
"""How much more a charge at an enemy counts that others keep busy, as they win together."""


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack, with what it may be expected to bring."""

    order: Order
    exchange: Exchange
    target: int


def best_charge(
    mind: Mind, decision: Decision, unit: int, charges: Iterable[Order], foes: list[int]
) -> Attack | None:
    """Return the charge that is worth most, or the move before it; None if none is worth it.

    charges : those on offer
    foes : enemies that the unit may attack
    """
    if mind.battle.state.units.integer("morale", unit) <= 0:
        return None
    if role_of(mind.battle, unit) not in {Role.LINE, Role.CAVALRY}:
        return None
    rehearsal = Rehearsal(mind, unit)
    best: Attack | None = None
    tried, most = 0, 0.0
    for order, first in _charges(mind, decision, unit, charges, foes):
        if tried == _TRIED:
            break
        tried += 1
        orders = (order,) if first is None else (first, order)
        found = rehearsal.of(*orders)
        if found is None or not found.reaches or found.dice < _LEAST_DICE:
            continue
        assert order.target is not None
        value = found.worth * (_BUSY if engaged_by(mind.battle, order.target) else 1.0)
        if best is None or value > most:
            most = value
            name = mind.name(order.target)
            why = f"charges {name}: {found}"
            given = order
            if first is not None:
                given, why = first, f"closes in to charge {name}: {found}"
            best = Attack(replace(given, why=why), found, order.target)
    return best


def _charges(
    mind: Mind, decision: Decision, unit: int, charges: Iterable[Order], foes: list[int]
) -> Iterator[tuple[Order, Order | None]]:
    """Yield charges that reach, each with the move before it, or None: those at once first."""
    battle, allowed_foes = mind.battle, set(foes)
    at_once = set[int]()
    for order in charges:
        assert order.target is not None
        if order.target in allowed_foes and order.target not in at_once:
            at_once.add(order.target)
            if brought_home(battle, unit, order.target) is not None:
                yield order, None
    units = battle.state.units
    if units.value("move_used", unit) or units.value("primary_used", unit):
        return
    if engaged_by(battle, unit):
        return
    speed, crowd = speed_of(battle, unit), Crowd(battle, unit)
    near = within(battle, unit, foes, 2 * speed)
    busy = {foe for foe in near if engaged_by(battle, foe)}
    first = {foe: place for place, foe in enumerate(foes)}
    for foe in sorted(near, key=lambda one: (one not in busy, first[one] > 0, near[one], one)):
        if not is_aware(battle, unit, foe):
            continue
        ways = into_flanks(battle, unit, foe)
        if foe not in at_once:
            ways = [*ways, *straight_at(battle, unit, foe), *_close_to(battle, unit, foe)]
        for way, most in ways:
            start = turned(pose_of(battle, unit), way)
            if surely_falls_short(battle, unit, foe, start, crowd.room_before(start, most)):
                continue
            move = turn_and_go(battle, unit, way, speed, "move", most)
            if move is None or allowed(decision, move, "") is None:
                continue
            if brought_home(battle, unit, foe, _end_of(mind, unit, move)) is None:
                continue
            yield Order(verb="charge", unit=unit, target=foe, number=0), move
            break


def _close_to(moment: Moment, unit: int, foe: int) -> list[tuple[int, float]]:
    """Return the facing and distance that bring a unit near an enemy, for a run over bad ground."""
    situation, speed = situation_of(moment), speed_of(moment, unit)
    (x, y), (foe_x, foe_y) = situation.centre(unit), situation.centre(foe)
    most = situation.distance(unit, foe) - _SHORT_RUN * speed
    return [(facing_towards(foe_x - x, foe_y - y), most)] if most > 0 else []


def _end_of(mind: Mind, unit: int, move: Order) -> Pose:
    end = move.legs[-1]
    return turned(pose_of(mind.battle, unit), end.facing).at(end.x, end.y, end.facing)
