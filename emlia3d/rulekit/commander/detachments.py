"""Units that are sent into the places that count, to stand in them as the battle ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from shapely import Point
from shapely.ops import nearest_points

from emlia3d.rulekit.commander.outlook import Objective, Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind, Spot
from emlia3d.rulekit.commander.unit_profile import UnitProfile

_FAR = 0.6
"""The proportion of the ground covered in the turns that are left that a detachment may march."""

_AT_ANY_PRICE = 2
"""Turns at the end in which a unit goes whatever enemies are there."""

_FAR_AT_THE_END = 0.9
"""The proportion of that ground that it may march in those turns."""

_MOVES = 3.0
"""Moves from the main place, which the line goes to, within which a unit leaves the line for it."""

_INSIDE = 10.0
"""GSU from the outline of a place at which a unit stands in it."""

_ON_ITS_WAY = 30.0
"""GSU that a unit may be farther off than another and still be the one that goes on."""

_FARTHER = {"line": 0.0, "skirmish": 40.0, "cavalry": 120.0}
"""GSU that units of each role count farther off; formed infantry keeps a place best."""


def detached(outlook: Outlook, main: Objective | None) -> list[Mission]:
    """Return a mission for each place that a unit can come to, the most valuable place first.

    The nearest unit goes, formed infantry before others; one that is there stays.

    main : the place that the line fights for. A unit goes ahead into it once it is near, unless
        the line has it already
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
    """Yield the units that are in a place, or may be sent there and come while there is time."""
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
    """Return the mission to stand in a place."""
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
    """Return the nearest spot well inside a place for the centre of a unit."""
    here, inner = Point(body.x, body.y), place.outline.buffer(-_INSIDE)
    spot, _ = nearest_points(place.outline.centroid if inner.is_empty else inner, here)
    return spot.x, spot.y
