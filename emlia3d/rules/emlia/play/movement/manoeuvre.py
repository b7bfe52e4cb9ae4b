"""Emlia, chapters 11 to 13: the move action as play: what may be ordered, and how it is done.

The figures of movement are in `emlia3d.rules.emlia.play.situation.allowance` and in `legs` beside
this module.

Holds `emlia.move`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import shapely

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.field.ground import median
from emlia3d.force.facing import facing_of_degrees
from emlia3d.rules.emlia.actions import ActionType, listing
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.events import movement as events
from emlia3d.rules.emlia.play.acting.actions import (
    FOR_POSTURE,
    Deed,
    kind_of,
    may_act_on_orders,
    used_by,
)
from emlia3d.rules.emlia.play.acting.subjects import may_do
from emlia3d.rules.emlia.play.combat import free_strike
from emlia3d.rules.emlia.play.movement.closeness import is_closer, may_go_closer
from emlia3d.rules.emlia.play.movement.driving import driven_by, drives, noted
from emlia3d.rules.emlia.play.movement.legs import MovePlan, cut_short, plan
from emlia3d.rules.emlia.play.movement.reasons import move_because
from emlia3d.rules.emlia.play.movement.stampede import run_through
from emlia3d.rules.emlia.play.sight.awareness import is_aware, unknown_to
from emlia3d.rules.emlia.play.situation.allowance import obstacles_to, speed_of, straight
from emlia3d.rules.emlia.play.situation.flight import can_fly, flight_cost, glide
from emlia3d.rules.emlia.play.situation.march import MarchWay, first_contact
from emlia3d.rules.emlia.play.situation.parts import on_field, parts_of
from emlia3d.rules.emlia.play.situation.pose import (
    QUARTER,
    Pose,
    at_altitude,
    gone,
    placed,
    pose_of,
    turn_cost,
    turned,
)
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.modes import FLYING
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

COVER_REACH = 5.0
PACES = {"move": 1, "double-pace": 2}
_ALTITUDES = (0.0, 5.0)
"""Heights to land at or to rise to that are on the shortlist of a flyer."""

_ACTIONS = {"move": "normal move", "double-pace": "double pace"}


class MoveValidator:
    """Every move that a unit may be ordered to make, or may make on initiative."""

    def __init__(self, moment: Moment, unit: int, *, on_initiative: bool = False) -> None:
        self._moment = moment
        self._unit = unit
        self._on_initiative = on_initiative
        self._may_move = may_move_of_itself if on_initiative else may_move

    @property
    def through(self) -> tuple[int, ...]:
        """Enemies that the unit's side does not know of: they make no move refused."""
        return unknown_to(self._moment, self._unit)

    @rule("emlia.lead.split.required")
    def _is_part(self, unit: int) -> bool:
        """Return whether it is a subunit of the mover: no member leaves its unit by a move."""
        return unit != self._unit and unit in parts_of(self._moment, self._unit)

    def for_moment(self, moment: Moment) -> MoveValidator:
        """Return the orders within reach, for a unit of the battle as its side knows it."""
        return MoveValidator(moment, self._unit, on_initiative=self._on_initiative)

    def refusal(self, order: Order) -> Refusal | None:
        """None if the unit may move as *order* says."""
        if order.unit is not None and self._is_part(order.unit):
            return Refusal("emlia.lead.split.required", "a part moves with its unit")
        if order.unit != self._unit or order.verb not in PACES:
            return Refusal("emlia.move.normal", "this unit cannot move like that")
        may = self._may_move(self._moment, self._unit, order.verb)
        if may is not None:
            return may
        planned = plan(self._moment, self._unit, order, PACES[order.verb])
        if isinstance(planned, Refusal):
            if not self.through:
                return planned
            planned = plan(self._moment, self._unit, order, PACES[order.verb], self.through)
        return (
            planned
            if isinstance(planned, Refusal)
            else not_closer(self._moment, self._unit, planned.end)
        )


def may_move(moment: Moment, unit: int, verb: str) -> Refusal | None:
    """Return the unit acts on orders, and may move at all."""
    return may_act_on_orders(moment, unit) or may_move_of_itself(moment, unit, verb)


def may_move_of_itself(moment: Moment, unit: int, verb: str) -> Refusal | None:
    """Return a move action is left, and Double Pace is declared before the first check."""
    units = moment.state.units
    refusal = may_do(moment, unit, _ACTIONS[verb])
    if refusal is not None:
        return refusal
    driven = driven_by(moment, unit)
    if units.value("move_used", unit) and driven is not None and driven.gears:
        return Refusal("emlia.mode.accel.double-pace", "a unit with gears has no second move")
    if verb == "double-pace" and (
        units.value("primary_used", unit) or units.value("free_used", unit)
    ):
        return Refusal("emlia.move.double-pace", "it must be declared before the first check")
    return None


def not_closer(moment: Moment, unit: int, end: Pose) -> Refusal | None:
    """Return why a shaken unit may not end here: nearer to the nearest known enemy.

    Of the enemies that it is aware of.
    """
    if may_go_closer(moment, unit) or not is_closer(moment, unit, end):
        return None
    return Refusal("emlia.morale.not-closer", "a shaken unit cannot move nearer to the enemy")


def move_options(moment: Moment, unit: int) -> list[Order]:
    """Return a shortlist of moves: straight on, back, to the sides, turns."""
    if moment.state.units.value("moved", unit) or may_move(moment, unit, "move") is not None:
        return []
    return [*_shortlist(moment, unit)]


def posture_options(moment: Moment, unit: int) -> list[Order]:
    """Return the changes of posture that are left to the unit."""
    units = moment.state.units
    if may_act_on_orders(moment, unit) is not None:
        return []
    verbs = []
    upright = "stand-up" if units.value("posture", unit) else "drop-down"
    if may_do(moment, unit, upright.replace("-", " ")) is None:
        verbs.append(upright)
    if may_do(moment, unit, "take cover") is None:
        if units.value("taking_cover", unit):
            verbs.append("leave-cover")
        elif may_take_cover(moment, unit) is None:
            verbs.append("take-cover")
    return [Order(verb=verb, unit=unit) for verb in verbs]


def _shortlist(moment: Moment, unit: int) -> Iterator[Order]:
    """Yield moves of full length, each checked."""
    reach, pose, speed = MoveValidator(moment, unit), pose_of(moment, unit), speed_of(moment, unit)
    if driven_by(moment, unit) is not None:
        for verb in PACES:
            yield from (order for order in drives(moment, unit, verb) if not reach.refusal(order))
        return
    for verb, paces in PACES.items():
        for turn in (0, 45, -45, 90, -90, 180):
            facing = (pose.facing + facing_of_degrees(turn)) % (4 * QUARTER)
            order = turn_and_go(moment, unit, facing, speed * paces, verb)
            if order is not None and reach.refusal(order) is None:
                yield order
    if can_fly(moment, unit):
        for altitude in _ALTITUDES:
            flight = at_altitude(pose, altitude).leg("march", FLYING)
            order = Order(verb="move", unit=unit, legs=(flight,))
            if altitude != pose.altitude and reach.refusal(order) is None:
                yield order


def turn_and_go(
    moment: Moment, unit: int, facing: int, budget: float, verb: str, most: float | None = None
) -> Order | None:
    """Turn in place if need be, then straight on as far as there is movement; None if nowhere.

    Enemies that its side does not know of do not shorten it: the order would give them away.

    most : how far it wants to go at most, GSU
    """
    pose = pose_of(moment, unit)
    legs, left = [], budget
    if facing != pose.facing:
        left -= turn_cost(pose, facing, speed_of(moment, unit))
        pose = turned(pose, facing)
        legs.append(pose.leg("turn"))
    if left < 0:
        return None
    wanted = left if most is None else min(left, most)
    hidden = unknown_to(moment, unit)
    distance = straight(moment, unit, pose, facing, wanted, left, through=hidden).distance
    distance = short_of_edge(pose, facing, distance, moment.setup.field.size)
    end = gone(pose, facing, distance)
    if distance > 0:
        legs.append(end.leg("march"))
    return Order(verb=verb, unit=unit, legs=tuple(legs)) if legs else None


def fly(  # noqa: PLR0913, PLR0917  as `turn_and_go`
    moment: Moment, unit: int, facing: int, budget: float, verb: str, most: float, altitude: float
) -> Order | None:
    """Turn if need be, then fly straight on, rising or sinking to an altitude.

    Straight up first where the way is barred; None if it gets nowhere.
    """
    pose = pose_of(moment, unit)
    legs = []
    if facing != pose.facing:
        budget -= turn_cost(pose, facing, speed_of(moment, unit, FLYING))
        pose = turned(pose, facing)
        legs.append(pose.leg("turn", FLYING))
    hidden = unknown_to(moment, unit)
    wanted = short_of_edge(pose, facing, min(budget, most), moment.setup.field.size)
    there = at_altitude(gone(pose, facing, wanted), altitude)
    barring = obstacles_to(moment, unit, hidden, FLYING, (pose, there), passing=True)
    if first_contact(MarchWay.towards(facing), pose.outline, barring, wanted) < wanted:
        risen = at_altitude(pose, max(altitude, pose.altitude))
        budget -= flight_cost(moment, pose, risen)
        if risen != pose:
            legs.append(risen.leg("march", FLYING))
        pose = risen
        wanted = straight(
            moment, unit, pose, facing, wanted, budget, through=hidden, mode=FLYING
        ).distance
    end, _ = glide(moment, pose, facing, wanted, altitude, budget)
    legs.append(end.leg("march", FLYING))
    return Order(verb=verb, unit=unit, legs=tuple(legs)) if wanted > 0 else None


def short_of_edge(pose: Pose, facing: int, distance: float, size: tuple[float, float]) -> float:
    """Return how far the unit gets before any part of it would be over the edge; by halving."""
    west, south, east, north = pose.outline.bounds
    if min(west, south, size[0] - east, size[1] - north) > distance + 1:
        return distance
    low, high = 0.0, distance
    field = shapely.box(0, 0, *size)
    if field.covers(gone(pose, facing, distance).outline):
        return distance
    for _ in range(16):
        middle = (low + high) / 2
        inside = field.covers(gone(pose, facing, middle).outline)
        low, high = (middle, high) if inside else (low, middle)
    return low


@rule("emlia.move.normal", "emlia.move.own-power", "emlia.move.double-pace")
def move(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Move the unit by one Normal Move or two; enemies that engage it strike first.

    It stops at an enemy that its side did not know of.
    """
    planned = plan(battle, unit, order, PACES[order.verb])
    barred = (planned.slug,) if isinstance(planned, Refusal) else ()
    if isinstance(planned, Refusal):
        planned = cut_short(battle, unit, order, PACES[order.verb])
    yield from free_strike.provoked(battle, unit, planned.end, planned.poses)
    if not battle.state.units.value("present", unit):
        return
    yield moved(battle, unit, planned, order, *barred)


def moved(moment: Moment, unit: int, planned: MovePlan, order: Order, *barred: str) -> Event:
    """Return the move as it is made.

    barred : the rule by which an unknown enemy cut it short
    """
    changes: list[Change] = [
        *placed(moment, unit, planned.end),
        *used_by(moment, unit, _ACTIONS[order.verb]),
        Set(table="unit", row=unit, column="moved", value=1),
        *noted(moment, unit, planned.cost if planned.drive is None else planned.drive),
        *run_through(moment, unit, planned.poses),
    ]
    doubled = order.verb == "double-pace"
    because = [*move_because(moment, unit, planned, order.legs, doubled=doubled), *barred]
    if doubled:
        changes.append(Set(table="unit", row=unit, column="double_paced", value=1))
    if moment.state.units.value("taking_cover", unit):
        near = _cover_near(moment, unit, planned.end)
        if not near:
            changes.append(Set(table="unit", row=unit, column="taking_cover", value=0))
            because.append("emlia.move.take-cover.end")
    path = tuple((pose.x, pose.y) for pose in planned.poses)
    return Event(
        facts=(events.DoublePaced if doubled else events.Moved)(
            path=path, cost=round(planned.cost, 3)
        ),
        unit=unit,
        gesture="march",
        because=tuple(because),
        changes=tuple(changes),
    )


@rule("emlia.move.take-cover")
def may_take_cover(moment: Moment, unit: int) -> Refusal | None:
    """Something that rises half the unit's height above its footing stands within 5 GSU."""
    if not _cover_near(moment, unit, pose_of(moment, unit)):
        return Refusal("emlia.move.take-cover", "nothing nearby is high enough to give cover")
    return None


@rule("emlia.move.take-cover.end")
def _cover_near(moment: Moment, unit: int, pose: Pose) -> bool:
    """Return whether an obstacle that could give cover stands within 5 GSU of the unit at *pose*.

    A piece of terrain, or another unit that it is aware of.
    """
    situation, outline = situation_of(moment), pose.outline
    lift = float(moment.state.units.value("on_height", unit))
    high = median(situation.ground_at(pose.places)) + lift + situation.height(unit) / 2
    if any(
        situation.feature_footing(row) + feature.height >= high
        and in_reach(feature.outline.distance(outline), COVER_REACH)
        for row, feature in enumerate(moment.setup.field.features)
        if moment.state.features.value("present", row)
    ):
        return True
    others = [other for other in on_field(moment) if other != unit]
    gaps = shapely.distance(situation.outlines(others), outline).tolist()
    return any(
        in_reach(gap, COVER_REACH)
        and situation.footing(other) + situation.height(other) >= high
        and is_aware(moment, unit, other)
        for other, gap in zip(others, gaps, strict=True)
    )


_POSTURES = {
    "drop-down": (events.DroppedDown, "posture", 1, "emlia.move.drop-down"),
    "stand-up": (events.StoodUp, "posture", 0, "emlia.move.stand-up"),
    "take-cover": (events.TookCover, "taking_cover", 1, "emlia.move.take-cover"),
    "leave-cover": (events.LeftCover, "taking_cover", 0, "emlia.move.take-cover.end"),
}


@rule("emlia.move.drop-down", "emlia.move.stand-up")
def change_posture(battle: Battle, unit: int, verb: str) -> Procedure[None]:
    """Lying down halves size and height; standing up ends it; cover is taken or left."""
    kind, column, value, slug = _POSTURES[verb]
    changes: list[Change] = [Set(table="unit", row=unit, column=column, value=value)]
    because: tuple[str, ...] = (slug,)
    if verb != "leave-cover":
        because = (slug, listing(verb.replace("-", " ")))
        yield from free_strike.provoked(battle, unit, pose_of(battle, unit))
        changes += _posture_costs(battle, unit, verb.replace("-", " "))
    yield Event(facts=kind(), unit=unit, gesture="march", because=because, changes=tuple(changes))


def _posture_costs(moment: Moment, unit: int, name: str) -> tuple[Change, ...]:
    """Return the changes that charge a change of posture, which is a move action of its own."""
    if kind_of(name) is not ActionType.MOVE:
        return used_by(moment, unit, name)
    return (Set(table="unit", row=unit, column="move_used", value=FOR_POSTURE),)


def change(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Carry out a change of posture."""
    yield from change_posture(battle, unit, order.verb)


MOVES = Deed(
    verbs=tuple(PACES), options=move_options, perform=move, validator=MoveValidator, validated=True
)
POSTURES = Deed(verbs=tuple(_POSTURES), options=posture_options, perform=change)
