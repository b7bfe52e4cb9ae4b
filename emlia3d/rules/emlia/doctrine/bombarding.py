"""Volleys of the commander: where they should fall, and how to spend their successes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import FRIENDS_DEARER, enemies_share, hits_for_a_loss
from emlia3d.rules.emlia.play.combat.concentrated import lobs_on
from emlia3d.rules.emlia.play.combat.volley import (
    VolleyShot,
    lob_at,
    lobs_at,
    on_drift_of,
    spread_of,
    volley_of,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.skills import expected_successes
from emlia3d.rules.emlia.tables.volley import Point, Spread, strayed

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

VERBS = ("area-volley", "concentrated-volley")

_FACES = range(1, 13)


def worth(ai: AiContext, order: Order) -> float:
    """Return the expected damage of a volley, weighted by the worth of its targets.

    Damage to the side's own units is subtracted.
    """
    battle, unit, number = ai.battle, order.unit, order.number
    assert unit is not None
    assert number is not None
    if order.target is not None:
        return enemies_share(battle, order) * sum(
            float(expected_successes(lob.tried.dice, lob.modifier.total))
            * _value(battle, order.target, lob.base_damage)
            for lob in lobs_on(battle, unit, order.target, number)
        )
    assert order.point is not None
    lobs = lobs_at(battle, unit, order.point, number)
    return sum(_best(ai, order.point, lob) for lob in lobs)


def _best(ai: AiContext, point: Point, lob: VolleyShot) -> float:
    """Return the worth of one volley at a point if its successes are spent well."""
    battle = ai.battle
    successes = round(expected_successes(lob.tried.dice, lob.modifier.total))
    spreads = (
        spread_of(battle, lob.row, lob.weapon, n, successes - n)
        for n in on_drift_of(battle, lob.row, lob.weapon, successes)
    )
    return max(_under(ai, point, spread, lob.base_damage) for spread in spreads)


def _under(ai: AiContext, point: Point, spread: Spread, base_damage: int) -> float:
    """Return the average effect of a volley over all directions of drift."""
    places = [strayed(point, spread.drift, face) for face in _FACES]
    known = [
        *((unit, 1.0) for unit in ai.known),
        *((own, -FRIENDS_DEARER) for own in ai.own),
    ]
    return sum(
        weight
        * _value(ai.battle, unit, base_damage)
        * float(_members_near(ai.battle, unit, places, spread.coverage / 2).mean())
        for unit, weight in known
    )


def _members_near(
    moment: Moment, unit: int, places: list[Point], radius: float
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Estimate the members of a unit in each of several circles of one radius."""
    situation = situation_of(moment)
    farthest = radius + max(abs(part) for part in np.ptp(np.array(places), axis=0).tolist())
    if shapely.distance(situation.outline(unit), shapely.Point(places[0])) > farthest:
        return np.zeros(len(places), dtype=np.intp)
    apart = np.array(places)[:, None, :] - situation.places(unit)[None, :, :]
    within = (apart**2).sum(axis=2) <= (radius + situation.radius(unit)) ** 2
    return np.asarray(within.sum(axis=1))


def _value(moment: Moment, unit: int, base_damage: int) -> float:
    """Return the worth of one hit on a unit."""
    entry = situation_of(moment).entry(unit)
    return max(entry.army_value, 0.5) / hits_for_a_loss(entry, base_damage)


def spend(ai: AiContext, decision: Decision) -> Order:
    """Return the order that spends successes on drift for the most harm to the enemy."""
    battle, unit = ai.battle, decision.unit
    assert unit is not None
    loosed = volley_of(battle)
    weapon = situation_of(battle).entry(unit).weapons_for("area volley")[loosed.weapon]
    base_damage = lob_at(battle, unit, loosed.point, weapon).base_damage

    def harm(order: Order) -> tuple[float, int]:
        assert order.number is not None
        rest = loosed.successes - order.number
        spread = spread_of(battle, unit, weapon, order.number, rest)
        return _under(ai, loosed.point, spread, base_damage), order.number

    return max(decision.options, key=harm)
