"""One action of a unit within its brigade's mission."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards, turn_between
from emlia3d.rulekit.commander.asking import in_words
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.plan import Mission, Plan
from emlia3d.rulekit.commander.slots import Slot, slots_of
from emlia3d.rules.emlia.commander import leaders, posts, stations
from emlia3d.rules.emlia.commander.agreements import (
    after_fire,
    at_awaited,
    charge_of,
    has_been_attacked,
    is_steady_front,
)
from emlia3d.rules.emlia.commander.attacks import best_strike
from emlia3d.rules.emlia.commander.currency import value_of
from emlia3d.rules.emlia.commander.marching import off_slot, to_slot
from emlia3d.rules.emlia.commander.outlook import standing_of
from emlia3d.rules.emlia.commander.recovery import FREE, best_action
from emlia3d.rules.emlia.doctrine import (
    ambush,
    appraisal,
    asides,
    breaching,
    fire_targets,
    manoeuvring,
    pass_friends,
    withdrawing,
)
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.doctrine.unit_paths import best_way
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.parts import head_of, members_of_all
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

_IN_PLACE = 10.0
"""Distance from its slot at which a unit with a target does not move, GSU."""

_NEAR = 22.0
"""Distance from its slot at which a unit with a good shot does not move, GSU."""

_OVER_A_SHOT = 0.5
"""Minimum gain of a charge, relative to the shot that it replaces."""

_AT_A_STEADY_FRONT = 0.15
"""Minimum worth of a charge at a steady front that it is not expected to break, army value."""

_OUT_OF_LINE = 22.0
"""Distance that a unit goes ahead of its line to have an enemy in range, GSU."""

_FAR_OFF = 20.0
"""Distance from its slot at which a unit goes around obstacles, GSU."""

_IMPROVE = ("improve-morale-primary", "improve-morale")
"""Verbs by which a unit improves morale, its own or that of a friend."""

_SCREENS = {Role.SKIRMISH: ("screen", "hold"), Role.CAVALRY: ("screen",)}
"""Missions in which light and mounted units look for a shooting position."""

_RIDES = frozenset({"flank", "pursue"})
"""Missions in which a mounted unit looks for a position from which to charge."""

_DOUBLES = {Role.LINE: 2.0, Role.CAVALRY: 1.5}
"""Distance from the nearest enemy beyond which a unit goes at double pace, moves."""

_SQUARE = 20 * 64
"""Maximum deviation of a unit in line from its slot's facing."""


def act(ai: AiContext, plan: Plan, decision: Decision) -> Order:
    """Return one action of a unit, or none."""
    unit = decision.unit
    assert unit is not None
    battle = ai.battle
    offered = Offered(battle, decision)
    needed = _needed(ai, decision, unit, offered)
    if needed is not None:
        return needed
    gate = breaching.gate(ai, unit)
    spent = breaching.is_spent(ai, unit, gate)
    breach = partial(breaching.order, ai, decision, unit, offered, gate)

    @cache
    def shots() -> list[appraisal.ExpectedShot]:
        return fire_targets.shots(ai, unit, offered)

    def assault() -> Order | None:
        return None if spent else _charge(ai, decision, unit, offered, plan, shots)

    first, second = (assault, breach) if gate is None else (breach, assault)
    attack = first() or second() or _out_of_the_way(ai, decision, unit)
    if attack is not None:
        return attack
    mission = plan.mission_of(unit)
    slot = None if mission is None else _slot(ai, mission, unit)
    lurks = (
        slot is None and ambush.lies_in_wait(ai, unit) and not pass_friends.bars_the_line(ai, unit)
    )
    stays = lurks or spent or breaching.at_work(ai, unit, gate) is not None
    aimed = at_awaited(ai, plan, shots())
    if slot is None or mission is None or gate is not None:
        post = None if gate is not None or stays else _post_of_guns(ai, decision, unit, aimed)
        order = post or fire_targets.shoot_or_move(ai, decision, unit, aimed, stays)
    else:
        order = _keep_the_line(ai, decision, unit, aimed, mission, slot)
    if order.verb in PACES:
        return order
    idle = order.verb == "done"
    rally = best_action(ai, offered, _IMPROVE) if idle else None
    if rally is not None:
        return rally.order
    return asides.order(ai, unit, offered, idle=idle, lurks=lurks) or order


def _needed(ai: AiContext, decision: Decision, unit: int, offered: Offered) -> Order | None:
    """Return a unit's action that precedes all others, and any action of a leader; else None."""
    leads = role_of(ai.battle, unit) is Role.GENERAL
    if leads and not engaged_by(ai.battle, unit):
        return leaders.order(ai, decision, unit, offered)
    free = best_action(ai, offered, FREE)
    needed = free.order if free else withdrawing.order(ai, decision, unit, offered)
    if needed is None and "close-combat" in offered:
        strike = best_strike(ai, offered["close-combat"])
        return offered["close-combat"][0] if strike is None else strike.order
    if needed is None and leads:
        return leaders.order(ai, decision, unit, offered)
    return needed


def _out_of_the_way(ai: AiContext, decision: Decision, unit: int) -> Order | None:
    """Return the move of light troops ahead of the line to a post, or aside."""
    units = ai.battle.state.units
    if units.value("move_used", unit) or not pass_friends.bars_the_line(ai, unit):
        return None
    return posts.to_a_post(ai, decision, unit) or pass_friends.clear_front(ai, decision, unit)


def _post_of_guns(
    ai: AiContext, decision: Decision, unit: int, shots: list[appraisal.ExpectedShot]
) -> Order | None:
    """Return the move of guns without a target to a position where they have one."""
    guns = role_of(ai.battle, unit) is Role.GUNS
    units = ai.battle.state.units
    if not guns or units.value("move_used", unit) or engaged_by(ai.battle, unit):
        return None
    if fire_targets.worthwhile(ai, shots) is not None:
        return None
    return posts.to_a_post(ai, decision, unit)


def _slot(ai: AiContext, mission: Mission, unit: int) -> Slot | None:
    """Return the slot of a unit; None for leaders, which choose their own positions."""
    if role_of(ai.battle, unit) is Role.GENERAL:
        return None
    battle, own = ai.battle, set(ai.own)
    standing = {one: standing_of(battle, one) for one in mission.units if one in own}
    line = appraisal.with_role(battle, ai.standing, Role.LINE)
    foes = [standing_of(battle, foe) for foe in line]
    return slots_of(mission, standing, foes).get(unit)


def _keep_the_line(
    ai: AiContext,
    decision: Decision,
    unit: int,
    shots: list[appraisal.ExpectedShot],
    mission: Mission,
    slot: Slot,
) -> Order:
    """Return the shot of a unit in its slot, or its move there before the shot."""
    battle = ai.battle
    moved = bool(battle.state.units.value("move_used", unit))
    pose = pose_of(battle, unit)
    best = fire_targets.worthwhile(ai, shots)
    if best is None and role_of(battle, unit) is Role.LINE:
        slot = _into_range(ai, unit, slot)
    good = best is not None and best.worth >= fire_targets.WORTH_A_HALT * members_of_all(
        battle, unit
    )
    finds_its_own = _finds_its_own(ai, unit, mission)
    if not moved and (best is None or finds_its_own):
        order = _to_its_own_place(ai, decision, unit, mission)
        if order is not None:
            return order
    if best is not None and good and finds_its_own:
        return replace(best.order, why=fire_targets.format_expected_shot(ai, unit, best))
    askew = abs(turn_between(pose.facing, slot.facing)) > _SQUARE
    keeps_a_shot = good and mission.kind != "assault"
    in_place = off_slot(pose, slot) < (_NEAR if keeps_a_shot else _IN_PLACE) and not askew
    if not moved and not (in_place and best) and not engaged_by(battle, unit):
        speed = speed_of(battle, unit)
        near = appraisal.nearest(battle, unit, ai.known)
        moves = _DOUBLES.get(role_of(battle, unit), _DOUBLES[Role.LINE])
        far = off_slot(pose, slot) > speed and (near is None or near[1] > moves * speed)
        why = f"keeps its position: {in_words(battle, mission)}"
        for verb in ("double-pace", "move") if far else ("move",):
            order = to_slot(battle, decision, unit, slot, verb, why)
            if order is not None:
                return order
        order = _nearer(ai, decision, unit, mission, slot)
        if order is None and in_place and role_of(battle, unit) is Role.LINE:
            order = posts.to_a_post(ai, decision, unit) if mission.kind == "attack" else None
        if order is not None:
            return order
    if best is not None:
        return replace(best.order, why=fire_targets.format_expected_shot(ai, unit, best))
    return decision.of("done")[0]


def _finds_its_own(ai: AiContext, unit: int, mission: Mission) -> bool:
    """Return whether a unit chooses its own shooting position, as light troops do."""
    kinds = _SCREENS.get(role_of(ai.battle, unit), ())
    return mission.kind in kinds and not engaged_by(ai.battle, unit)


def _to_its_own_place(
    ai: AiContext, decision: Decision, unit: int, mission: Mission
) -> Order | None:
    """Return the move of light troops to a post, or of cavalry to charge or shoot from."""
    if mission.kind in _RIDES:
        station = stations.to_a_station(ai, decision, unit)
        return station or posts.to_a_post(ai, decision, unit)
    if not _finds_its_own(ai, unit, mission):
        return None
    holds = mission.area and mission.kind == "hold"
    area = ai.battle.setup.area(mission.area) if holds else None
    return posts.to_a_post(ai, decision, unit, area)


def _into_range(ai: AiContext, unit: int, slot: Slot) -> Slot:
    """Return the slot, moved ahead into range of the nearest enemy within limits of the line."""
    battle, wanted = ai.battle, 0.9 * appraisal.effective_range(ai, unit)
    frame, situation = Frame(slot.facing), situation_of(battle)
    across, along = frame.of(slot.x, slot.y)
    ahead = []
    for foe in ai.standing:
        foe_across, foe_along = frame.of(*situation.centre(foe))
        if 0 < foe_along - along < 2 * wanted and abs(foe_across - across) < foe_along - along:
            ahead.append(foe_along - along)
    if not ahead or not wanted:
        return slot
    x, y = frame.on_field(across, along + min(max(min(ahead) - wanted, 0.0), _OUT_OF_LINE))
    return replace(slot, x=x, y=y)


def _nearer(
    ai: AiContext, decision: Decision, unit: int, mission: Mission, slot: Slot
) -> Order | None:
    """Return the move around obstacles to the slot, or of light troops into range."""
    battle, pose = ai.battle, pose_of(ai.battle, unit)
    if off_slot(pose, slot) > _FAR_OFF:
        way = facing_towards(slot.x - pose.x, slot.y - pose.y)
        why = f"goes around to its position: {in_words(battle, mission)}"
        return best_way(battle, decision, unit, way, "move", off_slot(pose, slot), why)
    if role_of(battle, unit) in {Role.SKIRMISH, Role.CAVALRY} and mission.kind != "hold":
        return manoeuvring.move(ai, decision, unit)
    return None


def _charge(
    ai: AiContext,
    decision: Decision,
    unit: int,
    offered: Offered,
    plan: Plan,
    shots: Callable[[], list[appraisal.ExpectedShot]],
) -> Order | None:
    """Return the most valuable charge, or the move before it; None if none is worth it.

    If others can shoot at the enemy first, the unit waits for them. It charges a steady front
    only after its side has attacked the enemy, and only if the charge should break the enemy,
    is worth much, or is part of an assault. A unit that cannot shoot charges in any case.
    """
    presses = ai.is_pressed or plan.has_assault_of(unit)
    shot = 0.0 if presses else _OVER_A_SHOT * _worth_of_the_best(ai, shots())
    best = charge_of(ai, decision, unit, offered, plan)
    if best is None or best.target is None or best.worth < shot:
        return None
    waits = after_fire(ai, decision, unit, best.target)
    if waits is not None:
        return waits
    gains = presses or best.exchange.theirs.broken or best.worth >= _AT_A_STEADY_FRONT
    is_ready = gains and has_been_attacked(ai, best.target)
    if not is_ready and is_steady_front(ai, unit, best.target):
        own = [one for one in shots() if one.order.target == best.target]
        if fire_targets.worthwhile(ai, own) is not None:
            return None
    return best.order


def _worth_of_the_best(ai: AiContext, shots: list[appraisal.ExpectedShot]) -> float:
    """Return the army value that the best of a unit's shots takes from the enemy."""
    best = fire_targets.best_of(ai, shots)
    if best is None or best.order.target is None:
        return 0.0
    target = head_of(ai.battle, best.order.target)
    return value_of(ai.battle, target) - value_of(ai.battle, target, best.harm)
