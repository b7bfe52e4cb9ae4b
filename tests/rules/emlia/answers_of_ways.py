"""What the modules of movement answer about a moment of a battle, way by way.

As in `tests.rules.emlia.answers`, which asks less closely, each subject is text of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order
from emlia3d.force import Formation
from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.rules.emlia.play.charges import charging, running_in
from emlia3d.rules.emlia.play.engagement import enveloping, follow_up, ranks
from emlia3d.rules.emlia.play.movement import (
    driving,
    leaving,
    legs,
    manoeuvre,
    shortest_paths,
    sidesteps,
)
from emlia3d.rules.emlia.play.movement.reachable_area import extents
from emlia3d.rules.emlia.play.questions import pointing
from emlia3d.rules.emlia.play.retreat import fallback_goals, retreat_path
from emlia3d.rules.emlia.play.sight import awareness, covering
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation import allowance, contact, flight, footing, going, pose
from emlia3d.rules.emlia.play.situation.free_places import to_free_places
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia.answers import Answers, Subject

TURNS = (0, 20 * 64, 90 * 64, 133 * 64, 180 * 64, 291 * 64)
"""Right of where a unit faces, 64ths of a degree."""

SPOTS = ((0.0, 7.0), (5.5, 1.25), (-9.0, -3.5), (14.0, 11.0), (0.25, 0.0))
"""Places from the middle of a unit, GSU."""


def straight_on(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """How far straight ways lead in each mode, freely or forced, and what stops them."""
    here, speed = pose.pose_of(battle, unit), allowance.speed_of(battle, unit)
    hidden = awareness.unknown_to(battle, unit)
    for way in _ways(here):
        for mode in going.modes_of(battle, unit):
            yield allowance.straight(battle, unit, here, way, 25.0, speed, mode=mode)
        yield allowance.straight(battle, unit, here, way, 17.3, forced=True)
        yield allowance.straight(battle, unit, here, way, 9.7, 6.1, through=others[:1])
        yield to_free_places(battle, unit, here, way, 9.3, hidden)
        yield to_free_places(battle, unit, here, way, 6.0, (), forced=True)
        yield flight.glide(battle, here, way, 11.0, here.altitude + 4, 9.0)
        yield manoeuvre.turn_and_go(battle, unit, way, speed, "move")
        yield manoeuvre.turn_and_go(battle, unit, way, speed * 2, "double-pace", 6.0)
        if flight.can_fly(battle, unit):
            yield manoeuvre.fly(battle, unit, way, 1.5 * speed, "move", 14.0, 5.0)
        for outline in situation_of(battle).outlines(others):
            yield allowance.gap_ahead(here, way, outline)


def room(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Whom a unit meets, and where it has room, here and near."""
    here, everyone = pose.pose_of(battle, unit), situation_of(battle)
    yield footing.bodies_of(here), footing.men_of(battle, unit)
    yield footing.others_than(battle, unit, others[:1]), pose.keeps_places(battle, unit)
    for way, (east, north) in zip(_ways(here), SPOTS, strict=False):
        end = here.at(here.x + east, here.y + north, way)
        yield allowance.over_edge(battle, end), allowance.no_room(battle, unit, end)
        yield from (allowance.no_room(battle, unit, end, (), m) for m in _modes(battle, unit))
        yield footing.passed(battle, unit, end, (), end.outline), pose.placed(battle, unit, end)
        yield footing.low_bodies(battle, unit, (), end.outline.buffer(6.0))
        yield allowance.obstacles_to(battle, unit, (), within=end.outline, passing=True)
        yield flight.met_between(battle, unit, others, (here, end)), end.places
        yield pose.carried(battle, unit, here.at(here.x + east, here.y + north, here.facing))
    yield everyone.hill_under(here.outline), here.middle, pose.radius_of(here.drill)


def legs_of(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """What legs of orders cost, or why they are refused, and as much of them as can be done."""
    here, hidden = pose.pose_of(battle, unit), awareness.unknown_to(battle, unit)
    for way in _ways(here):
        for leg in _legs(here, way):
            order = Order(verb="move", unit=unit, legs=(leg,))
            yield leg, legs.leg_cost(battle, unit, here, leg)
            yield legs.leg_cost(battle, unit, here, leg, hidden)
            yield legs.cut_short(battle, unit, order, 1)
        there = pose.gone(pose.turned(here, way), way, 5.0)
        for leg in _legs(there, here.facing)[:2]:
            first = pose.turned(here, way).leg("turn"), there.leg("march")
            order = Order(verb="double-pace", unit=unit, legs=(*first, leg))
            yield legs.plan(battle, unit, order, 2), legs.cut_short(battle, unit, order, 2)
    if driving.driven_by(battle, unit) is not None:
        yield [*driving.drives(battle, unit, "move")], driving.noted(battle, unit, 7.5)


def ways_to(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Ways round to places and to the own lines, and all ground in reach."""
    here, speed = pose.pose_of(battle, unit), allowance.speed_of(battle, unit)
    x, y = here.middle
    for east, north in SPOTS:
        places = shortest_paths.way_round(battle, unit, (x + 3 * east, y + 3 * north))
        yield places
        yield shortest_paths.follow(battle, unit, places or (), 1.5 * speed, "double-pace")
        for verb in ("move", "double-pace") if speed else ():
            yield from pointing._ways(battle, unit, verb, (x + east, y + north))
    for other in others[:2] if speed else ():
        outline = situation_of(battle).outline(other)
        yield sidesteps.detour(battle, unit, outline, 1.5 * speed, others[1:])
    for edge in leaving.EDGES:
        yield leaving.is_home(battle, unit, edge), leaving._at_edge(battle, unit, edge)
    if speed and not flight.can_fly(battle, unit):
        *_, ground = extents(battle, unit, speed)
        yield ground, len(shapely.get_coordinates(ground))


def ways_back(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Where flight leads, at any morale, and to which friends."""
    if not allowance.speed_of(battle, unit):
        return
    for paces in (1, 2):
        for routed in (False, True):
            yield retreat_path.flight(battle, unit, paces, routed)
            yield retreat_path.way_home(battle, unit, paces, routed=routed)
            yield retreat_path._way_round(battle, unit, paces, routed, barred=not routed)
    yield [
        fallback_goals.friend_for(battle, unit, one)
        for one in fallback_goals.nearest_friends(battle, unit)
    ]


def at_enemies(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """How a unit comes at each enemy: a charge, its members' runs, going round, and following."""
    here = pose.pose_of(battle, unit)
    for foe in contact.enemies_of(battle, unit):
        outline = situation_of(battle).outline(foe)
        end, reached = charging.run_at(battle, unit, outline, (0.0, 2.0), (foe,))
        yield end, reached, running_in.run_in(battle, unit, foe, outline, here, end)
        yield charging.aligned_pose(battle, unit, foe)
        if contact.is_ranked(battle, unit):
            yield follow_up.pursuit(battle, unit, (foe,)), ranks.broken_pose(battle, unit)
        elif not pose.pose_of(battle, unit).parts:
            spots, radius = pose.by_slot(battle, unit), situation_of(battle).radius(unit)
            for left in (3.0, np.linspace(0.0, 20.0, len(spots))):
                yield enveloping.surrounding(spots, radius, outline, 1.0, left, [])
        yield covering.cover_of(battle, unit, foe, 1), sight_cache_of(battle).level(unit, foe)


def _ways(here: pose.Pose) -> list[int]:
    return [(here.facing + turn) % FULL_CIRCLE for turn in TURNS]


def _modes(battle: Battle, unit: int) -> Sequence[str]:
    return [*going.modes_of(battle, unit)]


def _legs(here: pose.Pose, way: int) -> list[Leg]:
    """A march, a turn, a wheel, and each formation."""
    files = max(here.drill.files - 1, 1)
    forms: Iterator[Leg] = (pose.reformed(here, form, files).leg("form") for form in Formation)
    return [
        pose.gone(here, way, 8.0).leg("march"),
        pose.turned(here, way).leg("turn"),
        pose.wheeled(here, way).leg("wheel"),
        *forms,
    ]


WAYS: tuple[Subject, ...] = (straight_on, room, legs_of, ways_to, ways_back, at_enemies)
