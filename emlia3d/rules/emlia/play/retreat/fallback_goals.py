"""Emlia, chapter 21.6 as play: where a unit that falls back may go besides its own lines.

To cover from the ranged attacker that has done it most damage, or to a friendly unit; straight,
by one Normal Move, and never closer to the enemy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.decisions import Order
from emlia3d.force.facing import facing_towards
from emlia3d.force.formation import Formation
from emlia3d.geometry.lane import Barring
from emlia3d.rules.emlia.play.charges.shelter import TrialBattle, is_sheltered, towards_shelter
from emlia3d.rules.emlia.play.movement.closeness import is_closer
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.movement.obstruction_cache import NearbyBodies
from emlia3d.rules.emlia.play.situation.allowance import has_room, obstacles_to, speed_of, straight
from emlia3d.rules.emlia.play.situation.contact import friends_of
from emlia3d.rules.emlia.play.situation.free_places import WITHIN, TakenPlaces, farthest_corner
from emlia3d.rules.emlia.play.situation.march import CLEARANCE, MarchWay, first_contact
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, pose_of, turn_cost, turned
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

_LEAST = 1.0
"""GSU that a move must lead to be one."""

_CLOSE = 2.0
"""GSU from a unit's corners within which its members may meet an obstacle at once."""


@dataclass(frozen=True, slots=True)
class FallbackGoal:
    """A place where a unit may go, and the order to go there.

    way : the poses after each leg of the move
    leaves : it leaves the field at its end
    """

    order: Order
    way: tuple[Pose, ...]
    leaves: bool = False

    @property
    def end(self) -> Pose:
        """The pose at its end."""
        return self.way[-1]


def worst_shooter(moment: Moment, unit: int) -> int | None:
    """Return the enemy that did the unit most damage from afar since its last activation."""
    harmed = moment.state.pairs["harmed"]
    by = [
        (-harm, attacker)
        for (attacker, subject), harm in sorted(harmed.items())
        if subject == unit and moment.state.units.value("present", attacker)
    ]
    return min(by)[1] if by else None


def cover_for(battle: Battle, unit: int) -> Iterator[FallbackGoal]:
    """Yield the nearest cover from the worst shooter that is no closer to the enemy."""
    shooter = worst_shooter(battle, unit)
    if shooter is None or is_sheltered(battle, unit, (shooter,), cover=True):
        return
    trial = TrialBattle(battle, unit)
    for order in towards_shelter(battle, unit, (shooter,), "move"):
        planned = plan(battle, unit, order)
        if not isinstance(planned, MovePlan) or is_closer(battle, unit, planned.end):
            continue
        if is_sheltered(trial.at(planned.end), unit, (shooter,), cover=True):
            yield FallbackGoal(Order(verb="to-cover", unit=unit, target=shooter), planned.poses)
            return


def friends_for(moment: Moment, unit: int) -> Iterator[FallbackGoal]:
    """Each friendly unit to which a straight move leads, the nearest first."""
    starts = Starts(moment, unit)
    for friend in nearest_friends(moment, unit):
        fallback = friend_for(moment, unit, friend, starts)
        if fallback is not None:
            yield fallback


def nearest_friends(moment: Moment, unit: int) -> list[int]:
    """Return the friendly units, the nearest first."""
    situation = situation_of(moment)
    return sorted(friends_of(moment, unit), key=lambda one: (situation.distance(unit, one), one))


def friend_for(
    moment: Moment, unit: int, friend: int, starts: Starts | None = None
) -> FallbackGoal | None:
    """Return the straight move towards a friendly unit; None if it leads nowhere or to enemies."""
    end = _towards(moment, unit, friend, starts or Starts(moment, unit))
    if end is None or is_closer(moment, unit, end):
        return None
    return FallbackGoal(order_to_friend(unit, friend), (end,))


class Starts:
    """The obstacles about a unit: they rule out most straight ways that lead nowhere."""

    def __init__(self, moment: Moment, unit: int) -> None:
        self._moment, self._unit = moment, unit
        self._nearby = NearbyBodies(moment, unit)

    @cached_property
    def _taken(self) -> TakenPlaces:
        moment, unit = self._moment, self._unit
        return TakenPlaces(moment, unit, pose_of(moment, unit), speed_of(moment, unit))

    def are_barred(self, pose: Pose, distance: float, least: float) -> bool:
        """Return whether the unit surely gets no *least* GSU straight on from a pose it turns to.

        distance : GSU that it goes at most
        """
        if self._nearby.room_before(pose, distance) < least or self._stops(pose, distance, least):
            return True
        return self._taken.surely_bar(pose, pose.facing, least, distance)

    @cached_property
    def _near(self) -> NDArray[np.object_]:
        """The obstacles close to an open unit; none for other units."""
        moment, unit, pose = self._moment, self._unit, pose_of(self._moment, self._unit)
        if pose.drill.formation is not Formation.OPEN:
            return np.empty(0, dtype=object)
        (x, y), far = pose.middle, farthest_corner(pose) + _CLOSE
        box = shapely.box(x - far, y - far, x + far, y + far)
        return obstacles_to(moment, unit, within=box, passing=True)

    def _stops(self, pose: Pose, distance: float, least: float) -> bool:
        """Return whether the unit surely meets something, and a member within *least* GSU."""
        radius = WITHIN * max(pose.drill.width, pose.drill.depth) / 2
        course, side = MarchWay.towards(pose.facing), radius - CLEARANCE
        if side <= 0 or first_contact(course, pose.outline, self._near, distance) == distance:
            return False
        across, along = course.points(pose.own_places).T
        # Lanes of circles within the members: nothing is met here that they do not meet.
        front = along + radius
        lanes = np.column_stack((across - side, front, across + side, front + least))
        met = Barring(self._near).first_met(lanes, course.east, course.north)
        return bool(np.isfinite(met).any())


def order_to_friend(unit: int, friend: int) -> Order:
    """Return the order to fall back to a friendly unit."""
    return Order(verb="to-friend", unit=unit, target=friend)


def _towards(moment: Moment, unit: int, friend: int, starts: Starts) -> Pose | None:
    """As far as a Normal Move leads straight to a friend; None if that is nowhere."""
    situation, pose, speed = situation_of(moment), pose_of(moment, unit), speed_of(moment, unit)
    if situation.distance(unit, friend) < _LEAST:
        return None
    (x, y), (fx, fy) = situation.centre(unit), situation.centre(friend)
    way = facing_towards(fx - x, fy - y)
    left = speed - turn_cost(pose, way, speed)
    if left < _LEAST:
        return None
    facing = turned(pose, way)
    if starts.are_barred(facing, left, _LEAST):
        return None
    run = straight(moment, unit, facing, way, left, left)
    end = gone(facing, way, run.distance)
    inside = shapely.box(0, 0, *moment.setup.field.size).covers(end.outline)
    free = inside and has_room(moment, unit, end)
    return end if free and run.distance >= _LEAST else None
