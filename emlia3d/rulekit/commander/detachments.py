"""Units that are sent to the places that count beside the main one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot

from emlia3d.rulekit.commander.bodies import Body
from emlia3d.rulekit.commander.outlook import Objective, Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind

_FAR = 0.6
"""The proportion of the ground covered in the turns that are left that a detachment may march."""

_LEAST = 4
"""Units of the line below which none is sent away."""

_NEAR = 60.0
"""GSU from a place within which units take part in the fight for it."""

_TOO_MANY = 1.5
"""Times the worth of the side's own units at a place that the enemies may be worth."""

_LIGHT = 40.0
"""GSU that light troops count farther off than formed ones, which keep a place better."""


def detached(outlook: Outlook, main: Objective | None) -> list[Mission]:
    """Return a mission for each place beside the main one that a unit can be spared for.

    The nearest unit goes, formed infantry before light troops, the most valuable place first.
    """
    free = [
        body
        for body in outlook.own
        if body.role in {"line", "skirmish"} and body.is_fit and not body.is_engaged
    ]
    formed = sum(body.role == "line" for body in free)
    out = list[Mission]()
    others = (each for each in outlook.objectives if each is not main)
    for objective in sorted(others, key=lambda each: (-each.worth, each.name)):
        able = [
            body
            for body in _strong_enough(outlook, free, objective)
            if _gets_there(outlook, body, objective)
        ]
        if formed <= _LEAST:
            able = [body for body in able if body.role == "skirmish"]
        if not able:
            continue
        body = min(able, key=lambda each: (_cost(each, objective), each.unit))
        free.remove(body)
        formed -= body.role == "line"
        out.append(_mission(outlook, body, objective))
    return out


def _gets_there(outlook: Outlook, body: Body, objective: Objective) -> bool:
    left = max(outlook.turns - outlook.turn + 1, 1)
    return objective.distance(body) <= _FAR * left * body.speed


def _strong_enough(
    outlook: Outlook, bodies: Iterable[Body], objective: Objective
) -> Iterator[Body]:
    """Yield the units that with the friends at a place are strong enough for its enemies."""
    foes = sum(foe.worth for foe in outlook.standing if objective.distance(foe) < _NEAR)
    friends = [own for own in outlook.own if not own.is_broken and objective.distance(own) < _NEAR]
    for body in bodies:
        others = sum(own.worth for own in friends if own.unit != body.unit)
        if foes <= _TOO_MANY * outlook.personality.boldness * (body.worth + others):
            yield body


def _cost(body: Body, objective: Objective) -> float:
    return objective.distance(body) + (_LIGHT if body.role == "skirmish" else 0.0)


def _mission(outlook: Outlook, body: Body, objective: Objective) -> Mission:
    """Return the mission to form a line in the middle of a place."""
    frame, centre = outlook.frame, objective.outline.centroid
    across, along = frame.of(centre.x, centre.y)
    is_there = objective.distance(body) == 0
    held = any(objective.distance(foe) == 0 for foe in outlook.standing)
    kind: MissionKind = "hold" if is_there and not held else "attack"
    if is_there and hypot(body.x - centre.x, body.y - centre.y) < body.width:
        across, along = frame.of(body.x, body.y)
        along += body.depth / 2
    return Mission(
        brigade=outlook.brigade_of[body.unit],
        units=(body.unit,),
        kind=kind,
        line=frame.line(across - body.width / 2, across + body.width / 2, along),
        limit=body.reach,
        area=objective.name,
    )
