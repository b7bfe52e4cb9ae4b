"""The place from which a unit that has no target where it is can shoot at the enemy.

Places around the unit are compared by the harm that it could do from there, by the enemies that
could shoot at it or charge it there, and by the way. Over the ground its view is exact; woods and
buildings on the way count as closed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from emlia3d.rules.emlia.commander.marching import to_place
from emlia3d.rules.emlia.commander.outlook import body_of
from emlia3d.rules.emlia.commander.vantage import (
    are_open,
    are_seen,
    friends_behind,
    inside,
    places_round,
)
from emlia3d.rules.emlia.doctrine.ai_context import AiContext

Floats = NDArray[np.float64]

_RINGS, _STEPS = (0.3, 0.6, 1.0, 1.5, 2.0, 3.0), 16
"""Distances, in moves of the unit, and directions of the places that it considers."""

_BY_BAND = (1.0, 0.7, 0.25)
"""The value of a shot at short, medium and long range, in that of one at short range."""

_INTO_A_FLANK = 1.4
"""Factor for the value of a shot at an enemy from its flank or rear."""

_FLANK = 0.5
"""Cosine of the angle off an enemy's front from which a place is in its flank."""

_DANGER = 0.25
"""Price of each formed enemy that has the place within short range or its move."""

_A_MOVE = 0.12
"""Price of each move on the way."""

_IN_THE_WAY = 0.4
"""Price of each friend in ranks that a place is before."""

_EDGE = 6.0
"""GSU from the edge of the field that a unit keeps."""

_LEAST = 0.15
"""Value that a place must have."""


@dataclass(frozen=True, slots=True)
class _Targets:
    """Enemies as targets.

    bodies : the enemies
    spots : (n, 2) their centres
    half : (n,) half of their greater extent, GSU
    """

    bodies: list[UnitProfile]
    spots: Floats
    half: Floats


def to_a_post(
    ai: AiContext, decision: Decision, unit: int, within: shapely.Geometry | None = None
) -> Order | None:
    """Return the move towards a place with a target, if there is one worth going to.

    within : an area that the unit does not leave
    """
    battle = ai.battle
    body = body_of(battle, unit)
    known = [body_of(battle, foe) for foe in ai.standing]
    far = body.bands[-1] + _RINGS[-1] * body.speed if body.bands else 0.0
    near = [foe for foe in known if foe.role != "leader" and body.apart(foe) < far]
    if not near:
        return None
    spots = _spots(ai, body, within)
    foes = _Targets(
        near,
        np.array([(foe.x, foe.y) for foe in near]),
        np.array([max(foe.width, foe.depth) / 2 for foe in near]),
    )
    worth, at = _worth(ai, body, spots, foes)
    best = int(worth.argmax())
    if best == 0 or worth[best] < _LEAST:
        return None
    (x, y), foe = spots[best].tolist(), near[int(at[best])]
    why = f"takes post to shoot at {ai.name(foe.unit)}"
    away = hypot(x - body.x, y - body.y)
    verb = "double-pace" if away > 1.5 * body.speed else "move"
    return to_place(battle, decision, unit, (x, y), (foe.x, foe.y), verb, why)


def _spots(ai: AiContext, body: UnitProfile, within: shapely.Geometry | None) -> Floats:
    """Return (n, 2) the places that a unit considers; the first is where it stands."""
    here = body.x, body.y
    spots = places_round(here, body.facing, [ring * body.speed for ring in _RINGS], _STEPS)
    open_to_it = inside(ai.battle.setup.field, spots, _EDGE)
    if within is not None:
        open_to_it &= shapely.contains_xy(within, *spots.T)
    return np.vstack([[here], spots[open_to_it]])


def _worth(
    ai: AiContext, body: UnitProfile, spots: Floats, foes: _Targets
) -> tuple[Floats, Floats]:
    """Return (n,) the worth of each place, and (n,) the number of its best target."""
    gaps = np.hypot(*(spots[:, None] - foes.spots).transpose(2, 0, 1)) - foes.half
    value = np.zeros(gaps.shape)
    for band, share in reversed([*zip(body.bands, _BY_BAND, strict=False)]):
        value[gaps <= band] = share
    for number, foe in enumerate(foes.bodies):
        east, north = Frame(foe.facing).on_field(0.0, 1.0)
        way = spots - foes.spots[number]
        ahead = (way @ (east, north)) / np.maximum(np.hypot(*way.T), 1e-9)
        value[ahead < _FLANK, number] *= _INTO_A_FLANK if foe.holds_formation else 1.0
        value[:, number] *= foe.worth**0.5 * (0.3 if foe.is_engaged else 1.0)
    friends = [body_of(ai.battle, one) for one in ai.own if one != body.unit]
    row, column = (np.flatnonzero(value.any(axis=axis)) for axis in (1, 0))
    aimed = [foes.bodies[number] for number in column.tolist()]
    value[np.ix_(row, column)] *= are_open(ai.battle.setup.field, spots[row], aimed, friends)
    rows, columns = np.nonzero(value)
    seen = are_seen(ai.battle.setup.field, spots[rows], foes.spots[columns])
    value[rows[~seen], columns[~seen]] = 0.0
    formed = np.array([foe.holds_formation and not foe.is_engaged for foe in foes.bodies])
    reach = np.array([max((*foe.bands[:1], foe.speed)) for foe in foes.bodies])
    danger = ((gaps < reach) & formed).sum(axis=1)
    moves = np.hypot(*(spots - spots[0]).T) / max(body.speed, 1.0)
    price = _DANGER * danger + _A_MOVE * moves + _IN_THE_WAY * friends_behind(friends, body, spots)
    return value.max(axis=1) - price, value.argmax(axis=1)
