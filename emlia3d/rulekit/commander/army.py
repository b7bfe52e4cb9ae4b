"""A side's plan: where its main effort goes, and what each of its brigades does for it."""

from __future__ import annotations

from collections.abc import Sequence

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
    line = {
        brigade.name: bodies
        for brigade in outlook.brigades
        if (bodies := _formed(outlook, brigade, sent))
    }
    fronts = fronts_apart([front_of(outlook, bodies, main) for bodies in line.values()])
    missions = [
        _mission(outlook, name, bodies, front, main)
        for (name, bodies), front in zip(line.items(), fronts, strict=True)
    ]
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


def _formed(outlook: Outlook, brigade: Brigade, sent: set[int]) -> tuple[Body, ...]:
    """Return the formed infantry of a brigade, but for units that are broken or sent away."""
    return tuple(
        body
        for unit in brigade.units
        if (body := outlook.by_unit.get(unit)) is not None
        and body.role == "line"
        and unit not in sent
        and body.holds_formation
        and not body.is_broken
    )


def _is_in(objective: Objective, bodies: tuple[Body, ...]) -> bool:
    """Return whether most of the bodies have come to the objective."""
    near = sum(objective.distance(body) <= body.depth for body in bodies)
    return 2 * near >= len(bodies)


def _mission(
    outlook: Outlook,
    brigade: str,
    bodies: tuple[Body, ...],
    front: Front,
    objective: Objective | None,
) -> Mission:
    """Return the mission of a brigade of the line."""
    holds = objective is not None and _is_in(objective, bodies)
    kind: MissionKind = "hold" if holds else "attack"
    along, limit = advance(outlook, front, objective, kind)
    target = agreed_target(outlook, bodies)
    return Mission(
        brigade=brigade,
        units=tuple(body.unit for body in (*front.first, *front.second)),
        kind=kind,
        line=outlook.frame.line(front.left, front.right, along),
        limit=limit,
        target=None if target is None else target.unit,
        area="" if objective is None else objective.name,
    )


def agreed_target(outlook: Outlook, bodies: Sequence[Body]) -> Body | None:
    """Return the enemy that a brigade attacks together; None if none is near enough.

    All shoot at it first. An enemy in disorder or shaken comes first, then the one that most of
    the brigade is near.
    """

    def away(foe: Body) -> float:
        return sum(body.apart(foe) for body in bodies) / len(bodies)

    near = [
        foe
        for foe in outlook.standing
        if foe.role == "line" and any(body.apart(foe) < _TOGETHER for body in bodies)
    ]
    return min(near, key=lambda foe: (foe.is_fit, away(foe), foe.unit), default=None)


def _name(outlook: Outlook, main: Objective | None) -> str:
    if main is None:
        return "attack the enemy"
    return f"{'hold' if outlook.holds else 'take'} the {main.name}"
