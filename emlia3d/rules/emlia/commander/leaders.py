"""The place of a leader: near the units that need it, out of the enemy's fire and reach."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import hypot

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards
from emlia3d.geometry import lines_of_sight
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.commander.outlook import body_of, frame_of
from emlia3d.rules.emlia.commander.vantage import eyes, inside, places_round
from emlia3d.rules.emlia.doctrine import lurking
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.mind import Mind
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.doctrine.places import middle
from emlia3d.rules.emlia.doctrine.unit_paths import best_way
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.brigades import brigades_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import RETREATS

Floats = NDArray[np.float64]

_MARGIN = 1.15
"""By how much a leader keeps farther off than an enemy shoots or runs."""

_RUN = 1.3
"""Moves of an enemy within which it may charge."""

_BEHIND = 30.0
"""GSU behind the line at which a leader stands when nothing calls it elsewhere."""

_FAR, _HALF = 60.0, 40.0
"""Price of a friend in need that is far off, and GSU at which it is half of that."""

_APART = 16.0
"""GSU that leaders keep from each other."""

_CLOSE = 14.0
"""GSU from a unit in need at which a leader stands."""

_RINGS, _STEPS = (20.0, 45.0, 80.0, 120.0, 160.0), 12
"""Distances and directions of the places that a leader considers."""

_EXPOSED, _UNDER_GUNS, _OFF = 4.0, 200.0, 0.2
"""Prices of a GSU within the enemy's fire or run, of being seen by guns, of a GSU off its place."""

_EDGE = 4.0
"""GSU from the edge of the field that a leader keeps."""

_WORTH_GOING = 3.0
"""By how much a place must be better than where the leader stands."""


def order(mind: Mind, decision: Decision, unit: int, offered: Offered) -> Order:
    """Return the leader's move to a place that is safe and near units in need, or its search."""
    if not mind.battle.state.units.value("move_used", unit):
        move = _move(mind, decision, unit)
        if move is not None:
            return move
    return lurking.look(mind, offered) or decision.of("done")[0]


@dataclass(frozen=True, slots=True)
class _Prices:
    """Prices for a leader of standing at each of several places.

    danger : GSU within the enemy's fire or run, and of being seen by guns
    need : of the friends that are out of reach
    """

    danger: Floats
    need: Floats
    off: Floats

    @property
    def total(self) -> Floats:
        """The sum of the prices of each place."""
        found: Floats = _EXPOSED * self.danger + self.need + _OFF * self.off
        return found


def _move(mind: Mind, decision: Decision, unit: int) -> Order | None:
    """Return the move to the cheapest place in reach; None if that is where the leader is."""
    battle, situation = mind.battle, situation_of(mind.battle)
    others = [one for one in mind.own if role_of(battle, one) is not Role.GENERAL]
    if not others:
        return None
    frame, (x, y) = frame_of(mind), situation.centre(unit)
    led = _led_by(mind, unit, others)
    line = [one for one in led if role_of(battle, one) is Role.LINE] or led
    across, along = frame.of(*middle(battle, line))
    home = frame.on_field(across, along - _BEHIND)
    needy = _needy(mind, others, led)
    spots = _spots(mind, unit, home, needy)
    prices = _prices(mind, spots, home, needy)
    total = prices.total
    best = int(total.argmin())
    to_x, to_y = spots[best].tolist()
    away = hypot(to_x - x, to_y - y)
    if not away or total[best] > total[0] - _WORTH_GOING:
        return None
    why = "keeps out of the enemy's fire, near its units"
    if needy and prices.need[best] < prices.need[0]:
        gaps = shapely.distance(situation.outlines([*needy]), shapely.Point(to_x, to_y))
        why = f"rides to {mind.name([*needy][int(gaps.argmin())])}, which needs it"
    verb = "double-pace" if away > speed_of(battle, unit) else "move"
    way = facing_towards(to_x - x, to_y - y)
    found = best_way(battle, decision, unit, way, verb, away, why)
    return found and replace(found, why=why)


def _led_by(mind: Mind, unit: int, others: list[int]) -> list[int]:
    """Return the units of a leader's own brigade; all if it has none but leaders."""
    brigades = brigades_of(mind.battle, mind.side)
    row = mind.battle.setup.mustered_as(unit)
    own = next((each.units for each in brigades if row in each.units), ())
    return [one for one in others if mind.battle.setup.mustered_as(one) in own] or others


def _spots(mind: Mind, unit: int, home: tuple[float, float], needy: Collection[int]) -> Floats:
    """Return (n, 2) places that a leader could ride to; the first is where it stands.

    Some are at the rear and the ends of units that need a leader.
    """
    x, y = situation_of(mind.battle).centre(unit)
    helping = [spot for one in needy for spot in _beside(body_of(mind.battle, one))]
    around = places_round((x, y), frame_of(mind).facing, _RINGS, _STEPS)
    spots = np.vstack([np.array([home, *helping]), around])
    near = np.hypot(*(spots - (x, y)).T) <= 2 * speed_of(mind.battle, unit)
    for other in mind.own:
        if other != unit and role_of(mind.battle, other) is Role.GENERAL:
            at = situation_of(mind.battle).centre(other)
            near &= np.hypot(*(spots - at).T) > _APART
    return np.vstack([[(x, y)], spots[near & inside(mind.battle.setup.field, spots, _EDGE)]])


def _beside(body: UnitProfile) -> list[tuple[float, float]]:
    """Return the places behind a unit and at its ends from which a leader can help it."""
    frame = Frame(body.facing)
    across, along = frame.of(body.x, body.y)
    aside, back = body.width / 2 + _CLOSE, body.depth / 2 + _CLOSE
    spots = ((0.0, -back), (-aside, -back), (aside, -back))
    return [frame.on_field(across + a, along + b) for a, b in spots]


def _needy(mind: Mind, units: list[int], led: Collection[int]) -> dict[int, float]:
    """Return how much each unit needs a leader; units past help are left out.

    led : the units of the leader's brigade; others need it half as much
    """
    table = mind.battle.state.units
    needy = {}
    for unit in units:
        morale, disordered = table.integer("morale", unit), table.value("disordered", unit)
        if morale > RETREATS and (disordered or morale <= 1):
            worth = min(body_of(mind.battle, unit).worth, 2.0) * (1.0 if unit in led else 0.5)
            needy[unit] = worth if disordered else worth / 2
    return needy


def _prices(
    mind: Mind, spots: Floats, home: tuple[float, float], needy: dict[int, float]
) -> _Prices:
    """Return the prices of the places."""
    foes = [body_of(mind.battle, foe) for foe in mind.standing]
    danger = np.zeros(len(spots))
    for foe in foes:
        if foe.role != "leader":
            gaps = np.hypot(*(spots - (foe.x, foe.y)).T) - max(foe.width, foe.depth) / 2
            danger = np.maximum(danger, _MARGIN * _effective(foe) - gaps)
    guns = [foe for foe in foes if foe.role == "guns" and foe.bands]
    danger += _UNDER_GUNS / _EXPOSED * _seen(mind, spots, guns)
    need = np.zeros(len(spots))
    reach = 0.8 * numbers_of(mind.battle).command_range
    outlines = situation_of(mind.battle).outlines([*needy])
    for outline, weight in zip(outlines, needy.values(), strict=True):
        gaps = shapely.distance(shapely.points(spots), outline) - reach
        away = np.maximum(gaps, 0.0)
        need += _FAR * weight * away / (away + _HALF)
    return _Prices(danger, need, np.hypot(*(spots - home).T))


def _effective(foe: UnitProfile) -> float:
    """Return the distance within which an enemy shoots well or may charge, GSU."""
    if foe.role == "guns":
        return foe.bands[0] if foe.bands else 0.0
    return max(foe.bands[1] if foe.bands else 0.0, _RUN * foe.speed)


def _seen(mind: Mind, spots: Floats, guns: list[UnitProfile]) -> Floats:
    """Return (n,) 1 for each place that guns in range see over the ground, 0 for others.

    They see it from where they stand, or from where a move towards the leader would bring them.
    """
    field = mind.battle.setup.field
    seen = np.zeros(len(spots))
    heads = eyes(field, spots)
    x, y = spots[0].tolist()
    for gun in guns:
        away = max(hypot(x - gun.x, y - gun.y), 1.0)
        for step in (0.0, min(gun.speed, away)):
            at = gun.x + (x - gun.x) * step / away, gun.y + (y - gun.y) * step / away
            near = np.hypot(*(spots - at).T) < gun.bands[-1]
            if near.any():
                found = lines_of_sight(field.surface(), eyes(field, np.array([at]))[0], heads[near])
                seen[near] = np.maximum(seen[near], found)
    return seen
