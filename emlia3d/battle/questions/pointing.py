"""Orders given by pointing at the ground, for any rules, as far as the validator allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import hypot
from typing import TYPE_CHECKING, TypeAlias

from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.force.facing import FULL_CIRCLE, unit_vector
from emlia3d.force.formation import GRID, snapped

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.options import Place

_PROBES = (0.25, 2.0, 16.0, 128.0)
"""Distances from the unit at which a verb is tried, GSU."""

_PROBED, _CORNERS = 8, 32
"""Number of directions in which a verb is tried, and in which its reach is measured."""

_Make: TypeAlias = "Callable[[Place], Order]"
"""Function that makes the order to a point."""


def pointed_verbs(moment: Moment, decision: Decision) -> tuple[str, ...]:
    """Return each verb of the options with which the validator also allows orders to points."""
    if decision.unit is None or decision.validator is None:
        return ()
    verbs = dict.fromkeys(order.verb for order in decision.options)
    return tuple(verb for verb in verbs if _shape(moment, decision, verb, None) is not None)


def order_towards(
    moment: Moment, decision: Decision, verb: str, place: Place, facing: int | None
) -> Order | None:
    """Return the order that leads as far towards a point as the validator allows.

    facing : facing at the end, 64ths of a degree; None to keep the unit's facing

    Returns None if the verb has no orders to points. If no order is legal in that direction, the
    result is the illegal order to the point; the validator then returns the reason.
    """
    make = _shape(moment, decision, verb, facing)
    return None if make is None else _farthest(moment, decision, make, place) or make(place)


def reach_corners(moment: Moment, decision: Decision, verb: str) -> tuple[Place, ...]:
    """Return the farthest points that orders of a verb reach, one in each direction."""
    make = _shape(moment, decision, verb, None)
    if make is None:
        return ()
    far = hypot(*moment.setup.field.size)
    ends = (
        _farthest(moment, decision, make, there)
        for there in _round(moment, decision, far, _CORNERS)
    )
    return tuple(_end(order) for order in ends if order is not None)


def _shape(moment: Moment, decision: Decision, verb: str, facing: int | None) -> _Make | None:
    """Return the function that makes a verb's orders to points; None if none is legal.

    It makes orders with one leg if any of those is legal, otherwise orders with a point.
    """
    unit = decision.unit
    assert unit is not None
    towards = moment.state.units.integer("facing", unit) if facing is None else facing

    def by_leg(place: Place) -> Order:
        x, y = (snapped(value) for value in place)
        leg = Leg(step="march", x=x, y=y, facing=towards)
        return Order(verb=verb, unit=unit, legs=(leg,))

    def by_point(place: Place) -> Order:
        x, y = (snapped(value) for value in place)
        return Order(verb=verb, unit=unit, point=(x, y))

    for make in (by_leg, by_point):
        for far in _PROBES:
            if any(_allows(decision, make(at)) for at in _round(moment, decision, far, _PROBED)):
                return make
    return None


def _allows(decision: Decision, order: Order) -> bool:
    return decision.validator is not None and decision.validator.refusal(order) is None


def _farthest(moment: Moment, decision: Decision, make: _Make, place: Place) -> Order | None:
    """Return the legal order that leads farthest towards a point; None if there is none.

    If the point is out of reach, bisection finds the limit to the precision of the grid.
    """
    if _allows(decision, make(place)):
        return make(place)
    x, y = _here(moment, decision)
    east, north = place[0] - x, place[1] - y
    best, least, most = None, 0.0, 1.0
    while hypot(east, north) * (most - least) > 1 / GRID:
        share = (least + most) / 2
        order = make((x + east * share, y + north * share))
        if _allows(decision, order):
            best, least = order, share
        else:
            most = share
    return best


def _here(moment: Moment, decision: Decision) -> Place:
    units, unit = moment.state.units, decision.unit
    assert unit is not None
    return float(units.value("x", unit)), float(units.value("y", unit))


def _round(moment: Moment, decision: Decision, far: float, bearings: int) -> Iterator[Place]:
    """Yield points at distance *far* from the unit, clockwise from north, GSU."""
    x, y = _here(moment, decision)
    for number in range(bearings):
        east, north = unit_vector(number * FULL_CIRCLE // bearings)
        yield x + far * east, y + far * north


def _end(order: Order) -> Place:
    if order.point is not None:
        return order.point
    return order.legs[-1].x, order.legs[-1].y
