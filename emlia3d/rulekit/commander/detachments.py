"""Detachments: units sent to the positions that decide the victory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from shapely import Point
from shapely.ops import nearest_points

from emlia3d.rulekit.commander.outlook import Objective, Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind, Spot
from emlia3d.rulekit.commander.unit_profile import UnitProfile

_FAR = 0.6
"""Maximum march of a detachment, relative to the distance that it can cover in the turns left."""

_AT_ANY_PRICE = 2
"""Number of last turns in which a unit goes regardless of the enemies there."""

_FAR_AT_THE_END = 0.9
"""`_FAR` in those turns."""

_MOVES = 3.0
"""Distance from the main position within which a unit leaves the line for it, moves."""

_INSIDE = 10.0
"""Distance inside the outline of a position at which a unit stops, GSU."""

_ON_ITS_WAY = 30.0
"""Extra distance at which the unit that was sent keeps its task, GSU."""

_FARTHER = {"line": 0.0, "skirmish": 40.0, "cavalry": 120.0}
"""Distance added for units of each role, GSU; formed infantry holds a position best."""


def detached(outlook: Outlook, main: Objective | None) -> list[Mission]:
    """Return a mission for each position that a unit can reach, the most valuable one first.

    The nearest unit goes, formed infantry before others. A unit that is there stays.

    main : the position that the line fights for. A unit enters it ahead of the line once it is
        near, unless the line already holds it
    """
    free = [body for body in outlook.own if not body.is_broken and body.role in _FARTHER]
    out = list[Mission]()
    for place in sorted(outlook.objectives, key=lambda each: (-each.worth, each.name)):
        if place is main and outlook.is_kept(place):
            continue
        able = list(_able(outlook, free, place, _MOVES if place is main else inf))
        if not able:
            continue
        body = min(able, key=lambda one: (_cost(outlook, one, place), one.unit))
        free.remove(body)
        out.append(_mission(outlook, body, place))
    return out


def _able(
    outlook: Outlook, free: Sequence[UnitProfile], place: Objective, moves: float
) -> Iterator[UnitProfile]:
    """Yield the units that are in a position, or can arrive there in time."""
    left = max(outlook.turns - outlook.turn + 1, 1)
    at_any_price = left <= _AT_ANY_PRICE
    far = min((_FAR_AT_THE_END if at_any_price else _FAR) * left, moves)
    for body in free:
        if place.has(body) or (
            (moves == inf or body.role == "line")
            and body.is_fit
            and not body.is_engaged
            and place.distance(body) <= far * body.speed
            and (at_any_price or outlook.is_strong_enough(body, place))
        ):
            yield body


def _cost(outlook: Outlook, body: UnitProfile, place: Objective) -> float:
    if place.has(body):
        return -100.0 if body.is_fit else -50.0
    goes_on = _ON_ITS_WAY if outlook.was_sent(body, place) else 0.0
    return place.distance(body) + _FARTHER[body.role] - goes_on


def _mission(outlook: Outlook, body: UnitProfile, place: Objective) -> Mission:
    """Return the mission to occupy a position."""
    frame, is_in = outlook.frame, place.has(body)
    held = any(place.distance(foe) == 0 for foe in outlook.standing)
    kind: MissionKind = "hold" if is_in and not held else "attack"
    across, along = frame.of(*_spot(body, place))
    half = body.width / 2
    return Mission(
        brigade=outlook.brigade_of[body.unit],
        units=(body.unit,),
        kind=kind,
        line=frame.line(across - half, across + half, along + body.depth / 2),
        limit=body.reach,
        area=place.name,
    )


def _spot(body: UnitProfile, place: Objective) -> Spot:
    """Return the nearest point well inside a position for the centre of a unit."""
    here, inner = Point(body.x, body.y), place.outline.buffer(-_INSIDE)
    spot, _ = nearest_points(place.outline.centroid if inner.is_empty else inner, here)
    return spot.x, spot.y
