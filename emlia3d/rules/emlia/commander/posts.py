"""Shooting positions (posts) with a good shot and little danger.

Positions around the unit are compared in army value: the expected losses from its fire in the next
turns, minus the expected losses from the enemy's fire and charges. Visibility over the ground is
exact; woods and buildings count as opaque.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from emlia3d.rules.emlia.commander.fire_odds import losses_at
from emlia3d.rules.emlia.commander.marching import to_place
from emlia3d.rules.emlia.commander.outlook import body_of
from emlia3d.rules.emlia.commander.vantage import (
    are_aside,
    are_behind,
    are_open,
    are_seen,
    friends_behind,
    inside,
    places_round,
)
from emlia3d.rules.emlia.doctrine import fire_targets
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import entry_of, members_of_all

Floats = NDArray[np.float64]

_RINGS, _STEPS = (0.3, 0.6, 1.0, 1.5, 2.0, 3.0), 16
"""Distances, in moves of the unit, and number of directions of the positions that it considers."""

_TURNS = 3.0
"""Number of turns for which a position is evaluated."""

_MOVED, _PER_MOVE = 0.3, 0.7
"""Cost of a first and of each further move, turns of fire."""

_TARGETED = 0.5
"""Probability that an enemy in range shoots at this unit."""

_CHARGED, _CAUGHT = 0.5, 0.5
"""Probability that an enemy in reach charges, and the proportion lost in a charge."""

_RUN = 1.2
"""Maximum distance of an enemy's charge, in its moves."""

_APPROACH = 0.5
"""Expected approach of an enemy before it shoots, in its moves."""

_TO_THE_SIDE = 0.5
"""Factor for the fire of a formed enemy at targets outside its front."""

_BUSY = 0.3
"""Factor for the worth of a shot into close combat."""

_UNSURE = 0.6
"""Factor for the worth of a shot at an enemy of which the unit is not aware now."""

_IN_THE_WAY = 0.2
"""Price of each friend in ranks behind a position."""

_EDGE = 6.0
"""Minimum distance from the edge of the field, GSU."""

_WITHDRAWS = "withdraws from enemies that could shoot at it or charge it"

_BETTER = 0.01
"""Minimum gain of a new position, army value."""


@dataclass(frozen=True, slots=True)
class _Targets:
    """Enemies as targets.

    bodies : the enemies
    spots : (n, 2) their centres
    half : (n,) half of their larger extent, GSU
    """

    bodies: list[UnitProfile]
    spots: Floats
    half: Floats


def to_a_post(
    ai: AiContext, decision: Decision, unit: int, within: shapely.Geometry | None = None
) -> Order | None:
    """Return the move towards a better position; None if there is none.

    within : an area that the unit must not leave
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
    worth, gain = _worth(ai, body, spots, foes)
    best = int(worth.argmax())
    if best == 0 or worth[best] < worth[0] + _BETTER:
        return None
    (x, y), aim = spots[best].tolist(), int(gain[best].argmax())
    shoots = gain[best, aim] > 0
    foe = near[aim] if shoots else min(near, key=body.apart)
    why = f"takes a position to shoot at {ai.name(foe.unit)}" if shoots else _WITHDRAWS
    away = hypot(x - body.x, y - body.y)
    verb = "double-pace" if away > 1.5 * body.speed else "move"
    return to_place(battle, decision, unit, (x, y), (foe.x, foe.y), verb, why)


def _spots(ai: AiContext, body: UnitProfile, within: shapely.Geometry | None) -> Floats:
    """Return (n, 2) the positions that a unit considers; the first is its current one."""
    here = body.x, body.y
    spots = places_round(here, body.facing, [ring * body.speed for ring in _RINGS], _STEPS)
    open_to_it = inside(ai.battle.setup.field, spots, _EDGE)
    if within is not None:
        open_to_it &= shapely.contains_xy(within, *spots.T)
    return np.vstack([[here], spots[open_to_it]])


def _worth(
    ai: AiContext, body: UnitProfile, spots: Floats, foes: _Targets
) -> tuple[Floats, Floats]:
    """Return the worth of positions, (n,), and of a turn's fire at each enemy there, (n, m).

    Both in army value.
    """
    friends = [body_of(ai.battle, one) for one in ai.own if one != body.unit]
    gaps = np.hypot(*(spots[:, None] - foes.spots).transpose(2, 0, 1)) - foes.half
    gain, harm = _by_fire(ai, body, spots, foes, gaps, friends)
    price = harm.sum(axis=1) + _charges(body, spots, foes, gaps, friends)
    price += _IN_THE_WAY / _TURNS * friends_behind(friends, body, spots)
    moves = np.hypot(*(spots - spots[0]).T) / max(body.speed, 1.0)
    waits = np.where(moves > 0, _MOVED + _PER_MOVE * np.maximum(moves - 1, 0.0), 0.0)
    worth = np.maximum(_TURNS - waits, 0.0) * gain.max(axis=1) - _TURNS * price
    return worth, gain


def _by_fire(
    ai: AiContext,
    body: UnitProfile,
    spots: Floats,
    foes: _Targets,
    gaps: Floats,
    friends: list[UnitProfile],
) -> tuple[Floats, Floats]:
    """Return the expected losses from fire at each enemy and from each enemy's fire, (n, m) each.

    Both are in army value, for a turn at each position.
    """
    battle, field = ai.battle, ai.battle.setup.field
    gain, harm = np.zeros(gaps.shape), np.zeros(gaps.shape)
    own = body.worth / max(members_of_all(battle, body.unit), 1)
    sight_cache_of(battle).look([body.unit], [foe.unit for foe in foes.bodies])
    for number, foe in enumerate(foes.bodies):
        each = foe.worth / max(members_of_all(battle, foe.unit), 1)
        losses = losses_at(battle, body.unit, foe.unit, gaps[:, number], forfeits_move=True)
        value = entry_of(battle.setup, foe.unit).army_value
        losses[losses * value < fire_targets.WORTH_A_SHOT] = 0.0
        gain[:, number] = each * losses * (_BUSY if foe.is_engaged else 1.0)
        gain[1:, number] *= 1.0 if is_aware(battle, body.unit, foe.unit) else _UNSURE
        if foe.is_fit and not foe.is_engaged:
            nearer = gaps[:, number] - (0.0 if foe.role == "guns" else _APPROACH * foe.speed)
            harm[:, number] = _TARGETED * own * losses_at(battle, foe.unit, body.unit, nearer)
            if foe.holds_formation:
                harm[are_aside(foe, spots), number] *= _TO_THE_SIDE
    row, column = (np.flatnonzero(gain.any(axis=axis)) for axis in (1, 0))
    aimed = [foes.bodies[number] for number in column.tolist()]
    gain[np.ix_(row, column)] *= are_open(field, spots[row], aimed, friends)
    rows, columns = np.nonzero((gain > 0) | (harm > 0))
    hidden = ~are_seen(battle, spots[rows], foes.spots[columns])
    gain[rows[hidden], columns[hidden]] = harm[rows[hidden], columns[hidden]] = 0.0
    return gain, harm


def _charges(
    body: UnitProfile,
    spots: Floats,
    foes: _Targets,
    gaps: Floats,
    friends: list[UnitProfile],
) -> Floats:
    """Return (n,) the expected losses to charges at each position in a turn, army value."""
    guards = shapely.STRtree([one.outline for one in friends if one.is_fit and one.holds_formation])
    lost = np.zeros(len(spots))
    for number, foe in enumerate(foes.bodies):
        if foe.role not in {"line", "cavalry"} or not foe.is_fit or foe.is_engaged:
            continue
        near = gaps[:, number] < _RUN * foe.speed
        open_to_it = near & ~are_behind(guards, foe, spots, near)
        lost = np.maximum(lost, open_to_it * _CHARGED * _CAUGHT * body.worth)
    return lost
