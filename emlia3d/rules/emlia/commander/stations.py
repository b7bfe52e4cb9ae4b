"""Safe positions (stations) from which a mounted unit can charge a worthwhile enemy.

Positions around the unit are compared by the best charge from there, the enemies that could shoot
at it or charge it, and the way.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from emlia3d.rules.emlia.commander.charge_lanes import are_free, boxes
from emlia3d.rules.emlia.commander.marching import to_place
from emlia3d.rules.emlia.commander.outlook import body_of
from emlia3d.rules.emlia.commander.vantage import (
    are_aside,
    are_seen,
    friends_behind,
    inside,
    places_round,
)
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import obstacles_to

Floats = NDArray[np.float64]

_RINGS, _STEPS = (0.25, 0.5, 0.75, 1.0), 16
"""Distances, in moves of the unit, and number of directions of the positions that it considers."""

_REACH = 0.9
"""Maximum distance of a future charge, relative to the unit's speed."""

_STEADY = 0.15
"""Factor for the worth of a charge at the front of steady infantry."""

_BESIDE, _UNFIT, _BUSY = 1.5, 1.5, 1.3
"""Factors for charges into flanks and rears, at unsteady enemies, and at engaged ones."""

_FIRE, _GUNS = 0.25, 0.35
"""Prices of each infantry unit, and of each battery, that could shoot at the position."""

_CHARGED, _RUN = 0.4, 1.2
"""Price of a position that fit infantry could charge, and the distance of that, in its moves."""

_IN_THE_WAY = 0.4
"""Price of each friend in ranks behind the position."""

_A_MOVE = 0.1
"""Price of a move on the way."""

_EDGE = 6.0
"""Minimum distance from the edge of the field, GSU."""

_BETTER = 0.1
"""Minimum gain of a new position."""


def to_a_station(ai: AiContext, decision: Decision, unit: int) -> Order | None:
    """Return the move to a station; None if there is none, or the unit is there."""
    battle = ai.battle
    body = body_of(battle, unit)
    foes = [body_of(battle, foe) for foe in ai.known]
    near = [foe for foe in foes if foe.role != "leader" and body.apart(foe) < 3 * body.speed]
    if not near:
        return None
    rings = [ring * body.speed for ring in _RINGS]
    spots = places_round((body.x, body.y), body.facing, rings, _STEPS)
    field = battle.setup.field
    spots = np.vstack([[(body.x, body.y)], spots[inside(field, spots, _EDGE)]])
    bodies = shapely.STRtree(obstacles_to(battle, unit, unknown_to(battle, unit)))
    spots = spots[_has_room(body, bodies, spots)]
    value, gaps = _values(ai, body, spots, near, bodies)
    worth, at = value.max(axis=1) - _price(ai, body, spots, near, gaps), value.argmax(axis=1)
    best = int(worth.argmax())
    if best == 0 or worth[best] < worth[0] + _BETTER:
        return None
    (x, y), foe = spots[best].tolist(), near[int(at[best])]
    why = f"rides to where it can charge {ai.name(foe.unit)}"
    return to_place(battle, decision, unit, (x, y), (foe.x, foe.y), "move", why)


def _has_room(body: UnitProfile, bodies: shapely.STRtree, spots: Floats) -> NDArray[np.bool_]:
    """Return (n,) whether the unit can turn at each position; the first is its current one."""
    free = np.ones(len(spots), dtype=bool)
    free[bodies.query(shapely.points(spots), predicate="dwithin", distance=body.width / 2)[0]] = (
        False
    )
    free[0] = True
    return free


def _values(
    ai: AiContext,
    body: UnitProfile,
    spots: Floats,
    foes: list[UnitProfile],
    bodies: shapely.STRtree,
) -> tuple[Floats, Floats]:
    """Return the worth and the length of a charge at each enemy from each position, (n, m)."""
    centres = np.array([(foe.x, foe.y) for foe in foes])
    way = centres - spots[:, None]
    gaps = np.hypot(*way.transpose(2, 0, 1))
    half = np.array([foe.depth / 2 for foe in foes])
    value = np.zeros(gaps.shape)
    for number, foe in enumerate(foes):
        worth = foe.worth**0.5 * (1.0 if foe.is_fit else _UNFIT)
        worth *= _BUSY if foe.is_engaged else 1.0
        worth *= 0.5 if foe.is_broken else 1.0
        value[:, number] = worth
        if foe.holds_formation:
            aside = are_aside(foe, spots)
            steady = foe.role == "line" and foe.is_fit and not foe.is_engaged
            value[aside, number] *= _BESIDE
            value[~aside, number] *= _STEADY if steady else 1.0
    value[gaps - half > _REACH * body.speed + body.depth / 2] = 0.0
    rows, columns = np.nonzero(value)
    run = way[rows, columns] / np.maximum(gaps[rows, columns], 1e-9)[:, None]
    far = np.maximum(gaps[rows, columns] - half[columns] - body.depth - 2, 0.0)
    clear = are_free(bodies, boxes(spots[rows], run, body.width / 2 - 1, body.depth / 2, far))
    clear[clear] = are_seen(ai.battle, spots[rows[clear]], centres[columns[clear]])
    value[rows[~clear], columns[~clear]] = 0.0
    return value, gaps


def _price(
    ai: AiContext, body: UnitProfile, spots: Floats, foes: list[UnitProfile], gaps: Floats
) -> Floats:
    """Return (n,) the price of each position: fire, charges, friends behind it, and the way."""
    price: Floats = _A_MOVE * np.hypot(*(spots - spots[0]).T) / max(body.speed, 1.0)
    reach, fees = np.array([_fire_of(foe) for foe in foes]).T
    centres = np.array([(foe.x, foe.y) for foe in foes])
    rows, columns = np.nonzero(gaps < reach)
    seen = are_seen(ai.battle, spots[rows], centres[columns])
    np.add.at(price, rows[seen], fees[columns[seen]])
    runs = [
        foe.width / 2 + _RUN * foe.speed if foe.role == "line" and foe.is_fit else 0.0
        for foe in foes
    ]
    price += _CHARGED * (gaps < np.array(runs)).any(axis=1)
    friends = [body_of(ai.battle, one) for one in ai.own]
    return price + _IN_THE_WAY * friends_behind(friends, body, spots)


def _fire_of(foe: UnitProfile) -> tuple[float, float]:
    """Return the effective range of an enemy, GSU, and its price; 0 if it cannot shoot."""
    if not foe.bands or not foe.is_fit or foe.is_engaged:
        return 0.0, 0.0
    reach = foe.bands[min(1, len(foe.bands) - 1)] + foe.width / 4
    return reach, _GUNS if foe.role == "guns" else _FIRE
