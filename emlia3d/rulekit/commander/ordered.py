"""Missions that follow a player's orders: the line of the brigade and its advance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf

from shapely.geometry.base import BaseGeometry

from emlia3d.force.facing import FULL_CIRCLE, facing_towards, turn_between
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.front import BEHIND, Front, advance, front_of, level_of
from emlia3d.rulekit.commander.mission_orders import BrigadeOrder
from emlia3d.rulekit.commander.outlook import Objective, Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind, Spot
from emlia3d.rulekit.commander.unit_profile import UnitProfile

NO_CHARGE: frozenset[MissionKind] = frozenset({"support", "pin", "withdraw"})
"""Missions whose units do not charge."""

_AT_HAND = 40.0
"""Distance to its goal within which a brigade keeps its facing, GSU."""

_BEFORE = 100 * 64
"""Maximum angle between the army's facing and a goal ahead of it, 64ths of a degree."""

_ASIDE = 0.75
"""Maximum shift of a brigade to a side in a turn, relative to its speed."""

_RESERVE = 2 * BEHIND
"""Distance of a waiting reserve behind the line, GSU."""

_STAND = 0.55
"""Distance from which a brigade charges at the end, relative to its reach."""

_EDGE = 4.0
"""Distance from the edge at which a withdrawing brigade stops, GSU."""

Ends = tuple[Spot, Spot]
"""The left and the right end of a line, on the field."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A player's order, with its goal and the situation.

    outlook : of the side, with a frame in the direction that the brigade should face
    front : of the brigade, in that frame
    goal : the position or the enemy in the order; None if there is none
    foe : that enemy
    """

    outlook: Outlook
    front: Front
    goal: Objective | None
    foe: UnitProfile | None

    @property
    def level(self) -> float:
        """The current position of the brigade's line along its way, GSU."""
        return level_of(self.outlook, self.front)

    @property
    def speed(self) -> float:
        """The move of its slowest unit in a turn, GSU."""
        return min(body.speed for body in self.front.first)

    def line(self, along: float) -> Ends:
        """Return the brigade's line at a position along its way."""
        return self.outlook.frame.line(self.front.left, self.front.right, along)


def ordered_mission(outlook: Outlook, order: BrigadeOrder) -> Mission | None:
    """Return the current mission that follows a player's order.

    None if no unit of the brigade can follow the order, or its goal has left the field or is out of
    sight. The commander then decides for the brigade.
    """
    bodies = [
        body
        for body in outlook.own
        if outlook.brigade_of.get(body.unit) == order.brigade
        and body.role != "leader"
        and not body.is_broken
    ]
    goal, foe = _goal(outlook, order)
    has_lost_goal = goal is None and bool(order.area or order.target is not None)
    if not bodies or order.kind is None or has_lost_goal:
        return None
    frame = _frame(outlook, order.kind, bodies, goal)
    local = replace(outlook, frame=frame)
    task = _Task(local, _front(local, bodies, goal), goal, foe)
    line, limit = _LINES[order.kind](task)
    target = foe
    if target is None and order.kind in {"attack", "assault"}:
        target = outlook.agreed_target(bodies)
    return Mission(
        brigade=order.brigade,
        units=tuple(body.unit for body in (*task.front.first, *task.front.second)),
        kind=order.kind,
        line=line,
        limit=limit,
        target=None if target is None else target.unit,
        area=order.area,
    )


def _goal(outlook: Outlook, order: BrigadeOrder) -> tuple[Objective | None, UnitProfile | None]:
    """Return the goal of an order as a position, and the enemy if the goal is one."""
    if order.target is not None:
        foe = next((each for each in outlook.foes if each.unit == order.target), None)
        return (None if foe is None else _place(str(order.target), foe.outline)), foe
    outline = outlook.places.get(order.area)
    return (None if outline is None else _place(order.area, outline)), None


def _place(name: str, outline: BaseGeometry) -> Objective:
    return Objective(name=name, outline=outline, worth=0.0, takes=True)


def _frame(
    outlook: Outlook, kind: MissionKind, bodies: Sequence[UnitProfile], goal: Objective | None
) -> Frame:
    """Return the frame of the brigade: that of the army if its goal is ahead of the army.

    Otherwise the brigade turns towards its goal, or keeps its facing if it stays.
    """
    x = sum(body.x for body in bodies) / len(bodies)
    y = sum(body.y for body in bodies) / len(bodies)
    if goal is None:
        if kind not in {"hold", "screen"}:
            return outlook.frame
    else:
        centre = goal.outline.centroid
        way = facing_towards(centre.x - x, centre.y - y)
        is_before = abs(turn_between(outlook.frame.facing, way)) <= _BEFORE
        if hypot(centre.x - x, centre.y - y) > _AT_HAND:
            return outlook.frame if is_before else Frame(way)
    middle = min(bodies, key=lambda body: (hypot(body.x - x, body.y - y), body.unit))
    return Frame(middle.facing)


def _front(outlook: Outlook, bodies: Sequence[UnitProfile], goal: Objective | None) -> Front:
    """Return the brigade's front, shifted towards its goal by the move of its slowest unit."""
    front = front_of(outlook, bodies, None)
    if goal is None:
        return front
    centre = goal.outline.centroid
    off = outlook.frame.of(centre.x, centre.y)[0] - front.middle
    most = _ASIDE * min(body.speed for body in front.first)
    return front.shifted(max(-most, min(most, off)))


def _advances(task: _Task, kind: MissionKind = "attack") -> tuple[Ends, float]:
    """Return the line of a brigade that advances on its goal, and its limit for charges."""
    along, limit = advance(task.outlook, task.front, task.goal, kind)
    return task.line(min(along, _obliquely(task))), limit


def _assaults(task: _Task) -> tuple[Ends, float]:
    return _advances(task, "assault")


def _obliquely(task: _Task) -> float:
    """Return the maximum advance of a brigade whose goal is to a side.

    The advance is in proportion to the shift, and ends at the goal.
    """
    if task.goal is None:
        return inf
    centre = task.goal.outline.centroid
    across, along = task.outlook.frame.of(centre.x, centre.y)
    half = (task.front.right - task.front.left) / 2
    aside = max(abs(across - task.front.middle) - half, 0.0)
    ahead = max(along - task.level, 0.0)
    return task.level + (min(ahead, task.speed * ahead / (ahead + aside)) if aside else ahead)


def _advances_to_shoot(task: _Task) -> tuple[Ends, float]:
    return _advances(task)[0], 0.0


def _holds(task: _Task) -> tuple[Ends, float]:
    """Return the line of a brigade that holds its position, or moves to the one to hold."""
    if task.goal is None:
        return task.line(task.level), 0.0
    kind: MissionKind = "hold" if task.goal.holds(task.front.first) else "attack"
    along, limit = advance(task.outlook, task.front, task.goal, kind)
    return task.line(along), limit


def _supports(task: _Task) -> tuple[Ends, float]:
    """Return the line of a brigade that follows the units in front of it and shoots."""
    along, _ = advance(task.outlook, task.front, task.goal, "attack")
    before = _friends_along(task, across=True)
    return task.line(min([along, *(each - BEHIND for each in before)])), 0.0


def _waits(task: _Task) -> tuple[Ends, float]:
    """Return the line of a brigade that waits behind the army's line."""
    line = sorted(_friends_along(task, across=False))
    along = line[len(line) // 2] - _RESERVE if line else task.level
    return task.line(min(along, task.level + task.speed)), 0.0


def _friends_along(task: _Task, *, across: bool) -> list[float]:
    """Return the positions along of other brigades' units of the line.

    across : only of units in front of the brigade
    """
    frame, front = task.outlook.frame, task.front
    own = {body.unit for body in (*front.first, *front.second)}
    out = []
    for body in task.outlook.own:
        if body.role != "line" or body.is_broken or body.unit in own:
            continue
        there, along = frame.of(body.x, body.y)
        if not across or (front.left < there < front.right and along > task.level):
            out.append(along + body.depth / 2)
    return out


def _withdraws(task: _Task) -> tuple[Ends, float]:
    """Return the line of a brigade that retreats by one move to its own edge of the field."""
    _, edge, *_ = task.outlook.bounds
    deep = max(body.depth for body in task.front.first)
    return task.line(max(task.level - task.speed, edge + deep + _EDGE)), 0.0


def _pursues(task: _Task) -> tuple[Ends, float]:
    """Return the line of a brigade from which it can charge its enemy."""
    assert task.foe is not None
    reach = min(body.reach for body in task.front.first)
    _, along = task.outlook.frame.of(task.foe.x, task.foe.y)
    return task.line(max(along - _STAND * reach, task.level)), reach


def _flanks(task: _Task) -> tuple[Ends, float]:
    """Return the line of a brigade beside its enemy, or first past the end of the enemy's line."""
    foe, front = task.foe, task.front
    assert foe is not None
    reach = min(body.reach for body in front.first)
    own = task.outlook.frame.on_field(front.middle, task.level)
    seen = Frame(foe.facing)
    here, there = seen.of(*own), seen.of(foe.x, foe.y)
    hand = 1.0 if here[0] >= there[0] else -1.0
    out = foe.width / 2 + _STAND * reach
    is_before = here[1] > there[1] + foe.depth / 2 and abs(here[0] - there[0]) < 0.8 * out
    along = here[1] if is_before else there[1]
    x, y = seen.on_field(there[0] + hand * out, along)
    quarter = FULL_CIRCLE // 4
    frame = Frame(round(foe.facing - hand * quarter) % FULL_CIRCLE)
    across, along = frame.of(x, y)
    half = (front.right - front.left) / 2
    return frame.line(across - half, across + half, along), reach


_LINES: Mapping[MissionKind, Callable[[_Task], tuple[Ends, float]]] = {
    "hold": _holds,
    "attack": _advances,
    "support": _supports,
    "pin": _advances_to_shoot,
    "flank": _flanks,
    "pursue": _pursues,
    "screen": _advances_to_shoot,
    "reserve": _waits,
    "withdraw": _withdraws,
    "assault": _assaults,
}
