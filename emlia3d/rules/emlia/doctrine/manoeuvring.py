"""Movement of the commander's units: the goal of each, its pace, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import FULL_CIRCLE, facing_towards, turn_between, unit_vector
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.doctrine import pass_friends
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import (
    Role,
    effective_range,
    nearest,
    role_of,
    shoots,
    with_role,
)
from emlia3d.rules.emlia.doctrine.places import (
    AHEAD_OF_LINE,
    axis_of,
    holds,
    line_units,
    middle,
    on_objective,
    progress,
    progress_of_each,
    range_of,
    straight_on,
    unsearched,
)
from emlia3d.rules.emlia.doctrine.unit_paths import SQUARE, STUCK, allowed, best_way, gain_of
from emlia3d.rules.emlia.play.movement.manoeuvre import turn_and_go
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of, within
from emlia3d.rules.emlia.tables.equipment import Band

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_SAFE = 60.0
"""GSU beyond which no enemy counts as near."""

_ASIDE = 60 * 64
"""Angle off the way beyond which an enemy does not block it, in facings."""

_UNLIMITED = 1e9

_IN_THE_WAY = tuple(role for role in Role if role is not Role.GENERAL)
"""Roles of friends that a unit does not pass to reach an enemy."""


@dataclass(frozen=True, slots=True)
class MoveGoal:
    """The goal of a unit's move.

    way : facing
    most : greatest distance, GSU
    why : in words
    """

    way: int
    most: float
    why: str


def face(ai: AiContext, decision: Decision, unit: int, enemy: int | None) -> Order | None:
    """Turn in place to an enemy that is well off the unit's facing; None if that is not needed.

    An engaged unit does not turn about, because the enemy would strike it.
    """
    battle = ai.battle
    if enemy is None or engaged_by(battle, unit):
        return None
    facing = _towards(ai, unit, enemy)
    now = battle.state.units.integer("facing", unit)
    if abs(turn_between(now, facing)) < 2 * SQUARE:
        return None
    if role_of(battle, unit) is not Role.LINE:
        return None
    order = turn_and_go(battle, unit, facing, speed_of(battle, unit), "move", most=0.0)
    return allowed(decision, order, f"turns to face {ai.name(enemy)}")


def _towards(ai: AiContext, unit: int, other: int) -> int:
    situation = situation_of(ai.battle)
    (x, y), (ox, oy) = situation.centre(unit), situation.centre(other)
    return facing_towards(ox - x, oy - y)


def move(ai: AiContext, decision: Decision, unit: int) -> Order | None:
    """Return the order that moves a unit towards its place; None without such a move."""
    battle = ai.battle
    if role_of(battle, unit) is Role.GENERAL:
        return _to_the_men(ai, decision, unit)
    left = 0.0 if ai.contesting else unsearched(ai, unit)
    if left and role_of(battle, unit) is not Role.GUNS:
        why = f"searches {battle.setup.sides[ai.side].objective} for hidden enemies"
        return go(ai, decision, unit, MoveGoal(axis_of(ai), left, why))
    clears = holds(ai) or on_objective(ai, unit)
    foes = (ai.contesting if clears else []) or ai.sought
    return go(ai, decision, unit, _aim(ai, unit, _nearest_before(ai, unit, foes)))


def _nearest_before(ai: AiContext, unit: int, foes: list[int]) -> tuple[int, float] | None:
    """Return the nearest enemy that a unit would meet, and its distance; None if there is none.

    Foot and cavalry each take the nearest enemy before them with no friend between, so that they do
    not all crowd on one; an enemy engaged with a friend is left to that friend, because no unit
    can shoot there.
    """
    battle, situation = ai.battle, situation_of(ai.battle)
    if role_of(battle, unit) not in {Role.LINE, Role.CAVALRY}:
        return nearest(battle, unit, foes)
    others = with_role(battle, ai.own, *_IN_THE_WAY)
    friends = np.array([one for one in others if one != unit], dtype=np.intp)
    limit = _near(battle, unit)
    near = within(battle, unit, foes, limit)
    for gap, foe in sorted((gap, foe) for foe, gap in near.items()):
        if gap >= limit:
            break
        if set(engaged_by(battle, foe)) - {unit}:
            continue
        way = shapely.shortest_line(situation.outline(unit), situation.outline(foe))
        beside = friends[whereabouts_of(battle).near(way.bounds)[friends]]
        if not shapely.intersects(situation.outlines(beside), way).any():
            return foe, gap
    return None


def go(ai: AiContext, decision: Decision, unit: int, aim: MoveGoal) -> Order | None:
    """Return the order that moves a unit towards a goal at a suitable pace; None without one."""
    battle = ai.battle
    near = nearest(battle, unit, ai.known)
    verb = "double-pace" if _hurries(ai, unit, aim, near) else "move"
    most = min(aim.most, pass_friends.room_behind_friends(ai, unit, aim.way))
    order = best_way(battle, decision, unit, aim.way, verb, most, aim.why)
    wanted = min(aim.most, speed_of(battle, unit))
    if order is not None and gain_of(battle, unit, order, aim.way) >= STUCK * wanted:
        return order
    return pass_friends.by_files(ai, decision, unit, aim.way, aim.most) or order


def _hurries(ai: AiContext, unit: int, aim: MoveGoal, near: tuple[int, float] | None) -> bool:
    """Return whether a unit goes at double pace: far from the enemy, or without a target.

    A unit that only fights hand to hand halves its time under fire so; it stops before it
    could be charged after a double pace.
    """
    battle, speed = ai.battle, speed_of(ai.battle, unit)
    if role_of(battle, unit) is Role.GUNS or aim.most <= speed:
        return False
    if near is None or near[1] > 2 * max(range_of(battle, unit, Band.LONG), _SAFE):
        return True
    if shoots(battle, unit):
        return False
    foe, gap = near
    return gap > 2 * speed + 2 * ai.personality.caution * speed_of(battle, foe)


def _near(moment: Moment, unit: int) -> float:
    """Return the distance, GSU, from which a unit follows its side's axis and no enemy."""
    return 2 * max(range_of(moment, unit, Band.MEDIUM), _SAFE)


def _aim(ai: AiContext, unit: int, near: tuple[int, float] | None) -> MoveGoal:
    """Return the current goal of a unit."""
    battle = ai.battle
    close = near is not None and near[1] < _near(battle, unit)
    if close and role_of(battle, unit) is not Role.GUNS:
        assert near is not None
        return _past(ai, unit, *near) or _against(ai, unit, *near)
    x, y = situation_of(battle).centre(unit)
    axis, role = axis_of(ai), role_of(battle, unit)
    line = [other for other in line_units(ai) if other != unit]
    limit = _UNLIMITED
    if role is Role.LINE and line:
        rear = float(np.median(progress_of_each(ai, line)))
        limit = max(rear + AHEAD_OF_LINE + speed_of(battle, unit) - progress(ai, unit), 0.0)
    elif role is Role.GUNS and line and near is not None:
        front = float(progress_of_each(ai, line).max())
        why = f"advances with the line, because it does not see {ai.name(near[0])}"
        return MoveGoal(axis, max(front - progress(ai, unit), 0.0), why)
    elif role is Role.SKIRMISH and line:
        front = float(progress_of_each(ai, line).max())
        limit = max(front + 2 * AHEAD_OF_LINE - progress(ai, unit), 0.0)
    objective = battle.setup.sides[ai.side].objective
    if objective is not None:
        area = battle.setup.area(objective)
        away = float(area.distance(shapely.Point(x, y)))
        if away > 0 and not straight_on(ai, unit).intersects(area):
            place = area.centroid
            way = facing_towards(place.x - x, place.y - y)
            return MoveGoal(way, limit, f"moves to {objective} ({away:.0f} GSU away)")
    return MoveGoal(axis, limit, "advances in line" if line else "advances")


def _past(ai: AiContext, unit: int, foe: int, gap: float) -> MoveGoal | None:
    """Return the move on to the objective past an enemy; None if the enemy blocks the way."""
    battle = ai.battle
    objective = battle.setup.sides[ai.side].objective
    if objective is None or on_objective(ai, unit) or gap < speed_of(battle, foe):
        return None
    area, (x, y) = battle.setup.area(objective), situation_of(battle).centre(unit)
    way = facing_towards(area.centroid.x - x, area.centroid.y - y)
    if abs(turn_between(way, _towards(ai, unit, foe))) < _ASIDE:
        return None
    away = float(area.centroid.distance(shapely.Point(x, y)))
    return MoveGoal(way, away, f"moves to {objective} ({away:.0f} GSU away), past {ai.name(foe)}")


def _against(ai: AiContext, unit: int, foe: int, gap: float) -> MoveGoal:
    """Return the goal where the unit fights best: in effective range, or hand to hand."""
    battle = ai.battle
    facing, axis, wanted = (
        _towards(ai, unit, foe),
        axis_of(ai),
        effective_range(ai, unit),
    )
    keeps_off = role_of(battle, unit) is Role.SKIRMISH
    if not is_aware(battle, unit, foe):
        wanted = wanted / 2 if gap > wanted / 2 or keeps_off else 0.0
    if keeps_off and gap < 0.4 * wanted:
        back = (facing + FULL_CIRCLE // 2) % FULL_CIRCLE
        why = f"keeps its distance from {ai.name(foe)} ({gap:.0f} GSU away)"
        return MoveGoal(back, speed_of(battle, unit), why)
    if abs(turn_between(axis, facing)) < 15 * 64:
        facing = axis
    far = f"{ai.name(foe)} ({gap:.0f} GSU away)"
    why = f"advances to {wanted:.0f} GSU from {far}" if wanted else f"advances on {far}"
    return MoveGoal(facing, max(gap - 0.9 * wanted, 0.0), why)


def _to_the_men(ai: AiContext, decision: Decision, unit: int) -> Order | None:
    """Return the general's move to the unit it can help most, or behind the line's centre."""
    battle = ai.battle
    situation, units = situation_of(battle), battle.state.units
    line = [other for other in ai.own if other != unit]
    if not line:
        return None
    troubled = [other for other in line if units.value("disordered", other)]
    reach = 0.6 * numbers_of(battle).command_range
    if troubled:
        other = min(troubled, key=lambda o: (situation.distance(unit, o), o))
        gap, why = situation.distance(unit, other), f"rides to rally {ai.name(other)}"
    else:
        east, north = unit_vector(axis_of(ai))
        mx, my = middle(battle, line_units(ai) or line)
        goal = (mx - 25 * east, my - 25 * north)
        x, y = situation.centre(unit)
        gap = float(np.sqrt((goal[0] - x) ** 2 + (goal[1] - y) ** 2))
        if gap < 2 * reach:
            return None
        way = facing_towards(goal[0] - x, goal[1] - y)
        return best_way(battle, decision, unit, way, "move", gap, "stays with the line")
    if gap <= reach:
        return None
    return best_way(battle, decision, unit, _towards(ai, unit, other), "move", gap - 2, why)
