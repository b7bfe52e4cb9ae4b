"""Emlia, chapter 21.6 as play: the way of a unit in retreat to its own lines.

Straight, or the shortest way round what bars it.

Holds `emlia.morale.lines`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Leg, Order
from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, facing_towards
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.movement import shortest_paths
from emlia3d.rules.emlia.play.movement.closeness import closer_places, is_closer
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.movement.sidesteps import detour, path_length
from emlia3d.rules.emlia.play.retreat.fallback_goals import FallbackGoal, Starts
from emlia3d.rules.emlia.play.situation.allowance import has_room, speed_of, straight
from emlia3d.rules.emlia.play.situation.free_places import TakenPlaces, farthest_corner
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, pose_of, turn_cost, turned
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_BEARINGS = (0, 20, -20, 40, -40, 60, -60, 90, -90)
"""Ways tried when the straight one is barred, degrees off it."""

_LEAST_MOVE = 1 / 4
"""GSU that a way round must lead now."""

_LEAST_GAIN = 1.0
"""GSU nearer to its lines that a straight way must lead a unit."""

_ROUNDED = 1 / 16
"""GSU that the rounding of places may add to a move."""


def way_home(moment: Moment, unit: int, paces: int, *, routed: bool) -> FallbackGoal | None:
    """Return the move towards the own lines; None if no way leads there.

    Straight, or the shortest way round whatever bars the straight one. A unit that no way leads
    home, not even in a narrower formation, goes as far straight on as it can, and then stays.
    """
    pose = pose_of(moment, unit)
    end, left = flight(moment, unit, paces, routed)
    order = Order(verb="to-lines", unit=unit)
    barred = not left and _is_barred(moment, unit)
    if barred or (end == pose and not left):
        way = _way_round(moment, unit, paces, routed, barred)
        if way:
            return FallbackGoal(order, way)
    return FallbackGoal(order, (end,), left) if left or end != pose else None


def _is_barred(moment: Moment, unit: int) -> bool:
    """Return whether terrain bars the straight way anywhere from the unit to its lines."""
    home = float(situation_of(moment).outline(unit).distance(_lines(moment, unit)))
    return shortest_paths.is_barred_by_terrain(moment, unit, bearing_home(moment, unit), home)


def _way_round(
    moment: Moment, unit: int, paces: int, routed: bool, barred: bool
) -> tuple[Pose, ...]:
    """Return the poses on the shortest way home, as far as the unit gets now; () if nowhere.

    A routed unit passes through others, and ends on none. Any other goes round them, and ends no
    closer to the enemy: if the shortest way round terrain leads there, it takes the shortest that
    keeps away.

    barred : terrain bars the straight way
    """
    if routed:
        return _shortest_way(moment, unit, paces, range(len(moment.state.units)), (), routed)
    reach = 2 * speed_of(moment, unit) * paces
    near = whereabouts_of(moment).about(unit, on_field(moment), reach)
    others = [other for other in range(len(moment.state.units)) if other not in set(near)]
    way = _shortest_way(moment, unit, paces, others, (), routed)
    shunned = closer_places(moment, unit) if barred and not way else ()
    return _shortest_way(moment, unit, paces, others, shunned, routed) if shunned else way


def _shortest_way(
    moment: Moment,
    unit: int,
    paces: int,
    through: Sequence[int],
    shunned: Sequence[BaseGeometry],
    routed: bool,
) -> tuple[Pose, ...]:
    """Return the poses on the shorter of two ways home: turning freely, or keeping its outline."""
    goal, budget = _lines(moment, unit), speed_of(moment, unit) * paces
    ways: list[tuple[float, tuple[Leg, ...]]] = []
    places = shortest_paths.way_round(moment, unit, goal, through, shunned=shunned) or ()
    order = shortest_paths.follow(moment, unit, places, budget, "move", through)
    if order is not None:
        ways.append((path_length(pose_of(moment, unit).middle, places), order.legs))
    found = detour(moment, unit, goal, budget, through, shunned)
    if found is not None:
        legs, length = found
        ways.append((length * _slowness(moment, unit), legs))
    found_poses: list[tuple[bool, float, tuple[Pose, ...]]] = []
    for length, legs in ways:
        planned = plan(moment, unit, Order(verb="move", unit=unit, legs=legs), paces, through)
        poses = planned.poses if isinstance(planned, MovePlan) else ()
        is_short = not isinstance(planned, MovePlan) or planned.cost < budget / 2
        while poses and not _may_end(moment, unit, poses[-1], routed):
            poses, is_short = poses[:-1], True
        if poses and _is_move(pose_of(moment, unit), poses[-1]):
            found_poses.append((is_short, length, poses))
    # A way that something cuts short now is the second choice: the unit would be stuck there.
    return min(found_poses, key=lambda way: (way[0], way[1]), default=(False, 0.0, ()))[2]


def _is_move(start: Pose, end: Pose) -> bool:
    """Return whether a unit ends elsewhere than it began, or in another formation."""
    (ax, ay), (bx, by) = start.middle, end.middle
    sides = [sorted((pose.drill.files, pose.drill.ranks)) for pose in (start, end)]
    return max(abs(bx - ax), abs(by - ay)) > _LEAST_MOVE or sides[0] != sides[1]


def _slowness(moment: Moment, unit: int) -> float:
    """Return what a GSU costs a unit that keeps its outline: a close one mostly goes sideways."""
    return 2.0 if pose_of(moment, unit).drill.formation is Formation.CLOSE else 1.0


def _may_end(moment: Moment, unit: int, end: Pose, routed: bool) -> bool:
    """Return whether a unit in retreat may end a move here: there is room, and no enemy nearer."""
    if not has_room(moment, unit, end):
        return False
    return routed or not is_closer(moment, unit, end)


def _lines(moment: Moment, unit: int) -> BaseGeometry:
    """Return the own lines: an edge of the field, or a point."""
    lines = moment.setup.lines_of(unit)
    if not isinstance(lines, str):
        return shapely.Point(lines)
    east, north = moment.setup.field.size
    southwest, southeast = (0.0, 0.0), (east, 0.0)
    northwest, northeast = (0.0, north), (east, north)
    edge = {
        "north": (northwest, northeast),
        "east": (southeast, northeast),
        "south": (southwest, southeast),
        "west": (southwest, northwest),
    }[lines]
    return shapely.LineString(edge)


@rule("emlia.morale.lines", "emlia.scenario.own-lines")
def flight(moment: Moment, unit: int, paces: int, routed: bool) -> tuple[Pose, bool]:
    """Return where flight to the own lines ends, and whether the unit leaves the field there.

    By the straight way, or the one least off it that leads farther: not closer to the enemy
    unless it is routed. A unit in open order that only its own turn would bring closer goes
    without one.
    """
    pose = pose_of(moment, unit)
    end, leaves = _flight(moment, unit, paces, routed, turns=True)
    stays = end == pose and not leaves
    if stays and not routed and pose.drill.formation is Formation.OPEN:
        return _flight(moment, unit, paces, routed, turns=False)
    return end, leaves


def _flight(
    moment: Moment, unit: int, paces: int, routed: bool, *, turns: bool
) -> tuple[Pose, bool]:
    """Return where flight ends, and whether it leaves the field, if the unit turns or does not."""
    pose = pose_of(moment, unit)
    home = bearing_home(moment, unit)
    budget = speed_of(moment, unit) * paces
    best, best_gain, leaves = pose, 0.0, False
    through = tuple(range(len(moment.state.units))) if routed else ()
    # A short way counts too if the unit may leave the field.
    short = routed or _is_at_an_edge(moment, pose)
    starts = Starts(moment, unit) if turns and not short else None
    ways = _Ways(moment, unit, pose, budget, through, starts, turns)
    for off in _BEARINGS:
        way = (home + facing_of_degrees(off)) % FULL_CIRCLE
        end, out = ways.run(way, min(best_gain + _LEAST_GAIN, budget / 2))
        gain = _nearer_home(moment, unit, pose, end) + (budget if out else 0.0)
        if gain > best_gain + _LEAST_GAIN and (routed or not is_closer(moment, unit, end)):
            best, best_gain, leaves = end, gain, out
        if off == 0 and (out or gain > max(budget / 2, _LEAST_GAIN)):
            break
    return best, leaves


def bearing_home(moment: Moment, unit: int) -> int:
    """Return the facing straight to the unit's own lines."""
    lines = moment.setup.lines_of(unit)
    if isinstance(lines, str):
        return facing_of_degrees({"north": 0, "east": 90, "south": 180, "west": 270}[lines])
    x, y = situation_of(moment).centre(unit)
    return facing_towards(lines[0] - x, lines[1] - y)


def _is_at_an_edge(moment: Moment, pose: Pose) -> bool:
    """Return whether a unit may be over an edge of the field once it has turned or gone a GSU."""
    (x, y), (east, north) = pose.middle, moment.setup.field.size
    return min(x, y, east - x, north - y) < farthest_corner(pose) + 2


@dataclass(frozen=True)
class _Ways:
    """The straight ways of a unit in flight.

    budget : movement that it has, GSU
    through : units that it passes through
    starts : the obstacles about it: the unit stays if they leave it too little gain
    turns : it turns to each way
    """

    battle: Moment
    unit: int
    pose: Pose
    budget: float
    through: tuple[int, ...]
    starts: Starts | None
    turns: bool

    @cached_property
    def _taken(self) -> TakenPlaces:
        return TakenPlaces(self.battle, self.unit, self.pose, self.budget)

    def run(self, way: int, least: float) -> tuple[Pose, bool]:
        """As far as the unit gets that way, and whether that is over its own edge.

        least : GSU; the unit may stay where it is if it gets no more than this nearer to its lines
        """
        battle, unit, pose = self.battle, self.unit, self.pose
        facing = turned(pose, way) if self.turns else pose
        left = self.budget - turn_cost(pose, facing.facing, speed_of(battle, unit))
        if left <= 0:
            return facing, False
        if self.starts is not None and self.starts.are_barred(facing, left, _LEAST_GAIN - _ROUNDED):
            return pose, False
        run = straight(battle, unit, facing, way, left, left, through=self.through)
        end = self._where_it_may_stand(facing, way, run.distance, least)
        over, lines = _edges_crossed(battle, end), battle.setup.lines_of(unit)
        if not over:
            return end, False
        size = battle.setup.field.size
        leads_off = (
            lines in over
            if isinstance(lines, str)
            else not (0 <= lines[0] <= size[0] and 0 <= lines[1] <= size[1])
        )
        return (end, True) if leads_off else (pose, False)

    def _where_it_may_stand(self, start: Pose, way: int, distance: float, least: float) -> Pose:
        """Return the farthest free place of a way; a passing unit ends on no other.

        Where it stands now, if that is no more than *least* GSU nearer to its edge.
        """
        battle, unit = self.battle, self.unit
        lines, steps = battle.setup.lines_of(unit), max(int(distance), 1)
        tried = [distance, *(distance * step / steps for step in range(steps - 1, -1, -1))]
        taken = self._taken.surely_taken(start, way, tried)
        for step, is_taken in zip(tried, taken.tolist(), strict=True):
            pose = gone(start, way, step)
            # Nearer places of the way are no nearer to the edge, and not beyond it.
            gains = _nearer_home(battle, unit, self.pose, pose) > least
            if isinstance(lines, str) and not gains and lines not in _edges_crossed(battle, pose):
                break
            if not is_taken and has_room(battle, unit, pose):
                return pose
        return self.pose


def _edges_crossed(moment: Moment, pose: Pose) -> set[str]:
    """Return the edges of the field over which any part of a unit would be."""
    west, south, east, north = pose.outline.bounds
    size = moment.setup.field.size
    over = {"west": west < 0, "south": south < 0, "east": east > size[0], "north": north > size[1]}
    return {edge for edge, crossed in over.items() if crossed}


def _nearer_home(moment: Moment, unit: int, before: Pose, after: Pose) -> float:
    lines = moment.setup.lines_of(unit)
    if isinstance(lines, str):
        sign = 1 if lines in {"north", "east"} else -1
        (ax, ay), (bx, by) = before.middle, after.middle
        return sign * ((by - ay) if lines in {"north", "south"} else (bx - ax))
    point = shapely.Point(lines)
    return float(before.outline.distance(point) - after.outline.distance(point))
