"""What the doctrine commander thinks of volleys: where to let them fall, and how to spend them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia.damage import need
from emlia3d.rules.emlia.play.combat.concentrated import lob_on
from emlia3d.rules.emlia.play.combat.volley import (
    lob_at,
    on_drift_of,
    spread_of,
    volley_of,
    weapons_of,
)
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.turn.picture import Picture
from emlia3d.rules.emlia.skills import expected_successes
from emlia3d.rules.emlia.volley import Point, Spread, strayed

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

VERBS = ("area-volley", "concentrated-volley")

_FACES = range(1, 13)

_DEARER = 3.0
"""How much more one's own losses weigh than the enemy's."""


def worth(picture: Picture, order: Order) -> float:
    """Damage that a volley may be expected to do, weighed by what its targets are worth.

    Less what it may do to one's own.
    """
    battle, unit, number = picture.battle, order.unit, order.number
    assert unit is not None
    assert number is not None
    if order.target is not None:
        lob = lob_on(battle, unit, order.target, number)
        expected = float(expected_successes(lob.tried.dice, lob.modifier.total))
        return expected * _value(battle, order.target, lob.base_damage)
    assert order.point is not None
    lob = lob_at(battle, unit, order.point, number)
    successes = round(expected_successes(lob.tried.dice, lob.modifier.total))
    return max(
        _under(picture, order.point, _spread(battle, unit, number, successes, n), lob.base_damage)
        for n in on_drift_of(battle, unit, lob.weapon, successes)
    )


def _spread(battle: Battle, unit: int, number: int, successes: int, on_drift: int) -> Spread:
    weapon = weapons_of(battle, unit)[number]
    return spread_of(battle, unit, weapon, on_drift, successes - on_drift)


def _under(picture: Picture, point: Point, spread: Spread, base_damage: int) -> float:
    """What a volley does on average over all directions in which it may stray."""
    places = [strayed(point, spread.drift, face) for face in _FACES]
    known = [*((unit, 1.0) for unit in picture.known), *((own, -_DEARER) for own in picture.own)]
    return sum(
        weight
        * _value(picture.battle, unit, base_damage)
        * float(_members_near(picture.battle, unit, places, spread.coverage / 2).mean())
        for unit, weight in known
    )


def _members_near(
    battle: Battle, unit: int, places: list[Point], radius: float
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """About how many members of a unit each of several circles of one radius would strike."""
    lie = lie_of(battle)
    farthest = radius + max(abs(part) for part in np.ptp(np.array(places), axis=0).tolist())
    if shapely.distance(lie.outline(unit), shapely.Point(places[0])) > farthest:
        return np.zeros(len(places), dtype=np.intp)
    apart = np.array(places)[:, None, :] - lie.places(unit)[None, :, :]
    within = (apart**2).sum(axis=2) <= (radius + lie.radius(unit)) ** 2
    return np.asarray(within.sum(axis=1))


def _value(battle: Battle, unit: int, base_damage: int) -> float:
    """What one hit on a unit is worth."""
    entry = lie_of(battle).entry(unit)
    return max(entry.army_value, 0.5) / need(entry.hits + entry.protection, base_damage)


def spend(picture: Picture, decision: Decision) -> Order:
    """How many successes go on drift: what does the enemy most harm, and one's own the least."""
    battle, unit = picture.battle, decision.unit
    assert unit is not None
    loosed = volley_of(battle)
    base_damage = lob_at(battle, unit, loosed.point, loosed.weapon).base_damage

    def harm(order: Order) -> tuple[float, int]:
        assert order.number is not None
        spread = _spread(battle, unit, loosed.weapon, loosed.successes, order.number)
        return _under(picture, loosed.point, spread, base_damage), order.number

    return max(decision.options, key=harm)
