"""Orders that a player gives by pointing at the field, and orders too many to list."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import TYPE_CHECKING

import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.questions.options import Place
from emlia3d.force.facing import (
    FULL_CIRCLE,
    degrees_of,
    facing_of_degrees,
    facing_towards,
    turn_between,
    unit_vector,
)
from emlia3d.force.formation import Formation, usual_files
from emlia3d.rules.emlia.play.combat import volley
from emlia3d.rules.emlia.play.free_actions.dividing import shares
from emlia3d.rules.emlia.play.movement.driving import driven_by
from emlia3d.rules.emlia.play.movement.leaving import EDGES, LEAVE_FIELD
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES, fly, may_move, turn_and_go
from emlia3d.rules.emlia.play.movement.reachable_area import extents
from emlia3d.rules.emlia.play.movement.shortest_paths import follow, way_round
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import speed_of, straight
from emlia3d.rules.emlia.play.situation.flight import can_fly
from emlia3d.rules.emlia.play.situation.going import mode_of
from emlia3d.rules.emlia.play.situation.parts import members_of_all
from emlia3d.rules.emlia.play.situation.pose import (
    QUARTER,
    Pose,
    gone,
    pose_of,
    reformed,
    turned,
    wheeled,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.emlia.tables.modes import FLYING

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_ACTIVATION, _SPLIT = "emlia.activate.two-actions", "emlia.lead.split"
_VOLLEY, _SHIFT = "area-volley", "shift"
_BEARINGS = 24
_WHEELS = (30, 60, 90)
_LEAST = 1 / 4
"""GSU that a pointed move leads at least."""


def pointed(moment: Moment, decision: Decision) -> tuple[str, ...]:
    """Return the verbs of orders that a place completes: moves, volleys, directions."""
    unit = decision.unit
    if unit is None or decision.validator is None:
        return ()
    offered = {order.verb for order in decision.options}
    verbs = [verb for verb in (*PACES, _VOLLEY, _SHIFT) if verb in offered]
    if decision.asks == _ACTIVATION:
        verbs = [verb for verb in PACES if _may_go(moment, unit, verb)]
        if volley.may_try(moment, unit, "area volley") is None:
            verbs.append(_VOLLEY)
    return tuple(verbs)


def _may_go(moment: Moment, unit: int, verb: str) -> bool:
    gone_already = moment.state.units.value("moved", unit)
    return not gone_already and may_move(moment, unit, verb) is None and speed_of(moment, unit) > 0


def order_to(
    moment: Moment, decision: Decision, verb: str, place: Place, facing: int | None
) -> Order | None:
    """Return the order that a place completes, as far that way as there is movement."""
    unit = decision.unit
    assert unit is not None
    if verb == _VOLLEY:
        return Order(verb=verb, unit=unit, number=0, point=volley.on_grid(place))
    if verb == _SHIFT:
        middle = situation_of(moment).centre(unit)
        way = facing_towards(place[0] - middle[0], place[1] - middle[1])
        return Order(verb=verb, unit=unit, number=round(degrees_of(way)) % 360)
    ways = [order for order in _ways(moment, unit, verb, place) if order is not None]
    allowed = [order for order in ways if _refused(decision, order) is None]
    best = min(allowed or ways, key=lambda order: _short_of(moment, order, place), default=None)
    return best if facing is None else _facing(moment, unit, verb, best, facing)


def _refused(decision: Decision, order: Order) -> str | None:
    refusal = None if decision.validator is None else decision.validator.refusal(order)
    return None if refusal is None else refusal.reason


def _ways(moment: Moment, unit: int, verb: str, place: Place) -> Iterator[Order | None]:
    """Ways to a place: as the unit faces, round what is between, turned towards it and straight."""
    pose, budget = pose_of(moment, unit), speed_of(moment, unit) * PACES[verb]
    east, north = place[0] - pose.middle[0], place[1] - pose.middle[1]
    far, bearing = hypot(east, north), facing_towards(east, north)
    if far < _LEAST:
        return
    if can_fly(moment, unit) and (pose.altitude or mode_of(moment, unit) == FLYING):
        yield fly(moment, unit, bearing, budget, verb, far, pose.altitude)
        return
    if driven_by(moment, unit) is None:
        yield _as_it_faces(moment, unit, verb, east, north)
        yield _round_a_corner(moment, unit, verb, east, north)
        route = way_round(moment, unit, place)
        if route is not None:
            yield follow(moment, unit, route, budget, verb)
    yield turn_and_go(moment, unit, bearing, budget, verb, far)


def _as_it_faces(moment: Moment, unit: int, verb: str, east: float, north: float) -> Order | None:
    """Straight on, to a side or back, as far as that leads there; askew only in no ranks."""
    pose, budget = pose_of(moment, unit), speed_of(moment, unit) * PACES[verb]
    way = facing_towards(east, north)
    if pose.drill.formation is Formation.RANKED:
        quarters = round(turn_between(pose.facing, way) / QUARTER)
        way = (pose.facing + quarters * QUARTER) % FULL_CIRCLE
    ahead = unit_vector(way)
    far = east * ahead[0] + north * ahead[1]
    hidden = unknown_to(moment, unit)
    run = straight(moment, unit, pose, way, far, budget, through=hidden)
    if run.distance < _LEAST:
        return None
    return Order(verb=verb, unit=unit, legs=(gone(pose, way, run.distance).leg("march"),))


def _round_a_corner(
    moment: Moment, unit: int, verb: str, east: float, north: float
) -> Order | None:
    """Straight on or back and then to a side, without a turn, all the way; None in no ranks."""
    pose = pose_of(moment, unit)
    if pose.drill.formation is not Formation.RANKED:
        return None
    ahead_east, ahead_north = unit_vector(pose.facing)
    ahead = east * ahead_east + north * ahead_north
    aside = east * ahead_north - north * ahead_east
    first = gone(pose, pose.facing, ahead)
    second = gone(first, (pose.facing + QUARTER) % FULL_CIRCLE, aside)
    return Order(verb=verb, unit=unit, legs=(first.leg("march"), second.leg("march")))


def _short_of(moment: Moment, order: Order, place: Place) -> tuple[int, int]:
    """Return how far from a place an order ends, in halves of a GSU; and in how many legs."""
    assert order.unit is not None
    end = _end_of(moment, order) or pose_of(moment, order.unit)
    east, north = end.middle
    return round(hypot(place[0] - east, place[1] - north) * 2), len(order.legs)


def _end_of(moment: Moment, order: Order) -> Pose | None:
    assert order.unit is not None
    hidden = unknown_to(moment, order.unit)
    done = plan(moment, order.unit, order, PACES[order.verb], hidden)
    return done.end if isinstance(done, MovePlan) else None


def _facing(moment: Moment, unit: int, verb: str, order: Order | None, facing: int) -> Order | None:
    """Return the move with a last turn; a refusal if no movement is left for it."""
    legs = () if order is None else order.legs
    end = pose_of(moment, unit) if order is None else _end_of(moment, order)
    if end is None or end.facing == facing % FULL_CIRCLE:
        return order
    return Order(verb=verb, unit=unit, legs=(*legs, turned(end, facing % FULL_CIRCLE).leg("turn")))


def reach_of(moment: Moment, decision: Decision, verb: str) -> tuple[Place, ...]:
    """Corners round the places that orders of a verb lead to."""
    unit = decision.unit
    assert unit is not None
    if verb == _VOLLEY:
        return _range(moment, unit, pose_of(moment, unit).middle)
    if verb not in PACES:
        return ()
    *_, ground = grounds(moment, unit, verb)
    whole = max(shapely.get_parts(ground), key=shapely.area, default=None)
    rim = shapely.get_coordinates(shapely.get_exterior_ring(whole))[:-1]
    return tuple((float(x), float(y)) for x, y in rim)


def grounds(moment: Moment, unit: int, verb: str = "move") -> Iterator[BaseGeometry]:
    """Yield the ground on which the middle of a unit may end a move, found out little by little."""
    budget = speed_of(moment, unit) * PACES[verb]
    flies = can_fly(moment, unit) and mode_of(moment, unit) == FLYING
    if not flies and driven_by(moment, unit) is None:
        yield from extents(moment, unit, budget)
        return
    here = pose_of(moment, unit)
    corners = []
    for step in range(_BEARINGS):
        way = (here.facing + step * FULL_CIRCLE // _BEARINGS) % FULL_CIRCLE
        order = turn_and_go(moment, unit, way, budget, verb)
        end = None if order is None else _end_of(moment, order)
        far = 0.0 if end is None else _off(here.middle, end.middle)
        east, north = (max(far, _LEAST) * part for part in unit_vector(way))
        corners.append((here.middle[0] + east, here.middle[1] + north))
    yield shapely.Polygon(corners).buffer(0)


def _off(one: Place, other: Place) -> float:
    return hypot(other[0] - one[0], other[1] - one[1])


def _range(moment: Moment, unit: int, middle: Place) -> tuple[Place, ...]:
    """Round the field within the longest range of a unit's volleys."""
    armed = volley.loosing(moment, unit, "area volley")
    ranges = [weapon.range for _, weapons in armed for weapon in weapons if weapon.range]
    far = max((bands[Band.LONG] for bands in ranges), default=0.0)
    circle = shapely.Point(middle).buffer(far, quad_segs=12)
    within = circle.intersection(shapely.box(0, 0, *moment.setup.field.size))
    rim = shapely.get_coordinates(shapely.get_exterior_ring(within))[:-1]
    return tuple((float(x), float(y)) for x, y in rim)


def more(moment: Moment, decision: Decision) -> list[Order]:
    """Return orders that are allowed and not on the shortlist.

    They are moves (wheels, other formations, ways off the field), and a half or a third of a unit
    that is split.
    """
    unit, reach = decision.unit, decision.validator
    if unit is None or reach is None:
        return []
    if decision.asks == _SPLIT:
        return shares(moment, unit)
    if "move" not in pointed(moment, decision):
        return []
    if driven_by(moment, unit) is not None:
        return []
    orders = [*_wheels(moment, unit), *_formations(moment, unit), *_leaves(unit)]
    return [order for order in orders if reach.refusal(order) is None]


def _leaves(unit: int) -> list[Order]:
    return [Order(verb=LEAVE_FIELD, unit=unit, number=number) for number in range(len(EDGES))]


def _wheels(moment: Moment, unit: int) -> Iterator[Order]:
    """After a wheel a unit goes on for its depth at least."""
    pose = pose_of(moment, unit)
    if pose.drill.formation is not Formation.RANKED:
        return
    for degrees in (*_WHEELS, *(-degrees for degrees in _WHEELS)):
        round_it = wheeled(pose, (pose.facing + facing_of_degrees(degrees)) % FULL_CIRCLE)
        after = gone(round_it, round_it.facing, pose.drill.length)
        legs = (round_it.leg("wheel"), after.leg("march"))
        yield Order(verb="move", unit=unit, legs=legs)


def _formations(moment: Moment, unit: int) -> Iterator[Order]:
    """Every formation that the unit is not in, and fewer and more files."""
    pose, members = pose_of(moment, unit), members_of_all(moment, unit)
    now = pose.drill.formation, pose.drill.files
    for formation in Formation:
        wanted = (now[1], usual_files(members), now[1] // 2, min(2 * now[1], members), members)
        for files in dict.fromkeys(files for files in wanted if files >= 1):
            if (formation, files) != now and (formation is Formation.RANKED or files == wanted[1]):
                leg = reformed(pose, formation, files).leg("form")
                yield Order(verb="move", unit=unit, legs=(leg,))
