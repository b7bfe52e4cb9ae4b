"""Emlia, chapter 15.2 as play: leaving a skirmish, from anywhere inside its boundary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shapely.geometry.base import BaseGeometry

from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.force.facing import facing_of_degrees
from emlia3d.rules.emlia.actions import ActionType
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.events.engagement import SlippedAway
from emlia3d.rules.emlia.play.acting.actions import Deed, used
from emlia3d.rules.emlia.play.combat import free_strike
from emlia3d.rules.emlia.play.movement.manoeuvre import may_move, not_closer, short_of_edge
from emlia3d.rules.emlia.play.movement.stampede import run_through
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import no_room, speed_of, straight
from emlia3d.rules.emlia.play.situation.contact import boundary_of, enemies_of, skirmish_of
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, placed, pose_of, turn_cost, turned
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

_COMPASS = range(0, 360, 45)

_SKIN = 1 / 256
"""GSU beyond the boundary of a skirmish that count as inside."""


def slip_out_options(moment: Moment, unit: int) -> Iterator[Order]:
    """To leave the skirmish towards each of the eight points of the compass that lead out."""
    body = skirmish_of(moment, unit)
    if not body or may_move(moment, unit, "move") is not None:
        return
    for degrees in _COMPASS:
        way = way_out(moment, unit, degrees)
        if way is not None and not_closer(moment, unit, way[1]) is None:
            yield Order(verb="slip-out", unit=unit, number=degrees)


@rule("emlia.skirmish.leave")
def way_out(moment: Moment, unit: int, degrees: int) -> tuple[Pose, Pose] | None:
    """Return start and end of a unit that leaves its skirmish in a direction; None if it cannot.

    It starts at the farthest place that way inside the common boundary, and goes a Normal Move.
    """
    hull = boundary_of(moment, skirmish_of(moment, unit)).buffer(_SKIN)
    facing = facing_of_degrees(degrees)
    here, speed = pose_of(moment, unit), speed_of(moment, unit)
    left = speed - turn_cost(here, facing, speed)
    pose = turned(here, facing)
    if left <= 0 or not hull.covers(pose.outline):
        return None
    start = gone(pose, facing, _inside(pose, facing, hull))
    hidden = unknown_to(moment, unit)
    run = straight(moment, unit, start, facing, left, left, through=hidden)
    distance = short_of_edge(start, facing, run.distance, moment.setup.field.size)
    end = gone(start, facing, distance)
    free = no_room(moment, unit, end, hidden) is None and not _is_reached(moment, unit, end)
    return (start, end) if free else None


def _inside(pose: Pose, way: int, hull: BaseGeometry) -> float:
    """Return how far a unit can be shifted that way inside a boundary, by halving."""
    west, south, east, north = hull.bounds
    low, high = 0.0, east - west + north - south
    for _ in range(16):
        middle = (low + high) / 2
        inside = hull.covers(gone(pose, way, middle).outline)
        low, high = (middle, high) if inside else (low, middle)
    return low


def _is_reached(moment: Moment, unit: int, end: Pose) -> bool:
    """Return whether an enemy would still engage the unit there, or the unit it."""
    situation = situation_of(moment)
    return any(
        in_reach(
            float(end.outline.distance(situation.outline(foe))),
            max(reach_of(situation, foe), reach_of(situation, unit)),
        )
        for foe in enemies_of(moment, unit)
    )


def slip_out(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Leave the skirmish; enemies that engage the unit may strike it first."""
    way = way_out(battle, unit, order.number or 0)
    assert way is not None
    yield from free_strike.provoked(battle, unit, way[1], way)
    if not battle.state.units.value("present", unit):
        return
    yield Event(
        facts=SlippedAway(path=tuple((pose.x, pose.y) for pose in way)),
        unit=unit,
        gesture="march",
        because=("emlia.skirmish.leave", "emlia.move.normal"),
        changes=(
            *placed(battle, unit, way[1]),
            *used(unit, ActionType.MOVE),
            Set(table="unit", row=unit, column="moved", value=1),
            *run_through(battle, unit, way),
        ),
    )


SLIP_OUT = Deed(verbs=("slip-out",), options=slip_out_options, perform=slip_out, is_expensive=True)
