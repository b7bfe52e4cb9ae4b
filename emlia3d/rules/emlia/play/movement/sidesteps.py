"""Ways round what bars a unit, gone without turning the block: ahead, back and to its sides.

A line that stands against a wall has no room to turn on its centre. Its members may still turn by
right angles where they stand, and the line then goes along the wall as a column
(`emlia.form.ranked.turn`); or the whole goes sideways at half speed
(`emlia.form.ranked.translate`). Where it fits nowhere as it stands it forms up narrower first
(`emlia.form.change`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Leg, Refusal
from emlia3d.force.facing import FULL_CIRCLE, unit_vector
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.movement.legs import leg_cost
from emlia3d.rules.emlia.play.movement.shortest_paths import MovingRectangle, Spot, way_round
from emlia3d.rules.emlia.play.situation.allowance import no_room, speed_of, straight
from emlia3d.rules.emlia.play.situation.pose import (
    QUARTER,
    Pose,
    gone,
    pose_of,
    reformed,
    turn_cost,
    turned,
)

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_LEAST_LEG = 1 / 4
"""GSU that a leg must lead to be gone."""


def detour(
    moment: Moment,
    unit: int,
    goal: BaseGeometry,
    budget: float,
    through: Sequence[int],
    shunned: Sequence[BaseGeometry] = (),
) -> tuple[tuple[Leg, ...], float] | None:
    """Return the legs of a unit's way round that keeps its outline, and the length of all of it.

    The legs lead as far as *budget*, GSU; the length in GSU is that of the way to the goal. None
    if no way leads there, not even after the unit has formed up narrower.
    """
    for start, legs, spent in _stances(moment, unit, budget, through):
        block = MovingRectangle.of(start)
        places = way_round(moment, unit, goal, through, block=block, shunned=shunned)
        if places is not None:
            run = _along_axes(moment, unit, start, places, budget - spent, through)
            return (*legs, *run), spent + path_length(start.middle, places)
    return None


def path_length(start: Spot, places: Sequence[Spot]) -> float:
    """Return the length of a way from *start* from place to place, GSU."""
    total = 0.0
    for (ax, ay), (bx, by) in zip((start, *places), places, strict=False):
        total += float(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)
    return total


def _stances(
    moment: Moment, unit: int, budget: float, through: Sequence[int]
) -> Iterator[tuple[Pose, tuple[Leg, ...], float]]:
    """Yield the poses from which a way may start: as the unit stands, then formed up narrower.

    Each with the legs that lead to it and their cost. A narrower unit has half the files, a
    quarter and so on, and forms up facing any of its four sides.
    """
    pose, speed = pose_of(moment, unit), speed_of(moment, unit)
    yield pose, (), 0.0
    about = _stands_about(moment, unit, pose, through)
    files = pose.drill.files // 2
    while files:
        for way, start in about:
            legs = (start.leg("turn"),) if way else ()
            form = reformed(start, pose.drill.formation, files).leg("form")
            cost = turn_cost(pose, start.facing, speed) if way else 0.0
            if cost >= budget:
                continue
            ends = leg_cost(moment, unit, start, form, through)
            if not isinstance(ends, Refusal) and cost + ends[1] < budget:
                yield ends[0], (*legs, form), cost + ends[1]
        files //= 2


def _stands_about(
    moment: Moment, unit: int, pose: Pose, through: Sequence[int]
) -> list[tuple[int, Pose]]:
    """Return the quarter turns for which a unit has room where it stands, with its poses."""
    turns = ((way, (pose.facing + way * QUARTER) % FULL_CIRCLE) for way in range(4))
    poses = ((way, turned(pose, facing)) for way, facing in turns)
    return [
        (way, about)
        for way, about in poses
        if not way or no_room(moment, unit, about, through) is None
    ]


def _along_axes(
    moment: Moment,
    unit: int,
    pose: Pose,
    places: Sequence[Spot],
    budget: float,
    through: Sequence[int],
) -> Iterator[Leg]:
    """Yield the legs by which a block goes from place to place, as far as it has movement.

    Members of a ranked block turn where they stand if the block so gets farther.
    """
    left = budget
    for x, y in places:
        (mx, my), (east, north) = pose.middle, unit_vector(pose.facing)
        ahead = (x - mx) * east + (y - my) * north
        aside = (x - mx) * north - (y - my) * east
        wanted = max(abs(ahead), abs(aside))
        if wanted < _LEAST_LEG:
            continue
        side = 0 if abs(ahead) >= abs(aside) else 1
        way = (pose.facing + QUARTER * (side + 2 * ((aside if side else ahead) < 0))) % FULL_CIRCLE
        tries = [(pose, left)]
        if pose.drill.formation is Formation.RANKED and way != pose.facing:
            cost = turn_cost(pose, way, speed_of(moment, unit))
            tries.append((turned(pose, way), left - cost))
        runs = [
            (straight(moment, unit, start, way, wanted, most, through=through), start, most)
            for start, most in tries
            if most > 0
        ]
        run, start, most = max(runs, key=lambda each: (each[0].distance, each[2] - each[0].cost))
        end = gone(start, way, run.distance)
        if run.distance <= 0 or no_room(moment, unit, end, through) is not None:
            return
        if start is not pose:
            yield start.leg("turn")
        yield end.leg("march")
        pose, left = end, most - run.cost
        if run.distance < wanted - _LEAST_LEG or left <= 0:
            return
