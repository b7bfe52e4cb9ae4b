"""Emlia, chapter 11 as play: units that march off the field of their own will.

Over the edge of its own lines a unit has retreated; over any other it counts as destroyed. Either
way it never comes back (`emlia.move.leave`). It leaves as a whole as soon as any part of it is
over the edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, get_args

from emlia3d.battle.changes import Change, Fall, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Edge
from emlia3d.force.facing import facing_of_degrees
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.events.movement import FoundNoWayOff, LeftTheField
from emlia3d.rules.emlia.play.acting.actions import Deed, used_by
from emlia3d.rules.emlia.play.combat import free_strike
from emlia3d.rules.emlia.play.morale.casualties import fallen, notify_friends
from emlia3d.rules.emlia.play.morale.leading import withdrawn, without
from emlia3d.rules.emlia.play.movement.manoeuvre import may_move
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import CREEP, speed_of, straight
from emlia3d.rules.emlia.play.situation.parts import parts_of
from emlia3d.rules.emlia.play.situation.pose import (
    QUARTER,
    Pose,
    gone,
    pose_of,
    turn_cost,
    turned,
)

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

LEAVE_FIELD = "leave-field"

EDGES: tuple[Edge, ...] = get_args(Edge)
"""In the order of the numbers that an order has for them."""


class LeaveValidator:
    """Every edge over which a unit may leave the field; it is on no shortlist."""

    def __init__(self, moment: Moment, unit: int) -> None:
        self._moment = moment
        self._unit = unit

    def for_moment(self, moment: Moment) -> LeaveValidator:
        """Return the orders within reach, for a unit of the battle as its side knows it."""
        return LeaveValidator(moment, self._unit)

    def refusal(self, order: Order) -> Refusal | None:
        """None if the unit may leave as *order* says."""
        number = -1 if order.number is None else order.number
        mine = order.unit == self._unit and order.verb == LEAVE_FIELD
        if not mine or number not in range(len(EDGES)):
            return Refusal("emlia.move.leave", "it cannot leave the field there")
        return may_leave(self._moment, self._unit, EDGES[number])


def may_leave(moment: Moment, unit: int, edge: Edge) -> Refusal | None:
    """Return why a unit may not leave over an edge: no Normal Move reaches it."""
    refusal = may_move(moment, unit, "move")
    if refusal is None and _at_edge(moment, unit, edge, unknown_to(moment, unit)) is None:
        return Refusal("emlia.move.leave", f"it cannot cross the {edge} edge in one move")
    return refusal


def _at_edge(moment: Moment, unit: int, edge: Edge, through: Sequence[int] = ()) -> Pose | None:
    """Return where the unit stands as it comes to an edge by the straight way; None if it does not.

    As it faces, or after a turn in place.

    through : units that are not taken into account
    """
    start, speed = pose_of(moment, unit), speed_of(moment, unit)
    way = facing_of_degrees(90 * EDGES.index(edge))
    askew = start.drill.formation is Formation.RANKED and (way - start.facing) % QUARTER
    about = turned(start, way)
    tries = [(about, speed - turn_cost(start, way, speed))]
    if not askew:
        tries.insert(0, (start, speed))
    for pose, budget in tries:
        gap = _gap(moment, pose, edge)
        if budget <= 0 or gap > budget:
            continue
        run = straight(moment, unit, pose, way, gap, budget, through=through)
        if run.distance >= gap - 2 * CREEP:
            return gone(pose, way, run.distance)
    return None


def _gap(moment: Moment, pose: Pose, edge: Edge) -> float:
    """GSU from the foremost of a unit to an edge."""
    west, south, east, north = pose.outline.bounds
    width, depth = moment.setup.field.size
    gaps = {"north": depth - north, "east": width - east, "south": south, "west": west}
    return max(gaps[edge], 0.0)


def leave(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """March the unit off the field; enemies that engage it strike first.

    An enemy unknown to its side may bar the way; then the unit stays.
    """
    assert order.number is not None
    edge = EDGES[order.number]
    end = _at_edge(battle, unit, edge)
    if end is None:
        yield Event(
            facts=FoundNoWayOff(),
            unit=unit,
            because=("emlia.move.leave",),
            changes=used_by(battle, unit, "normal move"),
        )
        return
    yield from free_strike.provoked(battle, unit, end)
    if not battle.state.units.value("present", unit):
        return
    home = is_home(battle, unit, edge)
    yield Event(
        facts=LeftTheField(edge=edge, counts="retreated" if home else "destroyed"),
        unit=unit,
        gesture="vanish",
        because=("emlia.move.leave", *(("emlia.scenario.own-lines",) if home else ())),
        changes=(
            *used_by(battle, unit, "normal move"),
            *(withdrawn if home else _destroyed)(battle, unit),
        ),
    )


def is_home(moment: Moment, unit: int, edge: Edge) -> bool:
    """Return whether a unit's own lines are at an edge, or beyond it."""
    lines = moment.setup.lines_of(unit)
    if isinstance(lines, str):
        return lines == edge
    width, depth = moment.setup.field.size
    beyond = {
        "north": lines[1] > depth, "east": lines[0] > width,
        "south": lines[1] < 0, "west": lines[0] < 0,
    }  # fmt: skip
    return beyond[edge]


def _destroyed(moment: Moment, unit: int) -> Iterator[Change]:
    """Yield the changes of its destruction; friends that see it lose morale."""
    yield from notify_friends(moment, unit)
    for row in dict.fromkeys((unit, *parts_of(moment, unit))):
        members = moment.state.units.integer("members", row)
        if members:
            yield Fall(unit=row, figures=fallen(moment, row, members))
        yield from without(moment, row)
    yield Set(table="unit", row=unit, column="present", value=0)


LEAVE = Deed(
    verbs=(LEAVE_FIELD,), options=lambda battle, unit: [], perform=leave, validator=LeaveValidator
)
