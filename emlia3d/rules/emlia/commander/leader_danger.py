"""The danger of positions for a leader: enemy fire and charges, in army value."""

from __future__ import annotations

from math import hypot

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.rulekit.commander.unit_profile import UnitProfile
from emlia3d.rules.emlia.commander.outlook import body_of
from emlia3d.rules.emlia.commander.vantage import are_behind, are_seen_over_ground, eyes
from emlia3d.rules.emlia.doctrine.ai_context import AiContext

Floats = NDArray[np.float64]

_MARGIN = 1.15
"""Factor of an enemy's range at which a leader keeps its distance."""

_RUN = 1.3
"""Maximum distance of an enemy's charge, in its moves."""

_HAZARD, _DEEPER = 0.25, 0.01
"""Danger within an enemy's fire or charge distance, and for each GSU farther in, army value."""

_PUSHED, _IN_THE_WAY = 24.0, 0.4
"""Distance from a friend in close combat, which can be pushed into the leader, GSU; the danger."""

_SCREENED = 0.5
"""Factor for the danger of fire if a friend is between."""

_UNDER_GUNS = 0.2
"""Danger in sight of guns, army value."""


def danger_at(ai: AiContext, spots: Floats) -> Floats:
    """Return the danger at each position, army value.

    Friends on the way screen a leader from fire, and block charges.
    """
    foes = [body_of(ai.battle, foe) for foe in ai.standing]
    friends = [body_of(ai.battle, one) for one in ai.own]
    friends = [one for one in friends if not one.is_broken and one.role != "leader"]
    screens = shapely.STRtree([one.outline for one in friends])
    guards = shapely.STRtree([one.outline for one in friends if one.is_fit])
    fire, run = np.zeros((2, len(spots)))
    for foe in foes:
        if foe.role == "leader" or not foe.is_fit:
            continue
        gaps = np.hypot(*(spots - (foe.x, foe.y)).T) - max(foe.width, foe.depth) / 2
        shot = _MARGIN * _effective(foe) - gaps
        ridden = (0.0 if foe.role == "guns" else _RUN * foe.speed) - gaps
        covered = are_behind(screens, foe, spots, shot > 0)
        fire = np.maximum(fire, _at_stake(shot) * np.where(covered, _SCREENED, 1.0))
        run = np.maximum(run, _at_stake(ridden) * ~are_behind(guards, foe, spots, ridden > 0))
    guns = [foe for foe in foes if foe.role == "guns" and foe.bands]
    found: Floats = fire + run + _UNDER_GUNS * _seen(ai, spots, guns)
    engaged = shapely.STRtree([one.outline for one in friends if one.is_engaged])
    points = np.asarray(shapely.points(spots), dtype=object)
    pushed = engaged.query(points, predicate="dwithin", distance=_PUSHED)[0]
    found[np.unique(pushed)] += _IN_THE_WAY
    return found


def _at_stake(inside_by: Floats) -> Floats:
    """Return the danger at depths within an enemy's fire or charge distance, GSU."""
    found: Floats = np.where(inside_by > 0, _HAZARD + _DEEPER * inside_by, 0.0)
    return found


def _effective(foe: UnitProfile) -> float:
    """Return the effective range of an enemy, GSU."""
    if not foe.bands:
        return 0.0
    return foe.bands[0] if foe.role == "guns" else foe.bands[1]


def _seen(ai: AiContext, spots: Floats, guns: list[UnitProfile]) -> Floats:
    """Return (n,) 1 for each position in sight and range of guns, otherwise 0.

    Guns count at their positions, and after a move towards the leader.
    """
    moment, seen = ai.battle, np.zeros(len(spots))
    heads = eyes(moment, spots)
    x, y = spots[0].tolist()
    for gun in guns:
        away = max(hypot(x - gun.x, y - gun.y), 1.0)
        for step in (0.0, min(gun.speed, away)):
            at = gun.x + (x - gun.x) * step / away, gun.y + (y - gun.y) * step / away
            near = np.hypot(*(spots - at).T) < gun.bands[-1]
            if near.any():
                eye = eyes(moment, np.array([at]))
                found = are_seen_over_ground(moment, eye, heads[near])
                seen[near] = np.maximum(seen[near], found)
    return seen
