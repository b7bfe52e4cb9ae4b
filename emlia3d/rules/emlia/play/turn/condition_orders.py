"""Emlia, chapter 9 as play: the orders by which a unit follows an initiative condition.

Each condition has a few orders that fulfil it. If any place that is far or hidden enough will do,
a validator allows all orders to such places.

The words are in `emlia3d.rules.emlia.unit_sets.initiative_conditions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.decisions import Order, OrderValidator, Refusal
from emlia3d.force.facing import FULL_CIRCLE, facing_towards
from emlia3d.rules.emlia.actions import ActionType
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.play.acting.actions import kind_of
from emlia3d.rules.emlia.play.acting.subjects import may_do
from emlia3d.rules.emlia.play.acting.triggers import fastest
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.charges.shelter import (
    BEARINGS,
    TrialBattle,
    is_sheltered,
    towards_shelter,
)
from emlia3d.rules.emlia.play.combat import close_combat, concentrated, shooting
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.movement.manoeuvre import (
    PACES,
    MoveValidator,
    may_take_cover,
    turn_and_go,
)
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import melee_of
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.unit_sets.initiative_conditions import InitiativeCondition

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

ATTACKS = (
    close_combat.CLOSE_COMBAT,
    charging.CHARGE,
    shooting.AIMED_FIRE,
    concentrated.CONCENTRATED_VOLLEY,
)
"""The attacks that a unit makes on initiative, as it would on orders."""

_OFFERED = 6
"""Number of moves offered; other moves that do as well are legal too."""


@dataclass(frozen=True, slots=True)
class MetCondition:
    """A condition that is met.

    number : from 1, in the order of priority
    foes : the enemies by which it is met
    part : the subunit whose condition it is
    """

    number: int
    condition: InitiativeCondition
    foes: tuple[int, ...]
    part: int


def takes(call: MetCondition) -> ActionType:
    """Return the action that a condition calls for."""
    do = call.condition.do
    return kind_of("normal move" if do.startswith("move") else _ACTION_OF[do])


_ACTION_OF = {
    "take cover": "take cover", "charge": "charge", "shoot": "aimed fire", "attack": "close combat",
}  # fmt: skip
"""The action of the list that a condition calls for, where it is no move."""


def fulfils(battle: Battle, unit: int, order: Order, call: MetCondition) -> bool:
    """Return whether an order does what a condition calls for, whatever else it does."""
    if not call.condition.do.startswith("move"):
        return order in ways_to_follow(battle, unit, call)[0]
    reach = ConditionOrders(battle, unit, call)
    return order.verb in PACES and reach.refusal(order) is None


def ways_to_follow(
    battle: Battle, unit: int, call: MetCondition
) -> tuple[list[Order], OrderValidator | None]:
    """Return the orders that follow a condition, and a reach of others; none if impossible."""
    match call.condition.do:
        case "take cover":
            return _ways_to_take_cover(battle, unit), None
        case "charge":
            deeds = [charging.CHARGE]
        case "shoot":
            deeds = [shooting.AIMED_FIRE]
        case "attack":
            deeds = [*ATTACKS]
        case _:
            return _moves(battle, unit, call)
    orders = [order for deed in deeds for order in deed.options(battle, unit)]
    return [order for order in orders if _strikes(battle, unit, order, call.foes)], None


def _strikes(moment: Moment, unit: int, order: Order, foes: Sequence[int]) -> bool:
    """Return whether an attack is at one of these; one without a target is at all in reach."""
    if order.target is not None:
        return order.target in foes
    struck = melee_of(moment, unit).enemies
    return any(foe in struck for foe in foes)


def _ways_to_take_cover(moment: Moment, unit: int) -> list[Order]:
    possible = (
        not moment.state.units.value("taking_cover", unit)
        and may_do(moment, unit, "take cover") is None
        and may_take_cover(moment, unit) is None
    )
    return [Order(verb="take-cover", unit=unit)] if possible else []


def _moves(
    battle: Battle, unit: int, call: MetCondition
) -> tuple[list[Order], OrderValidator | None]:
    """Return moves that meet the condition, by one Normal Move if that suffices.

    If none does, the move that comes nearest.
    """
    reach = ConditionOrders(battle, unit, call)
    if reach.is_fulfilled():
        return [], None
    next_best: list[Order] = []
    for verb in ("move", "double-pace") if call.condition.fast else ("move",):
        orders = [
            order
            for order in _candidates(battle, unit, call, verb)
            if reach.may_be_made(order) is None
        ]
        enough = [order for order in orders if reach.fulfils(order)]
        if enough:
            return enough[:_OFFERED], reach
        next_best = [order for order in orders if reach.gain(order) > 0] or next_best
    return next_best[:1], None


def _candidates(moment: Moment, unit: int, call: MetCondition, verb: str) -> Iterator[Order]:
    """Straight moves that may do, the likeliest first."""
    do = call.condition.do
    if do not in {"move away", "move toward"}:
        yield from towards_shelter(moment, unit, call.foes, verb)
        return
    situation, budget = situation_of(moment), speed_of(moment, unit) * PACES[verb]
    nearest = min(call.foes, key=lambda foe: (situation.distance(unit, foe), foe))
    line = shapely.shortest_line(situation.outline(unit), situation.outline(nearest))
    (ax, ay), (bx, by) = shapely.get_coordinates(line)
    straight = facing_towards(bx - ax, by - ay) + (FULL_CIRCLE // 2 if do == "move away" else 0)
    for bearing in sorted(BEARINGS, key=lambda off: (min(off, FULL_CIRCLE - off), off)):
        order = turn_and_go(moment, unit, (straight + bearing) % FULL_CIRCLE, budget, verb)
        if order is not None:
            yield order


class ConditionOrders:
    """Validator that allows every move that fulfils a condition."""

    def __init__(self, battle: Battle, unit: int, call: MetCondition) -> None:
        self._battle = battle
        self._unit = unit
        self._call = call
        self._condition = call.condition
        self._foes = call.foes
        self._moves = MoveValidator(battle, unit, on_initiative=True)
        self._trial = TrialBattle(battle, unit)

    def for_moment(self, battle: Battle) -> ConditionOrders:
        """Return the choice for a unit of the battle as its side knows it."""
        return ConditionOrders(battle, self._unit, self._call)

    def refusal(self, order: Order) -> Refusal | None:
        """None if the unit may make the move, and it does what the condition calls for."""
        refusal = self.may_be_made(order)
        if refusal is None and not self.fulfils(order):
            return Refusal("emlia.orders.initiative", "its condition requires another action")
        return refusal

    def may_be_made(self, order: Order) -> Refusal | None:
        """None if the move is legal and crosses only what the condition lets it cross."""
        refusal = self._moves.refusal(order)
        if refusal is not None:
            return refusal
        if order.verb == "double-pace" and not self._condition.fast:
            return Refusal("emlia.orders.initiative", "its condition does not allow Double Pace")
        if self._condition.unhindered and self._is_hindered(order):
            return Refusal("emlia.orders.initiative", "its condition does not allow that ground")
        return None

    def is_fulfilled(self) -> bool:
        """Return whether the unit is where it wants to be already."""
        return self._is_wanted(pose_of(self._battle, self._unit))

    def fulfils(self, order: Order) -> bool:
        """Return whether the move ends where the condition wants the unit."""
        end = self._end(order)
        return end is not None and self._is_wanted(end)

    def gain(self, order: Order) -> float:
        """Return how much nearer to its goal the move leads, GSU; for shelter the whole."""
        end, start = self._end(order), pose_of(self._battle, self._unit)
        if end is None:
            return 0.0
        outlines = situation_of(self._battle).outlines(self._foes)
        now = float(shapely.distance(start.outline, outlines).min())
        then = float(shapely.distance(end.outline, outlines).min())
        match self._condition.do:
            case "move away":
                return then - now
            case "move toward":
                return now - then
            case _:
                return float(np.hypot(end.x - start.x, end.y - start.y))

    def _end(self, order: Order) -> Pose | None:
        """Return where the move ends, past enemies that the side does not know of."""
        through = self._moves.through
        done = plan(self._battle, self._unit, order, PACES[order.verb], through)
        return done.end if isinstance(done, MovePlan) else None

    def _is_wanted(self, pose: Pose) -> bool:
        do = self._condition.do
        if do in {"move away", "move toward"}:
            outlines = situation_of(self._battle).outlines(self._foes)
            gaps = shapely.distance(pose.outline, outlines).tolist()
            wanted = [(gap, self._wanted(foe)) for gap, foe in zip(gaps, self._foes, strict=True)]
            if do == "move away":
                return all(in_reach(far, gap) for gap, far in wanted)
            return any(in_reach(gap, near) for gap, near in wanted)
        there = self._trial.at(pose)
        return is_sheltered(there, self._unit, self._foes, cover=do == "move to cover")

    def _wanted(self, foe: int) -> float:
        """Return how far from an enemy the condition wants the unit, GSU."""
        condition = self._condition
        if condition.until is not None:
            return condition.until
        if condition.until_moves is not None:
            return condition.until_moves * fastest(self._battle, foe)
        return inf if condition.do == "move away" else 0.0

    def _is_hindered(self, order: Order) -> bool:
        """Return whether the unit would go over anything that slows it."""
        done = plan(self._battle, self._unit, order, PACES[order.verb], self._moves.through)
        assert isinstance(done, MovePlan)
        outlines = [pose_of(self._battle, self._unit).outline]
        outlines += [pose.outline for pose in done.poses]
        swept = shapely.convex_hull(shapely.union_all(outlines))
        slow = [ground for _, ground in going_of(self._battle, self._unit).slow]
        return any(swept.intersection(ground).area > 0 for ground in slow)
