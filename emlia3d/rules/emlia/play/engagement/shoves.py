"""Emlia, chapter 21.2 as play: how far pushes take each unit, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon
from shapely.affinity import translate

from emlia3d.force.facing import facing_towards, unit_vector
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.engagement.pushes import Push
from emlia3d.rules.emlia.play.situation.contact import (
    is_ranked,
)
from emlia3d.rules.emlia.play.situation.going import brinks_of, going_of
from emlia3d.rules.emlia.play.situation.march import March, MarchWay, Mover, march
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, out_of_places, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.pushing import is_swept_away
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

SKIN = 1 / 32
"""GSU by which outlines are shrunk before they are said to overlap."""

_LEAST = 1 / 16
"""GSU that a push must lead a unit to move it."""


@dataclass(frozen=True, slots=True)
class PushedMove:
    """The forced move of a unit by pushes.

    start, way : where it stood, and the facing of the move
    outline : with which it moves, where it stood
    wanted, distance : of the summed push, and as far as it goes, GSU
    by_terrain : terrain ended it
    """

    start: Pose
    way: int
    wanted: float
    distance: float
    by_terrain: bool
    outline: Polygon

    @property
    def end(self) -> Pose:
        """The end of the move."""
        return gone(self.start, self.way, self.distance)


def shoves_of(moment: Moment, one: Push, movers: list[int]) -> dict[int, PushedMove]:
    """Return the move of each unit of a body: all stop with the first that is stopped."""
    shoves = {unit: _shove(moment, one, unit, movers) for unit in one.body}
    least = min(shove.distance for shove in shoves.values())
    return {
        unit: replace(
            shove, distance=least, by_terrain=shove.by_terrain and shove.distance <= least
        )
        for unit, shove in shoves.items()
    }


def is_pressed_on(moment: Moment, one: Push) -> bool:
    """Return whether a ranked unit pushes it, which does not let it stop at a brink."""
    return any(is_ranked(moment, pusher.unit) for pusher in one.by)


def is_over_brink(moment: Moment, unit: int) -> bool:
    """Return whether half or more of its members are where none may be (`emlia.press.terrain`)."""
    points = np.asarray(shapely.points(situation_of(moment).places(unit)))
    inside = np.zeros(len(points), dtype=np.bool_)
    for brink in going_of(moment, unit).barred[brinks_of(moment, unit)]:
        inside |= shapely.covers(brink, points)
    return is_swept_away(int(inside.sum()), len(points))


@rule("emlia.forced.terrain", "emlia.terrain.forced", "emlia.forced.vector-sum")
def _shove(moment: Moment, one: Push, unit: int, movers: list[int]) -> PushedMove:
    """Return the forced move of a unit: terrain slows it as in its own move, or stops it.

    Several pushes are one straight move. A unit that is moved itself does not stop it. A skirmish
    moves as a whole (`emlia.skirmish.shift`): its members keep the places where they stand. The
    members of a unit that is pushed alone take the places of its formation.
    """
    (east, north), wanted = one.whole, one.distance
    pose, way = pose_of(moment, unit), facing_towards(east, north)
    outline, spots = pose.outline, pose.places
    if len(one.body) > 1 and out_of_places(moment, unit, pose):
        situation = situation_of(moment)
        outline, spots = situation.outline(unit), situation.places(unit)
    room = min(wanted, _to_edge(moment, outline, way))
    going = going_of(moment, unit)
    barred = going.barred
    if is_pressed_on(moment, one):
        barred = barred[~brinks_of(moment, unit)]
    mover = Mover(
        outline=outline,
        members=None if pose.drill.formation is Formation.RANKED else spots,
    )
    course = MarchWay.towards(way)
    slow = going.slow_near(course.swept(outline, room))

    def run(obstacles: NDArray[np.object_]) -> March:
        return march(mover, course, room, wanted, slow, obstacles)

    standing, free = _standing(moment, unit, movers), run(barred)
    distance = min(free.distance, run(standing).distance) if wanted >= _LEAST else 0.0
    by_terrain = free.blocked_by == "obstacle" and free.distance <= distance
    return PushedMove(pose, way, wanted, distance, by_terrain, outline)


def _standing(moment: Moment, unit: int, movers: list[int]) -> NDArray[np.object_]:
    """Outlines of units that are not moved and stop one that is; open units mingle."""
    units = moment.state.units
    mingles = units.value("formation", unit) == Formation.OPEN
    return situation_of(moment).outlines(
        [
            other
            for other in on_field(moment)
            if other not in movers
            and not (mingles and units.value("formation", other) == Formation.OPEN)
        ]
    )


def _to_edge(moment: Moment, outline: Polygon, way: int) -> float:
    """Return how far a unit can go before a part of it is over the edge, where a push ends."""
    west, south, east, north = outline.bounds
    width, depth = moment.setup.field.size
    ahead_east, ahead_north = unit_vector(way)
    rooms = [
        room / abs(ahead)
        for ahead, room in (
            (ahead_east, width - east if ahead_east > 0 else west),
            (ahead_north, depth - north if ahead_north > 0 else south),
        )
        if ahead
    ]
    return max(min(rooms), 0.0)


@rule("emlia.forced.collision-order")
def apart(shoves: Mapping[int, PushedMove], body: Mapping[int, int]) -> dict[int, PushedMove]:
    """Return the moves cut short where two would overlap, independent of their order.

    All begin and end together, each as fast as it is long. Two that meet stop as they touch.

    body : of each unit, the one that stands for all that are moved together with it
    """
    out = dict(shoves)
    share = dict.fromkeys(out, 1.0)
    for _ in out:
        cuts: dict[int, float] = {}
        for a in out:
            for b in out:
                if a < b and body[a] != body[b] and _overlap(out, share, a, b, 1.0):
                    met = _first_touch(out, share, a, b)
                    for one in (body[a], body[b]):
                        cuts[one] = min(cuts.get(one, 1.0), met)
        if not cuts:
            break
        share = {unit: min(share[unit], cuts.get(body[unit], 1.0)) for unit in out}
    return {
        unit: shove
        if share[unit] >= 1
        else replace(shove, distance=shove.distance * share[unit], by_terrain=False)
        for unit, shove in out.items()
    }


def _overlap(
    shoves: Mapping[int, PushedMove], share: Mapping[int, float], a: int, b: int, at: float
) -> bool:
    """Return whether two moves overlap when that share of the time has passed."""
    bodies = []
    for unit in (a, b):
        shove = shoves[unit]
        east, north = unit_vector(shove.way)
        gone_so_far = shove.distance * min(at, share[unit])
        body = shove.outline.buffer(-SKIN, join_style="mitre")
        bodies.append(translate(body, gone_so_far * east, gone_so_far * north))
    open_both = all(shoves[unit].start.drill.formation is Formation.OPEN for unit in (a, b))
    return not open_both and bool(bodies[0].intersects(bodies[1]))


def _first_touch(
    shoves: Mapping[int, PushedMove], share: Mapping[int, float], a: int, b: int
) -> float:
    """When two units that end in one place first touch, as a share of the time."""
    low, high = 0.0, 1.0
    for _ in range(16):
        middle = (low + high) / 2
        low, high = (low, middle) if _overlap(shoves, share, a, b, middle) else (middle, high)
    return low
