"""How the doctrine commander moves: where each unit belongs, and the order that takes it there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.setup import Outline
from emlia3d.force.facing import (
    FULL_CIRCLE,
    facing_of_degrees,
    facing_towards,
    turn_between,
    unit_vector,
)
from emlia3d.rules.emlia.doctrine.appraisal import (
    Role,
    boldness,
    effective_range,
    melee_odds,
    nearest,
    role_of,
)
from emlia3d.rules.emlia.doctrine.ways import allowed, altitude_for, drive, round_terrain
from emlia3d.rules.emlia.equipment import Band
from emlia3d.rules.emlia.modes import FLYING
from emlia3d.rules.emlia.numbers import numbers_of
from emlia3d.rules.emlia.play.movement.allowance import speed_of
from emlia3d.rules.emlia.play.movement.driving import driven_by
from emlia3d.rules.emlia.play.movement.going import mode_of
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES, fly, turn_and_go
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.turn.picture import Picture

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_OFF = (0, 12, -12, 25, -25, 45, -45, 70, -70)
"""Ways tried where the straight one leads nowhere, degrees off it."""

_SQUARE = 20 * 64
"""A turn that is not worth its cost, in facings."""

_STUCK = 0.3
"""The share of a move's length that is too little to be content with."""

_SAFE = 60.0
_GAP_OF_LINES = 45.0
_AHEAD_OF_LINE = 30.0


_AHEAD_OF = {
    edge: facing_of_degrees(degrees)
    for edge, degrees in (("north", 180), ("east", 270), ("south", 0), ("west", 90))
}
"""The facing that leads away from one's own edge."""


def axis_of(picture: Picture) -> int:
    """The facing in which the side advances: to its objective, else to the middle of the enemy.

    Square to its own edge, where that leads there too.
    """
    battle = picture.battle
    side = battle.setup.sides[picture.side]
    mine = _middle(battle, picture.own)
    if side.objective is not None:
        place = battle.setup.area(side.objective).centroid
        goal = (place.x, place.y)
    elif picture.known:
        goal = _middle(battle, picture.known)
    elif isinstance(side.lines, str):
        return _AHEAD_OF[side.lines]
    else:
        goal = (battle.setup.field.size[0] / 2, battle.setup.field.size[1] / 2)
    if isinstance(side.lines, str):
        east, north = unit_vector(_AHEAD_OF[side.lines])
        if (goal[0] - mine[0]) * east + (goal[1] - mine[1]) * north > 0:
            return _AHEAD_OF[side.lines]
    return facing_towards(goal[0] - mine[0], goal[1] - mine[1])


def _middle(battle: Battle, units: list[int]) -> tuple[float, float]:
    places = np.array([lie_of(battle).centre(unit) for unit in units]).reshape(-1, 2)
    return (float(np.median(places[:, 0])), float(np.median(places[:, 1])))


def progress(picture: Picture, unit: int) -> float:
    """How far forward a unit is along the side's axis, GSU."""
    east, north = unit_vector(axis_of(picture))
    x, y = lie_of(picture.battle).centre(unit)
    return x * east + y * north


def should_stand(picture: Picture, unit: int) -> bool:
    """Whether a unit is where it belongs: on the objective, behind the line, or a gun in range."""
    battle = picture.battle
    role = role_of(battle, unit)
    near = nearest(battle, unit, picture.known)
    if holds(picture):
        return True
    if role is Role.GUNS:
        return near is not None and near[1] <= _range_of(battle, unit, Band.LONG)
    if role is Role.GENERAL:
        return False
    if role is Role.CAVALRY:
        return _is_far_enough(picture, unit)
    if _on_objective(picture, unit) and (near is None or near[1] > _AHEAD_OF_LINE):
        return True
    return role is Role.LINE and _in_second_line(picture, unit)


def holds(picture: Picture) -> bool:
    """Whether the side keeps what it has, and leaves its places only for who breaks in."""
    return picture.battle.setup.sides[picture.side].stance == "hold"


def worth_meeting(picture: Picture) -> list[int]:
    """The enemies that the side would close with: all that it knows of, or those who broke in."""
    objective = picture.battle.setup.sides[picture.side].objective
    if not holds(picture):
        return list(picture.known)
    if objective is None:
        return []
    area, lie = picture.battle.setup.area(objective), lie_of(picture.battle)
    return [foe for foe in picture.known if lie.outline(foe).intersects(area)]


def _range_of(battle: Battle, unit: int, band: Band) -> float:
    """How far the unit shoots in a band, with the weapon that reaches farthest; 0 without one."""
    weapons = lie_of(battle).entry(unit).ranged_weapons
    return max((weapon.range[band] for weapon in weapons if weapon.range), default=0.0)


def _on_objective(picture: Picture, unit: int) -> bool:
    battle = picture.battle
    objective = battle.setup.sides[picture.side].objective
    if objective is None:
        return False
    area = battle.setup.area(objective)
    middle = shapely.Point(lie_of(battle).centre(unit))
    return bool(area.contains(middle))


def _line_units(picture: Picture) -> list[int]:
    """Line infantry in good order."""
    battle = picture.battle
    return [
        unit
        for unit in picture.own
        if role_of(battle, unit) is Role.LINE and battle.state.units.value("morale", unit) > 0
    ]


def _in_second_line(picture: Picture, unit: int) -> bool:
    """Whether a sound line unit of one's own is close ahead in the same lane."""
    battle = picture.battle
    lie = lie_of(battle)
    east, north = unit_vector(axis_of(picture))
    x, y = lie.centre(unit)
    half = battle.state.roster.drill(unit).frontage / 2
    for other in _line_units(picture):
        if other == unit:
            continue
        ox, oy = lie.centre(other)
        ahead = (ox - x) * east + (oy - y) * north
        across = abs((ox - x) * north - (oy - y) * east)
        drill = battle.state.roster.drill(other)
        wide = half + drill.frontage / 2
        if 0 < ahead < _GAP_OF_LINES + drill.length and across < 0.8 * wide:
            return True
    return False


def _is_far_enough(picture: Picture, unit: int) -> bool:
    """Whether a mounted unit has come up to its place two intervals behind the foremost line."""
    line = _line_units(picture)
    if not line:
        return False
    front = max(progress(picture, other) for other in line)
    return progress(picture, unit) > front - 2 * _GAP_OF_LINES


def face(picture: Picture, decision: Decision, unit: int, enemy: int | None) -> Order | None:
    """Turn in place to an enemy that is well off the unit's facing; None if that is not needed."""
    if enemy is None:
        return None
    battle = picture.battle
    lie = lie_of(battle)
    (x, y), (ex, ey) = lie.centre(unit), lie.centre(enemy)
    facing = facing_towards(ex - x, ey - y)
    now = battle.state.units.integer("facing", unit)
    if abs(turn_between(now, facing)) < 2 * _SQUARE:
        return None
    if role_of(battle, unit) is not Role.LINE:
        return None
    order = turn_and_go(battle, unit, facing, speed_of(battle, unit), "move", most=0.0)
    return allowed(decision, order, "turn to the enemy")


def close_in(picture: Picture, decision: Decision, unit: int) -> Order | None:
    """A move that brings an enemy worth charging within charge reach; None if there is none."""
    battle = picture.battle
    role = role_of(battle, unit)
    units = battle.state.units
    if role not in {Role.LINE, Role.CAVALRY} or units.value("move_used", unit):
        return None
    if units.value("primary_used", unit):
        return None
    lie, speed = lie_of(battle), speed_of(battle, unit)
    near = [foe for foe in worth_meeting(picture) if lie.distance(unit, foe) < 1.8 * speed]
    if not near:
        return None
    odds = {foe: melee_odds(battle, unit, foe) for foe in near}
    foe = min(near, key=lambda one: (-odds[one], lie.distance(unit, one), one))
    if odds[foe] < boldness(battle, unit):
        return None
    (x, y), (fx, fy) = lie.centre(unit), lie.centre(foe)
    way = facing_towards(fx - x, fy - y)
    most = lie.distance(unit, foe) - 0.6 * speed
    why = f"close in to charge at {odds[foe]:.1f} to 1"
    return best_way(battle, decision, unit, way, "move", most, why)


def move(picture: Picture, decision: Decision, unit: int) -> Order | None:
    """The order that takes a unit towards where it belongs; None if there is no such move."""
    battle = picture.battle
    role = role_of(battle, unit)
    if role is Role.GENERAL:
        return _to_the_men(picture, decision, unit)
    near = nearest(battle, unit, picture.known)
    goal, most, why = _goal(picture, unit, near)
    far = near is None or near[1] > 2 * max(_range_of(battle, unit, Band.LONG), _SAFE)
    verb = (
        "double-pace" if far and role is not Role.GUNS and most > speed_of(battle, unit) else "move"
    )
    return best_way(battle, decision, unit, goal, verb, most, why)


def _goal(picture: Picture, unit: int, near: tuple[int, float] | None) -> tuple[int, float, str]:
    """Which way, how far at most, and why."""
    battle = picture.battle
    lie = lie_of(battle)
    role = role_of(battle, unit)
    x, y = lie.centre(unit)
    axis = axis_of(picture)
    if near is not None and near[1] < 2 * max(_range_of(battle, unit, Band.MEDIUM), _SAFE):
        foe, gap = near
        fx, fy = lie.centre(foe)
        facing = facing_towards(fx - x, fy - y)
        wanted = gap - 0.9 * effective_range(battle, unit)
        if role is Role.SKIRMISH and gap < 0.4 * effective_range(battle, unit):
            return (facing + FULL_CIRCLE // 2) % FULL_CIRCLE, speed_of(battle, unit), "keep off"
        if abs(turn_between(axis, facing)) < 50 * 64:
            facing = axis if abs(turn_between(axis, facing)) < 15 * 64 else facing
        return facing, max(wanted, 0.0), "close to effective range"
    line = [other for other in _line_units(picture) if other != unit]
    limit = 1e9
    if role is Role.LINE and line:
        rear = float(np.median([progress(picture, other) for other in line]))
        limit = max(rear + _AHEAD_OF_LINE + speed_of(battle, unit) - progress(picture, unit), 0.0)
    elif role is Role.SKIRMISH and line:
        front = max(progress(picture, other) for other in line)
        limit = max(front + 2 * _AHEAD_OF_LINE - progress(picture, unit), 0.0)
    objective = battle.setup.sides[picture.side].objective
    if objective is not None:
        area = battle.setup.area(objective)
        away = float(area.distance(shapely.Point(x, y)))
        if away > 0 and not _in_lane(area, x, y, axis):
            place = area.centroid
            return facing_towards(place.x - x, place.y - y), limit, "make for the objective"
    return axis, limit, "advance in line"


def _in_lane(area: Outline, x: float, y: float, axis: int) -> bool:
    """Whether going straight along the axis leads to the objective."""
    east, north = unit_vector(axis)
    ahead = shapely.LineString([(x, y), (x + 2000 * east, y + 2000 * north)])
    return bool(ahead.intersects(area))


def _to_the_men(picture: Picture, decision: Decision, unit: int) -> Order | None:
    """The general goes to whom he can help most, or stays behind the middle of his line."""
    battle = picture.battle
    lie, units = lie_of(battle), battle.state.units
    line = [other for other in picture.own if other != unit]
    if not line:
        return None
    troubled = [other for other in line if units.value("disordered", other)]
    reach = 0.6 * numbers_of(battle).command_range
    if troubled:
        other = min(troubled, key=lambda o: (lie.distance(unit, o), o))
        gap, why = lie.distance(unit, other), "ride to men who need rallying"
    else:
        east, north = unit_vector(axis_of(picture))
        mx, my = _middle(battle, _line_units(picture) or line)
        goal = (mx - 25 * east, my - 25 * north)
        x, y = lie.centre(unit)
        gap = float(np.sqrt((goal[0] - x) ** 2 + (goal[1] - y) ** 2))
        if gap < 2 * reach:
            return None
        way = facing_towards(goal[0] - x, goal[1] - y)
        return best_way(battle, decision, unit, way, "move", gap, "stay with the line")
    if gap <= reach:
        return None
    (x, y), (ox, oy) = lie.centre(unit), lie.centre(other)
    way = facing_towards(ox - x, oy - y)
    return best_way(battle, decision, unit, way, "move", gap - 2, why)


def best_way(  # noqa: PLR0913, PLR0917
    battle: Battle, decision: Decision, unit: int, way: int, verb: str, most: float, why: str
) -> Order | None:
    """The legal move that gets farthest in a direction; slight turns are not worth their cost."""
    if driven_by(battle, unit) is not None:
        return drive(battle, decision, unit, way, verb, most, why)
    now = battle.state.units.integer("facing", unit)
    east, north = unit_vector(way)
    ways = [way]
    if abs(turn_between(now, way)) < _SQUARE:
        ways.insert(0, now)
    ways += [(way + facing_of_degrees(off)) % FULL_CIRCLE for off in _OFF[1:]]
    best, gain = None, 2.0
    budget = speed_of(battle, unit) * PACES[verb]
    aloft = altitude_for(battle, unit) if mode_of(battle, unit) == FLYING else None
    for facing in ways:
        order = (
            turn_and_go(battle, unit, facing, budget, verb, most)
            if aloft is None
            else fly(battle, unit, facing, budget, verb, most, aloft)
        )
        if order is None:
            continue
        x, y = lie_of(battle).centre(unit)
        end = order.legs[-1]
        got = (end.x - x) * east + (end.y - y) * north
        if got > gain + 1 and allowed(decision, order, why) is not None:
            best, gain = order, got
        if gain > 0.8 * min(budget, most):
            break
    if best is None or gain < _STUCK * min(budget, most):
        past = round_terrain(battle, decision, unit, way, verb, most, why)
        if past is not None:
            return past
    return None if best is None else replace(best, why=why)
