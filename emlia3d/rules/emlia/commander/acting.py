"""One action of a unit within its brigade's mission."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards, turn_between
from emlia3d.rulekit.commander.asking import in_words
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.plan import Mission, Plan
from emlia3d.rulekit.commander.slots import Slot, slots_of
from emlia3d.rules.emlia.commander import leaders
from emlia3d.rules.emlia.commander.attacks import best_charge, best_strike
from emlia3d.rules.emlia.commander.marching import off_slot, to_slot
from emlia3d.rules.emlia.commander.outlook import body_of
from emlia3d.rules.emlia.doctrine import (
    appraisal,
    asides,
    breaching,
    leading,
    lurking,
    manoeuvring,
    passing,
    places,
    shooting,
    withdrawing,
)
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.mind import Mind
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.doctrine.ways import best_way
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.equipment import Band

_IN_PLACE = 10.0
"""GSU off its slot that a unit does not move for when it has a target."""

_WORTH_A_CHARGE = 0.1
"""Army value that a charge must gain."""

_WORTH_A_RUSH = 1.5
"""Army value that a charge must gain against a steady enemy that others could shoot at first."""

_OUT_OF_LINE = 22.0
"""GSU that a unit goes ahead of its line to have an enemy in range."""

_AGREED = 0.5
"""The proportion of the worth of its best shot that one at an agreed target must have."""

_FAR_OFF = 20.0
"""GSU off its slot from which a unit goes round what is in its way."""

_SQUARE = 20 * 64
"""Facings off its slot's that a unit in line turns back from."""


def act(mind: Mind, plan: Plan, decision: Decision) -> Order:
    """Return one action of a unit, or none."""
    unit = decision.unit
    assert unit is not None
    battle = mind.battle
    offered = Offered(battle, decision)
    needed = leading.order(mind, unit, offered) or withdrawing.order(mind, decision, unit, offered)
    if needed is not None:
        return needed
    if "close-combat" in offered:
        strike = best_strike(mind, offered["close-combat"])
        return offered["close-combat"][0] if strike is None else strike.order
    if role_of(battle, unit) is Role.GENERAL:
        return leaders.order(mind, decision, unit, offered)
    gate = breaching.gate(mind, unit)
    spent = breaching.is_spent(mind, unit, gate)
    breach = partial(breaching.order, mind, decision, unit, offered, gate)

    def assault() -> Order | None:
        return None if spent else _charge(mind, decision, unit, offered, plan)

    first, second = (assault, breach) if gate is None else (breach, assault)
    attack = first() or second() or passing.clear_front(mind, decision, unit)
    if attack is not None:
        return attack
    mission = plan.mission_of(unit)
    slot = None if mission is None else _slot(mind, mission, unit)
    lurks = lurking.lies_in_wait(mind, unit) and not passing.bars_the_line(mind, unit)
    stays = lurks or spent or breaching.at_work(mind, unit, gate) is not None
    shots = _at_the_target(shooting.shots(mind, unit, offered), plan.targets)
    if slot is None or mission is None or gate is not None:
        order = shooting.shoot_or_move(mind, decision, unit, shots, stays)
    else:
        order = _keep_the_line(mind, decision, unit, shots, mission, slot)
    if order.verb in PACES:
        return order
    return asides.order(mind, unit, offered, idle=order.verb == "done", lurks=lurks) or order


def _slot(mind: Mind, mission: Mission, unit: int) -> Slot | None:
    """Return the slot of a unit; None for guns and leaders, which find their own places."""
    if role_of(mind.battle, unit) in {Role.GUNS, Role.GENERAL}:
        return None
    bodies = {one: body_of(mind.battle, one) for one in mission.units if one in mind.own}
    return slots_of(mission, bodies).get(unit)


def _keep_the_line(
    mind: Mind,
    decision: Decision,
    unit: int,
    shots: list[appraisal.ExpectedShot],
    mission: Mission,
    slot: Slot,
) -> Order:
    """Return the shot of a unit in its place, or its move there and then the shot."""
    battle = mind.battle
    moved = bool(battle.state.units.value("move_used", unit))
    pose = pose_of(battle, unit)
    best = shooting.best_of(mind, shots)
    if best is None and role_of(battle, unit) is Role.LINE:
        slot = _into_range(mind, unit, slot)
    askew = abs(turn_between(pose.facing, slot.facing)) > _SQUARE
    in_place = off_slot(pose, slot) < _IN_PLACE and not askew
    if not moved and not (in_place and best) and not engaged_by(battle, unit):
        speed = speed_of(battle, unit)
        near = appraisal.nearest(battle, unit, mind.known)
        far = off_slot(pose, slot) > speed and (near is None or near[1] > 3 * speed)
        why = f"keeps its place: {in_words(battle, mission)}"
        for verb in ("double-pace", "move") if far else ("move",):
            order = to_slot(battle, decision, unit, slot, verb, why)
            if order is not None:
                return order
        order = _nearer(mind, decision, unit, mission, slot)
        if order is not None:
            return order
    if best is not None:
        return replace(best.order, why=shooting.told(mind, unit, best))
    return decision.of("done")[0]


def _into_range(mind: Mind, unit: int, slot: Slot) -> Slot:
    """Return the slot moved ahead into range of the nearest enemy, no farther than a line bears."""
    battle, wanted = mind.battle, 0.9 * appraisal.effective_range(mind, unit)
    frame, situation = Frame(slot.facing), situation_of(battle)
    across, along = frame.of(slot.x, slot.y)
    ahead = []
    for foe in mind.standing:
        foe_across, foe_along = frame.of(*situation.centre(foe))
        if 0 < foe_along - along < 2 * wanted and abs(foe_across - across) < foe_along - along:
            ahead.append(foe_along - along)
    if not ahead or not wanted:
        return slot
    x, y = frame.on_field(across, along + min(max(min(ahead) - wanted, 0.0), _OUT_OF_LINE))
    return replace(slot, x=x, y=y)


def _nearer(
    mind: Mind, decision: Decision, unit: int, mission: Mission, slot: Slot
) -> Order | None:
    """Return the move round what is in the way to the slot, or of light troops into range."""
    battle, pose = mind.battle, pose_of(mind.battle, unit)
    if off_slot(pose, slot) > _FAR_OFF:
        way = facing_towards(slot.x - pose.x, slot.y - pose.y)
        why = f"goes round to its place: {in_words(battle, mission)}"
        return best_way(battle, decision, unit, way, "move", off_slot(pose, slot), why)
    if role_of(battle, unit) in {Role.SKIRMISH, Role.CAVALRY} and mission.kind != "hold":
        return manoeuvring.move(mind, decision, unit)
    return None


def _at_the_target(
    shots: list[appraisal.ExpectedShot], targets: set[int]
) -> list[appraisal.ExpectedShot]:
    """Return the shots at agreed targets, unless others are worth far more."""
    agreed = [one for one in shots if one.order.target in targets]
    best = max((one.worth for one in shots), default=0.0)
    good = [one for one in agreed if one.worth >= _AGREED * best]
    return good or shots


def _charge(
    mind: Mind, decision: Decision, unit: int, offered: Offered, plan: Plan
) -> Order | None:
    """Return the charge, or the move before it, that is worth most; None if none is worth it.

    A steady enemy is charged after others have shot at it, as long as there are others to do so.
    """
    charges, foes = offered.get("charge", ()), places.worth_meeting(mind)
    best = best_charge(mind, decision, unit, charges, foes, plan.targets)
    if best is None or best.target is None:
        return None
    least = _WORTH_A_CHARGE
    foot = role_of(mind.battle, unit) is Role.LINE
    if foot and _is_steady(mind, best.target) and not _was_shot_at(mind, best.target):
        least = _WORTH_A_RUSH if _may_be_shot_at(mind, unit, best.target) else least
    return best.order if best.worth >= least else None


def _is_steady(mind: Mind, foe: int) -> bool:
    units = mind.battle.state.units
    busy = engaged_by(mind.battle, foe)
    return not busy and units.integer("morale", foe) > 0 and not units.value("disordered", foe)


def _was_shot_at(mind: Mind, foe: int) -> bool:
    """Return whether the enemy has been attacked this turn."""
    turn = mind.battle.state.turn
    attacked = mind.battle.state.pairs["attacked"]
    return any(then == turn for (_, subject), then in attacked.items() if subject == foe)


def _may_be_shot_at(mind: Mind, unit: int, foe: int) -> bool:
    """Return whether another unit that has yet to act has the enemy in medium range."""
    battle = mind.battle
    units, situation = battle.state.units, situation_of(battle)
    return any(
        situation.distance(one, foe) <= places.range_of(battle, one, Band.MEDIUM)
        for one in mind.own
        if one != unit and not units.value("activated", one)
    )
