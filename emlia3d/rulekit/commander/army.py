"""A side's plan: where its main effort goes, and what each of its brigades does for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from shapely import Point

from emlia3d.rulekit.commander.bodies import Body
from emlia3d.rulekit.commander.detachments import detached
from emlia3d.rulekit.commander.front import Front, advance, front_of, fronts_apart
from emlia3d.rulekit.commander.outlook import Brigade, Objective, Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind, Plan
from emlia3d.rulekit.commander.wings import on_the_wings

_FEWEST = 3
"""Formed units from which there is a line to lead; with fewer each acts for itself."""

_TOGETHER = 90.0
"""GSU from a unit of the brigade within which an enemy can be attacked together."""


@dataclass(frozen=True, slots=True)
class _Task:
    """Task of a brigade of the line, before its front is fitted among its neighbours."""

    brigade: Brigade
    bodies: tuple[Body, ...]
    kind: MissionKind
    objective: Objective | None


def plan_for(outlook: Outlook) -> Plan:
    """Return the plan that serves the victory conditions best.

    It has no missions for a side that holds its posts, nor for one with few formed units: their
    units act each for itself.
    """
    main = main_objective(outlook)
    formed = [body for body in outlook.own if body.role == "line" and body.holds_formation]
    if outlook.holds or len(formed) < _FEWEST:
        return Plan(name=_name(outlook, main), missions=())
    away = detached(outlook, main)
    sent = {unit for mission in away for unit in mission.units}
    tasks = [_task(outlook, brigade, main, sent) for brigade in outlook.brigades]
    line = [task for task in tasks if task is not None]
    fronts = fronts_apart(
        outlook, [front_of(outlook, task.bodies, task.objective) for task in line]
    )
    missions = [_mission(outlook, task, front) for task, front in zip(line, fronts, strict=True)]
    if missions:
        missions += on_the_wings(outlook, missions, sent)
    return Plan(name=_name(outlook, main), missions=(*missions, *away))


def main_objective(outlook: Outlook) -> Objective | None:
    """Return the place that decides most; None where no place decides anything."""
    frame = outlook.frame
    mine = [body for body in outlook.own if body.role == "line"] or list(outlook.own)
    if not mine:
        return None
    along = sum(frame.of(body.x, body.y)[1] for body in mine) / len(mine)

    def value(each: Objective) -> tuple[float, float]:
        centre = each.outline.centroid
        away = abs(frame.of(centre.x, centre.y)[1] - along)
        return each.worth, -away

    return max(outlook.objectives, key=value, default=None)


def _task(
    outlook: Outlook, brigade: Brigade, main: Objective | None, sent: set[int]
) -> _Task | None:
    """Return what a brigade of the line does; None for a brigade without formed infantry."""
    bodies = tuple(
        body
        for unit in brigade.units
        if (body := outlook.by_unit.get(unit)) is not None
        and body.role == "line"
        and unit not in sent
        and body.holds_formation
        and not body.is_broken
    )
    if not bodies:
        return None
    objective = main
    holds = objective is not None and _is_in(objective, bodies)
    kind: MissionKind = "hold" if holds else "attack"
    return _Task(brigade, bodies, kind, objective)


def _is_in(objective: Objective, bodies: tuple[Body, ...]) -> bool:
    """Return whether most of the bodies have come to the objective."""
    near = sum(_distance(objective, body) <= body.depth for body in bodies)
    return 2 * near >= len(bodies)


def _distance(objective: Objective, body: Body) -> float:
    return float(objective.outline.distance(Point(body.x, body.y)))


def _mission(outlook: Outlook, task: _Task, front: Front) -> Mission:
    along, limit = advance(outlook, task.bodies, front, task.objective, task.kind)
    frame = outlook.frame
    target = agreed_target(outlook, task.bodies)
    return Mission(
        brigade=task.brigade.name,
        units=tuple(body.unit for body in (*front.first, *front.second)),
        kind=task.kind,
        line=(frame.on_field(front.left, along), frame.on_field(front.right, along)),
        limit=limit,
        target=None if target is None else target.unit,
        area="" if task.objective is None else task.objective.name,
    )


def agreed_target(outlook: Outlook, bodies: Sequence[Body]) -> Body | None:
    """Return the enemy that a brigade attacks together; None if none is near enough.

    All shoot at it first. An enemy in disorder or shaken comes first, then the one that most of
    the brigade is near.
    """

    def away(foe: Body) -> float:
        return sum(hypot(body.x - foe.x, body.y - foe.y) for body in bodies) / len(bodies)

    near = [
        foe
        for foe in outlook.standing
        if foe.role == "line"
        and any(hypot(body.x - foe.x, body.y - foe.y) < _TOGETHER for body in bodies)
    ]
    return min(near, key=lambda foe: (foe.is_fit, away(foe), foe.unit), default=None)


def _name(outlook: Outlook, main: Objective | None) -> str:
    if main is None:
        return "attack the enemy"
    return f"{'hold' if outlook.holds else 'take'} the {main.name}"
