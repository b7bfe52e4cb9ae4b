"""Emlia, chapters 15.5 and 15.7 as play: who goes after an enemy that has been moved.

Holds `emlia.push.follow` and `emlia.mixedeng.follow`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, facing_towards, unit_vector
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.events.engagement import FollowedUp
from emlia3d.rules.emlia.play.engagement.pushes import Push
from emlia3d.rules.emlia.play.engagement.shoves import SKIN
from emlia3d.rules.emlia.play.situation.allowance import no_room, obstacles_to, speed_of, straight
from emlia3d.rules.emlia.play.situation.contact import boundary_of, engaged_by, is_ranked
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.play.situation.pose import (
    QUARTER,
    Pose,
    gone,
    placed,
    pose_of,
    turn_cost,
    turned,
    turned_on_centre,
    wheeled,
)
from emlia3d.rules.emlia.play.situation.reach import engages, reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.engagement import RankedBlock, who_reaches
from emlia3d.rules.emlia.tables.manoeuvres import wheel_cost
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@rule("emlia.push.follow")
def follow(moment: Moment, one: Push, distance: float, moved: Collection[int]) -> Procedure[None]:
    """Let an unmoved pusher follow its enemy to keep contact.

    A ranked one only if no other enemy engages it, and not one that it has put out of its reach.
    Who follows a skirmish is asked by `follow_skirmish`.

    distance : GSU that the enemy was moved
    """
    if len(one.body) > 1:
        return
    situation, units = situation_of(moment), moment.state.units
    for pusher in one.by:
        unit = pusher.unit
        others = [foe for foe in engaged_by(moment, unit) if foe != one.unit]
        if unit in moved or (is_ranked(moment, unit) and (others or not pusher.presses)):
            continue
        pose = pose_of(moment, unit)
        gap = situation.distance(unit, one.unit)
        way = pose.facing if is_ranked(moment, unit) else facing_towards(*pusher.way)
        wanted = min(distance, max(gap - 1 / 4, 0.0))
        run = straight(moment, unit, pose, way, wanted, wanted, forced=True)
        if run.distance <= 0:
            continue
        choice = yield Decision(
            side=units.integer("side", unit),
            asks="emlia.push.follow",
            unit=unit,
            options=(
                Order(verb="follow-up", unit=unit, target=one.unit),
                Order(verb="stand", unit=unit),
            ),
        )
        if choice.verb == "follow-up":
            yield Event(
                facts=FollowedUp(distance=round(run.distance, 2)),
                unit=unit,
                target=one.unit,
                gesture="march",
                because=("emlia.push.follow",),
                changes=placed(moment, unit, gone(pose, way, run.distance)),
                part_of_last=True,
            )


def blocks_touching(moment: Moment, body: tuple[int, ...]) -> tuple[int, ...]:
    """Ranked units that are engaged with a skirmish; none with a unit alone."""
    if len(body) < 2:
        return ()
    situation = situation_of(moment)
    return tuple(
        unit
        for unit in on_field(moment)
        if is_ranked(moment, unit)
        and any(engages(situation, unit, one) or engages(situation, one, unit) for one in body)
    )


@rule("emlia.mixedeng.follow", "emlia.mixedeng.no-follow")
def follow_skirmish(
    moment: Moment, body: tuple[int, ...], blocks: Collection[int], moved: Collection[int]
) -> Procedure[None]:
    """Ranked units that were engaged with a skirmish may go after it when it has been moved.

    Not one that any other unit or skirmish engages.
    """
    for unit in blocks:
        others = {*engaged_by(moment, unit)} - {*body}
        if unit in moved or others:
            continue
        end = pursuit(moment, unit, body)
        if end is None or end == pose_of(moment, unit):
            continue
        choice = yield Decision(
            side=moment.state.units.integer("side", unit),
            asks="emlia.mixedeng.follow",
            unit=unit,
            options=(
                Order(verb="follow-up", unit=unit, target=body[0]),
                Order(verb="stand", unit=unit),
            ),
        )
        if choice.verb == "follow-up":
            yield Event(
                facts=FollowedUp(),
                unit=unit,
                target=body[0],
                gesture="march",
                because=("emlia.mixedeng.follow", "emlia.mixedeng.realign"),
                changes=placed(moment, unit, end),
                part_of_last=True,
            )


def pursuit(moment: Moment, unit: int, body: tuple[int, ...]) -> Pose | None:
    """Return where a ranked unit ends that follows a skirmish: in contact, aligned if possible.

    By the cheapest of its movements: straight on, after a turn or an about-face, or a wheel. None
    where none of them leads there.
    """
    outline, speed = boundary_of(moment, body), speed_of(moment, unit)
    reach, start = reach_of(situation_of(moment), unit), pose_of(moment, unit)
    best: tuple[float, Pose] | None = None
    for pose, cost, least in _manoeuvres(start, speed):
        wanted = max(float(pose.outline.distance(outline)) - reach, least, 0.0)
        left = speed - cost
        if left < wanted:
            continue
        run = straight(moment, unit, pose, pose.facing, left, left, through=body)
        far = _until(pose, outline, reach, wanted, run.distance)
        if far is None or (best is not None and cost + far >= best[0]):
            continue
        end = gone(pose, pose.facing, far)
        if no_room(moment, unit, end, body) is None:
            best = cost + far, end
    return None if best is None else realigned(moment, unit, best[1], body)


def _manoeuvres(start: Pose, speed: float) -> Iterator[tuple[Pose, float, float]]:
    """Yield the starts of a pursuit by a ranked unit: the pose, its cost and the distance left."""
    for turn in (0, QUARTER, -QUARTER, 2 * QUARTER):
        facing = (start.facing + turn) % FULL_CIRCLE
        yield turned(start, facing), turn_cost(start, facing, speed), 0.0
    for degrees in _WHEELS:
        facing = (start.facing + facing_of_degrees(degrees)) % FULL_CIRCLE
        cost = wheel_cost(start.drill.frontage, abs(degrees))
        yield wheeled(start, facing), cost, start.drill.length


_WHEELS = tuple(degrees for degrees in range(-75, 76, 15) if degrees)

_STEP = 1 / 16
"""GSU by which a search for the end of a follow-up goes on at least."""

_SHORT = 1 / 16
"""GSU by which a realigned unit is nearer to a skirmish than its reach."""


def _until(
    pose: Pose, outline: BaseGeometry, reach: float, least: float, most: float
) -> float | None:
    """Return the distance straight on at which an outline comes into the unit's reach."""
    far = least
    while far <= most:
        gap = float(gone(pose, pose.facing, far).outline.distance(outline))
        if gap <= reach:
            return far
        far += max(gap - reach, _STEP)
    return None


@rule("emlia.mixedeng.realign")
def realigned(moment: Moment, unit: int, pose: Pose, body: tuple[int, ...]) -> Pose:
    """Return the pose turned on its centre so that most members reach the skirmish."""
    outline = boundary_of(moment, body)
    reach, size = reach_of(situation_of(moment), unit), situation_of(moment).size(unit)
    line = shapely.shortest_line(pose.outline.centroid, outline)
    (ax, ay), (bx, by) = shapely.get_coordinates(line)
    poses = [pose]
    if (ax, ay) != (bx, by):
        square = turned_on_centre(pose, facing_towards(bx - ax, by - ay))
        gap = float(square.outline.distance(outline))
        closer = gone(square, square.facing, max(gap - reach + _SHORT, 0.0))
        free = closer.outline.buffer(-SKIN, join_style="mitre")
        if not shapely.intersects(free, obstacles_to(moment, unit, body)).any():
            poses.append(closer)

    def able(one: Pose) -> int:
        if not in_reach(float(one.outline.distance(outline)), reach):
            return 0
        block = RankedBlock(
            front=(one.x, one.y), ahead=unit_vector(one.facing), files=one.drill.files,
            members=one.drill.count, width=one.drill.width, depth=one.drill.depth,
        )  # fmt: skip
        return int(who_reaches(block, outline, reach, size).sum())

    return max(poses, key=able)
